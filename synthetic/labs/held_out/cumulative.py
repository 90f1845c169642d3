"""A hospital's cumulative print: dates across the top, SI units, sections in boxes, units at the right.

Every column is a draw of its own, so the truth has a row for each filled cell, with that column's time.
"""

from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from itertools import groupby

from reportlab.lib.colors import Color, black
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.held_out.cumulative_table import LINE_HEIGHT, NAME_SIZE, TITLE_HEIGHT, Row, rows_of
from synthetic.labs.held_out.draws import Draw, draws_of
from synthetic.labs.held_out.truth import Printed, doubts_in, true_rows
from synthetic.labs.ink import Ink
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person
from synthetic.randomness import generator

NAME = "cumulative_columns"
STYLE = Style(
    between="{low} - {high}",
    at_most="<= {high}",
    below="< {high}",
    at_least=">= {low}",
    above="> {low}",
    bound="{sign}{bound}",
    flags={"L": ("L", "L"), "H": ("H", "H"), "critical": ("HH", "HH")},
    gaps={"haemolysed": "Haemolysed", "insufficient": "Insufficient"},
)
DRAWS = 4
LEFT, RIGHT = 40.0, 560.0
CELL_LEFT, CELL_WIDTH, VALUE_RIGHT = 170.0, 66.0, 38.0
UNIT_X, REFERENCE_X = 440.0, 503.0
DAY, TIME = "%d/%m/%Y", "%H:%M"
SHADE = Color(0.87, 0.9, 0.93)
REMARKS = (
    "Key: H above and L below the reference interval; HH telephoned to the requesting ward.",
    "HbA1c: 48 mmol/mol or above supports a diagnosis of diabetes mellitus if confirmed; 42 to 47 mmol/mol "
    "indicates increased risk.",
    "eGFR of 60 to 89 mL/min/1.73m2 without other evidence of kidney disease needs no further action.",
    "Adjusted calcium is calculated with the albumin of the same specimen; not valid below 20 g/L.",
)


def cumulative_report(person: Person, seed: int) -> LabFile:
    """The print of a person's last four draws, with the truth of every filled cell."""
    draws = tuple(reversed(draws_of(person, seed, "hospital", STYLE, DRAWS)))
    rows = rows_of(draws, generator(seed, "held-out cells", person.number))
    name = f"{NAME}_{draws[-1].collected:%Y-%m-%d}_{draws[-1].specimen}.pdf"
    printed = [
        Printed(row.page, result, draw.collected, "unknown")
        for row in rows
        for result, draw in zip(row.cells, draws, strict=True)
        if result is not None
    ]
    return LabFile(
        participant_id=person.participant_id,
        name=name,
        content=_pdf(person, draws, rows),
        layout=NAME,
        rows=true_rows(person, name, STYLE, printed),
        doubts=doubts_in(printed),
    )


def cell_x(column: int) -> float:
    """Left edge of a draw's column, oldest first, in points."""
    return CELL_LEFT + CELL_WIDTH * column


def _pdf(person: Person, draws: Sequence[Draw], rows: Sequence[Row]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    canvas.setTitle(TITLE)
    ink = Ink(canvas, A4[1])
    pages = rows[-1].page + 1
    for page in range(1, pages + 1):
        _head(ink, person, draws, page, pages)
        on_page = [row for row in rows if row.page == page]
        if on_page:
            _dates(ink, draws)
        for _, section in groupby(on_page, key=lambda row: row.line.panel):
            _box(ink, list(section))
        if page == pages:
            for number, remark in enumerate(REMARKS):
                ink.text(LEFT, 160 + 12 * number, 7.5, remark)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _head(ink: Ink, person: Person, draws: Sequence[Draw], page: int, pages: int) -> None:
    """Hospital, patient box and foot, the same on each page."""
    holder, newest = holder_of(person), draws[-1]
    printed = newest.collected + timedelta(days=1, hours=3)
    ink.text(LEFT, 40, 13, "Corrib Valley University Hospital", "bold")
    ink.text(LEFT, 53, 8.5, "Department of Laboratory Medicine")
    ink.text(RIGHT, 40, 11, "CUMULATIVE REPORT", "bold", "right")
    ink.text(RIGHT, 53, 8.5, f"Printed {printed:{DAY} {TIME}}", align="right")
    ink.canvas.rect(LEFT, ink.height - 112, RIGHT - LEFT, 50)
    for x, label, value in (
        (46, "Surname", holder.surname.upper()),
        (215, "Forename", holder.given),
        (395, "MRN", holder.number),
    ):
        _labelled(ink, x, 77, label, value)
    for x, label, value in (
        (46, "Date of birth", f"{holder.birth_date:{DAY}}"),
        (215, "Sex", {"female": "Female", "male": "Male"}.get(holder.sex, "Not stated")),
        (395, "Age", f"{holder.age_on(newest.collected.date())} yrs"),
    ):
        _labelled(ink, x, 91, label, value)
    for x, label, value in (
        (46, "Consultant", "Dr E. Example"),
        (215, "Location", "Outpatients 2"),
        (395, "Status", "Final report"),
    ):
        _labelled(ink, x, 105, label, value)
    ink.text(LEFT, 800, 6.5, NOTE)
    ink.text(RIGHT, 800, 7.5, f"Page {page} of {pages}", align="right")


def _labelled(ink: Ink, x: float, y: float, label: str, value: str) -> None:
    ink.text(x, y, 8, f"{label}:")
    ink.text(x + 60, y, 8.5, value, "bold")


def _dates(ink: Ink, draws: Sequence[Draw]) -> None:
    """The head of the table: a column for each draw, the newest one in bold."""
    for y, label in ((130, "Date"), (142, "Time"), (154, "Specimen")):
        ink.text(LEFT + 4, y, 8, label, "bold")
    for column, draw in enumerate(draws):
        x = cell_x(column) + CELL_WIDTH / 2
        look = "bold" if draw is draws[-1] else "plain"
        for y, text in ((130, f"{draw.collected:{DAY}}"), (142, f"{draw.collected:{TIME}}")):
            ink.text(x, y, 8, text, look, "centre")
        ink.text(x, 154, 7, draw.specimen, look, "centre")
    ink.text(UNIT_X, 142, 8, "Units", "bold")
    ink.text(REFERENCE_X, 142, 8, "Reference", "bold")
    ink.rule(LEFT, RIGHT, 161)


def _box(ink: Ink, rows: Sequence[Row]) -> None:
    """A section on one page: a shaded title, rows, and lines around all and between the columns."""
    canvas, first, last = ink.canvas, rows[0], rows[-1]
    top, bottom = first.top - TITLE_HEIGHT, last.top + last.height
    canvas.setFillColor(SHADE)
    canvas.rect(LEFT, ink.height - first.top, RIGHT - LEFT, TITLE_HEIGHT, stroke=0, fill=1)
    canvas.setFillColor(black)
    canvas.setLineWidth(0.6)
    canvas.rect(LEFT, ink.height - bottom, RIGHT - LEFT, bottom - top)
    title = f"{first.line.panel} (continued)" if first.continued else first.line.panel
    ink.text(LEFT + 4, first.top - 4.5, 9, title, "bold")
    for x in (*map(cell_x, range(DRAWS)), UNIT_X - 4):
        canvas.setLineWidth(0.3)
        canvas.line(x, ink.height - first.top, x, ink.height - bottom)
    for row in rows:
        _row(ink, row)
        if row is not last:
            ink.rule(LEFT, RIGHT, row.top + row.height)


def _row(ink: Ink, row: Row) -> None:
    for number, part in enumerate(row.names):
        ink.text(LEFT + 4, row.top + LINE_HEIGHT * (number + 1), NAME_SIZE, part)
    for column, result in enumerate(row.cells):
        if result is not None:
            _cell(ink, cell_x(column), row.middle, result)
    ink.text(UNIT_X, row.middle, 7.5, row.line.unit or "")
    interval = next(result.interval for result in row.cells if result is not None)
    if interval is not None:
        ink.text(REFERENCE_X, row.middle, 8, STYLE.interval(interval))


def _cell(ink: Ink, x: float, y: float, result: Result) -> None:
    """Numbers end at one edge with the flag behind; words stand in the middle, in smaller print."""
    if result.text is not None or result.missing is not None:
        ink.text(x + CELL_WIDTH / 2, y, 7, result.raw_value, align="centre")
        return
    look = "bold" if result.flag else "plain"
    ink.text(x + VALUE_RIGHT, y, 8.5, result.raw_value, look, "right")
    ink.text(x + VALUE_RIGHT + 4, y, 8.5, result.flag or "", look)
