"""Laboratory reports as PDF, in the looks of two families of layouts. Laboratories and words are made up.

Every page carries name, birth date, sex, specimen and dates; panels run over as many pages as they need.
"""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby

from reportlab.lib.pagesizes import letter
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.layouts import Report, Result

PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
HEIGHT = letter[1]
LOWEST = 90.0
NOTE = "MADE-UP PERSON AND LABORATORY - NOT A REAL REPORT"


@dataclass(frozen=True, slots=True)
class Layout:
    """How a family draws: page head and foot, the head of a panel, a row; heights in points."""

    top: float
    panel_height: float
    row_height: float
    page: Callable[[Canvas, Report, int], None]
    panel: Callable[[Canvas, str, float], None]
    row: Callable[[Canvas, Result, float], None]


def lab_pdf(report: Report) -> tuple[bytes, tuple[int, ...]]:
    """The report as PDF bytes, equal for equal reports, and the page each result stands on."""
    layout = LAYOUTS[report.family]
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=letter, invariant=1)
    canvas.setTitle("Laboratory report (made up)")
    page, y = 1, HEIGHT - layout.top
    pages: list[int] = []
    layout.page(canvas, report, page)
    for panel, results in groupby(report.results, key=lambda result: result.panel):
        for number, result in enumerate(results):
            needed = layout.row_height + (layout.panel_height if number == 0 else 0)
            new_page = y - needed < LOWEST
            if new_page:
                canvas.showPage()
                page, y = page + 1, HEIGHT - layout.top
                layout.page(canvas, report, page)
            if number == 0 or new_page:
                layout.panel(canvas, panel, y)
                y -= layout.panel_height
            layout.row(canvas, result, y)
            y -= layout.row_height
            pages.append(page)
    canvas.showPage()
    canvas.save()
    return stream.getvalue(), tuple(pages)


def _text(canvas: Canvas, x: float, y: float, size: float, text: str, font: str = PLAIN) -> None:
    canvas.setFont(font, size)
    canvas.drawString(x, y, text)


def _centred(canvas: Canvas, x: float, y: float, size: float, text: str) -> None:
    _text(canvas, x - stringWidth(text, PLAIN, size) / 2, y, size, text)


def _spaced(canvas: Canvas, x: float, y: float, size: float, parts: tuple[str, ...]) -> None:
    """Parts on one line, each a clear gap after the last."""
    for part in parts:
        _text(canvas, x, y, size, part)
        x += stringWidth(part, PLAIN, size) + 9


def _quest_page(canvas: Canvas, report: Report, page: int) -> None:
    person, name = report.person, _last_first(report)
    age = person.age_on(report.collected.date())
    stamps = [f"{moment:%m/%d/%Y %H:%M}" for moment in (report.collected, report.received, report.reported)]
    _text(canvas, 372, HEIGHT - 43, 9, "HARBORVIEW DIAGNOSTICS", BOLD)
    _text(canvas, 54, HEIGHT - 54, 12, name, BOLD)
    _spaced(canvas, 54, HEIGHT - 66, 6, (
        f"DOB: {person.birth_date:%m/%d/%Y}", f"AGE: {age}", f"Gender: {'F' if person.female else 'M'}",
        f"Patient ID: {person.participant_id}", f"Specimen: {report.specimen}",
    ))  # fmt: skip
    _spaced(canvas, 54, HEIGHT - 74, 6, (
        f"Collected: {stamps[0]}", f"Received: {stamps[1]}", f"Reported: {stamps[2]}", "Report Status: FINAL",
    ))  # fmt: skip
    _text(canvas, 54, HEIGHT - 82, 6, NOTE)
    if page == 1:
        _text(canvas, 54, HEIGHT - 100, 7.8, f"FASTING:{'YES' if report.fasting else 'NO'}")
    _text(canvas, 54, 40, 6, f"{name} ({report.specimen})   PAGE {page}   H = High   L = Low")


def _quest_panel(canvas: Canvas, panel: str, y: float) -> None:
    _text(canvas, 57, y - 10, 9.6, panel, BOLD)
    _text(canvas, 57, y - 23, 7.8, "Analyte")
    _text(canvas, 331, y - 23, 7.8, "Value")


def _quest_row(canvas: Canvas, result: Result, y: float) -> None:
    value = result.raw_value + (f" {result.flag}" if result.flag else "")
    _text(canvas, 63, y - 9, 7.8, result.line.name)
    _text(canvas, 331, y - 9, 7.8, value, BOLD if result.flag else PLAIN)
    interval = f"Reference Range: {result.interval.printed('quest')} {result.line.unit}"
    _text(canvas, 400, y - 10.2, 6.6, interval)


def _labcorp_page(canvas: Canvas, report: Report, page: int) -> None:
    person = report.person
    _text(canvas, 18, HEIGHT - 28, 10, _last_first(report), BOLD)
    _text(canvas, 200, HEIGHT - 28, 7, f"DOB: {person.birth_date:%m/%d/%Y}")
    _text(canvas, 320, HEIGHT - 28, 10, "Patient Report", BOLD)
    _text(canvas, 470, HEIGHT - 28, 10, "WESTMERE LABS", BOLD)
    _text(canvas, 18, HEIGHT - 41, 7, f"Patient ID: {person.participant_id}")
    _text(canvas, 18, HEIGHT - 51, 7, f"Specimen ID: {report.specimen}")
    _text(canvas, 200, HEIGHT - 51, 7, f"Sex: {person.sex.capitalize()}")
    for x, label, moment in (
        (18, "Date Collected", report.collected),
        (160, "Date Received", report.received),
        (300, "Date Reported", report.reported),
    ):
        _text(canvas, x, HEIGHT - 69, 7, f"{label}: {moment:%m/%d/%Y}")
    _text(canvas, 490, HEIGHT - 69, 7, f"Fasting: {'Yes' if report.fasting else 'No'}")
    _text(canvas, 18, 52, 6, f"Final Report   Page {page}   {NOTE}")


def _labcorp_panel(canvas: Canvas, panel: str, y: float) -> None:
    _text(canvas, 18, y - 10, 10, panel, BOLD)
    for x, title in (
        (37, "Test"),
        (201, "Current Result and Flag"),
        (316, "Previous Result and Date"),
        (464, "Units"),
        (523, "Reference Interval"),
    ):
        _text(canvas, x, y - 24, 7, title)


def _labcorp_row(canvas: Canvas, result: Result, y: float) -> None:
    """A site number stands raised behind the name, and a mark before rows with a flag."""
    baseline = y - 9
    _text(canvas, 36, baseline, 9, result.line.name)
    _text(canvas, 37 + stringWidth(result.line.name, PLAIN, 9), baseline + 2.9, 5.2, "01")
    _centred(canvas, 202, baseline, 9, result.raw_value)
    if result.flag:
        _text(canvas, 24, baseline, 7, "!")
        _centred(canvas, 270, baseline, 9, result.flag)
    _centred(canvas, 472, baseline, 9, result.line.unit)
    _centred(canvas, 552, baseline, 9, result.interval.printed("labcorp"))


def _last_first(report: Report) -> str:
    first, last = report.person.name.split(" ", 1)
    return f"{last}, {first}".upper()


LAYOUTS = {
    "quest": Layout(112, 26, 13.5, _quest_page, _quest_panel, _quest_row),
    "labcorp": Layout(92, 30, 13.7, _labcorp_page, _labcorp_panel, _labcorp_row),
}
