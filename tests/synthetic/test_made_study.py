"""The made study as a whole: what lies where, the same bytes every time, planted effects found again."""

import csv
import json
import os
import stat
import time
import tomllib
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import time_machine

from schemas.settings import Settings
from schemas.table import polars_schema
from schemas.tables import TABLES
from synthetic.life.recording import record
from synthetic.people.persona import make_person
from synthetic.spec import Spec, scored_cast
from synthetic.study import make_study, people_of
from synthetic.truth.wearable import daily_summary

pytestmark = pytest.mark.slow

TRUTH = ("participants", "daily_summary", "sleep_sessions", "activities", "lab_results", "survey_answers")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_study_folder_as_a_coordinator_has_it(made: Path) -> None:
    study = made / "study"
    settings = Settings.model_validate(tomllib.loads((study / "study.toml").read_text()))
    assert settings.study.made_up
    assert settings.percentiles.reference is not None
    assert (study / settings.percentiles.reference).is_file()
    assert not (study / "decisions.csv").exists()
    registry = list(csv.DictReader(StringIO((study / "participants.csv").read_text())))
    assert [row["participant_id"] for row in registry] == ["P001", "P002", "P003"]
    assert {row["external_model"] for row in registry} == {"no"}
    for row in registry:
        assert len(list((study / "fitbit" / row["participant_id"]).glob("takeout-*.zip"))) == 1
        assert len(list((study / "labs" / row["participant_id"]).glob("*.pdf"))) == 2


def test_the_secret_is_the_owners_alone(made: Path) -> None:
    secret = made / "study" / ".pha-secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert len(secret.read_text().strip()) == 64


def test_the_observation_period_covers_the_days(made: Path) -> None:
    registry = csv.DictReader(StringIO((made / "study" / "participants.csv").read_text()))
    daily = pl.read_parquet(made / "truth" / "daily_summary.parquet")
    for row in registry:
        days = daily.filter(participant_id=row["participant_id"])["date"]
        assert date.fromisoformat(row["consent_from"]) == days.min()
        assert days.min() <= date.fromisoformat(row["enrolled_on"]) <= days.max()


@pytest.mark.parametrize("name", TRUTH)
def test_truth_is_in_the_form_of_its_table(made: Path, name: str) -> None:
    frame = pl.read_parquet(made / "truth" / f"{name}.parquet")
    assert frame.schema == polars_schema(TABLES[name])
    assert frame.select(TABLES[name].primary_key()).is_unique().all()


@pytest.mark.parametrize("name", ["daily_summary", "sleep_sessions", "activities", "survey_answers"])
def test_truth_passes_the_row_rules(made: Path, name: str) -> None:
    _, failures = TABLES[name].filter(pl.read_parquet(made / "truth" / f"{name}.parquet"))
    assert failures.counts() == {}


def test_the_same_numbers_give_the_same_bytes_on_any_day_and_in_any_zone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_study(tmp_path / "a", Spec(2, 6, 5))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        with time_machine.travel("2031-02-03T04:05:06Z"):
            make_study(tmp_path / "b", Spec(2, 6, 5))
    finally:
        monkeypatch.undo()
        os.environ["TZ"] = "Pacific/Chatham"
        time.tzset()
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_participant_is_the_same_however_many_others_there_are(tmp_path: Path) -> None:
    make_study(tmp_path / "one", Spec(1, 6, 5))
    make_study(tmp_path / "three", Spec(3, 6, 5))
    one, three = contents(tmp_path / "one" / "study"), contents(tmp_path / "three" / "study")
    own = {name for name in one if name.startswith(("fitbit/", "labs/"))}
    assert own
    assert {name: one[name] for name in own} == {name: three[name] for name in own}


def test_another_seed_gives_other_people(tmp_path: Path) -> None:
    make_study(tmp_path / "a", Spec(1, 6, 5))
    make_study(tmp_path / "b", Spec(1, 6, 6))
    a, b = (json.loads((tmp_path / x / "truth" / "personas.json").read_text()) for x in "ab")
    assert a[0]["body"] != b[0]["body"]


def test_truth_lies_outside_the_study_folder(made: Path) -> None:
    assert sorted(path.name for path in made.iterdir()) == ["study", "truth"]
    assert "body" not in (made / "study" / "participants.csv").read_text()


def test_effects_name_what_was_planted_in_whom(made: Path) -> None:
    effects: dict[str, Any] = json.loads((made / "truth" / "effects.json").read_text())
    people = effects["participants"]
    assert people["P001"]["resting_heart_rate_slope_bpm_per_day"] == pytest.approx(-7 / 35, abs=1e-6)
    assert people["P002"]["phq_item_9"] == 1
    assert people["P003"]["critical_potassium"]
    assert people["P002"]["resting_heart_rate_slope_bpm_per_day"] == 0
    assert effects["last_day"] == "2026-06-28"


@pytest.mark.parametrize("days", [1, 2, 5])
def test_very_short_studies_are_made_too(tmp_path: Path, days: int) -> None:
    make_study(tmp_path, Spec(10, days, 5))
    daily = pl.read_parquet(tmp_path / "truth" / "daily_summary.parquet")
    assert daily.group_by("participant_id").len()["len"].max() == days
    labs = pl.read_parquet(tmp_path / "truth" / "lab_results.parquet")
    assert labs["collected_date"].min() >= daily["date"].min()


def summary(number: int, days: int = 120) -> pl.DataFrame:
    return daily_summary(record(make_person(number, days, 7), 7))


def slope(frame: pl.DataFrame) -> float:
    known = frame.drop_nulls("resting_heart_rate")
    days = (known["date"] - known["date"][0]).dt.total_days().to_numpy()
    return float(np.polyfit(days, known["resting_heart_rate"].to_numpy(), 1)[0])


@pytest.mark.parametrize(("number", "change"), [(0, -7.0), (6, 6.0), (1, 0.0), (8, 0.0)])
def test_a_planted_slope_of_the_resting_heart_rate_is_found_again(number: int, change: float) -> None:
    # Standard error 1.4 bpm: days vary by 2.5 bpm and resemble their neighbours.
    assert slope(summary(number)) * 119 == pytest.approx(change, abs=2.8)


@pytest.mark.parametrize(("number", "low", "high"), [(4, 2.0, 4.5), (9, 0.15, 0.5), (7, 0.65, 1.5)])
def test_a_planted_change_of_bed_times_is_found_again(number: int, low: float, high: float) -> None:
    frame = summary(number)
    weekdays = frame.filter(pl.col("date").dt.weekday() <= 5).drop_nulls("bed_minute")
    before, after = (
        weekdays.filter(later == (pl.col("date") >= pl.lit(frame["date"][60])))["bed_minute"].std()
        for later in (False, True)
    )
    assert low < after / before < high


def test_one_persons_last_weeks_are_badly_worn() -> None:
    frame = summary(5)
    share = frame.with_columns(late=pl.col("date") >= pl.lit(frame["date"][-24])).group_by("late").agg(
        pl.col("valid_day").mean()
    )  # fmt: skip
    worn = dict(share.iter_rows())
    assert worn[True] < 0.5 < 0.85 < worn[False]
    assert set(frame["day_state"]) == {"worn", "partly_worn", "not_worn"}


def test_one_persons_data_stop_weeks_before_the_others() -> None:
    assert summary(3)["date"].max() == date(2026, 6, 4)


def test_the_day_clocks_change_is_marked() -> None:
    changed = summary(0).filter("tz_change")
    assert changed["date"].to_list() == [date(2026, 3, 8)]
    assert changed["utc_offset_minutes"].to_list() == [-240]
    assert summary(0).filter("is_partial")["date"].to_list() == [date(2026, 6, 28)]


def test_processes_change_nothing(tmp_path: Path) -> None:
    for name, workers in (("alone", 1), ("side_by_side", 2)):
        make_study(tmp_path / name, Spec(4, 3, 5), workers)
    assert contents(tmp_path / "alone") == contents(tmp_path / "side_by_side")


def test_each_participant_is_told_of(tmp_path: Path) -> None:
    told: list[None] = []
    make_study(tmp_path, Spec(3, 2, 5), made=lambda: told.append(None))
    assert len(told) == 3


def test_pieces_of_the_truth_are_gone(made: Path) -> None:
    assert not any(path.is_dir() for path in (made / "truth").iterdir())


def test_weekly_as_of_dates_reach_from_the_days_asked_for_to_the_end(tmp_path: Path) -> None:
    make_study(tmp_path, Spec(1, 10, 5, weeks=3))
    daily = pl.read_parquet(tmp_path / "truth" / "daily_summary.parquet")
    as_of = json.loads((tmp_path / "truth" / "as_of_dates.json").read_text())
    assert as_of == ["2026-06-13", "2026-06-20", "2026-06-27"]
    before_the_first = daily.filter(pl.col("date") <= date(2026, 6, 14))
    assert len(before_the_first) == 10


def effects_of(folder: Path) -> list[list[str]]:
    people: dict[str, Any] = json.loads((folder / "truth" / "effects.json").read_text())["participants"]
    return [[effect["effect"] for effect in person["effects"]] for person in people.values()]


def test_everyone_can_carry_one_effect_or_none(tmp_path: Path) -> None:
    make_study(tmp_path / "one", Spec(3, 12, 5, scored=scored_cast("fever_week", "half")))
    make_study(tmp_path / "none", Spec(3, 12, 5, scored=scored_cast("none", "full")))
    assert effects_of(tmp_path / "one") == [["fever_week"]] * 3
    assert effects_of(tmp_path / "none") == [[]] * 3


def test_an_effect_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="fever_week"):
        scored_cast("fever", "full")


def test_a_load_study_has_every_standing() -> None:
    people = people_of(Spec(400, 30, 5, "load"))
    assert {person.status for person in people} == {"active", "completed", "withdrawn", "excluded"}
    assert {person.sex for person in people} == {"female", "male", "intersex", "unknown"}
    assert len({person.number for person in people}) < len({person.participant_id for person in people})


@pytest.mark.parametrize("form", ["F", "fitabase", "web_api"])
def test_exports_can_have_another_form_and_their_truth_what_it_can_tell(tmp_path: Path, form: str) -> None:
    make_study(tmp_path, Spec(1, 4, 5, form=form))
    assert any((tmp_path / "study" / "fitbit" / "P001").iterdir())
    daily = pl.read_parquet(tmp_path / "truth" / "daily_summary.parquet")
    assert daily["steps"].is_not_null().any()
    assert daily["skin_temperature_variation"].is_null().all() == (form == "fitabase")


def test_questionnaires_in_another_form_come_with_the_settings_that_read_them(tmp_path: Path) -> None:
    make_study(tmp_path, Spec(2, 3, 5, survey_form="google_forms"))
    settings = Settings.model_validate(tomllib.loads((tmp_path / "study" / "study.toml").read_text()))
    assert set(settings.surveys.files) <= {path.name for path in (tmp_path / "study" / "surveys").iterdir()}
    assert settings.surveys.files


def test_a_load_study_mixes_the_forms_of_the_years() -> None:
    spec = Spec(10, 3, 5, "load")
    assert {spec.form_of(number) for number in range(10)} == {"B", "C", "D", "E", "F"}
