"""A small clinic's print on half sheets: typewriter letters, two panels side by side, leaders of dots."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby

from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.composed.draws import Draw, draws_of
from synthetic.labs.composed.printed import Printed, file_of
from synthetic.labs.ink import COURIER, Ink
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

NAME = "side_by_side"
STYLE = Style(
    between="{low} - {high}",
    below="< {high}",
    at_most="<= {high}",
    above="> {low}",
    at_least=">= {low}",
    flags={"L": ("L", "L"), "H": ("H", "H"), "critical": ("HH", "HH")},
    gaps={"haemolysed": "HEMOLYZED", "insufficient": "QNS", "pending": "PENDING"},
)
PAGE = (612.0, 396.0)
SIZE, CHARACTER, LINE = 8.0, 4.8, 10.4
LEFT, TOP, BOTTOM = 34.0, 140.0, 322.0
PANEL_CHARACTERS = 58
NAME_CHARACTERS, VALUE_END, FLAG_AT, UNIT_AT, RANGE_AT = 20, 29, 31, 34, 44
PAGE_WIDTH = 113
DAY, CLOCK = "%m/%d/%Y", "%m/%d/%Y %I:%M %p"
SPECIMENS = {"HEMATOLOGY": "EDTA whole blood", "GLYCATED HEMOGLOBIN": "EDTA whole blood"}


@dataclass(frozen=True, slots=True)
class Placed:
    """A result at a line of a column (0 or 1); ``title`` where its section's lines precede it."""

    page: int
    column: int
    line: int
    title: str | None
    result: Result

    @property
    def x(self) -> float:
        """Left edge of its panel."""
        return LEFT + CHARACTER * PANEL_CHARACTERS * self.column

    @property
    def y(self) -> float:
        """Baseline of its line."""
        return TOP + LINE * self.line


def side_by_side_report(person: Person, seed: int) -> LabFile:
    """The print of a person's newest draw."""
    (draw,) = draws_of(person, seed, "clinic", STYLE, 1)
    places = _placed(draw.results)
    printed = [
        Printed(
            place.page,
            (place.x, place.y - 8, place.x + CHARACTER * (PANEL_CHARACTERS - 1), place.y + 2),
            place.result,
            draw,
        )
        for place in places
    ]
    content = _pdf(person, draw, places)
    return file_of(person, NAME, STYLE, content, printed, ["time", "reported", "fasting"])


def _placed(results: Sequence[Result]) -> list[Placed]:
    """Sections fill the left panel, then the right one, then the next page; three lines head a section."""
    page, column, line, deepest = 1, 0, 0, int((BOTTOM - TOP) / LINE)
    placed: list[Placed] = []
    for section, group in groupby(results, key=lambda result: result.line.panel):
        title: str | None = section
        for result in group:
            if line + (4 if title else 0) >= deepest:
                page, column, line = (page, 1, 0) if column == 0 else (page + 1, 0, 0)
                title = title or f"{section} (cont.)"
            line += 3 if title else 0
            placed.append(Placed(page, column, line, title, result))
            line, title = line + 1, None
        line += 1
    return placed


def _pdf(person: Person, draw: Draw, places: Sequence[Placed]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=PAGE, invariant=1)
    canvas.setTitle(TITLE)
    ink = Ink(canvas, PAGE[1], fonts=COURIER)
    for page, on_page in groupby(places, key=lambda place: place.page):
        _head(ink, person, draw, page, places[-1].page)
        for place in on_page:
            _result(ink, place)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _head(ink: Ink, person: Person, draw: Draw, page: int, pages: int) -> None:
    """The clinic's head, the same on each page, in labels filled up with dots."""
    holder = holder_of(person)
    age = holder.age_on(draw.collected.date())
    sex = {"female": "F", "male": "M"}.get(holder.sex, "U")
    middle = PAGE[0] / 2
    ink.text(middle, 28, 11, "SAMPAGUITA FAMILY CLINIC", "bold", "centre")
    ink.text(middle, 39, SIZE, "Diagnostic Laboratory - 2/F Example Building, Sample Avenue", align="centre")
    ink.text(middle, 49, SIZE, "Tel. (02) 5550-0142   License No. 00-0000-26-CL-2", align="centre")
    ink.text(LEFT, 59, SIZE, "=" * PAGE_WIDTH)
    lines = (
        ("PATIENT NAME", f"{holder.surname}, {holder.given}".upper(), "LAB NO.", f"26-{draw.serial}"),
        ("AGE / SEX", f"{age} / {sex}", "COLLECTED", f"{draw.collected:{CLOCK}}"),
        ("BIRTHDATE", f"{holder.birth_date:{DAY}}", "RELEASED", f"{draw.reported:{CLOCK}}"),
        ("PATIENT ID", holder.number, "FASTING", "YES" if draw.fasting else "NO"),
        ("PHYSICIAN", "DR. E. EXAMPLE", "PAGE", f"{page} of {pages}"),
    )
    for number, (label, value, other, also) in enumerate(lines):
        y = 69 + LINE * number
        ink.text(LEFT, y, SIZE, f"{label:.<14}: {value}")
        ink.text(LEFT + CHARACTER * PANEL_CHARACTERS, y, SIZE, f"{other:.<11}: {also}")
    ink.text(LEFT, 120, SIZE, "=" * PAGE_WIDTH)
    ink.text(LEFT, 332, SIZE, "-" * PAGE_WIDTH)
    ink.text(LEFT, 342, SIZE, "H - above, L - below the normal value   NOTE: Correlate clinically.")
    ink.text(LEFT, 358, SIZE, "JUANA EXAMPLE, RMT  Lic. No. 0012345")
    ink.text(LEFT + CHARACTER * PANEL_CHARACTERS, 358, SIZE, "JOSE EXAMPLE, MD, FPSP  Lic. No. 0054321")
    ink.text(LEFT, 368, SIZE, "Medical Technologist")
    ink.text(LEFT + CHARACTER * PANEL_CHARACTERS, 368, SIZE, "Pathologist")
    ink.text(LEFT, 384, 6.5, NOTE)


def _result(ink: Ink, place: Placed) -> None:
    """A line of the panel on its grid of characters; below a title stand the specimen and the columns."""
    if place.title:
        specimen = SPECIMENS.get(place.title.removesuffix(" (cont.)"), "Serum")
        ink.text(place.x, place.y - 3 * LINE, SIZE, place.title, "bold")
        ink.text(place.x, place.y - 2 * LINE, SIZE, f"Specimen: {specimen}")
        head = _on_grid("TEST", "RESULT", "", "UNIT", "NORMAL VALUE", fill=" ")
        ink.text(place.x, place.y - LINE, SIZE, head)
    result = place.result
    interval = "" if result.interval is None else STYLE.interval(result.interval)
    line, flag = result.line, result.flag or ""
    _type(ink, place, _on_grid(line.name, result.raw_value, flag, line.unit or "", interval))


def _type(ink: Ink, place: Placed, line: str) -> None:
    """A line as it is, with ``^`` printed: a typewriter raises nothing. A flagged one is bold."""
    ink.canvas.setFont(COURIER["bold" if place.result.flag else "plain"], SIZE)
    ink.canvas.drawString(place.x, ink.height - place.y, line)


def _on_grid(name: str, value: str, flag: str, unit: str, interval: str, fill: str = ".") -> str:
    """Name and dots to the value, which ends at a column; a longer word runs on to the right."""
    start = f"{name}{fill * max(NAME_CHARACTERS - len(name), 0)}{' ' if fill == ' ' else ':'} "
    line = start + value.rjust(max(VALUE_END - len(start), 0))
    for at, text in ((FLAG_AT, flag), (UNIT_AT, unit), (RANGE_AT, interval)):
        line = f"{line:{at}}{text}" if text else line
    return line
