"""An American hospital's summary of care: a table for each order, flags in brackets, the unit with the range.

Two draws, the newest first; the older one has only some of the orders. The time of collection stands in the
title of each table and below it, not in the head of the page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BytesIO
from itertools import groupby
from zoneinfo import ZoneInfo

from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import letter
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.composed.draws import Draw, draws_of
from synthetic.labs.composed.printed import Printed, file_of
from synthetic.labs.ink import STANDARD, Ink
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person
from synthetic.randomness import generator

NAME = "encounter_tables"
STYLE = Style(
    between="{low} - {high}",
    flags={"L": ("(L)", "L"), "H": ("(H)", "H"), "critical": ("(HH)", "HH")},
    gaps={"haemolysed": "Hemolyzed", "not_performed": "Test not performed", "cancelled": "Canceled"},
)
DRAWS, NOT_ORDERED_BEFORE = 2, 0.45
LEFT, RIGHT, TOP, BOTTOM = 40.0, 572.0, 96.0, 735.0
EDGES = (40.0, 135.0, 200.0, 292.0, 357.0, 422.0, 510.0)
HEADS = ("Component", "Value", "Ref Range", "Test Method", "Analysis Time", "Performed At", "Reviewed By")
SPECIMEN_EDGES = (40.0, 140.0, 260.0, 365.0, 470.0)
SPECIMEN_HEADS = (
    "Specimen (Source)", "Collection Method / Volume", "Collection Time", "Received Time", "Ordered By",
)  # fmt: skip
SIZE, LINE, INSET, PADDING = 7.5, 9.0, 3.0, 5.0
ORDER_TITLE, HEAD_HEIGHT, AFTER_ORDER = 20.0, 14.0, 16.0
SPECIMEN_HEIGHT = HEAD_HEIGHT + 2 * LINE + PADDING
BLUE, GREY = Color(0.85, 0.91, 0.96), Color(0.7, 0.7, 0.7)
ZONE = ZoneInfo("America/New_York")
BLOOD, URINE = ("Blood", "Venipuncture / Unknown"), ("Urine", "Clean Catch / Unknown")
LABORATORY = "RIVERBEND HOSPITAL LAB"


@dataclass(frozen=True, slots=True)
class Row:
    """A component; its order's title precedes it where ``opens``, the specimen follows it where ``closes``.

    ``head`` where the head of the columns stands above it: at the beginning and on each further page.
    """

    page: int
    top: float
    bottom: float
    opens: bool
    head: bool
    closes: bool
    result: Result
    draw: Draw


def encounter_report(person: Person, seed: int) -> LabFile:
    """The summary with a person's last two draws."""
    draws = draws_of(person, seed, "us_encounter", STYLE, DRAWS)
    rows = list(_rows(person, seed, draws))
    printed = [Printed(row.page, (LEFT, row.top, RIGHT, row.bottom), row.result, row.draw) for row in rows]
    return file_of(person, NAME, STYLE, _pdf(person, rows), printed, ["time", "received"])


def _orders(person: Person, seed: int, draws: Sequence[Draw]) -> Iterator[tuple[Draw, list[Result]]]:
    rng = generator(seed, "held-out encounter orders", person.number)
    for number, draw in enumerate(draws):
        for _, group in groupby(draw.results, key=lambda result: result.line.panel):
            if number == 0 or rng.random() >= NOT_ORDERED_BEFORE:
                yield draw, list(group)


def _cells(result: Result, draw: Draw) -> tuple[str, ...]:
    """The words of a row's cells, but for the name's."""
    range_text = "" if result.interval is None else STYLE.interval(result.interval)
    analysed = _moment(draw.received + timedelta(minutes=len(result.line.name) * 3))
    return (
        f"{result.raw_value} {result.flag or ''}".strip(),
        f"{range_text} {result.line.unit or ''}".strip(),
        result.line.note or "",
        analysed,
        LABORATORY,
        "",
    )


def _wrapped(text: str, column: int) -> list[str]:
    right = (*EDGES, RIGHT)[column + 1]
    return list(simpleSplit(text, STANDARD["plain"], SIZE, right - EDGES[column] - 2 * INSET))


def _rows(person: Person, seed: int, draws: Sequence[Draw]) -> Iterator[Row]:
    """Orders follow each other; a browser prints the columns' heads again on each page, not the title."""
    page, y = 1, TOP + 24
    for draw, results in _orders(person, seed, draws):
        for number, result in enumerate(results):
            texts = (result.line.name, *_cells(result, draw))
            lines = max(len(_wrapped(text, column)) for column, text in enumerate(texts))
            opens, closes = number == 0, number == len(results) - 1
            height = lines * LINE + PADDING
            needed = height + (ORDER_TITLE + HEAD_HEIGHT if opens else 0.0)
            head = opens
            if y + needed + (SPECIMEN_HEIGHT if closes else 0.0) > BOTTOM:
                page, y, head = page + 1, TOP, True
            y += (ORDER_TITLE if opens else 0.0) + (HEAD_HEIGHT if head else 0.0)
            yield Row(page, y, y + height, opens, head, closes, result, draw)
            y += height + (SPECIMEN_HEIGHT + AFTER_ORDER if closes else 0.0)


def _moment(when: datetime) -> str:
    zone = when.replace(tzinfo=ZONE).tzname()
    return f"{when:%m/%d/%Y} {when.hour % 12 or 12}:{when:%M %p} {zone}"


def _pdf(person: Person, rows: Sequence[Row]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=letter, invariant=1)
    canvas.setTitle(TITLE)
    ink = Ink(canvas, letter[1])
    for page, on_page in groupby(rows, key=lambda row: row.page):
        _frame(ink, person, rows[0].draw, page, rows[-1].page)
        for row in on_page:
            _row(ink, row)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _frame(ink: Ink, person: Person, newest: Draw, page: int, pages: int) -> None:
    """Head and foot of a page: whose summary it is and when it was made, but no time of collection."""
    holder, made = holder_of(person), newest.reported + timedelta(days=2)
    age, sex = holder.age_on(made.date()), {"female": "Female", "male": "Male"}.get(holder.sex, "Unknown")
    ink.text(LEFT, 34, 11, "Riverbend Health", "bold")
    ink.text(RIGHT, 34, 9, "Summary of Care", "bold", "right")
    ink.text(LEFT, 48, 8.5, f"{holder.name} - {age} y.o. {sex}; born {holder.birth_date:%b. %d, %Y}", "bold")
    ink.text(RIGHT, 48, 8, f"Summary generated on {made:%b. %d, %Y}", align="right")
    ink.text(LEFT, 60, 8, f"Patient ID: {holder.number}")
    ink.text(RIGHT, 60, 8, "Author: Riverbend Health, Tel: 555-555-0199", align="right")
    ink.rule(LEFT, RIGHT, 68)
    if page == 1:
        ink.text(LEFT, 92, 14, "Results", "bold")
        ink.text(LEFT, 106, 8, "Results from the last 12 months; the newest come first.")
    ink.rule(LEFT, RIGHT, 750)
    ink.text(LEFT, 762, 6.5, NOTE)
    ink.text(RIGHT, 762, 8, f"Page {page} of {pages}", align="right")


def _row(ink: Ink, row: Row) -> None:
    if row.opens:
        title = f"{row.result.line.panel} ({_moment(row.draw.collected)})"
        ink.text(LEFT, row.top - HEAD_HEIGHT - 6, 9.5, title, "bold")
    if row.head:
        _table_head(ink, row.top - HEAD_HEIGHT, EDGES, HEADS)
    for column, text in enumerate((row.result.line.name, *_cells(row.result, row.draw))):
        look = "bold" if column == 1 and row.result.flag else "plain"
        for number, part in enumerate(_wrapped(text, column)):
            ink.text(EDGES[column] + INSET, row.top + LINE * (number + 1) - 0.5, SIZE, part, look)
    _rule(ink, row.bottom)
    if row.closes:
        _specimen(ink, row.bottom + 2, row.draw, URINE if "Urin" in row.result.line.panel else BLOOD)


def _table_head(ink: Ink, top: float, edges: Sequence[float], heads: Sequence[str]) -> None:
    ink.shade(LEFT, top, RIGHT, top + HEAD_HEIGHT - 1, BLUE)
    for x, head in zip(edges, heads, strict=True):
        ink.text(x + INSET, top + 9.5, SIZE, head, "bold")


def _specimen(ink: Ink, top: float, draw: Draw, source: tuple[str, str]) -> None:
    """The small table below an order: of what, how and when it was taken."""
    _table_head(ink, top, SPECIMEN_EDGES, SPECIMEN_HEADS)
    y = top + HEAD_HEIGHT + LINE - 0.5
    cells = (
        *source,
        _moment(draw.collected),
        _moment(draw.received),
        "Example Provider MD",
    )
    for x, text in zip(SPECIMEN_EDGES, cells, strict=True):
        ink.text(x + INSET, y, SIZE, text)
    _rule(ink, top + HEAD_HEIGHT + LINE + PADDING)


def _rule(ink: Ink, y: float) -> None:
    ink.canvas.setStrokeColor(GREY)
    ink.rule(LEFT, RIGHT, y)
    ink.canvas.setStrokeColor(Color(0, 0, 0))
