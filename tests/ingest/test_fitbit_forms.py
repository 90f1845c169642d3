"""Every generation of the export against the truth of one made life: whole, and without its JSON half."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import codes, ingest, table

from outputs.store import Result
from schemas.participant import Participant
from synthetic.exports.members import Request
from synthetic.exports.takeout.export import morning_after
from synthetic.exports.takeout.generations import GENERATIONS
from synthetic.exports.takeout.write import takeout_members
from synthetic.life.recording import Recording, record
from synthetic.people.persona import make_person
from synthetic.truth import wearable

pytestmark = pytest.mark.slow

DAYS, SEED, NUMBER = 16, 11, 9
# What needs the registry, and names of our own methods.
NOT_IN_TRUTH = ("participant_id", "study_day", "resting_heart_rate_method", "heart_rate_variability_method")
# The first site's form had no products beside the JSON files, and no list of devices.
LACKS: Mapping[str, tuple[str, ...]] = {
    "A0": (
        "active_zone_minutes",
        "fatburn_active_zone_minutes",
        "cardio_active_zone_minutes",
        "peak_active_zone_minutes",
        "heart_rate_variability",
        "respiratory_rate",
        "spo2_avg",
        "spo2_min",
        "spo2_max",
        "skin_temperature_variation",
        "stress_management_score",
        "readiness_score",
        "device",
    )
}
# The truth is cut to 0.1 lb, the families hold grams.
GRAMS = {"weight_kg": 0.05}
# Of the CSV families alone: what they lack, and how far a value may lie from the truth and why.
NOT_IN_FAMILIES = ("sedentary_minutes", "stress_management_score")
FAMILY_TOLERANCES = {
    "resting_heart_rate": 0.25,  # The newest two days were computed again.
    "vo2max": 0.11,  # Another estimate than the filtered one of the JSON.
    **GRAMS,
    "wear_minutes": 5,  # No confidence: minutes without contact can't be told.
    **dict.fromkeys(("deep_sleep_minutes", "rem_sleep_minutes", "light_sleep_minutes"), 2),
}
# From 2026 nights stand there by a second algorithm, with other limits, stages and variability.
SECOND_ALGORITHM = {
    **FAMILY_TOLERANCES,
    **dict.fromkeys(("sleep_minutes", "time_in_bed_minutes", "awake_minutes", "nap_minutes"), 8),
    **dict.fromkeys(("light_sleep_minutes", "bed_minute", "deep_sleep_minutes"), 8),
    "heart_rate_variability": 10,
}
GIVEN_AS_MINUTES = ("bed_time", "wake_up_time")


@pytest.fixture(scope="module")
def life() -> Recording:
    return record(make_person(NUMBER, DAYS, SEED), SEED)


@pytest.fixture(scope="module")
def truth(life: Recording) -> pl.DataFrame:
    return wearable.daily_summary(life).sort("date")


def registered(life: Recording) -> Participant:
    person = life.person
    return Participant(person.participant_id, person.sex, person.birth_date.year, person.time_zone)


def read(life: Recording, form: str, folder: Path, *, families_only: bool = False) -> Result:
    request = Request(morning_after(life), form, 60, "en_US")
    with zipfile.ZipFile(folder / "takeout-20260701T103201Z-001.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for member in takeout_members(life, request):
            if not families_only or "_GoogleData/" in member.path or "Paired Devices/" in member.path:
                archive.writestr(member.path, member.content)
    return ingest(folder, registered(life))


def differing(got: pl.DataFrame, truth: pl.DataFrame, tolerances: Mapping[str, float]) -> dict[str, object]:
    """Column -> the first (date, truth, got) that differs by more than it may."""
    both = truth.join(got, on="date", suffix="_got", how="full", coalesce=True).sort("date")
    found: dict[str, object] = {}
    for column in truth.columns:
        if column == "date":
            continue
        one, other = pl.col(column), pl.col(f"{column}_got")
        far = ~one.eq_missing(other)
        if column in tolerances:
            far &= ~((one - other).abs() <= tolerances[column]).fill_null(False)
        wrong = both.filter(far).select("date", column, f"{column}_got")
        if wrong.height:
            found[column] = wrong.row(0)
    return found


@pytest.fixture(scope="module")
def whole(life: Recording, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """Results by generation, each read once."""
    return {form: read(life, form, tmp_path_factory.mktemp(form)) for form in GENERATIONS}


@pytest.mark.parametrize("form", GENERATIONS)
def test_every_generation_tells_the_same_days(
    whole: dict[str, Result], truth: pl.DataFrame, form: str
) -> None:
    lacking = LACKS.get(form, ())
    got = table(whole[form], "daily_summary").drop(NOT_IN_TRUTH)
    assert not differing(got, truth.drop(*NOT_IN_TRUTH, *lacking), GRAMS)
    assert all(got[column].is_null().all() for column in lacking)


@pytest.mark.parametrize("form", GENERATIONS)
def test_exercises_and_sleep_logs_are_those_of_the_json_files(
    whole: dict[str, Result], life: Recording, form: str
) -> None:
    # The first site's logs did not say how they were made.
    dropped = ["file_id", *(["log_type"] if form == "A0" else [])]
    logs = wearable.sleep_sessions(life, "x").drop(dropped).sort("sleep_id")
    assert table(whole[form], "sleep_sessions").drop(dropped).sort("sleep_id").equals(logs)
    exercises = wearable.activities(life, "x").drop("file_id").sort("activity_id")
    assert table(whole[form], "activities").drop("file_id").sort("activity_id").equals(exercises)


@pytest.mark.parametrize("form", GENERATIONS)
def test_nothing_is_rejected_and_no_study_file_is_unknown(whole: dict[str, Result], form: str) -> None:
    assert codes(whole[form]) == ["identity_unchecked"]
    row = table(whole[form], "source_files").row(0, named=True)
    assert row["rows_rejected"] == 0
    ignored = json.loads(str(row["members_json"]))["ignored"]
    # The one file that is none of ours is another product's.
    assert ignored.get("unknown_kind", 0) == (1 if "Takeout" in GENERATIONS[form].root else 0)


@pytest.mark.parametrize(("form", "tolerances"), [("C", FAMILY_TOLERANCES), ("D", SECOND_ALGORITHM)])
def test_the_families_alone_tell_it_too(
    life: Recording, truth: pl.DataFrame, tmp_path: Path, form: str, tolerances: Mapping[str, float]
) -> None:
    result = read(life, form, tmp_path, families_only=True)
    dropped = (*NOT_IN_TRUTH, *NOT_IN_FAMILIES, *GIVEN_AS_MINUTES)
    worn = truth.filter(pl.col("wear_minutes") > 0).drop(dropped)
    assert not differing(table(result, "daily_summary").drop(dropped), worn, tolerances)
    assert table(result, "source_files")["rows_rejected"].sum() == 0
    nights = table(result, "sleep_sessions").filter("is_main").sort("date")
    assert nights["date"].to_list() == truth.drop_nulls("bed_time")["date"].to_list()
    epochs = table(result, "sleep_stages").group_by("sleep_id").agg(pl.col("seconds").sum())
    spans = table(result, "sleep_sessions").join(epochs, on="sleep_id")
    length = (pl.col("end_utc") - pl.col("start_utc")).dt.total_seconds()
    assert spans.height == table(result, "sleep_sessions").height
    assert spans.filter(pl.col("seconds") != length).is_empty()
    exercises, true_ones = table(result, "activities"), wearable.activities(life, "x")
    assert sorted(exercises["start_utc"]) == sorted(true_ones["start_utc"])


def test_alternates_name_the_twin_of_each_published_value(whole: dict[str, Result]) -> None:
    result = whole["D"]
    sources = table(result, "value_sources")
    worn = table(result, "daily_summary").filter(pl.col("steps") > 0)
    for role in ("published", "alternate"):
        steps = sources.filter(pl.col("metric") == "steps", pl.col("role") == role)
        assert steps["date"].unique().sort().to_list() == worn["date"].to_list()
    assert set(sources.filter(pl.col("role") == "published")["rule"]) >= {
        "newer_export",
        "whole_copy_then_newer_export",
    }


def test_sources_of_one_day_agree(whole: dict[str, Result]) -> None:
    checks = table(whole["D"], "quality_checks")
    agree = checks.filter(pl.col("check").str.ends_with("_sources_agree"))
    assert agree.filter(pl.col("check").is_in(["steps_sources_agree", "floors_sources_agree"]))[
        "checked"
    ].min() == pytest.approx(DAYS, abs=4)
    assert agree.filter(pl.col("outcome") == "differs").is_empty()
