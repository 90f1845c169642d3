"""Wall clocks and instants in both hemispheres, and the evidence that chooses a zone."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.clock import (
    Candidate,
    choose_zone,
    day_offsets,
    is_zone,
    local_date,
    local_time,
    offset_minutes,
    utc_of_local,
)

ZONES = ("America/New_York", "Europe/Amsterdam", "Australia/Sydney", "Asia/Kathmandu", "America/Santiago")
NEW_YORK = Candidate("America/New_York", "profile")
SYDNEY = Candidate("Australia/Sydney", "registry")


def evaluate(value: datetime, expression: pl.Expr) -> object:
    return pl.DataFrame({"t": [value]}, schema={"t": pl.Datetime("us")}).select(expression).item()


@pytest.mark.parametrize(
    ("utc", "zone", "local"),
    [
        ("2025-01-01T13:30", "Australia/Sydney", "2025-01-02T00:30"),
        ("2023-07-22T05:00", "America/Vancouver", "2023-07-21T22:00"),
        ("2023-12-09T23:00", "Europe/Amsterdam", "2023-12-10T00:00"),
        ("2026-03-08T06:59", "America/New_York", "2026-03-08T01:59"),
        ("2026-03-08T07:00", "America/New_York", "2026-03-08T03:00"),
        ("2026-11-01T05:30", "America/New_York", "2026-11-01T01:30"),
        ("2026-11-01T06:30", "America/New_York", "2026-11-01T01:30"),
        ("2026-04-04T15:30", "Australia/Sydney", "2026-04-05T02:30"),
        ("2026-04-04T16:30", "Australia/Sydney", "2026-04-05T02:30"),
        ("2026-10-03T16:00", "Australia/Sydney", "2026-10-04T03:00"),
    ],
)
def test_a_utc_reading_on_the_wall(utc: str, zone: str, local: str) -> None:
    shown = datetime.fromisoformat(local)
    assert evaluate(datetime.fromisoformat(utc), local_time("t", zone)) == shown
    assert evaluate(datetime.fromisoformat(utc), local_date("t", zone)) == shown.date()


@pytest.mark.parametrize(
    ("local", "zone", "utc"),
    [
        ("2026-06-01T22:45", "America/New_York", "2026-06-02T02:45"),
        ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30"),
        ("2026-03-08T02:30", "America/New_York", None),
        ("2026-04-05T02:30", "Australia/Sydney", "2026-04-04T15:30"),
        ("2026-10-04T02:30", "Australia/Sydney", None),
    ],
)
def test_a_wall_reading_as_an_instant(local: str, zone: str, utc: str | None) -> None:
    expected = datetime.fromisoformat(utc) if utc else None
    assert evaluate(datetime.fromisoformat(local), utc_of_local("t", zone)) == expected


@given(
    st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1)).map(
        lambda t: t.replace(second=0, microsecond=0)
    ),
    st.sampled_from(ZONES),
)
def test_the_standard_library_agrees(utc: datetime, zone: str) -> None:
    there = utc.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
    offset = there.utcoffset()
    assert offset is not None
    assert evaluate(utc, local_time("t", zone)) == there.replace(tzinfo=None)
    assert evaluate(utc, offset_minutes("t", zone)) == offset // timedelta(minutes=1)


@given(
    st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1)).map(lambda t: t.replace(microsecond=0)),
    st.sampled_from(ZONES),
)
def test_to_the_wall_and_back_is_the_same_instant_or_an_hour_that_came_twice(
    utc: datetime, zone: str
) -> None:
    frame = pl.DataFrame({"t": [utc]}, schema={"t": pl.Datetime("us")})
    back = frame.select(local_time("t", zone)).select(utc_of_local("t", zone)).item()
    assert utc - back in (timedelta(0), timedelta(hours=1))


@pytest.mark.parametrize(
    ("day", "zone", "noon", "changed"),
    [
        ("2026-03-07", "America/New_York", -300, False),
        ("2026-03-08", "America/New_York", -240, True),
        ("2026-03-09", "America/New_York", -240, False),
        ("2026-11-01", "America/New_York", -300, True),
        ("2026-04-05", "Australia/Sydney", 600, True),
        ("2026-10-04", "Australia/Sydney", 660, True),
        # Clocks are set forward at midnight: the day has no 00:00.
        ("2026-09-05", "America/Santiago", -240, False),
        ("2026-09-06", "America/Santiago", -180, True),
        # Clocks are set back at midnight: the last hour of the day comes twice.
        ("2026-04-04", "America/Santiago", -180, True),
        ("2026-04-05", "America/Santiago", -240, False),
        ("2026-06-01", "Asia/Kathmandu", 345, False),
    ],
)
def test_offset_at_noon_and_days_on_which_it_moved(day: str, zone: str, noon: int, changed: bool) -> None:
    days = pl.LazyFrame({"date": [date.fromisoformat(day)]})
    row = days.pipe(day_offsets, zone).collect().row(0, named=True)
    assert (row["utc_offset_minutes"], row["tz_change"]) == (noon, changed)


def spans(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(
        [(date.fromisoformat(d), datetime.fromisoformat(a), datetime.fromisoformat(b)) for d, a, b in rows],
        schema={"day": pl.Date, "first": pl.Datetime("us"), "last": pl.Datetime("us")},
        orient="row",
    )


FULL_DAY_NEW_YORK = ("2026-01-05", "2026-01-05T05:00", "2026-01-06T04:59")


def test_the_first_candidate_holds_where_no_file_says_otherwise() -> None:
    zone = choose_zone([NEW_YORK, SYDNEY], spans())
    assert (zone.name, zone.named_by, zone.agree, zone.contradict) == ("America/New_York", "profile", 0, 0)
    assert not zone.unclear_days


def test_files_that_agree_are_counted_as_evidence() -> None:
    zone = choose_zone([NEW_YORK], spans(FULL_DAY_NEW_YORK))
    assert zone.evidence() == {
        "zone": "America/New_York",
        "named_by": "profile",
        "heart_rate_files_agree": 1,
        "heart_rate_files_contradict": 0,
    }


def test_a_later_candidate_wins_where_the_first_contradicts_a_file() -> None:
    zone = choose_zone([SYDNEY, NEW_YORK], spans(FULL_DAY_NEW_YORK))
    assert zone.name == "America/New_York"
    assert zone.contradict == 0


def test_days_that_no_candidate_explains_stay_without_a_clock() -> None:
    elsewhere = ("2026-01-10", "2026-01-09T13:00", "2026-01-10T12:59")
    zone = choose_zone([NEW_YORK], spans(FULL_DAY_NEW_YORK, elsewhere))
    assert (zone.agree, zone.contradict) == (1, 1)
    assert zone.unclear_days == {date(2026, 1, 9), date(2026, 1, 10), date(2026, 1, 11)}


def test_a_short_day_agrees_with_every_zone_it_fits() -> None:
    zone = choose_zone([NEW_YORK], spans(("2026-01-05", "2026-01-05T17:00", "2026-01-05T18:00")))
    assert zone.contradict == 0


def test_a_sample_on_the_stroke_of_midnight_is_no_contradiction() -> None:
    zone = choose_zone([NEW_YORK], spans(("2026-01-05", "2026-01-05T04:58", "2026-01-06T05:00")))
    assert zone.contradict == 0
    late = choose_zone([NEW_YORK], spans(("2026-01-05", "2026-01-05T05:00", "2026-01-06T05:14")))
    assert late.contradict == 1


@pytest.mark.parametrize("name", ["Europe/Amsterdam", "UTC"])
def test_zones_of_the_data_base_are_known(name: str) -> None:
    assert is_zone(name)


@pytest.mark.parametrize("name", [None, "", "Mars/Base", "/etc/passwd", "../UTC", "null"])
def test_other_names_are_no_zones(name: str | None) -> None:
    assert not is_zone(name)
