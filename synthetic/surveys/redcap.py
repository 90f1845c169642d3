"""REDCap exports: raw codes or labels, one visit or several, with decimal points or commas."""

from collections.abc import Iterator, Mapping, Sequence

from synthetic.surveys.answers import Filling, Record
from synthetic.surveys.csv_text import csv_text
from synthetic.surveys.items import Form, Item, box_column
from synthetic.surveys.questionnaire import BASELINE, QUESTIONNAIRE, SINGLE_VISIT, WEEK_4
from synthetic.surveys.reach import Reach
from synthetic.surveys.redcap_dictionary import RECORD_ID, RECORD_ID_LABEL, dictionary_rows

DATA_NAME, DICTIONARY_NAME = "questionnaires.csv", "questionnaires_dictionary.csv"
EVENT_NAMES = {BASELINE: "baseline_arm_1", WEEK_4: "week_4_arm_1"}
MISSING_LABELS = {"ASKU": "Asked but unknown", "UNK": "Unknown"}
COMPLETE_LABELS = {"": "", "0": "Incomplete", "2": "Complete"}

RAW = Reach(DATA_NAME)
LABEL = Reach(DATA_NAME)
COMMA = Reach(DATA_NAME, comma=True)
LONGITUDINAL = Reach(DATA_NAME, EVENT_NAMES, repeats=True)

Cells = Mapping[str, str]


def raw_files(records: Sequence[Record]) -> dict[str, str]:
    """The raw export of a project with one visit, and its dictionary."""
    header = _header(SINGLE_VISIT)
    rows = [_raw_row(record, record.at(BASELINE), RAW) for record in records]
    return {
        DATA_NAME: csv_text([header, *_by_header(header, rows)]),
        DICTIONARY_NAME: csv_text(dictionary_rows(SINGLE_VISIT)),
    }


def comma_files(records: Sequence[Record]) -> dict[str, str]:
    """The raw export as a spreadsheet program with decimal commas leaves it: semicolons, a BOM."""
    header = _header(SINGLE_VISIT)
    rows = [_raw_row(record, record.at(BASELINE), COMMA) for record in records]
    text = csv_text([header, *_by_header(header, rows)], ";", "\r\n")
    dictionary = csv_text(dictionary_rows(SINGLE_VISIT, comma=True), ";", "\r\n")
    return {DATA_NAME: f"\ufeff{text}", DICTIONARY_NAME: f"\ufeff{dictionary}"}


def longitudinal_files(records: Sequence[Record]) -> dict[str, str]:
    """The raw export of two visits with repeating forms: a row a visit, and a row a repeat."""
    header = _header(QUESTIONNAIRE, several=True)
    rows = [row for record in records for row in _longitudinal_rows(record)]
    return {
        DATA_NAME: csv_text([header, *_by_header(header, rows)]),
        DICTIONARY_NAME: csv_text(dictionary_rows(QUESTIONNAIRE)),
        "questionnaires_events.csv": csv_text(
            [
                ("event_name", "arm_num", "unique_event_name", "custom_event_label", "event_id"),
                ("Baseline", "1", EVENT_NAMES[BASELINE], "", "101"),
                ("Week 4", "1", EVENT_NAMES[WEEK_4], "", "102"),
            ]
        ),
    }


def label_files(records: Sequence[Record]) -> dict[str, str]:
    """The export with labels: question texts as titles, some of them many times, and words as answers."""
    asked = [title for form in SINGLE_VISIT for title in _label_titles(form)]
    titles = [RECORD_ID_LABEL, "Survey Identifier", *asked]
    rows = [[record.record_id, "", *_label_cells(record)] for record in records]
    return {
        DATA_NAME: csv_text([titles, *rows]),
        DICTIONARY_NAME: csv_text(dictionary_rows(SINGLE_VISIT)),
    }


def _header(forms: Sequence[Form], several: bool = False) -> list[str]:
    system = ["redcap_event_name", "redcap_repeat_instrument", "redcap_repeat_instance"] if several else []
    return [
        RECORD_ID,
        *system,
        "redcap_survey_identifier",
        *(column for form in forms for column in _form_columns(form)),
    ]


def _form_columns(form: Form) -> Iterator[str]:
    yield f"{form.name}_timestamp"
    for item in form.items:
        yield from item.columns
    yield f"{form.name}_complete"


def _by_header(header: Sequence[str], rows: Sequence[Cells]) -> Iterator[list[str]]:
    for row in rows:
        yield [row.get(column, "") for column in header]


def _raw_row(record: Record, fillings: Sequence[Filling], reach: Reach) -> dict[str, str]:
    row = {RECORD_ID: record.record_id}
    for filling in fillings:
        name = filling.form.name
        row[f"{name}_timestamp"] = f"{filling.sent:%Y-%m-%d %H:%M:%S}" if filling.sent else ""
        row[f"{name}_complete"] = "2" if filling.sent else "0"
        for item in filling.form.items:
            row |= _raw_cells(filling, item, reach)
    return row


def _raw_cells(filling: Filling, item: Item, reach: Reach) -> dict[str, str]:
    """Cells of an item. Boxes are 0 also where nobody opened the form, as REDCap writes them."""
    value = filling.values.get(item.name, filling.declined.get(item.name, ""))
    if item.kind == "checkbox":
        ticked = value if isinstance(value, frozenset) else frozenset[int]()
        return {box_column(item.name, code): str(int(code in ticked)) for code, _ in item.choices}
    return {column: reach.as_written(item, str(value)) for column in item.columns}


def _longitudinal_rows(record: Record) -> Iterator[dict[str, str]]:
    """Visits first, each followed by its repeats; cells of forms that are not of the row stay blank."""
    for event, name in EVENT_NAMES.items():
        yield {"redcap_event_name": name} | _raw_row(record, record.at(event), LONGITUDINAL)
        for filling in record.repeated:
            if filling.event == event:
                yield {
                    "redcap_event_name": name,
                    "redcap_repeat_instrument": filling.form.name,
                    "redcap_repeat_instance": str(filling.instance),
                } | _raw_row(record, [filling], LONGITUDINAL)


def _label_titles(form: Form) -> Iterator[str]:
    yield "Survey Timestamp"
    for item in form.items:
        if item.kind == "checkbox":
            yield from (f"{item.label} (choice={label})" for _, label in item.choices)
        elif item.columns:
            yield item.label
    yield "Complete?"


def _label_cells(record: Record) -> Iterator[str]:
    for filling in record.at(BASELINE):
        row = _raw_row(record, [filling], LABEL)
        yield row[f"{filling.form.name}_timestamp"]
        for item in filling.form.items:
            words = {str(code): label for code, label in item.options} | MISSING_LABELS
            if item.kind == "checkbox":
                words = {"0": "Unchecked", "1": "Checked"}
            yield from (words.get(row[column], row[column]) for column in item.columns)
        yield COMPLETE_LABELS[row[f"{filling.form.name}_complete"]]
