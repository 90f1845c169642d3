"""Forms outside the account's archive: every daily value of a made life equals the truth the form knows."""

from collections.abc import Callable
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from fitbit_files import ingest, table
from form_checks import exported, near, northerner, southerner, traveller

from outputs.store import Result
from schemas.participant import Participant
from synthetic.exports.knowable import KNOWABLE, seen_through
from synthetic.life.recording import Recording
from synthetic.truth.wearable import daily_summary

Life = Callable[[], Recording]
FORMS = ("fitabase", "fitabase_merged", "health_api", "web_api", "monthly_csv")
# What the reader knows beyond the form: zones are the registry's where nothing else tells, and a day without
# wear has no minutes of it.
BEYOND = {"utc_offset_minutes", "tz_change", "wear_minutes"}
# Merged files have no log, but its minutes: from them the reader knows when it began and ended.
OF_MINUTES = {"bed_time": 0, "wake_up_time": 30, "bed_minute": 0, "wake_up_minute": 0, "nap_minutes": 1}
OURS = {"participant_id", "date", "study_day", "resting_heart_rate_method", "heart_rate_variability_method"}


def owner(recording: Recording) -> Participant:
    person = recording.person
    return Participant(
        person.participant_id,
        "female" if person.sex == "female" else "male",
        person.birth_date.year,
        person.time_zone,
        birth_date=person.birth_date,
        name=person.name,
    )


@cache
def read(life: Life, form: str, language: str = "en_US") -> Result:
    with TemporaryDirectory() as folder:
        return ingest(exported(life(), form, Path(folder), language), owner(life()))


@cache
def truth(life: Life, form: str) -> pl.DataFrame:
    return seen_through(daily_summary(life()), form)


def differing(life: Life, form: str, language: str = "en_US") -> set[tuple[str, date]]:
    """Columns and days on which what was read is not near the truth."""
    got, true = table(read(life, form, language), "daily_summary"), truth(life, form)
    assert got["date"].to_list() == true["date"].to_list()
    found: set[tuple[str, date]] = set()
    of_minutes = OF_MINUTES if form == "fitabase_merged" else {}
    true = true.with_columns(daily_summary(life())[name] for name in of_minutes)
    for column in set(true.columns) - OURS - (BEYOND - set(KNOWABLE[form])):
        tolerance = of_minutes.get(column, KNOWABLE[form].get(column, 0.0))
        for day, told, real in zip(true["date"], got[column], true[column], strict=True):
            if not near(told, real, tolerance):
                found.add((column, day))
    return found


@pytest.mark.parametrize("form", FORMS)
def test_every_day_of_a_life_in_one_zone_is_told_right(form: str) -> None:
    assert differing(northerner, form) == set()


@pytest.mark.parametrize("form", FORMS)
def test_where_an_hour_comes_twice_only_wear_may_be_short(form: str) -> None:
    """Forms without offsets let two elapsed minutes share one on the wall."""
    assert differing(southerner, form) <= {("wear_minutes", date(2026, 4, 5))}


# The days around a flight: nothing shows the moment of the move, so that their offset stays unknown.
FLIGHTS = {date(2026, 5, day) for day in (5, 6, 7, 11, 12, 13)}


@pytest.mark.parametrize("form", FORMS)
def test_a_journey_moves_no_value_to_another_day(form: str) -> None:
    unsure = differing(traveller, form)
    assert {day for _, day in unsure} <= FLIGHTS
    assert {column for column, _ in unsure} <= {"utc_offset_minutes", "tz_change", "wear_minutes"}
    assert all(day == date(2026, 5, 12) for column, day in unsure if column == "wear_minutes")


@pytest.mark.parametrize("form", FORMS)
def test_every_row_has_a_fate_and_none_is_rejected(form: str) -> None:
    for life in (northerner, southerner, traveller):
        files = table(read(life, form), "source_files")
        assert files["rows_rejected"].sum() == 0
        assert files["rows_read"].sum() > 90
        assert set(files["form"]) == {"folder"}
