"""Google Forms: one row of titles, which are the questions' texts; answers are the labels that were shown."""

from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta

from synthetic.surveys.answers import Filling, Record
from synthetic.surveys.csv_text import csv_text
from synthetic.surveys.items import Form, Item
from synthetic.surveys.mapped import codebook, mapping_toml
from synthetic.surveys.questionnaire import BASELINE, SINGLE_VISIT
from synthetic.surveys.reach import Reach

DATA_NAME = "google_forms.csv"
REACH = Reach(DATA_NAME, redcap=False)
ID_QUESTION = "What is your study id?"
# A question that was edited after the first answers: the sheet keeps the old column and gets a new one.
EDITED_ITEM, OLD_TITLE, ANSWERED_OLD = "weight_kg", "Your weight", 3
# Somebody sent the form twice: the later answer counts.
SENT_TWICE, EARLIER = 4, timedelta(hours=3)


def files(records: Sequence[Record]) -> dict[str, str]:
    """The sheet of answers, in the order they were sent."""
    titles = ["Timestamp", "Email Address", ID_QUESTION, *(title for title, _, _ in _columns())]
    rows = [row for record in records for row in _rows(record)]
    rows.sort(key=lambda row: row[0])
    return {DATA_NAME: csv_text([titles, *(cells for _, cells in rows)]), **codebook(SINGLE_VISIT)}


def toml() -> str:
    """How study.toml maps the sheet: titles that are labels of the codebook need no line."""
    settings = {"form": "google_forms", "participant": ID_QUESTION, "answered": "Timestamp", "dates": "mdy"}
    return mapping_toml(DATA_NAME, settings, {OLD_TITLE: EDITED_ITEM})


def _columns() -> Iterator[tuple[str, Form, Item]]:
    """Title, form and item; a scale is a grid, whose columns carry the row in brackets."""
    for form in SINGLE_VISIT:
        for item in form.items:
            if item.is_plain_question:
                if item.name == EDITED_ITEM:
                    yield OLD_TITLE, form, item
                yield (f"{form.title} [{item.label}]" if form.is_grid else item.label), form, item


def _rows(record: Record) -> Iterator[tuple[str, list[str]]]:
    """A person's rows with the key they are sorted by."""
    fillings = {filling.form.name: filling for filling in record.at(BASELINE)}
    sent = max(filling.sent for filling in fillings.values() if filling.sent)
    mail = f"{record.person.name.split()[0].lower()}@example.org"
    for number in range(2 if record.person.number == SENT_TWICE else 1):
        moment = sent - number * EARLIER
        stamp = f"{_us_date(moment.date())} {moment.hour}:{moment:%M:%S}"
        cells = [stamp, mail, record.record_id]
        for title, form, item in _columns():
            cell = _cell(fillings[form.name], item)
            asked = item.name != EDITED_ITEM or (title == OLD_TITLE) == (record.person.number < ANSWERED_OLD)
            first_try = number and item.name == "phq9_1"
            cells.append("Nearly every day" if first_try else cell if asked else "")
        yield f"{moment.isoformat()} {record.record_id}", cells


def _cell(filling: Filling, item: Item) -> str:
    value = filling.values.get(item.name, "")
    if isinstance(value, frozenset):
        return ", ".join(label for code, label in item.choices if code in value)
    if value and item.validation == "date_ymd":
        return _us_date(date.fromisoformat(value))
    if value and item.validation == "time":
        return f"{time.fromisoformat(value):%I:%M:%S %p}".removeprefix("0")
    return {str(code): label for code, label in item.options}.get(value, value)


def _us_date(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"
