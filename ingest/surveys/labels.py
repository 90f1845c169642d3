"""REDCap exports with labels: titles are question texts and cells are words; made raw again, or refused."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from ingest.surveys.cells import NO_FIT, Column, compose
from ingest.surveys.dictionary import Dictionary, Field, plain_text
from ingest.surveys.export import Sheet
from schemas.errors import PhaError

TIME_STAMP, COMPLETE = "Survey Timestamp", "Complete?"
_SYSTEM = {
    "Event Name": "redcap_event_name",
    "Repeat Instrument": "redcap_repeat_instrument",
    "Repeat Instance": "redcap_repeat_instance",
    "Data Access Group": "redcap_data_access_group",
    "Survey Identifier": "redcap_survey_identifier",
}
_STATES = {"Incomplete": "0", "Unverified": "1", "Complete": "2"}
_BOXES = {"Unchecked": "0", "Checked": "1"}
# The labels REDCap proposes with its codes for missing data.
_MISSING = {
    "no information": "NI", "invalid": "INV", "unknown": "UNK", "not asked": "NASK",
    "asked but unknown": "ASKU", "temporarily unavailable": "NAV", "masked": "MSK", "not applicable": "NA",
    "not available": "NAVU", "not present": "NP", "sufficient quantity": "QS",
    "insufficient quantity": "QI", "trace": "TI",
}  # fmt: skip


def labelled_dictionary(sheet: Sheet, dictionaries: Sequence[Dictionary]) -> Dictionary | None:
    """The dictionary whose labels are most of an export's titles, the record id's the first of them."""
    titles = [plain_text(title) for title in sheet.header]
    fitting = [d for d in dictionaries if d.fields and d.fields[0].label == titles[0]]
    return max(fitting, key=lambda d: len(set(titles) & set(_titles(d))), default=None)


def raw_of_labels(sheet: Sheet, dictionary: Dictionary) -> Sheet:
    """The export as if it had been exported raw.

    Raises PhaError survey_unreadable where titles do not tell two fields apart: it is then not known whose
    the answers are.
    """
    names = _names(sheet, dictionary)
    fields = {c.name: c.field for c in dictionary.columns()}
    forms = {form.replace("_", " ").casefold(): form for form in dictionary.forms}
    columns = (
        [
            Column(name, tuple(map(_translator(name, fields.get(name), forms), cells)))
            for name, cells in zip(names, zip(*sheet.rows, strict=True), strict=True)
        ]
        if sheet.rows
        else [Column(name, ()) for name in names]
    )
    return compose(columns, len(sheet.rows))


def _titles(dictionary: Dictionary) -> dict[str, list[str]]:
    """Title of a label export -> the raw columns that have it."""
    titles: dict[str, list[str]] = defaultdict(list)
    for column in dictionary.columns():
        field = column.field
        if field.kind == "checkbox":
            titles[f"{field.label} (choice={column.choice})"].append(column.name)
        else:
            titles[field.label].append(column.name)
    return titles


def _names(sheet: Sheet, dictionary: Dictionary) -> list[str]:
    """The raw name of each column: fields by title, marks and time stamps of forms by their neighbours."""
    titles = [plain_text(title) for title in sheet.header]
    named: dict[int, str] = {}
    for title, columns in _titles(dictionary).items():
        places = [place for place, each in enumerate(titles) if each == title]
        if places and len(places) != len(columns):
            raise PhaError("survey_unreadable", problem="titles of its columns do not tell the fields apart")
        named |= dict(zip(places, columns, strict=bool(places)))
    form_of = {c.name: c.field.form for c in dictionary.columns()}
    places = sorted(named)
    for place, title in enumerate(titles):
        if title == COMPLETE and (before := [p for p in places[1:] if p < place]):
            named[place] = f"{form_of[named[before[-1]]]}_complete"
        elif title == TIME_STAMP and (after := [p for p in places if p > place]):
            named[place] = f"{form_of[named[after[0]]]}_timestamp"
        elif place not in named:
            named[place] = _SYSTEM.get(title, title)
    return [named[place] for place in range(len(titles))]


def _translator(name: str, field: Field | None, forms: dict[str, str]) -> Callable[[str], str]:
    """Words of a column -> what a raw export writes."""
    if name.endswith("_complete") and field is None:
        return lambda cell: _STATES.get(cell.strip(), cell)
    if name == "redcap_repeat_instrument":
        return lambda cell: forms.get(cell.strip().casefold(), cell)
    if field is None or field.kind in ("free_text", "identifier", "record_id", "file"):
        return str
    if field.kind == "checkbox":
        return lambda cell: _BOXES.get(cell.strip(), cell and NO_FIT)
    return _word(field)


def _word(field: Field) -> Callable[[str], str]:
    codes = {label: code for code, label in field.choices}
    doubled = {label for label in codes if [label for _, label in field.choices].count(label) > 1}

    def code_of(cell: str) -> str:
        words = plain_text(cell)
        if words in codes and words not in doubled:
            return codes[words]
        missing = _MISSING.get(words.casefold())
        if missing is not None or field.kind != "choice":
            return missing or cell
        return words and NO_FIT

    return code_of
