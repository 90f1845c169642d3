"""A northern laboratory's answer: a ruled grid with codes, units before results, stars before values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby, pairwise

from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.composed.draws import Draw, draws_of
from synthetic.labs.composed.printed import Printed, file_of
from synthetic.labs.ink import TIMES, Ink
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

NAME = "ruled_grid"
STYLE = Style(
    between="{low} to {high}",
    below="< {high}",
    at_most="<= {high}",
    above="> {low}",
    at_least=">= {low}",
    bound="{sign} {bound}",
    flags={"L": ("*", "A"), "H": ("*", "A"), "critical": ("**", "critical")},
    gaps={"haemolysed": "Haemolysed", "not_performed": "Not analysed", "pending": "To follow"},
)
LEFT, RIGHT, TOP, BOTTOM = 45.0, 550.0, 178.0, 765.0
EDGES = (45.0, 88.0, 200.0, 282.0, 362.0, 505.0, 550.0)
NAME_WIDTH = 104.0
FIRST_CODE, CODE_STEP = 1104, 37
HEADS = ("Code", "Analysis", "Unit", "Result", "Reference interval", "Lab")
LINE, PADDING, SECTION, SIZE, INSET = 10.2, 5.0, 16.0, 9.0, 4.0
GREY = Color(0.86, 0.86, 0.86)
DAY, MOMENT = "%Y-%m-%d", "%Y-%m-%d %H:%M"
REMARKS = {
    "egfr": "Values of 60 to 89 are normal when there is no other sign of kidney disease.",
    "hba1c": "Limit for diabetes: 48 mmol/mol, found twice. 42 mmol/mol is 6.0 % in the older unit.",
    "ldl_cholesterol": "Target at very high risk: < 1.4 mmol/l. At moderate risk: < 2.6 mmol/l.",
    "vitamin_d_25oh": "Below 25 nmol/l: deficiency. 25 to 50 nmol/l: insufficiency.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A result in the grid; ``title`` where its section's row precedes it, ``remark`` in a row below."""

    page: int
    top: float
    bottom: float
    code: int
    title: str | None
    names: tuple[str, ...]
    remark: str | None
    result: Result


def ruled_grid_report(person: Person, seed: int) -> LabFile:
    """The answer to a person's newest draw."""
    (draw,) = draws_of(person, seed, "nordic", STYLE, 1)
    rows = list(_rows(draw.results))
    printed = [Printed(row.page, (LEFT, row.top, RIGHT, row.bottom), row.result, draw) for row in rows]
    return file_of(
        person, NAME, STYLE, _pdf(person, draw, rows), printed, ["time", "received", "reported", "final"]
    )


def _rows(results: Sequence[Result]) -> Iterator[Row]:
    page, y, code = 1, TOP, FIRST_CODE
    for section, group in groupby(results, key=lambda result: result.line.panel):
        title: str | None = section
        for result in group:
            names = tuple(simpleSplit(result.line.name, TIMES["plain"], SIZE, NAME_WIDTH))
            remark = REMARKS.get(result.line.key or "")
            height = PADDING + LINE * len(names)
            if y + height + (SECTION if title else 0.0) + (LINE + PADDING if remark else 0.0) > BOTTOM:
                page, y, title = page + 1, TOP, title or f"{section}, continued"
            y += SECTION if title else 0.0
            yield Row(page, y, y + height, code, title, names, remark, result)
            y += height + (LINE + PADDING if remark else 0.0)
            title, code = None, code + CODE_STEP


def _pdf(person: Person, draw: Draw, rows: Sequence[Row]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    canvas.setTitle(TITLE)
    ink = Ink(canvas, A4[1], fonts=TIMES)
    for page, on_page in groupby(rows, key=lambda row: row.page):
        _head(ink, person, draw)
        for row in on_page:
            _row(ink, row)
        ink.text(LEFT, 800, 7.5, "* outside the reference interval   ** acute answer given by telephone")
        ink.text(LEFT, 812, 7, NOTE)
        ink.text(RIGHT, 812, 8, f"{page} ({rows[-1].page})", align="right")
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _head(ink: Ink, person: Person, draw: Draw) -> None:
    """Two rows of boxes, each a small label above its value, and the head of the grid."""
    holder = holder_of(person)
    sex = {"female": "Female", "male": "Male"}.get(holder.sex, "Not known")
    ink.text(LEFT, 42, 15, "Nordfjell Clinical Chemistry", "bold")
    ink.text(LEFT, 54, 8, "County Laboratory Service, Box 100, Exampleby", "italic")
    ink.text(RIGHT, 42, 11, "LABORATORY ANSWER", "bold", "right")
    ink.text(RIGHT, 54, 9, "Final answer", align="right")
    for top, boxes in (
        (64.0, ((45.0, "Patient", f"{holder.surname.upper()} {holder.given}"),
                (260.0, "Date of birth", f"{holder.birth_date:{DAY}}"),
                (360.0, "Sex", sex), (440.0, "Patient no.", holder.number))),
        (92.0, ((45.0, "Sample taken", f"{draw.collected:{MOMENT}}"),
                (150.0, "Arrived", f"{draw.received:{MOMENT}}"),
                (260.0, "Answered", f"{draw.reported:{MOMENT}}"),
                (360.0, "Sample ID", f"{draw.serial}"), (440.0, "Ordered by", "Health Centre 3"))),
    ):  # fmt: skip
        for x, label, value in boxes:
            ink.text(x + 3, top + 8, 6.5, label, "italic")
            ink.text(x + 3, top + 21, 9.5, value)
            ink.canvas.line(x, ink.height - top, x, ink.height - top - 28)
        ink.frame(LEFT, top, RIGHT, top + 28, 0.5)
    ink.text(LEFT, 138, 8.5, "Analyses of blood (B), plasma (P) and urine (U); f = fasting.", "italic")
    ink.shade(LEFT, TOP - 18, RIGHT, TOP, GREY)
    ink.frame(LEFT, TOP - 18, RIGHT, TOP)
    for x, label in zip(EDGES, HEADS, strict=False):
        ink.text(x + INSET, TOP - 6, 9, label, "bold")


def _row(ink: Ink, row: Row) -> None:
    """A row ruled on all sides; the star stands before the result, numbers end at one edge."""
    if row.title:
        ink.frame(LEFT, row.top - SECTION, RIGHT, row.top)
        ink.text(LEFT + INSET, row.top - 5, 9.5, row.title, "bold")
    for x0, x1 in pairwise(EDGES):
        ink.frame(x0, row.top, x1, row.bottom)
    result, y = row.result, row.top + LINE
    ink.text(EDGES[0] + INSET, y, SIZE, str(row.code))
    for number, part in enumerate(row.names):
        ink.text(EDGES[1] + INSET, y + LINE * number, SIZE, part)
    ink.text(EDGES[2] + INSET, y, SIZE, result.line.unit or "")
    if result.flag:
        ink.text(EDGES[3] + INSET, y, SIZE, result.flag, "bold")
    ink.text(EDGES[4] - INSET, y, SIZE, result.raw_value, "bold" if result.flag else "plain", "right")
    if result.interval is not None:
        ink.text(EDGES[4] + INSET, y, SIZE, STYLE.interval(result.interval))
    ink.text(EDGES[5] + INSET, y, SIZE, "NF 2" if row.code % 5 == 0 else "NF 1")
    if row.remark:
        ink.frame(LEFT, row.bottom, RIGHT, row.bottom + LINE + PADDING)
        ink.text(EDGES[1] + INSET, row.bottom + LINE, 8, row.remark, "italic")
