"""Zones that nobody names, found by their changes of clocks: only where all that fit are alike."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from datetime import date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.clocks.inference import Candidate, infer_history
from ingest.clocks.sightings import Source, no_sightings, of_stated_offsets
from ingest.clocks.steps import BEGINNING, offset_steps
from ingest.clocks.unnamed_zone import unnamed_zone
from ingest.clocks.zone_history import Clock, Stay, ZoneHistory

TOKYO = Candidate("Asia/Tokyo", "registry")


def lived_in(zone: Clock, *moments: datetime) -> pl.DataFrame:
    """The zone's offset at some moments, as twins show it."""
    offsets = [offset_steps(zone).value_at(moment) for moment in moments]
    rows = pl.DataFrame(
        {"utc": moments, "offset_minutes": offsets}, {"utc": pl.Datetime("us"), "offset_minutes": pl.Int64}
    )
    return of_stated_offsets(rows, Source.CALORIES)


def every(days: int, first: datetime, last: datetime) -> list[datetime]:
    return [first + timedelta(days=n) for n in range(0, (last - first).days + 1, days)]


YEAR = every(10, datetime(2025, 1, 1, 9), datetime(2026, 1, 1, 9))


@pytest.mark.parametrize(
    "zone", ["Australia/Lord_Howe", "Europe/Amsterdam", "America/Santiago", "Pacific/Auckland"]
)
def test_a_year_of_offsets_tells_the_clock_between_them(zone: str) -> None:
    """Ten days lie between two sightings; the change of clocks is known to the minute all the same."""
    history = infer_history([TOKYO], lived_in(zone, *YEAR))
    (stay,) = history.stays
    assert (stay.named_by, stay.name.endswith(" or alike")) == ("changes", True)
    minutes = pl.DataFrame({"utc": pl.datetime_range(YEAR[0], YEAR[-1], "1h", eager=True)})
    home = ZoneHistory((Stay(zone, "life", BEGINNING, BEGINNING),))
    found, true = (minutes.select(h.offset("utc")).to_series() for h in (history, home))
    assert found.null_count() == 0
    assert found.equals(true)


def test_places_that_differ_meanwhile_are_no_bridge() -> None:
    """From winter to summer: New York and Havana change at different hours, and nothing lies between."""
    seen = lived_in("America/New_York", datetime(2026, 2, 1), datetime(2026, 6, 1))
    assert unnamed_zone(seen) is None
    history = infer_history([TOKYO], seen)
    assert [stay.clock for stay in history.stays] == [-300, -240]
    between = pl.DataFrame({"utc": [datetime(2026, 4, 1)]})
    assert between.select(history.offset("utc")).item() is None
    # An hour of the night of the change tells them apart.
    telling = lived_in(
        "America/New_York", datetime(2026, 2, 1), datetime(2026, 3, 8, 6), datetime(2026, 6, 1)
    )
    assert unnamed_zone(telling) == "America/Detroit"
    history = infer_history([TOKYO], telling)
    assert between.select(history.offset("utc")).item() == -240


def test_a_journey_is_no_zone() -> None:
    away = lived_in("Asia/Kathmandu", datetime(2025, 3, 1), datetime(2025, 3, 5))
    seen = pl.concat([lived_in("Europe/Amsterdam", *YEAR), away])
    assert unnamed_zone(seen.sort("since")) is None
    assert 345 in [stay.clock for stay in infer_history([TOKYO], seen).stays]


def test_a_named_zone_needs_no_other() -> None:
    history = infer_history([Candidate("Europe/Berlin", "registry")], lived_in("Europe/Amsterdam", *YEAR))
    assert [(stay.clock, stay.named_by) for stay in history.stays] == [("Europe/Berlin", "registry")]


def test_a_named_home_and_a_stay_elsewhere_are_not_made_one_zone() -> None:
    """Half a year in Berlin, then one offset: somebody moved, whatever place has such a history."""
    seen = lived_in("Europe/Berlin", *[m for m in YEAR if m < datetime(2025, 6, 1)])
    away = lived_in("Asia/Kolkata", *[m for m in YEAR if m >= datetime(2025, 6, 1)])
    history = infer_history([Candidate("Europe/Berlin", "profile")], pl.concat([seen, away]))
    assert [stay.clock for stay in history.stays] == ["Europe/Berlin", 330]


def test_a_place_abroad_is_bridged_between_two_named_stays() -> None:
    """Three weeks in Auckland, whose summer time ends on 5 April 2026, on a journey from Los Angeles."""
    home = Candidate("America/Los_Angeles", "profile")
    before = lived_in(home.clock, *every(1, datetime(2026, 3, 10), datetime(2026, 3, 20)))
    abroad = lived_in("Pacific/Auckland", *every(2, datetime(2026, 3, 24), datetime(2026, 4, 15)))
    after = lived_in(home.clock, *every(1, datetime(2026, 4, 20), datetime(2026, 4, 30)))
    history = infer_history([home], pl.concat([before, abroad, after]))
    assert [stay.named_by for stay in history.stays] == ["profile", "changes", "profile"]
    night = pl.DataFrame({"utc": [datetime(2026, 4, 4, 13, 59), datetime(2026, 4, 4, 14)]})
    assert night.select(history.offset("utc")).to_series().to_list() == [780, 720]


def test_a_bridge_that_explains_the_named_stay_after_it_too_leaves_the_move_open() -> None:
    """A year in Amsterdam beside a profile of Tunis, which is always an hour ahead."""
    tunis = Candidate("Africa/Tunis", "profile")
    seen = lived_in("Europe/Amsterdam", *every(10, datetime(2025, 8, 1), datetime(2026, 3, 20)))
    history = infer_history([tunis], seen)
    assert {stay.clock for stay in history.stays} >= {"Africa/Tunis"}
    hours = pl.DataFrame(
        {"utc": pl.datetime_range(datetime(2025, 8, 1), datetime(2026, 3, 20), "6h", eager=True)}
    )
    told = hours.select(history.offset("utc"), true=offset_steps("Europe/Amsterdam").at(pl.col("utc")))
    assert told.drop_nulls().select((pl.nth(0) == pl.nth(1)).all()).item()


def test_without_sightings_there_is_nothing_to_search() -> None:
    assert unnamed_zone(no_sightings()) is None


@settings(max_examples=4, deadline=None)
@given(st.sets(st.dates(date(2025, 1, 1), date(2025, 12, 31)), min_size=2, max_size=9))
def test_whatever_days_were_seen_a_bridge_is_never_wrong(days: set[date]) -> None:
    moments = sorted(datetime.combine(day, datetime.min.time()) for day in days)
    zone = unnamed_zone(lived_in("America/Santiago", *moments))
    if zone is not None:
        hours = pl.DataFrame({"utc": pl.datetime_range(moments[0], moments[-1], "3h", eager=True)})
        told, true = (
            hours.select(offset_steps(z).at(pl.col("utc"))).to_series() for z in (zone, "America/Santiago")
        )
        assert told.equals(true)
