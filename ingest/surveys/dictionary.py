"""A REDCap data dictionary: the 18-column CSV, in the spelling of the web page or of the API."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Literal

from ingest.surveys.instruments import scored_item

Kind = Literal["choice", "checkbox", "number", "date", "time", "free_text", "file", "identifier", "record_id"]

_COLUMNS = {
    "name": ("variable / field name", "field_name"),
    "form": ("form name", "form_name"),
    "type": ("field type", "field_type"),
    "label": ("field label", "field_label"),
    "choices": ("choices, calculations, or slider labels", "select_choices_or_calculations"),
    "validation": (
        "text validation type or show slider number",
        "text_validation_type_or_show_slider_number",
    ),
    "low": ("text validation min", "text_validation_min"),
    "high": ("text validation max", "text_validation_max"),
    "identifier": ("identifier?", "identifier"),
}
_OPTIONAL = {
    "logic": ("branching logic (show field only if...)", "branching_logic"),
    "annotation": ("field annotation", "field_annotation"),
}
_FIXED_CHOICES = {"yesno": (("1", "Yes"), ("0", "No")), "truefalse": (("1", "True"), ("0", "False"))}
# "Sex at birth" is no birth date: what reference ranges rest on must stay.
_BIRTH = re.compile(r"(^|(?<!at)_)(dob|birth_?(date|day)?|date_of_birth)(_|$)", re.IGNORECASE)
_PERSON = re.compile(
    r"(^|_)((first|last|middle|full|maiden)_?name|name_?(first|last)|surname|e?mail|(tele)?phone|mobile|address|"
    r"zip(code)?|postcode|ssn|mrn)(_|\d|$)",
    re.IGNORECASE,
)
_CONTACT = ("email", "phone", "zipcode", "postalcode", "ssn", "mrn", "vmrn")
_HIDDEN = re.compile(r"@HIDDEN(?![\w-])")
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its form, kind, choices (code, label) and limits as the dictionary gives them.

    logic: the branching logic that shows it, "" where there is none. hidden: no page ever shows it.
    """

    name: str
    form: str
    kind: Kind
    choices: tuple[tuple[str, str], ...] = ()
    validation: str = ""
    low: str = ""
    high: str = ""
    label: str = ""
    logic: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the raw export: a field, or one choice (code and label) of a checkbox."""

    name: str
    field: Field
    instrument: str
    item: str
    code: str = ""
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """All fields of a project; the first is the record id."""

    fields: tuple[Field, ...]

    @property
    def record_id(self) -> str:
        """The name of the record id's column."""
        return self.fields[0].name

    @property
    def forms(self) -> tuple[str, ...]:
        """Forms in order."""
        return tuple(dict.fromkeys(field.form for field in self.fields))

    def columns(self) -> list[Column]:
        """Columns of the raw export but for the system ones."""
        return [column for field in self.fields for column in _columns(field)]


def is_dictionary(header: Sequence[str]) -> bool:
    """True for the header of a data dictionary in either spelling."""
    have = {title.strip().casefold() for title in header}
    return all(have & set(spellings) for spellings in _COLUMNS.values())


def read_dictionary(rows: Sequence[Mapping[str, str]]) -> Dictionary:
    """The dictionary in rows of a CSV (title -> cell)."""
    cells = [_cells(row) for row in rows]
    fields = [field for n, row in enumerate(cells) if row["name"] and (field := _field(row, n == 0))]
    return Dictionary(tuple(fields))


def parse_choices(text: str) -> tuple[tuple[str, str], ...]:
    """``1, Yes, daily | -99, Don't know``: parts at ``|``, code up to the first comma; no HTML in labels."""
    parts = [part.split(",", 1) for part in text.split("|") if part.strip()]
    return tuple(
        (part[0].strip(), plain_text(part[1]) if len(part) > 1 else part[0].strip()) for part in parts
    )


def checkbox_column(field: str, code: str) -> str:
    """The export's column of a checkbox choice: code in lower case, a minus as underscore."""
    return f"{field}___{code.lower().replace('-', '_')}"


def _columns(field: Field) -> Iterator[Column]:
    if field.kind == "checkbox":
        for code, label in field.choices:
            name = checkbox_column(field.name, code)
            yield Column(name, field, field.form, name, code, label)
        return
    instrument, item = scored_item(field.name) or (field.form, field.name)
    yield Column(field.name, field, instrument, item)


def _cells(row: Mapping[str, str]) -> dict[str, str]:
    lower = {title.strip().casefold(): (cell or "").strip() for title, cell in row.items()}
    found = {
        name: next((lower[s] for s in titles if s in lower), "")
        for name, titles in (_COLUMNS | _OPTIONAL).items()
    }
    return {name: "" if cell == "NA" else cell for name, cell in found.items()}


def _field(row: Mapping[str, str], first: bool) -> Field | None:
    kind = "record_id" if first else _kind(row)
    if kind is None:
        return None
    fixed = _FIXED_CHOICES.get(row["type"])
    return Field(
        name=row["name"],
        form=row["form"],
        kind=kind,
        choices=fixed or (parse_choices(row["choices"]) if kind in ("choice", "checkbox") else ()),
        validation=row["validation"],
        low=row["low"],
        high=row["high"],
        label=plain_text(row["label"]),
        # A calculated field has its value whether a page shows it or not.
        logic="" if row["type"] == "calc" else row["logic"],
        hidden=bool(_HIDDEN.search(row["annotation"])),
    )


def _kind(row: Mapping[str, str]) -> Kind | None:
    """What may stand in a field; None for one that only shows text."""
    field_type, validation = row["type"], row["validation"]
    if field_type == "descriptive":
        return None
    if row["identifier"].casefold() == "y" or _identifies(row):
        return "identifier"
    if field_type in ("radio", "dropdown", "yesno", "truefalse"):
        return "choice"
    if field_type in ("checkbox", "file"):
        return field_type
    if field_type == "signature":
        return "file"
    if field_type in ("calc", "slider") or validation.startswith(("number", "integer")):
        return "number"
    if validation.startswith(("date_", "datetime_")):
        return "date"
    return "time" if validation.startswith("time") else "free_text"


def _identifies(row: Mapping[str, str]) -> bool:
    """A birth date, a name or a way to reach somebody, also where the dictionary forgot to say so."""
    told = _BIRTH.search(row["name"]) or (row["type"] in ("text", "notes") and _PERSON.search(row["name"]))
    return bool(told) or row["validation"].startswith(_CONTACT)


def plain_text(label: str) -> str:
    """A label without HTML and with single blanks."""
    return " ".join(unescape(_TAG.sub("", label)).split())
