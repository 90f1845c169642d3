"""Instants to local days and back, over journeys, changes of clocks and the date line."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.clocks.steps import is_zone, offset_steps
from ingest.clocks.zone_history import DaySpan, Stay, ZoneHistory

ZONES = (
    "America/New_York",
    "Europe/Amsterdam",
    "Australia/Sydney",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "America/Santiago",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Africa/Casablanca",
)
NEW_YORK = Stay("America/New_York", "profile")
moments = st.datetimes(datetime(2009, 1, 1), datetime(2038, 1, 1)).map(lambda t: t.replace(microsecond=0))


def lived(*stays: tuple[str | int, str, str]) -> ZoneHistory:
    """New York, then clocks with ``since`` and ``proven``."""
    later = [
        Stay(clock, "offsets", datetime.fromisoformat(a), datetime.fromisoformat(b)) for clock, a, b in stays
    ]
    return ZoneHistory((NEW_YORK, *later))


def at_home(zone: str) -> ZoneHistory:
    return ZoneHistory((Stay(zone, "profile"),))


def evaluate(value: datetime, expression: pl.Expr) -> object:
    return pl.DataFrame({"t": [value]}, schema={"t": pl.Datetime("us")}).select(expression).item()


def on_day(history: ZoneHistory, day: str) -> tuple[int | None, bool]:
    days = pl.LazyFrame({"date": [date.fromisoformat(day)]})
    row = days.pipe(history.with_day_offsets).collect().row(0, named=True)
    return row["utc_offset_minutes"], row["tz_change"]


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
        ("2026-04-04T14:59", "Australia/Lord_Howe", "2026-04-05T01:59"),
        ("2026-04-04T15:00", "Australia/Lord_Howe", "2026-04-05T01:30"),
        ("2026-01-01T18:15", "Asia/Kathmandu", "2026-01-02T00:00"),
        # Samoa left out 30 December 2011.
        ("2011-12-30T09:59", "Pacific/Apia", "2011-12-29T23:59"),
        ("2011-12-30T10:00", "Pacific/Apia", "2011-12-31T00:00"),
    ],
)
def test_a_utc_reading_on_the_wall(utc: str, zone: str, local: str) -> None:
    shown = datetime.fromisoformat(local)
    assert evaluate(datetime.fromisoformat(utc), at_home(zone).local_time("t")) == shown
    assert evaluate(datetime.fromisoformat(utc), at_home(zone).local_date("t")) == shown.date()


@pytest.mark.parametrize(
    ("local", "zone", "utc"),
    [
        ("2026-06-01T22:45", "America/New_York", "2026-06-02T02:45"),
        ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30"),
        ("2026-03-08T02:30", "America/New_York", None),
        ("2026-04-05T02:30", "Australia/Sydney", "2026-04-04T15:30"),
        ("2026-10-04T02:30", "Australia/Sydney", None),
        ("2026-04-05T01:45", "Australia/Lord_Howe", "2026-04-04T14:45"),
        ("2026-10-04T02:15", "Australia/Lord_Howe", None),
        ("2026-01-02T00:00", "Asia/Kathmandu", "2026-01-01T18:15"),
        ("2011-12-30T12:00", "Pacific/Apia", None),
    ],
)
def test_a_wall_reading_as_an_instant(local: str, zone: str, utc: str | None) -> None:
    expected = datetime.fromisoformat(utc) if utc else None
    assert evaluate(datetime.fromisoformat(local), at_home(zone).utc_of_local("t")) == expected


@given(moments, st.sampled_from(ZONES))
def test_the_standard_library_agrees(utc: datetime, zone: str) -> None:
    there = utc.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
    offset = there.utcoffset()
    assert offset is not None
    assert evaluate(utc, at_home(zone).local_time("t")) == there.replace(tzinfo=None)
    assert offset_steps(zone).value_at(utc) == offset // timedelta(minutes=1)


@given(moments, st.sampled_from(ZONES))
def test_to_the_wall_and_back_is_the_same_instant_or_the_first_of_two(utc: datetime, zone: str) -> None:
    frame = pl.DataFrame({"t": [utc]}, schema={"t": pl.Datetime("us")})
    history = at_home(zone)
    back = frame.select(history.local_time("t")).select(history.utc_of_local("t")).item()
    assert utc - back in (timedelta(0), timedelta(minutes=30), timedelta(hours=1))


@pytest.mark.parametrize(
    ("day", "zone", "noon", "changed"),
    [
        ("2026-03-07", "America/New_York", -300, False),
        ("2026-03-08", "America/New_York", -240, True),
        ("2026-03-09", "America/New_York", -240, False),
        ("2026-11-01", "America/New_York", -300, True),
        ("2026-04-05", "Australia/Sydney", 600, True),
        ("2026-10-04", "Australia/Sydney", 660, True),
        ("2026-04-05", "Australia/Lord_Howe", 630, True),
        # Clocks are set forward at midnight: the day has no 00:00.
        ("2026-09-05", "America/Santiago", -240, False),
        ("2026-09-06", "America/Santiago", -180, True),
        # Clocks are set back at midnight: the last hour of the day comes twice.
        ("2026-04-04", "America/Santiago", -180, True),
        ("2026-04-05", "America/Santiago", -240, False),
        ("2026-06-01", "Asia/Kathmandu", 345, False),
        # A day that never was.
        ("2011-12-29", "Pacific/Apia", -600, False),
        ("2011-12-30", "Pacific/Apia", None, True),
        ("2011-12-31", "Pacific/Apia", 840, False),
    ],
)
def test_offset_at_noon_and_days_on_which_it_moved(
    day: str, zone: str, noon: int | None, changed: bool
) -> None:
    assert on_day(at_home(zone), day) == (noon, changed)


def test_a_move_at_a_known_moment() -> None:
    """From New York (UTC-4) to London time at 18:00 UTC: 14:00 is followed by 18:00."""
    history = lived((0, "2026-05-05T18:00", "2026-05-05T18:00"))
    assert evaluate(datetime(2026, 5, 5, 17, 59), history.local_time("t")) == datetime(2026, 5, 5, 13, 59)
    assert evaluate(datetime(2026, 5, 5, 18, 0), history.local_time("t")) == datetime(2026, 5, 5, 18, 0)
    assert evaluate(datetime(2026, 5, 5, 15, 0), history.utc_of_local("t")) is None
    assert on_day(history, "2026-05-05") == (-240, True)
    assert on_day(history, "2026-05-06") == (0, False)


def test_hours_that_a_journey_brought_twice_have_no_instant() -> None:
    """To Los Angeles (UTC-7) at 18:00 UTC: 11:00 to 14:00 came twice, which is no hour's change of clocks."""
    history = lived(("America/Los_Angeles", "2026-05-05T18:00", "2026-05-05T18:00"))
    assert evaluate(datetime(2026, 5, 5, 12, 0), history.utc_of_local("t")) is None
    assert evaluate(datetime(2026, 5, 5, 10, 59), history.utc_of_local("t")) == datetime(2026, 5, 5, 14, 59)
    assert evaluate(datetime(2026, 5, 5, 14, 0), history.utc_of_local("t")) == datetime(2026, 5, 5, 21, 0)
    assert on_day(history, "2026-05-05") == (None, True)


def test_within_a_move_of_unknown_moment_only_what_both_clocks_show_is_known() -> None:
    history = lived((0, "2026-05-05T12:00", "2026-05-05T22:00"))
    assert evaluate(datetime(2026, 5, 5, 11, 59), history.offset("t")) == -240
    assert evaluate(datetime(2026, 5, 5, 15, 0), history.offset("t")) is None
    assert evaluate(datetime(2026, 5, 5, 15, 0), history.local_date("t")) == date(2026, 5, 5)
    assert evaluate(datetime(2026, 5, 5, 22, 0), history.offset("t")) == 0
    # 21:30 was either in London, or in New York after the move was proven, which can't be.
    assert evaluate(datetime(2026, 5, 5, 21, 30), history.utc_of_local("t")) == datetime(2026, 5, 5, 21, 30)
    assert evaluate(datetime(2026, 5, 5, 13, 0), history.utc_of_local("t")) is None


def possible_dates(history: ZoneHistory, moment: datetime) -> tuple[object, object]:
    early, late = history.possible_dates("t")
    return evaluate(moment, early), evaluate(moment, late)


def test_only_instants_that_may_belong_to_either_day_have_none() -> None:
    """From New York (UTC-4) to UTC-8 in 28 hours: after each midnight it may still be the day before."""
    torn = lived((-480, "2026-05-05T04:00", "2026-05-06T08:00"))
    fourth, fifth, sixth = (date(2026, 5, n) for n in (4, 5, 6))
    assert possible_dates(torn, datetime(2026, 5, 5, 7, 59)) == (fifth, fourth)
    assert evaluate(datetime(2026, 5, 5, 7, 59), torn.local_date("t")) is None
    for certain in (datetime(2026, 5, 5, 8), datetime(2026, 5, 5, 12), datetime(2026, 5, 6, 3, 59)):
        assert possible_dates(torn, certain) == (fifth, fifth)
        assert evaluate(certain, torn.local_date("t")) == fifth
    assert possible_dates(torn, datetime(2026, 5, 6, 4)) == (sixth, fifth)
    assert evaluate(datetime(2026, 5, 6, 4), torn.local_date("t")) is None
    assert evaluate(datetime(2026, 5, 6, 8), torn.local_date("t")) == sixth


def test_the_day_a_file_states_counts_within_a_move() -> None:
    torn = lived((-480, "2026-05-05T04:00", "2026-05-06T08:00"))
    stated = ZoneHistory(
        torn.stays, (DaySpan(datetime(2026, 5, 5, 4), datetime(2026, 5, 6, 8), date(2026, 5, 5)),)
    )
    assert evaluate(datetime(2026, 5, 5, 4, 30), stated.local_date("t")) == date(2026, 5, 5)
    assert evaluate(datetime(2026, 5, 6, 7, 59), stated.local_date("t")) == date(2026, 5, 5)
    assert on_day(stated, "2026-05-05") == (None, True)
    assert on_day(stated, "2026-05-04") == (-240, False)
    assert on_day(stated, "2026-05-06") == (-480, False)


def test_a_day_lost_and_a_day_lived_twice_at_the_date_line() -> None:
    """Honolulu to Kiritimati and back: 24 hours ahead, then behind, at one moment."""
    gone = ZoneHistory(
        (
            Stay("Pacific/Honolulu", "profile"),
            Stay("Pacific/Kiritimati", "offsets", datetime(2026, 5, 5, 22), datetime(2026, 5, 5, 22)),
            Stay("Pacific/Honolulu", "profile", datetime(2026, 5, 20, 22), datetime(2026, 5, 20, 22)),
        )
    )
    minutes = pl.datetime_range(datetime(2026, 5, 1), datetime(2026, 5, 30), "1m", eager=True)
    lengths = pl.DataFrame({"t": minutes}).group_by(gone.local_date("t").alias("day")).len()
    hours = {day: n / 60 for day, n in lengths.iter_rows()}
    assert (hours[date(2026, 5, 5)], hours[date(2026, 5, 6)]) == (12, 12)
    assert (hours[date(2026, 5, 20)], hours[date(2026, 5, 21)]) == (36, 36)
    assert [on_day(gone, f"2026-05-{n:02}")[1] for n in (4, 5, 6, 7)] == [False, True, True, False]
    assert [on_day(gone, f"2026-05-{n:02}")[1] for n in (19, 20, 21, 22)] == [False, True, True, False]


def test_contradicted_days_have_no_local_day() -> None:
    history = ZoneHistory((NEW_YORK,), contradicted_days=frozenset({date(2026, 5, 5)}))
    assert evaluate(datetime(2026, 5, 5, 12), history.local_date("t")) is None
    assert evaluate(datetime(2026, 5, 6, 12), history.local_date("t")) == date(2026, 5, 6)


def test_columns_of_any_length_and_nulls() -> None:
    history = lived((0, "2026-05-05T12:00", "2026-05-05T22:00"))
    for rows in ([], [None], [datetime(2026, 5, 1), None]):
        frame = pl.DataFrame({"t": rows}, schema={"t": pl.Datetime("us")})
        placed = frame.select(d=history.local_date("t"), o=history.offset("t"), u=history.utc_of_local("t"))
        assert placed.height == len(rows)
        assert placed.schema == {"d": pl.Date(), "o": pl.Int64(), "u": pl.Datetime("us")}


@pytest.mark.parametrize(
    ("clock", "name"),
    [(-300, "UTC-05:00"), (345, "UTC+05:45"), (0, "UTC+00:00"), ("Asia/Tokyo", "Asia/Tokyo")],
)
def test_clocks_have_names(clock: str | int, name: str) -> None:
    assert Stay(clock, "offsets").name == name


@pytest.mark.parametrize("name", ["Europe/Amsterdam", "UTC"])
def test_zones_of_the_data_base_are_known(name: str) -> None:
    assert is_zone(name)


@pytest.mark.parametrize("name", [None, "", "Mars/Base", "/etc/passwd", "../UTC", "null"])
def test_other_names_are_no_zones(name: str | None) -> None:
    assert not is_zone(name)
