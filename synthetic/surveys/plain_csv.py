"""A plain table of answers: a row a person and visit, codes, column names of the study's own."""

from collections.abc import Iterator, Sequence

from synthetic.surveys.answers import Filling, Record
from synthetic.surveys.csv_text import csv_text
from synthetic.surveys.items import Form, Item, box_column
from synthetic.surveys.mapped import codebook, mapping_toml
from synthetic.surveys.questionnaire import ASKED_ONCE_A_VISIT, BASELINE, WEEK_4
from synthetic.surveys.reach import Reach

DATA_NAME = "answers.csv"
REACH = Reach(DATA_NAME, {BASELINE: "visit 1", WEEK_4: "visit 2"}, redcap=False)


def files(records: Sequence[Record]) -> dict[str, str]:
    """The table, semicolon separated."""
    titles = ["Person", "Visit", "Date", *(title for title, _, _, _ in _columns())]
    rows = [row for record in records for row in _rows(record)]
    return {DATA_NAME: csv_text([titles, *rows], ";"), **codebook(ASKED_ONCE_A_VISIT)}


def toml() -> str:
    """How study.toml maps the table."""
    settings = {"form": "table", "participant": "Person", "answered": "Date", "event": "Visit"}
    fields = {
        title: item.name if code is None else box_column(item.name, code)
        for title, _, item, code in _columns()
    }
    return mapping_toml(DATA_NAME, settings, fields)


def _columns() -> Iterator[tuple[str, Form, Item, int | None]]:
    """Title, form, item, and the code of a box."""
    for form in ASKED_ONCE_A_VISIT:
        for n, item in enumerate(form.items, start=1):
            if item.kind == "checkbox":
                for code, label in item.choices:
                    yield f"{form.title}: {n} {label}", form, item, code
            elif item.is_plain_question:
                yield f"{form.title}: {n}", form, item, None


def _rows(record: Record) -> Iterator[list[str]]:
    for event, visit in REACH.events.items():
        fillings = {filling.form.name: filling for filling in record.at(event)}
        sent = [filling.sent for filling in fillings.values() if filling.sent]
        if sent:
            cells = [_cell(fillings.get(form.name), item, code) for _, form, item, code in _columns()]
            yield [record.record_id, visit, f"{sent[0]:%Y-%m-%d}", *cells]


def _cell(filling: Filling | None, item: Item, code: int | None) -> str:
    value = "" if filling is None else filling.values.get(item.name, "")
    return str(int(code in value)) if isinstance(value, frozenset) else value
