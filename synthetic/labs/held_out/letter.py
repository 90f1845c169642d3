"""A British private hospital's copy for the patient: each test in labelled lines, one below the other.

The time of collection stands once for each group of tests, not in the head of the page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO
from itertools import groupby

from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.composed.draws import Draw, draws_of
from synthetic.labs.composed.printed import Printed, file_of
from synthetic.labs.ink import EMBEDDED, Ink, register_embedded_fonts
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

NAME = "labelled_lines"
STYLE = Style(
    between="{low} - {high}",
    at_most="≤ {high}",
    below="< {high}",
    at_least="≥ {low}",
    above="> {low}",
    bound="{sign} {bound}",
    flags={"L": ("Low", "L"), "H": ("High", "H"), "critical": ("Very high", "HH")},
    gaps={"haemolysed": "Haemolysed", "insufficient": "Insufficient sample", "pending": "To follow"},
)
LEFT, RIGHT, TOP, FIRST_TOP, BOTTOM = 60.0, 535.0, 86.0, 232.0, 775.0
LINE, NAME_LINE, BETWEEN, GROUP_LINES = 12.0, 14.0, 9.0, 4
GROUP_HEIGHT = 26.0 + LINE * GROUP_LINES
SIZE, NAME_SIZE = 8.5, 10.0
TEAL = Color(0.0, 0.35, 0.4)
SAMPLES = {"Full blood count": "EDTA blood", "Diabetes": "Fluoride and EDTA blood"}
COMMENTS = {
    "hba1c": "48 mmol/mol or above indicates diabetes if confirmed by a second test.",
    "ldl_cholesterol": "Aim below 1.8 mmol/L if you have had a heart attack or stroke.",
    "egfr": "A value of 60 to 89 is normal if urine tests are normal.",
    "vitamin_d_25oh": "Below 25 nmol/L is deficient; supplements of 10 micrograms a day are advised.",
}
ABOUT = (
    "This is a copy of the results that were sent to your consultant. The expected range holds 95 in 100",
    "healthy adults, so 1 in 20 results of healthy people lies outside it. Please do not change medicines",
    "on your own; call 01632 960 001 if you have questions.",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A test's lines from ``top`` to ``bottom``; ``opens`` where its group's heading precedes them."""

    page: int
    top: float
    bottom: float
    opens: bool
    result: Result


def letter_report(person: Person, seed: int) -> LabFile:
    """The copy of a person's newest draw."""
    (draw,) = draws_of(person, seed, "uk_letter", STYLE, 1)
    entries = list(_entries(draw.results))
    printed = [
        Printed(each.page, (LEFT, each.top, RIGHT, each.bottom), each.result, draw) for each in entries
    ]
    content = _pdf(person, draw, entries)
    return file_of(
        person, NAME, STYLE, content, printed, ["time", "received", "reported", "fasting", "final"]
    )


def _entries(results: Sequence[Result]) -> Iterator[Entry]:
    page, y = 1, FIRST_TOP
    for _, group in groupby(results, key=lambda result: result.line.panel):
        opens = True
        for result in group:
            height = NAME_LINE + LINE * len(_lines(result))
            if y + height + (GROUP_HEIGHT if opens else 0.0) > BOTTOM:
                page, y = page + 1, TOP
            y += GROUP_HEIGHT if opens else 0.0
            yield Entry(page, y, y + height, opens, result)
            y, opens = y + height + BETWEEN, False


def _lines(result: Result) -> list[tuple[str, str]]:
    """Label and words of a test's lines; the unit stands with the result and with the range."""
    flag = f" ({result.flag})" if result.flag else ""
    unit = f" {result.line.unit}" if result.line.unit and result.missing is None else ""
    lines = [("Result", f"{result.raw_value}{unit}{flag}")]
    if result.interval is not None:
        lines.append(
            ("Expected range", f"{STYLE.interval(result.interval)} {result.line.unit or ''}".strip())
        )
    if result.line.key in COMMENTS:
        lines.append(("Comment", COMMENTS[result.line.key]))
    return lines


def _day(when: date) -> str:
    return f"{when.day} {when:%B %Y}"


def _moment(when: datetime) -> str:
    return f"{_day(when)}, {when:%H:%M}"


def _pdf(person: Person, draw: Draw, entries: Sequence[Entry]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    canvas.setTitle(TITLE)
    register_embedded_fonts()
    ink = Ink(canvas, A4[1], embedded=True)
    for page, on_page in groupby(entries, key=lambda entry: entry.page):
        _frame(ink, person, page, entries[-1].page)
        if page == 1:
            _opening(ink, person, draw, [entry.result for entry in entries])
        for entry in on_page:
            _entry(ink, entry, draw)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _frame(ink: Ink, person: Person, page: int, pages: int) -> None:
    """Head and foot of a page: whose it is, but no time of collection."""
    holder = holder_of(person)
    ink.coloured(LEFT, 42, 12, "The Alderney Square Hospital", TEAL, "bold")
    ink.text(RIGHT, 42, 8, f"Page {page} of {pages}", align="right")
    ink.text(LEFT, 56, 8, f"{holder.name}, born {_day(holder.birth_date)}, hospital number {holder.number}")
    ink.rule(LEFT, RIGHT, 62)
    ink.text(LEFT, 812, 6.5, NOTE)
    ink.text(RIGHT, 812, 6.5, "Registered in England No. 00000000", align="right")


def _opening(ink: Ink, person: Person, draw: Draw, results: Sequence[Result]) -> None:
    """The first page says who, for whom, and which tests lie outside."""
    holder = holder_of(person)
    sex = {"female": "Female", "male": "Male"}.get(holder.sex, "Not stated")
    ink.text(LEFT, 88, 16, "Your test results", "bold")
    for number, (label, value) in enumerate(
        (
            ("Name", holder.name),
            ("Date of birth", f"{_day(holder.birth_date)} ({holder.age_on(draw.collected.date())} years)"),
            ("Sex", sex),
            ("Consultant", "Dr E. Example"),
            ("Fasting", "Yes" if draw.fasting else "No"),
        )
    ):
        _labelled(ink, 106 + LINE * number, label, value)
    flagged = [result.line.name for result in results if result.flag]
    ink.text(LEFT, 174, SIZE, f"{len(flagged)} of {len(results)} tests outside the expected range.", "bold")
    for number, line in enumerate(ABOUT):
        ink.text(LEFT, 190 + 11 * number, 7.5, line)


def _labelled(ink: Ink, y: float, label: str, value: str) -> None:
    ink.text(LEFT, y, SIZE, f"{label}:", "bold")
    ink.text(LEFT + stringWidth(f"{label}: ", EMBEDDED["bold"], SIZE), y, SIZE, value)


def _entry(ink: Ink, entry: Entry, draw: Draw) -> None:
    panel = entry.result.line.panel
    if entry.opens:
        top = entry.top - GROUP_HEIGHT
        ink.coloured(LEFT, top + 14, 13, panel, TEAL, "bold")
        for number, (label, value) in enumerate(
            (
                ("Sample", f"{SAMPLES.get(panel, 'Serum')}, laboratory number {draw.serial}"),
                ("Collected", _moment(draw.collected)),
                ("Received", _moment(draw.received)),
                ("Reported", f"{_moment(draw.reported)} (Final)"),
            )
        ):
            _labelled(ink, top + 28 + LINE * number, label, value)
        ink.rule(LEFT, RIGHT, entry.top - 6)
    ink.text(LEFT, entry.top + 10, NAME_SIZE, entry.result.line.name, "bold")
    for number, (label, value) in enumerate(_lines(entry.result)):
        _labelled(ink, entry.top + NAME_LINE + 9 + LINE * number, label, value)
