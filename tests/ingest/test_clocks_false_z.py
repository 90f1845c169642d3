"""Files that write ``Z``: local or UTC, by twins and by nights, and no verdict where in doubt."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from datetime import datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.clocks.false_z import Verdict, evidence_of, judge
from ingest.clocks.zone_history import Stay, ZoneHistory

# Five minutes apart, as heart-rate variability is written, over some nights.
NIGHTS = [(datetime(2026, 4, n, 23), datetime(2026, 4, n + 1, 7)) for n in range(6, 10)]
NO_TWIN = pl.DataFrame(schema={"local": pl.Datetime("us"), "value": pl.Float64})
NO_NIGHTS = pl.DataFrame(schema={"local": pl.Datetime("us"), "local_end": pl.Datetime("us")})
SLEPT = pl.DataFrame(
    NIGHTS, schema={"local": pl.Datetime("us"), "local_end": pl.Datetime("us")}, orient="row"
)


def lived_in(clock: str | int) -> ZoneHistory:
    return ZoneHistory((Stay(clock, "profile"),))


def details(rows: int = 90) -> pl.DataFrame:
    """A night's values on the wall clock, all different."""
    start = NIGHTS[0][0]
    times = [start + timedelta(minutes=5 * n) for n in range(rows)]
    return pl.DataFrame(
        {"local": times, "value": [20 + n / 10 for n in range(rows)]},
        schema_overrides={"local": pl.Datetime("us")},
    )


def stamped(local: pl.DataFrame, hours: float) -> pl.DataFrame:
    """The same values in a file that writes the wall clock so many hours later."""
    return local.select("value", stamp=pl.col("local").dt.offset_by(f"{round(hours * 60)}m"))


def told(verdict: Verdict) -> tuple[str | None, str]:
    return verdict.reading, verdict.told_by


@pytest.mark.parametrize(
    ("clock", "hours", "reading"),
    [
        # A file of 2025 and one of 2026 of an account in New York, where it was UTC-4.
        ("America/New_York", 0, "local"),
        ("America/New_York", 4, "utc"),
        ("Asia/Kathmandu", 0, "local"),
        ("Asia/Kathmandu", -5.75, "utc"),
        ("Pacific/Kiritimati", -14, "utc"),
        (-480, 8, "utc"),
    ],
)
def test_values_that_a_twin_holds_too_say_which_clock_it_is(
    clock: str | int, hours: float, reading: str
) -> None:
    twin = details()
    verdict = judge(stamped(twin, hours), lived_in(clock), twin, NO_NIGHTS)
    assert told(verdict) == (reading, "twins")


@pytest.mark.parametrize(("hours", "reading"), [(0, "local"), (4, "utc")])
def test_without_a_twin_nights_say_it(hours: float, reading: str) -> None:
    verdict = judge(stamped(details(), hours), lived_in("America/New_York"), NO_TWIN, SLEPT)
    assert told(verdict) == (reading, "nights")
    assert verdict.clock == {"local": "local_with_false_z", "utc": "utc"}[reading]


def test_both_tests_that_agree_are_told() -> None:
    twin = details()
    assert told(judge(stamped(twin, 0), lived_in("America/New_York"), twin, SLEPT)) == ("local", "both")


def test_tests_that_disagree_give_no_verdict() -> None:
    """By the twin the stamps are local; in nights they lie only when read as UTC."""
    twin = details()
    by_day = SLEPT.with_columns(pl.all().dt.offset_by("-4h"))
    shifted = by_day.with_columns(pl.col("local_end").dt.offset_by("-4h"))
    verdict = judge(stamped(twin, 0), lived_in("America/New_York"), twin, shifted.head(1))
    assert told(verdict) == ("local", "twins")
    early = pl.DataFrame({"local": [datetime(2026, 4, 6, 18)], "local_end": [datetime(2026, 4, 7, 2, 30)]})
    verdict = judge(stamped(twin.tail(60), 0), lived_in("America/New_York"), twin, early)
    assert told(verdict) == (None, "disagree")
    assert verdict.clock == "unclear"


@pytest.mark.parametrize(("rows", "reading"), [(19, None), (20, "local")])
def test_fewer_than_twenty_rows_are_no_support(rows: int, reading: str | None) -> None:
    twin = details(rows)
    assert judge(stamped(twin, 0), lived_in("America/New_York"), twin, NO_NIGHTS).reading == reading
    assert judge(stamped(twin, 0), lived_in("America/New_York"), NO_TWIN, SLEPT).reading == reading


def test_a_tie_is_no_verdict() -> None:
    """Every value stands both at the wall clock and four hours later."""
    twin = details(30)
    both = pl.concat([stamped(twin, 0), stamped(twin, 4)])
    verdict = judge(both, lived_in("America/New_York"), twin, NO_NIGHTS)
    assert (verdict.twins.as_local, verdict.twins.as_utc) == (30, 30)
    assert told(verdict) == (None, "thin")


def test_a_twin_at_a_distance_that_is_neither_gives_no_verdict() -> None:
    twin = details()
    verdict = judge(stamped(twin, 2), lived_in("America/New_York"), twin, NO_NIGHTS)
    assert verdict.twins.elsewhere == 90
    assert told(verdict) == (None, "thin")


def test_where_the_wall_clock_is_utc_both_readings_are_one() -> None:
    verdict = judge(stamped(details(), 0), lived_in("Atlantic/Reykjavik"), NO_TWIN, NO_NIGHTS)
    assert told(verdict) == ("utc", "zone_is_utc")


def test_only_the_summer_of_a_zone_at_utc_tells() -> None:
    winter = details().with_columns(pl.col("local").dt.offset_by("-90d"))
    twin = pl.concat([winter, details()])
    verdict = judge(stamped(twin, 0), lived_in("Europe/London"), twin, NO_NIGHTS)
    assert (verdict.reading, verdict.twins.as_local) == ("local", 90)


def test_a_file_over_a_change_of_clocks_is_utc_at_both_offsets() -> None:
    local = pl.concat([details(), details().with_columns(pl.col("local").dt.offset_by("210d"))])
    history = lived_in("America/New_York")
    stamps = local.select("value", stamp=history.utc_of_local("local"))
    verdict = judge(stamps, history, local, NO_NIGHTS)
    assert (verdict.reading, verdict.twins.as_utc) == ("utc", 180)


def test_the_evidence_of_the_members_of_a_kind_keeps_verdicts_and_votes() -> None:
    twin, history = details(), lived_in("America/New_York")
    verdicts = [judge(stamped(twin.head(n), 0), history, twin, NO_NIGHTS) for n in (5, 90, 50)]
    assert evidence_of(verdicts) == {
        "members": {"local_with_false_z (twins)": 2, "unclear (thin)": 1},
        "twins": {"as_local": 90, "as_utc": 0, "elsewhere": 0},
        "nights": {"rows": 0, "as_local": 0, "as_utc": 0},
    }


def test_an_empty_file_is_thin() -> None:
    assert told(judge(stamped(details(0), 0), lived_in("Asia/Tokyo"), NO_TWIN, SLEPT)) == (None, "thin")


def test_rows_at_all_hours_lie_in_no_nights() -> None:
    """Every hour of four days: two in three are outside of nights on either clock."""
    times = pl.datetime_range(NIGHTS[0][0], NIGHTS[-1][1], "1h", eager=True)
    stamps = pl.DataFrame({"stamp": times, "value": [1.0] * times.len()})
    assert told(judge(stamps, lived_in("America/New_York"), NO_TWIN, SLEPT)) == (None, "thin")


@settings(max_examples=15)
@given(st.integers(-48, 56).filter(bool), st.booleans(), st.integers(20, 90))
def test_any_offset_lived_by_is_told_apart(quarters: int, is_local: bool, rows: int) -> None:
    twin = details(rows)
    history = lived_in(quarters * 15)
    stamps = stamped(twin, 0 if is_local else -quarters / 4)
    assert judge(stamps, history, twin, NO_NIGHTS).reading == ("local" if is_local else "utc")
