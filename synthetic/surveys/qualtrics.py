"""Qualtrics exports: three header rows with import ids, and the legacy form with two."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from synthetic.people.persona import STUDY_ZONE
from synthetic.surveys.answers import Filling, Record
from synthetic.surveys.csv_text import csv_text
from synthetic.surveys.items import Form, Item, box_column
from synthetic.surveys.mapped import codebook, mapping_toml
from synthetic.surveys.questionnaire import BASELINE, SINGLE_VISIT
from synthetic.surveys.reach import Reach

DATA_NAME = "qualtrics.csv"
REACH = Reach(DATA_NAME, redcap=False)
SEEN_BUT_UNANSWERED = "-99"
PREVIEW, ANSWER = "1", "0"
# The stress scale was copied from another survey: its rows kept their numbers there.
RECODED_FORM = "pss10"
META = (
    ("StartDate", "Start Date", "startDate"),
    ("EndDate", "End Date", "endDate"),
    ("Status", "Response Type", "status"),
    ("IPAddress", "IP Address", "ipAddress"),
    ("Progress", "Progress", "progress"),
    ("Duration (in seconds)", "Duration (in seconds)", "duration"),
    ("Finished", "Finished", "finished"),
    ("RecordedDate", "Recorded Date", "recordedDate"),
    ("ResponseId", "Response ID", "_recordId"),
    ("RecipientLastName", "Recipient Last Name", "recipientLastName"),
    ("RecipientFirstName", "Recipient First Name", "recipientFirstName"),
    ("RecipientEmail", "Recipient Email", "recipientEmail"),
    ("ExternalReference", "External Data Reference", "externalDataReference"),
    ("LocationLatitude", "Location Latitude", "locationLatitude"),
    ("LocationLongitude", "Location Longitude", "locationLongitude"),
    ("DistributionChannel", "Distribution Channel", "distributionChannel"),
    ("UserLanguage", "User Language", "userLanguage"),
)
LEGACY_META = (
    "ResponseID", "ResponseSet", "Name", "ExternalDataReference", "EmailAddress", "IPAddress", "Status",
    "StartDate", "EndDate", "Finished",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """A column: its name in the header, its import id, its text, the item behind it; of one box its code."""

    name: str
    import_id: str
    text: str
    form: Form
    item: Item
    code: int | None = None

    @property
    def field(self) -> str:
        """The item, or the box, a reader should find."""
        return self.item.name if self.code is None else box_column(self.item.name, self.code)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent an answer from where and when: none of it may stay."""

    response: str
    mail: str
    address: str
    begun: str
    ended: str


def files(records: Sequence[Record]) -> dict[str, str]:
    """The current export with numeric values: boxes in one cell, -99 for what was seen and left blank."""
    questions = list(_questions())
    rows = [
        [*(name for name, _, _ in META), *(q.name for q in questions)],
        [*(text for _, text, _ in META), *(q.text for q in questions)],
        [*(_import_id(own) for _, _, own in META), *(_import_id(q.import_id) for q in questions)],
        _row(records[0], questions, PREVIEW),
        *(_row(record, questions, ANSWER) for record in records),
    ]
    return {DATA_NAME: csv_text(rows), **codebook(SINGLE_VISIT)}


def legacy_files(records: Sequence[Record]) -> dict[str, str]:
    """The legacy export with choice texts: two header rows, a BOM, trailing commas, a column a box."""
    questions = list(_questions(split=True))
    rows = [
        [*(f"V{n}" for n in range(1, len(LEGACY_META) + 1)), *(q.name for q in questions), ""],
        [*LEGACY_META, *(q.text for q in questions), ""],
        *([*_legacy_meta(record), *_texts(record, questions), ""] for record in records),
    ]
    return {DATA_NAME: f"\ufeff{csv_text(rows)}", **codebook(SINGLE_VISIT)}


def toml() -> str:
    """How study.toml maps the current export, by import id."""
    columns = {question.import_id: question.field for question in _questions()}
    settings = {
        "form": "qualtrics",
        "participant": "ExternalReference",
        "answered": "RecordedDate",
        "unanswered": SEEN_BUT_UNANSWERED,
    }
    return mapping_toml(DATA_NAME, settings, columns)


def legacy_toml() -> str:
    """How study.toml maps the legacy export, by name."""
    columns = {question.name: question.field for question in _questions(split=True)}
    settings = {"form": "qualtrics", "participant": "V4", "answered": "V9"}
    return mapping_toml(DATA_NAME, settings, columns)


def _questions(split: bool = False) -> Iterator[Question]:
    """Columns in order; a scale is one question with a row an item."""
    for number, form in enumerate(SINGLE_VISIT, start=1):
        for n, item in enumerate((each for each in form.items if each.is_plain_question), start=1):
            row = 2 * n + 1 if form.name == RECODED_FORM else n
            name, own = f"Q{number}_{n}", f"QID{number + 10}_{row}"
            text = f"{form.title}\nPlease answer all, as best you can - {item.label}"
            if item.kind == "checkbox" and split:
                for code, label in item.choices:
                    yield Question(f"{name}_{code}", f"{own}_{code}", f"{text} - {label}", form, item, code)
            else:
                typed = "" if item.options else "_TEXT"
                yield Question(name + typed, own + typed, text, form, item)


def _import_id(own: str) -> str:
    zone = {"timeZone": STUDY_ZONE} if own.endswith("Date") else {}
    return json.dumps({"ImportId": own} | zone, separators=(",", ":"))


def _row(record: Record, questions: Sequence[Question], status: str) -> list[str]:
    sender = _sender(record)
    first, last = record.person.name.split(" ", 1)
    meta = [
        sender.begun, sender.ended, status, sender.address, "100", "2520", "1", sender.ended, sender.response,
        last, first, sender.mail, record.record_id, "40.7128", "-74.0060", "email", "EN",
    ]  # fmt: skip
    fillings = {filling.form.name: filling for filling in record.at(BASELINE)}
    return [*meta, *(_number(fillings[q.form.name], q.item) for q in questions)]


def _number(filling: Filling, item: Item) -> str:
    """The cell as a code: ticked boxes joined by commas; -99 where seen and left blank."""
    value = filling.values.get(item.name)
    if isinstance(value, frozenset):
        value = ",".join(str(code) for code, _ in item.choices if code in value)
    if not value and filling.sent is not None and item.name not in filling.hidden:
        return SEEN_BUT_UNANSWERED
    return value or ""


def _texts(record: Record, questions: Sequence[Question]) -> Iterator[str]:
    """Cells as the words that were chosen; of a box its words where ticked."""
    fillings = {filling.form.name: filling for filling in record.at(BASELINE)}
    for question in questions:
        value = fillings[question.form.name].values.get(question.item.name, "")
        words = {str(code): label for code, label in question.item.options}
        if isinstance(value, frozenset):
            value = str(question.code) if question.code in value else ""
        yield words.get(value, value)


def _legacy_meta(record: Record) -> list[str]:
    sender = _sender(record)
    return [
        sender.response, "Default Response Set", record.person.name, record.record_id, sender.mail,
        sender.address, ANSWER, sender.begun, sender.ended, "1",
    ]  # fmt: skip


def _sender(record: Record) -> Sender:
    """What the system itself notes; times on the clock of the account's zone."""
    number = record.person.number
    sent = [filling.sent for filling in record.at(BASELINE) if filling.sent]
    return Sender(
        response=f"R_{number:015d}",
        mail=f"{record.person.name.split()[0].lower()}@example.org",
        address=f"192.0.2.{number % 250}",
        begun=f"{sent[0]:%Y-%m-%d %H:%M:%S}",
        ended=f"{sent[-1]:%Y-%m-%d %H:%M:%S}",
    )
