"""Sightings from the kinds of an export: day files, twins and stated offsets."""
# ruff: noqa: DTZ001 - digits in files carry no zone

from datetime import date, datetime

import polars as pl

from ingest.clocks.inference import Candidate, infer_history
from ingest.clocks.sightings import day_runs
from ingest.fitbit.offset_evidence import sightings

NEW_YORK = Candidate("America/New_York", "profile")


def shown_by(kinds: dict[str, pl.DataFrame]) -> pl.DataFrame:
    nothing = pl.DataFrame(schema={"utc": pl.Datetime("us"), "file_day": pl.Date()})
    return sightings(kinds, day_runs(kinds.get("heart_rate", nothing)))


def minutes(first: datetime, count: int) -> pl.Series:
    last = pl.select(pl.lit(first).dt.offset_by(f"{count - 1}m")).item()
    return pl.datetime_range(first, last, "1m", eager=True)


def calories(clock: str, first: datetime) -> pl.DataFrame:
    values = [round(1 + (n * 37 % 101) / 100, 2) for n in range(300)]
    return pl.DataFrame({clock: minutes(first, 300), "calories_kcal": values})


def zone_minutes(clock: str, first: datetime) -> pl.DataFrame:
    """A walk of 40 minutes, ten of them harder."""
    zones = ["fatburn"] * 15 + ["cardio"] * 10 + ["fatburn"] * 15
    earned = [2 if zone == "cardio" else 1 for zone in zones]
    return pl.DataFrame({clock: minutes(first, 40), "zone": zones, "minutes": earned})


def test_an_export_without_any_of_the_kinds_shows_nothing() -> None:
    assert shown_by({}).is_empty()


def test_calories_in_two_files_show_the_offset_of_the_day() -> None:
    kinds = {
        "calories": calories("local", datetime(2026, 4, 6, 8)),
        "calories_csv": calories("utc", datetime(2026, 4, 6, 12)),
    }
    seen = shown_by(kinds)
    assert seen.select("source", "low", "high", "rows", "day").rows() == [
        ("calories", -240, -240, 240, date(2026, 4, 6))
    ]


def test_active_zone_minutes_are_told_apart_by_zone() -> None:
    kinds = {
        "active_zone_minutes": zone_minutes("local", datetime(2026, 4, 6, 18)),
        "active_zone_minutes_csv": zone_minutes("utc", datetime(2026, 4, 6, 12, 15)),
    }
    seen = shown_by(kinds)
    assert seen.select("source", "low", "rows").rows() == [("active_zone_minutes", 345, 40)]


def test_one_twin_alone_shows_nothing() -> None:
    assert shown_by({"calories": calories("local", datetime(2026, 4, 6))}).is_empty()
    both = {
        "calories": calories("local", datetime(2026, 4, 6)),
        "calories_csv": calories("utc", START).clear(),
    }
    assert shown_by(both).is_empty()


def test_sleeps_at_zero_say_nothing_and_others_their_offset() -> None:
    sleeps = pl.DataFrame(
        {"stamp": [datetime(2026, 4, 6, 4), datetime(2026, 4, 7, 4)], "offset": [0, -240]},
    )
    assert shown_by({"user_sleeps": sleeps}).select("source", "since", "low").rows() == [
        ("sleep_offsets", datetime(2026, 4, 7, 4), -240)
    ]


def test_all_kinds_together_tell_one_history() -> None:
    """An account whose profile says New York and whose files all say Kathmandu."""
    kinds = {
        "calories": calories("local", datetime(2026, 4, 6, 8)),
        "calories_csv": calories("utc", datetime(2026, 4, 6, 2, 15)),
        "heart_rate": pl.DataFrame(
            {"utc": minutes(datetime(2026, 4, 5, 18, 15), 1440), "file_day": [date(2026, 4, 6)] * 1440}
        ),
        "user_sleeps": pl.DataFrame({"stamp": [datetime(2026, 4, 6, 17)], "offset": [345]}),
    }
    history = infer_history([NEW_YORK], shown_by(kinds))
    assert [(stay.clock, stay.named_by, stay.agree) for stay in history.stays] == [
        (345, "offsets", {"calories": 1, "heart_rate_files": 2, "sleep_offsets": 1})
    ]


START = datetime(2026, 4, 6)
