"""The study folder around the data: settings, registry, secret, reference population."""

import csv
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from io import StringIO
from pathlib import Path

from synthetic.people.persona import STUDY_ZONE, Person
from synthetic.people.reference import reference_population

REFERENCE_NAME = "reference_population.parquet"

STUDY_TOML = f"""# A made study: no person, value or report in it is real.
[study]
name = "Made study"
time_zone = "{STUDY_ZONE}"
made_up = true

[percentiles]
refresh = "every_run"
reference = "{REFERENCE_NAME}"

[findings.items]
smoker = "smoking=2"
diabetes = "conditions___1"
antihypertensives = "medicines___1"
statin = "medicines___2"
glucose_drug = "medicines___3"
thyroid_hormone = "medicines___4"
"""

REGISTRY_HEADER = (
    "participant_id", "sex", "birth_date", "gender", "time_zone", "enrolled_on", "consent_from", "consent_to",
    "status", "left_on", "site", "group", "aliases", "name", "results_to", "external_model",
)  # fmt: skip


def write_study_folder(study: Path, people: Sequence[Person], seed: int, surveys: str = "") -> None:
    """Write study.toml, participants.csv, the study's secret and the reference population.

    surveys: lines of study.toml that say how the questionnaires' files are read.
    """
    (study / "study.toml").write_text(STUDY_TOML + surveys)
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
        person.enrolled_on.isoformat(), person.consent_from.isoformat(), _date(person.consent_to),
        person.status, _date(person.left_on), person.site, "", person.alias or "", person.name,
        person.results_to, "no",
    )  # fmt: skip


def _date(day: date | None) -> str:
    return "" if day is None else day.isoformat()


def _csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return stream.getvalue()
