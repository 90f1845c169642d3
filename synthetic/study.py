"""A made study: the folder a coordinator would have, and the truth beside it."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import timedelta
from hashlib import sha256
from io import StringIO
from math import ceil
from pathlib import Path
from typing import Any

import polars as pl

from outputs.parquet import write_table
from schemas.activities import Activities
from schemas.daily_summary import DailySummary
from schemas.lab_results import LabResults
from schemas.participants import Participants
from schemas.sleep_sessions import SleepSessions
from schemas.survey_answers import SurveyAnswers
from schemas.table import conform
from synthetic.exports.takeout import write_takeout
from synthetic.labs.draws import reports_of, write_report
from synthetic.life.recording import Recording, record
from synthetic.people.persona import LAST_DAY, STUDY_ZONE, Person, make_person
from synthetic.people.reference import reference_population
from synthetic.surveys.redcap import FREE_TEXT_CANARY, record_of, survey_answers, write_surveys
from synthetic.truth import wearable as wearable_truth

REFERENCE_NAME = "reference_population.parquet"

STUDY_TOML = f"""# A made study: no person, value or report in it is real.
[study]
name = "Made study"
time_zone = "{STUDY_ZONE}"
made_up = true

[percentiles]
refresh = "every_run"
reference = "{REFERENCE_NAME}"
"""

REGISTRY_HEADER = (
    "participant_id", "sex", "birth_date", "gender", "time_zone", "enrolled_on", "consent_from", "status",
    "site", "group", "aliases", "name", "results_to", "external_model",
)  # fmt: skip


def make_study(folder: Path, participants: int, days: int, seed: int) -> None:
    """Write ``folder/study`` and ``folder/truth`` for ``participants`` people with ``days`` local days each.

    The last day is 2026-06-28. Files depend on the three numbers alone, not on clock, zone or machine, and a
    participant's on seed and days alone.
    """
    study, truth = folder / "study", folder / "truth"
    for place in (study, truth):
        place.mkdir(parents=True, exist_ok=True)
    people = [make_person(number, days, seed) for number in range(participants)]
    _write_settings(study, people, seed)
    wearable = [_write_wearable(person, study, seed) for person in people]
    for name, table in (
        ("daily_summary", DailySummary),
        ("sleep_sessions", SleepSessions),
        ("activities", Activities),
    ):
        write_table(pl.concat([frames[name] for frames in wearable]), table, truth / f"{name}.parquet")
    labs = [
        write_report(report, study / "labs" / person.participant_id)
        for person in people
        for report in reports_of(person, days, seed)
    ]
    write_table(pl.concat(labs), LabResults, truth / "lab_results.parquet")
    answers = [record_of(person, seed) for person in people]
    write_surveys(answers, study / "surveys")
    write_table(survey_answers(answers), SurveyAnswers, truth / "survey_answers.parquet")
    write_table(_participants(people), Participants, truth / "participants.parquet")
    _write_json(truth / "personas.json", [_persona(person) for person in people])
    _write_json(truth / "effects.json", _effects(people))


def _write_settings(study: Path, people: Sequence[Person], seed: int) -> None:
    (study / "study.toml").write_text(STUDY_TOML)
    (study / "participants.csv").write_text(_csv(REGISTRY_HEADER, map(_registered, people)), newline="")
    secret = study / ".pha-secret"
    secret.touch(mode=0o600)
    secret.chmod(0o600)
    secret.write_text(sha256(f"made study {seed}".encode()).hexdigest() + "\n")
    reference_population(seed).write_parquet(study / REFERENCE_NAME, compression="zstd", compression_level=3)


def _registered(person: Person) -> tuple[str, ...]:
    """A line of participants.csv. Who lives elsewhere is known from the export's profile only."""
    return (
        person.participant_id, person.sex, person.birth_date.isoformat(), person.sex, "",
        person.enrolled_on.isoformat(), person.first_day.isoformat(), "active", person.site, "",
        person.alias or "", person.name, person.results_to, "no",
    )  # fmt: skip


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return stream.getvalue()


def _write_wearable(person: Person, study: Path, seed: int) -> dict[str, pl.DataFrame]:
    recording: Recording = record(person, seed)
    name = write_takeout(recording, study / "fitbit" / person.participant_id, seed)
    return {
        "daily_summary": wearable_truth.daily_summary(recording),
        "sleep_sessions": wearable_truth.sleep_sessions(recording, name),
        "activities": wearable_truth.activities(recording, name),
    }


def _participants(people: Sequence[Person]) -> pl.DataFrame:
    """What is known of the people without reading their data."""
    rows = [
        {
            "participant_id": person.participant_id,
            "sex": person.sex,
            "gender": person.sex,
            "age_at_enrolment": person.age,
            "age_approximate": False,
            "site": person.site,
            "status": "active",
            "enrolled_on": person.enrolled_on,
            "time_zone": person.time_zone,
            "has_wearable": True,
            "has_labs": True,
            "has_surveys": True,
            "identity": "matched",
        }
        for person in people
    ]
    return pl.DataFrame(rows).lazy().pipe(conform, Participants).collect()


def _persona(person: Person) -> dict[str, Any]:
    return {
        "participant_id": person.participant_id,
        "name": person.name,
        "sex": person.sex,
        "birth_date": person.birth_date.isoformat(),
        "profile": person.profile,
        "time_zone": person.time_zone,
        "device": person.device,
        "body": {name: round(value, 4) for name, value in asdict(person.body).items()},
    }


def _effects(people: Sequence[Person]) -> dict[str, Any]:
    """What was planted in whom, with dates and slopes that a right analysis finds again."""
    return {
        "free_text_canary": FREE_TEXT_CANARY,
        "last_day": LAST_DAY.isoformat(),
        "participants": {person.participant_id: _effects_of(person) for person in people},
    }


def _effects_of(person: Person) -> dict[str, Any]:
    days = (person.last_day - person.first_day).days + 1
    change = person.planted.resting_heart_rate_change
    return {
        "resting_heart_rate_slope_bpm_per_day": round(change / max(days - 1, 1), 6),
        "bed_time_sd_changes_on": _change_of_bed_times(person, days),
        "bed_time_sd_factor": person.planted.bed_time_sd_factor,
        "last_day": person.last_day.isoformat(),
        "stops_early": person.planted.stops_early,
        "badly_worn": person.planted.badly_worn,
        "critical_potassium": person.planted.critical_potassium,
        "phq_item_9": person.planted.phq_item_9,
        "form_never_opened": person.planted.form_never_opened,
        "unanswered_item": person.planted.unanswered_item,
    }


def _change_of_bed_times(person: Person, days: int) -> str | None:
    share = person.planted.bed_time_sd_from
    if share is None or ceil(share * days) >= days:
        return None
    return (person.first_day + timedelta(days=ceil(share * days))).isoformat()


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
