"""The questionnaires: a REDCap project exported raw, with its data dictionary, and the true answers."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from io import StringIO
from pathlib import Path

import numpy as np
import polars as pl

from schemas.survey_answers import SurveyAnswers
from schemas.table import conform
from synthetic.people.persona import Person
from synthetic.people.profiles import PROFILES, index_of
from synthetic.randomness import generator

DATA_NAME, DICTIONARY_NAME = "questionnaires.csv", "questionnaires_dictionary.csv"
FREE_TEXT_CANARY = "seven lanterns over the quiet harbour"

DICTIONARY_HEADER = (
    "Variable / Field Name", "Form Name", "Section Header", "Field Type", "Field Label",
    "Choices, Calculations, OR Slider Labels", "Field Note", "Text Validation Type OR Show Slider Number",
    "Text Validation Min", "Text Validation Max", "Identifier?", "Branching Logic (Show field only if...)",
    "Required Field?", "Custom Alignment", "Question Number (surveys only)", "Matrix Group Name",
    "Matrix Ranking?", "Field Annotation",
)  # fmt: skip

OFTEN = ((0, "Not at all"), (1, "Several days"), (2, "More than half the days"), (3, "Nearly every day"))
SMOKING = ((0, "Never"), (1, "Former"), (2, "Current"))
DRINKING = (
    (
        (0, "Never"),
        (1, "Monthly or less"),
        (2, "2-4 times a month"),
        (3, "2-3 times a week"),
        (4, "4 or more times a week"),
    ),
    ((0, "1 or 2"), (1, "3 or 4"), (2, "5 or 6"), (3, "7 to 9"), (4, "10 or more")),
    ((0, "Never"), (1, "Less than monthly"), (2, "Monthly"), (3, "Weekly"), (4, "Daily or almost daily")),
)
CONDITIONS = ((1, "Diabetes"), (2, "High blood pressure"), (3, "High cholesterol"), (4, "Thyroid disease"))
CONDITION_OF_PROFILE = {"type_2_diabetes": 1, "hypertension": 2, "dyslipidaemia": 3, "hypothyroidism": 4}

Choices = Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the dictionary. kind: radio, checkbox, text or notes."""

    name: str
    form: str
    kind: str
    label: str
    choices: Choices = ()
    validation: str = ""
    low: str = ""
    high: str = ""
    identifier: bool = False

    def columns(self) -> list[str]:
        """Columns of the export: a checkbox has one for each choice."""
        return (
            [f"{self.name}___{code}" for code, _ in self.choices] if self.kind == "checkbox" else [self.name]
        )


FIELDS: tuple[Field, ...] = (
    Field("contact_email", "demographics", "text", "E-mail address", validation="email", identifier=True),
    Field("height_cm", "demographics", "text", "Height in cm", validation="number", low="120", high="220"),
    Field("weight_kg", "demographics", "text", "Weight in kg", validation="number", low="30", high="250"),
    Field("smoking", "demographics", "radio", "Do you smoke?", SMOKING),
    *(
        Field(f"phq9_{n}", "phq9", "radio", f"Patient health questionnaire, item {n}", OFTEN)
        for n in range(1, 10)
    ),
    *(
        Field(f"gad7_{n}", "gad7", "radio", f"Generalised anxiety scale, item {n}", OFTEN)
        for n in range(1, 8)
    ),
    *(
        Field(f"auditc_{n}", "auditc", "radio", f"Alcohol use, item {n}", choices)
        for n, choices in enumerate(DRINKING, start=1)
    ),
    Field("conditions", "health_history", "checkbox", "Has a doctor told you that you have ...", CONDITIONS),
    Field("comments", "health_history", "notes", "Anything else you want to tell us"),
)
FORMS = tuple(dict.fromkeys(field.form for field in FIELDS))


@dataclass(frozen=True, slots=True)
class Record:
    """One person's row: cells by column, and the moment the forms were sent."""

    person: Person
    cells: Mapping[str, str]
    sent: datetime


def record_of(person: Person, seed: int) -> Record:
    """Answers that agree with the person's profile and body."""
    rng = generator(seed, "survey", person.number)
    profile = PROFILES[index_of(person.profile)]
    cells = {
        "contact_email": f"{person.name.replace(' ', '.').lower()}@example.org",
        "height_cm": f"{person.body.height_cm:.1f}",
        "weight_kg": f"{person.body.weight_kg:.1f}",
        "smoking": str(int(rng.choice(3, p=(0.6, 0.28, 0.12)))),
        **_items("phq9", 9, profile.mood, rng),
        **_items("gad7", 7, profile.mood, rng),
        **{f"auditc_{n}": str(int(rng.choice(5, p=(0.5, 0.32, 0.13, 0.04, 0.01)))) for n in (1, 2, 3)},
        "comments": f"{FREE_TEXT_CANARY} {person.number}",
    }
    cells["phq9_9"] = str(person.planted.phq_item_9)
    has = CONDITION_OF_PROFILE.get(person.profile)
    cells |= {f"conditions___{code}": "1" if code == has else "0" for code, _ in CONDITIONS}
    if person.planted.unanswered_item:
        cells["gad7_4"] = ""
    if person.planted.form_never_opened:
        cells |= {"comments": ""} | {f"conditions___{code}": "0" for code, _ in CONDITIONS}
    minutes = int(rng.integers(9 * 60, 20 * 60))
    return Record(person, cells, datetime.combine(person.enrolled_on, time()) + timedelta(minutes=minutes))


def _items(stem: str, count: int, mean: float, rng: np.random.Generator) -> dict[str, str]:
    values = rng.binomial(3, min(mean / 3, 0.9), count)
    return {f"{stem}_{n}": str(int(value)) for n, value in enumerate(values, start=1)}


def write_surveys(records: Sequence[Record], folder: Path) -> None:
    """Write the raw export and its dictionary."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DATA_NAME).write_text(_csv(_header(), [_row(record) for record in records]), newline="")
    (folder / DICTIONARY_NAME).write_text(_csv(DICTIONARY_HEADER, _dictionary()), newline="")


def _csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return stream.getvalue()


def _header() -> list[str]:
    columns = ["record_id", "redcap_survey_identifier"]
    for form in FORMS:
        columns.append(f"{form}_timestamp")
        columns += [column for field in FIELDS if field.form == form for column in field.columns()]
        columns.append(f"{form}_complete")
    return columns


def _row(record: Record) -> list[str]:
    system = {"record_id": record.person.alias or record.person.participant_id}
    for number, form in enumerate(FORMS):
        opened = not (form == "health_history" and record.person.planted.form_never_opened)
        sent = record.sent + timedelta(minutes=3 * number)
        system[f"{form}_timestamp"] = f"{sent:%Y-%m-%d %H:%M:%S}" if opened else ""
        system[f"{form}_complete"] = "2" if opened else "0"
    return [system.get(column, record.cells.get(column, "")) for column in _header()]


def _dictionary() -> list[list[str]]:
    first = ["record_id", FORMS[0], "", "text", "Study id", *[""] * 13]
    return [first, *(_dictionary_row(field) for field in FIELDS)]


def _dictionary_row(field: Field) -> list[str]:
    choices = " | ".join(f"{code}, {label}" for code, label in field.choices)
    return [
        field.name, field.form, "", field.kind, field.label, choices, "", field.validation, field.low,
        field.high, "y" if field.identifier else "", *[""] * 7,
    ]  # fmt: skip


def survey_answers(records: Sequence[Record]) -> pl.DataFrame:
    """The true answers; identifiers left out, free text withheld, an unopened form not answered."""
    rows = [
        _answer(record, field, column)
        for record in records
        for field in FIELDS
        if not field.identifier
        for column in field.columns()
    ]
    return pl.DataFrame(rows, infer_schema_length=None).lazy().pipe(conform, SurveyAnswers).collect()


def _answer(record: Record, field: Field, column: str) -> dict[str, object]:
    value: str | None = record.cells[column] or None
    opened = not (field.form == "health_history" and record.person.planted.form_never_opened)
    reason = None
    if not opened or value is None:
        value, reason = None, "not_answered"
    elif field.kind == "notes":
        value, reason = None, "free_text"
    labels = {str(code): label for code, label in field.choices} if field.kind == "radio" else {}
    return {
        "participant_id": record.person.participant_id,
        "instrument": field.form,
        "event": "",
        "instance": 1,
        "item": column,
        "value": value,
        "value_num": None if value is None else float(value),
        "label": labels.get(value or ""),
        "missing_reason": reason,
        "answered_on": record.sent.date() if opened else None,
        "file_id": DATA_NAME,
    }
