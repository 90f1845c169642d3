"""An American hospital's flowsheet across the page: the newest draw first, units and interval before them.

Every column is a draw of its own, so the truth has a row for each filled cell, with that column's time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from itertools import groupby

import numpy as np
from reportlab.lib.colors import Color, white
from reportlab.lib.pagesizes import landscape, letter
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.composed.draws import Draw, draws_of
from synthetic.labs.composed.printed import Printed, file_of
from synthetic.labs.ink import Ink
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Line, Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person
from synthetic.randomness import generator

NAME = "flowsheet"
STYLE = Style(
    thousands=",",
    between="{low}-{high}",
    flags={"L": ("L", "L"), "H": ("H", "H"), "critical": ("HH", "HH")},
    gaps={"haemolysed": "Hemolyzed", "insufficient": "QNS", "cancelled": "Cancelled"},
)
DRAWS, NOT_ASKED, FOOTNOTED = 4, 0.3, 0.03
SIZE = landscape(letter)
LEFT, RIGHT, TOP, BOTTOM = 36.0, 756.0, 146.0, 540.0
UNIT_X, RANGE_X, CELL_X, CELL_WIDTH, VALUE_AT = 178.0, 248.0, 330.0, 106.5, 48.0
ROW, BAND = 12.4, 14.5
DAY, MOMENT = "%d-%b-%Y", "%d-%b-%Y %H:%M"
NAVY, ZEBRA, RED = Color(0.12, 0.22, 0.4), Color(0.94, 0.95, 0.97), Color(0.72, 0.08, 0.08)
FOOTNOTES = (
    "f1  Result called to and read back by nursing unit.",
    "f2  Verified by repeat analysis of the same specimen; 2 of 2 agree.",
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line with a cell for each draw, newest first; ``title`` where its section's band precedes it."""

    page: int
    top: float
    title: str | None
    line: Line
    cells: tuple[Result | None, ...]


def flowsheet_report(person: Person, seed: int) -> LabFile:
    """The flowsheet of a person's last four draws, with the truth of every filled cell."""
    draws = draws_of(person, seed, "us_flowsheet", STYLE, DRAWS)
    rng = generator(seed, "composed flowsheet cells", person.number)
    rows = list(_rows(draws, rng))
    printed = [
        Printed(row.page, (_cell_x(column), row.top, _cell_x(column + 1), row.top + ROW), result, draw)
        for row in rows
        for column, (result, draw) in enumerate(zip(row.cells, draws, strict=True))
        if result is not None
    ]
    return file_of(person, NAME, STYLE, _pdf(person, draws, rows, rng), printed, ["time"])


def _cell_x(column: int) -> float:
    return CELL_X + CELL_WIDTH * column


def _rows(draws: Sequence[Draw], rng: np.random.Generator) -> Iterator[Row]:
    """Sections run over pages with their band again; a section was not asked for at some older draws."""
    page, y = 1, TOP
    by_line = zip(*(draw.results for draw in draws), strict=True)
    for panel, lines in groupby(by_line, key=lambda results: results[0].line.panel):
        asked = [number == 0 or bool(rng.random() >= NOT_ASKED) for number in range(len(draws))]
        title: str | None = panel
        for results in lines:
            if y + ROW + (BAND if title else 0.0) > BOTTOM:
                page, y, title = page + 1, TOP, title or f"{panel} (continued)"
            y += BAND if title else 0.0
            cells = tuple(result if wanted else None for result, wanted in zip(results, asked, strict=True))
            yield Row(page, y, title, results[0].line, cells)
            y, title = y + ROW, None


def _pdf(person: Person, draws: Sequence[Draw], rows: Sequence[Row], rng: np.random.Generator) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=SIZE, invariant=1)
    canvas.setTitle(TITLE)
    ink = Ink(canvas, SIZE[1])
    for page, on_page in groupby(rows, key=lambda row: row.page):
        _head(ink, person, draws, page, rows[-1].page)
        for number, row in enumerate(on_page):
            _row(ink, row, number, rng)
        for number, note in enumerate(FOOTNOTES):
            ink.text(LEFT, 556 + 9 * number, 6.5, note)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _head(ink: Ink, person: Person, draws: Sequence[Draw], page: int, pages: int) -> None:
    """Hospital, patient and the heads of the columns: the same on each page."""
    holder, printed = holder_of(person), draws[0].reported + timedelta(days=3)
    age = holder.age_on(printed.date())
    sex = {"female": "Female", "male": "Male"}.get(holder.sex, "Unknown")
    ink.text(LEFT, 36, 12, "Cedar Hollow Regional Medical Center", "bold")
    ink.text(RIGHT, 36, 9, "Laboratory Results - Flowsheet", align="right")
    ink.frame(LEFT, 44, RIGHT, 88)
    for x, y, label, value in (
        (44, 58, "Patient:", f"{holder.surname}, {holder.given}".upper()),
        (300, 58, "DOB/Age/Sex:", f"{holder.birth_date:{DAY}} / {age} years / {sex}"),
        (570, 58, "MRN:", holder.number),
        (44, 72, "Attending:", "Example, Provider MD"),
        (300, 72, "Location:", "CHR Internal Medicine Clinic"),
        (570, 72, "Facility:", "CHR 0420"),
    ):
        ink.text(x, y, 8, label)
        ink.text(x + (62 if x == 300 else 48), y, 8.5, value, "bold")
    ink.text(44, 84, 7, f"Date range: {draws[-1].collected:{DAY}} to {draws[0].collected:{DAY}}")
    ink.text(LEFT, 104, 7.5, "Most recent results are shown first. - = not ordered at that draw.")
    ink.text(LEFT + 4, 137, 8, "Procedure", "bold")
    ink.text(UNIT_X, 137, 8, "Units", "bold")
    ink.text(RANGE_X, 137, 8, "Ref Range", "bold")
    for column, draw in enumerate(draws):
        ink.text(_cell_x(column) + VALUE_AT, 128, 8, f"{draw.collected:{DAY}}", "bold", "centre")
        ink.text(_cell_x(column) + VALUE_AT, 138, 8, f"{draw.collected:%H:%M}", align="centre")
    ink.rule(LEFT, RIGHT, 143)
    ink.text(LEFT, 590, 6.5, NOTE)
    ink.text(400, 590, 7, f"Printed: {printed:{MOMENT}}")
    ink.text(RIGHT, 590, 7, f"Page {page} of {pages}", align="right")


def _row(ink: Ink, row: Row, number: int, rng: np.random.Generator) -> None:
    if row.title:
        ink.shade(LEFT, row.top - BAND + 1, RIGHT, row.top, NAVY)
        ink.coloured(LEFT + 4, row.top - 4, 8, row.title, white, "bold")
    if number % 2:
        ink.shade(LEFT, row.top, RIGHT, row.top + ROW, ZEBRA)
    y = row.top + 9
    interval = next((result.interval for result in row.cells if result is not None), None)
    ink.text(LEFT + 10, y, 8, row.line.name)
    ink.text(UNIT_X, y, 7.5, row.line.unit or "")
    ink.text(RANGE_X, y, 7.5, "" if interval is None else STYLE.interval(interval))
    for column, result in enumerate(row.cells):
        _cell(ink, _cell_x(column) + VALUE_AT, y, result, bool(rng.random() < FOOTNOTED))


def _cell(ink: Ink, x: float, y: float, result: Result | None, footnoted: bool) -> None:
    """Value in the middle, its flag behind it in red, the mark of a footnote small and raised."""
    if result is None:
        ink.text(x, y, 8, "-", align="centre")
        return
    look, flag = ("bold" if result.flag else "plain"), result.flag or ""
    ink.text(x, y, 8.5, result.raw_value, look, "centre")
    ink.coloured(x + 22, y, 8.5, flag, RED, "bold")
    if footnoted and result.value is not None:
        ink.text(x + (30 if flag else 17), y - 3, 5, "f1" if flag else "f2")
