"""From what files show to a history of clocks: homes, journeys, wrong profiles, thin and false evidence."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import os
import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import accumulate

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.clocks.inference import Candidate, infer_history
from ingest.clocks.sightings import (
    SCHEMA,
    Source,
    day_runs,
    no_sightings,
    of_day_files,
    of_stated_offsets,
)
from ingest.clocks.steps import BEGINNING
from ingest.clocks.votes import of_twins
from ingest.clocks.zone_history import Clock, Stay, ZoneHistory

NEW_YORK, LOS_ANGELES = "America/New_York", "America/Los_Angeles"
PROFILE = Candidate(NEW_YORK, "profile")
START = datetime(2026, 4, 6, 4)


def true_history(*moves: tuple[Clock, datetime]) -> ZoneHistory:
    return ZoneHistory(tuple(Stay(clock, "life", at, at) for clock, at in moves))


def worn(history: ZoneHistory, days: int, start: datetime = START) -> pl.DataFrame:
    """A row a minute, each in the file of its local day."""
    end = start + timedelta(days=days)
    frame = pl.DataFrame({"utc": pl.datetime_range(start, end, "1m", closed="left", eager=True)})
    return frame.with_columns(
        history.local_date("utc").alias("file_day"), history.local_time("utc").alias("local")
    )


def only_by_day(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("local").dt.hour().is_between(9, 20))


def from_day_files(rows: pl.DataFrame, *candidates: Candidate) -> ZoneHistory:
    runs = day_runs(rows)
    return infer_history(candidates or (PROFILE,), of_day_files(runs), runs)


def clocks(history: ZoneHistory) -> list[Clock]:
    return [stay.clock for stay in history.stays]


def placed(history: ZoneHistory, rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(
        day=history.local_date("utc"), offset=history.offset("utc"), wall=history.local_time("utc")
    )


def assert_nothing_wrong(history: ZoneHistory, rows: pl.DataFrame) -> None:
    """Whatever is said of a row is true; what is not known is null."""
    shown = placed(history, rows)
    assert shown.filter(pl.col("day") != pl.col("file_day")).is_empty()
    assert shown.filter(pl.col("wall") != pl.col("local")).is_empty()


# Homes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        (NEW_YORK, datetime(2026, 3, 1, 5)),
        ("Australia/Sydney", datetime(2026, 3, 20, 13)),
        ("Australia/Lord_Howe", datetime(2026, 9, 25, 14)),
        ("Asia/Kathmandu", datetime(2026, 3, 1, 18)),
        ("America/Santiago", datetime(2026, 8, 30, 4)),
        ("Pacific/Kiritimati", datetime(2026, 3, 1, 10)),
        ("Europe/London", datetime(2026, 10, 18, 0)),
    ],
)
def test_the_zone_of_the_profile_explains_all_files_also_where_clocks_change(
    zone: str, start: datetime
) -> None:
    rows = worn(true_history((zone, BEGINNING)), 20, start)
    history = from_day_files(rows, Candidate(zone, "profile"), PROFILE)
    assert clocks(history) == [zone]
    assert history.evidence["contradict"] == {}
    shown = placed(history, rows)
    assert shown["wall"].equals(rows["local"], check_names=False)
    assert shown["day"].equals(rows["file_day"], check_names=False)


def test_without_files_the_most_trusted_zone_holds() -> None:
    history = infer_history([PROFILE, Candidate("Asia/Tokyo", "registry")], no_sightings())
    assert (clocks(history), history.contradicted_days) == ([NEW_YORK], frozenset())
    assert history.evidence["stays"] == [
        {"zone": NEW_YORK, "named_by": "profile", "since_utc": None, "proven_from_utc": None, "agree": {}}
    ]


def test_files_that_contradict_the_profile_turn_to_the_registry() -> None:
    rows = worn(true_history((NEW_YORK, BEGINNING)), 3)
    history = from_day_files(rows, Candidate("Asia/Tokyo", "profile"), Candidate(NEW_YORK, "registry"))
    assert [(stay.clock, stay.named_by) for stay in history.stays] == [(NEW_YORK, "registry")]


def test_a_zone_nobody_names_is_told_by_its_change_of_clocks() -> None:
    """No other place has such offsets and changes them on that day."""
    rows = worn(true_history(("Australia/Lord_Howe", BEGINNING)), 12, datetime(2026, 3, 29, 13))
    history = from_day_files(rows)
    assert [(stay.name, stay.named_by) for stay in history.stays] == [
        ("Australia/Lord_Howe or alike", "changes")
    ]
    shown = placed(history, rows)
    assert shown["day"].equals(rows["file_day"], check_names=False)
    assert shown["offset"].null_count() == 0


def test_offsets_that_no_place_has_are_kept_fixed_up_to_the_move() -> None:
    """Kathmandu, then Tehran: the day of the move is known, its moment is not."""
    rows = worn(true_history(("Asia/Kathmandu", BEGINNING), (210, datetime(2026, 4, 12, 12))), 12)
    history = from_day_files(rows)
    assert clocks(history) == [345, 210]
    shown = placed(history, rows)
    assert shown["day"].equals(rows["file_day"], check_names=False)
    unknown = shown.filter(pl.col("offset").is_null())
    assert set(unknown["day"]) == {date(2026, 4, 12)}


def test_days_worn_only_by_day_fit_many_zones_and_the_most_trusted_is_taken() -> None:
    rows = only_by_day(worn(true_history((LOS_ANGELES, BEGINNING)), 5))
    history = from_day_files(rows, PROFILE, Candidate(LOS_ANGELES, "registry"))
    assert clocks(history) == [NEW_YORK]


# Journeys ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "away", "back"),
    [
        (0, datetime(2026, 4, 9, 23), datetime(2026, 4, 15, 12)),
        (-480, datetime(2026, 4, 9, 23), datetime(2026, 4, 15, 12)),
        (345, datetime(2026, 4, 9, 10), datetime(2026, 4, 15, 1)),
        (840, datetime(2026, 4, 9, 18), datetime(2026, 4, 15, 20)),
    ],
)
def test_a_journey_is_seen_in_the_files_of_its_days(there: int, away: datetime, back: datetime) -> None:
    """Whatever the moment of the flights, every row falls on its day, and a week away on its own clock."""
    rows = worn(true_history((NEW_YORK, BEGINNING), (there, away), (NEW_YORK, back)), 14)
    history = from_day_files(rows)
    assert [clocks(history)[0], clocks(history)[-1]] == [NEW_YORK, NEW_YORK]
    assert there in clocks(history)
    assert_nothing_wrong(history, rows)
    shown = placed(history, rows)
    assert shown["day"].null_count() == 0
    assert shown["offset"].null_count() < 4 * 1440


def test_both_zones_of_a_move_keep_their_names() -> None:
    rows = worn(true_history((NEW_YORK, BEGINNING), (LOS_ANGELES, datetime(2026, 4, 9, 23))), 8)
    history = from_day_files(rows, Candidate(LOS_ANGELES, "profile"), Candidate(NEW_YORK, "registry"))
    assert [(stay.clock, stay.named_by) for stay in history.stays] == [
        (NEW_YORK, "registry"),
        (LOS_ANGELES, "profile"),
    ]
    days = pl.LazyFrame({"date": pl.date_range(date(2026, 4, 7), date(2026, 4, 12), eager=True)})
    flags = days.pipe(history.with_day_offsets).collect()
    assert flags.filter("tz_change")["date"].to_list() == [date(2026, 4, 9)]
    assert flags["utc_offset_minutes"].to_list() == [-240, -240, None, -420, -420, -420]


def test_days_lost_and_lived_twice_at_the_date_line() -> None:
    home, away = "Pacific/Honolulu", "Pacific/Kiritimati"
    flight, return_flight = datetime(2026, 4, 9, 22), datetime(2026, 4, 15, 22)
    rows = worn(true_history((home, BEGINNING), (away, flight), (home, return_flight)), 14)
    history = from_day_files(rows, Candidate(home, "profile"), Candidate(away, "registry"))
    assert_nothing_wrong(history, rows)
    assert placed(history, rows)["day"].null_count() == 0


def test_between_days_not_worn_an_instant_has_a_day_only_where_both_clocks_show_it() -> None:
    """13 hours apart: 11 of each day's are the same day in New York and in Tokyo."""
    rows = worn(true_history((NEW_YORK, BEGINNING), ("Asia/Tokyo", datetime(2026, 4, 11, 15))), 12)
    known = rows.filter(~pl.col("file_day").is_between(date(2026, 4, 10), date(2026, 4, 13)))
    history = from_day_files(known)
    assert clocks(history) == [NEW_YORK, 540]
    assert_nothing_wrong(history, rows)
    between = rows.filter(pl.col("file_day").is_between(date(2026, 4, 10), date(2026, 4, 13)))
    told = placed(history, between).group_by(pl.col("utc").dt.date()).agg(pl.col("day").count() / 60)
    assert dict(told.iter_rows())[date(2026, 4, 12)] == 11


def test_a_file_that_no_clock_explains_leaves_its_day_and_those_beside_it_unclear() -> None:
    """A day of it would begin in New York and end 30 hours later."""
    rows = worn(true_history((NEW_YORK, BEGINNING)), 9)
    far = pl.DataFrame(
        {"utc": [datetime(2026, 4, 30, 3)], "file_day": [date(2026, 5, 2)]},
        schema_overrides={"utc": pl.Datetime("us")},
    )
    history = from_day_files(pl.concat([rows.select("utc", "file_day"), far]))
    assert clocks(history) == [NEW_YORK]
    assert history.contradicted_days == {date(2026, 5, 1), date(2026, 5, 2), date(2026, 5, 3)}
    assert history.evidence["contradict"] == {"heart_rate_files": 1}


# Twins ------------------------------------------------------------------------------------------------------


def twins(rows: pl.DataFrame, every: str = "7m") -> tuple[pl.DataFrame, pl.DataFrame]:
    """The same values on the wall and in UTC, as active zone minutes are written."""
    told = rows.filter(pl.col("utc").dt.truncate(every) == pl.col("utc"))
    values = told.with_columns(value=(pl.col("utc").dt.epoch("s") // 420 * 7919 % 997))
    return values.select("local", "value"), values.select("utc", "value")


def test_twins_show_the_offset_of_every_day() -> None:
    rows = worn(true_history((NEW_YORK, BEGINNING)), 6)
    seen = of_twins(*twins(rows), Source.ACTIVE_ZONE_MINUTES)
    assert dict(zip(seen.columns, seen.dtypes, strict=True)) == SCHEMA
    assert seen["low"].to_list() == seen["high"].to_list() == [-240] * 6
    assert set(seen["day"]) == set(rows["file_day"])


def test_twins_place_a_move_between_two_of_their_rows() -> None:
    flight = datetime(2026, 4, 9, 16)
    rows = worn(true_history((NEW_YORK, BEGINNING), (0, flight)), 8)
    history = infer_history([PROFILE], of_twins(*twins(rows), Source.ACTIVE_ZONE_MINUTES))
    assert clocks(history) == [NEW_YORK, 0]
    move = history.stays[1]
    assert flight - timedelta(minutes=7) <= move.since <= move.proven <= flight + timedelta(minutes=7)
    assert_nothing_wrong(history, rows)
    assert placed(history, rows)["offset"].null_count() <= 7


@pytest.mark.parametrize("minutes", [19, 20])
def test_fewer_than_twenty_rows_of_a_day_are_no_evidence(minutes: int) -> None:
    rows = worn(true_history((NEW_YORK, BEGINNING)), 1)
    local, utc = twins(rows)
    seen = of_twins(local.head(minutes), utc, Source.ACTIVE_ZONE_MINUTES)
    assert seen.height == (1 if minutes == 20 else 0)


def test_a_tie_between_offsets_is_no_evidence() -> None:
    local, utc = twins(worn(true_history((NEW_YORK, BEGINNING)), 1))
    twice = pl.concat([utc, utc.with_columns(pl.col("utc").dt.offset_by("1h"))])
    assert of_twins(local, twice, Source.CALORIES).is_empty()


def test_a_value_that_comes_again_after_a_change_of_clocks_carries_no_offset_back_beyond_it() -> None:
    """Summer time ends at 16:00 UTC; before it each value stands an hour later once more."""
    sydney = true_history(("Australia/Sydney", BEGINNING))
    rows = worn(sydney, 1, datetime(2026, 4, 4, 13)).with_row_index("value").gather_every(5)
    before = pl.col("utc") < datetime(2026, 4, 4, 14)
    again = rows.filter(before).select(pl.col("utc").dt.offset_by("1h"), "value")
    seen = of_twins(
        rows.select("local", pl.col("value").cast(pl.Float64)),
        pl.concat([rows.select("utc", "value"), again]).with_columns(pl.col("value").cast(pl.Float64)),
        Source.CALORIES,
    )
    assert infer_history((Candidate("Australia/Sydney", "profile"),), seen).evidence["contradict"] == {}
    assert clocks(infer_history((Candidate("Australia/Sydney", "profile"),), seen)) == ["Australia/Sydney"]


def test_a_value_that_stands_all_day_tells_no_offset() -> None:
    rows = worn(true_history((NEW_YORK, BEGINNING)), 3).with_columns(value=pl.lit(1.2))
    inner = rows.filter(pl.col("file_day") == date(2026, 4, 7)).select("local", "value")
    assert of_twins(inner, rows.select("utc", "value"), Source.CALORIES).is_empty()


def test_values_without_a_twin_are_no_evidence() -> None:
    local, utc = twins(worn(true_history((NEW_YORK, BEGINNING)), 2))
    other = utc.with_columns(pl.col("value") + 10_000)
    assert of_twins(local, other, Source.CALORIES).is_empty()
    assert of_twins(local.clear(), utc, Source.CALORIES).is_empty()
    assert of_twins(local, utc.clear(), Source.CALORIES).is_empty()


# Sources that disagree --------------------------------------------------------------------------------------


def test_a_source_that_contradicts_a_more_trusted_one_is_not_believed() -> None:
    """Day files that hold a day of UTC, beside twins that prove New York."""
    rows = worn(true_history((NEW_YORK, BEGINNING)), 8)
    by_utc_day = rows.select("utc", file_day=pl.col("utc").dt.date())
    runs = day_runs(by_utc_day)
    sightings = pl.concat([of_twins(*twins(rows), Source.ACTIVE_ZONE_MINUTES), of_day_files(runs)])
    history = infer_history([PROFILE], sightings, runs)
    assert clocks(history) == [NEW_YORK]
    refused = history.evidence["refused"]
    assert isinstance(refused, dict)
    assert set(refused) == {"heart_rate_files"}
    assert_nothing_wrong(history, rows)


def test_stated_offsets_of_sleeps_are_evidence_of_a_journey() -> None:
    stated = pl.DataFrame(
        {
            "utc": [datetime(2026, 4, n, 6) for n in range(6, 12)],
            "offset_minutes": [-240, -240, -240, 0, 0, None],
        },
        schema_overrides={"utc": pl.Datetime("us")},
    )
    history = infer_history([PROFILE], of_stated_offsets(stated, Source.SLEEP_OFFSETS))
    assert clocks(history) == [NEW_YORK, 0]
    assert (history.stays[1].since, history.stays[1].proven) == (
        datetime(2026, 4, 8, 6, 1),
        datetime(2026, 4, 9, 6),
    )


# Whatever the life ------------------------------------------------------------------------------------------

lives = st.lists(
    st.tuples(
        st.sampled_from([NEW_YORK, LOS_ANGELES, "Australia/Sydney", "Asia/Kathmandu", -600, 0, 330, 840]),
        st.integers(20, 400),
    ),
    min_size=1,
    max_size=4,
)


def living(life: list[tuple[Clock, int]], start: datetime) -> ZoneHistory:
    """Clocks one after another, each for so many quarters of an hour; the first from ever on."""
    ends = accumulate(quarters for _, quarters in life)
    begins = [BEGINNING, *(start + timedelta(minutes=15 * end) for end in ends)]
    return true_history(*((clock, begin) for (clock, _), begin in zip(life, begins, strict=False)))


@settings(max_examples=8, deadline=None)
@given(lives, st.integers(0, 700), st.booleans())
def test_nothing_said_of_any_life_is_wrong(
    life: list[tuple[Clock, int]], day: int, by_day_only: bool
) -> None:
    start = datetime(2025, 1, 1) + timedelta(days=day)
    truth = living(life, start)
    rows = worn(truth, 12, start)
    known = only_by_day(rows) if by_day_only else rows
    runs = day_runs(known)
    named = [PROFILE, Candidate(LOS_ANGELES, "profile"), Candidate("Australia/Sydney", "registry")]
    history = infer_history(
        named, pl.concat([of_day_files(runs), of_twins(*twins(known), Source.CALORIES)]), runs
    )
    shown = placed(history, known)
    assert shown.filter(pl.col("day") != pl.col("file_day")).is_empty()


@pytest.fixture
def machine_in_sydney() -> Iterator[None]:
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Australia/Sydney"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def test_the_zone_of_the_machine_and_the_order_of_rows_change_nothing(machine_in_sydney: None) -> None:
    rows = worn(true_history((NEW_YORK, BEGINNING), (0, datetime(2026, 4, 9, 16))), 8)
    history = from_day_files(rows)
    assert history == from_day_files(rows.sample(fraction=1, shuffle=True, seed=3))
    assert clocks(history) == [NEW_YORK, 0]
    assert_nothing_wrong(history, rows)
