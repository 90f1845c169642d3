"""A wellness company's report: a cover with a summary, then a block of graphics and prose for each marker."""

from collections.abc import Sequence
from datetime import timedelta
from io import BytesIO
from itertools import groupby

from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.held_out.draws import Draw, draws_of
from synthetic.labs.held_out.markers import DAY
from synthetic.labs.held_out.truth import Printed, doubts_in, true_rows
from synthetic.labs.held_out.wellness_blocks import LEFT, RIGHT, Block, blocks_of, draw_block, draw_title
from synthetic.labs.ink import Ink, register_embedded_fonts
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

NAME = "wellness_blocks"
STYLE = Style(
    thousands=",",
    between="{low} – {high}",
    at_most="≤ {high}",
    below="< {high}",
    at_least="≥ {low}",
    above="> {low}",
    bound="{sign}{bound}",
    flags={"L": ("Below range", "L"), "H": ("Above range", "H"), "critical": ("Critical", "critical")},
    gaps={"not_performed": "Not performed", "pending": "Pending"},
)
PRIORITIES = 5
WELCOME = (
    "This report explains what 44 markers say about your heart, metabolism, organs and nutrients.",
    "The laboratory's range holds 95 of 100 healthy adults. Our optimal range is narrower and is no",
    "diagnosis. Speak to a doctor before you change any medicine. Analysis: Example Clinical Laboratory,",
    "100 Sample Street, Suite 210, Springfield 00000; director: A. Example, MD; report version 3.2.",
)


def wellness_report(person: Person, seed: int) -> LabFile:
    """The report of a person's newest draw; the draw before is mentioned and is no result."""
    newest, earlier = draws_of(person, seed, "wellness", STYLE, 2)
    blocks = blocks_of(newest, earlier)
    name = f"{NAME}_{newest.collected:%Y-%m-%d}_{newest.specimen}.pdf"
    fasting = "yes" if newest.fasting else "no"
    printed = [Printed(block.page, block.result, newest.collected, fasting) for block in blocks]
    return LabFile(
        participant_id=person.participant_id,
        name=name,
        content=_pdf(person, newest, earlier, blocks),
        layout=NAME,
        rows=true_rows(person, name, STYLE, printed),
        doubts=doubts_in(printed),
    )


def _pdf(person: Person, newest: Draw, earlier: Draw, blocks: Sequence[Block]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=letter, invariant=1)
    canvas.setTitle(TITLE)
    register_embedded_fonts()
    ink = Ink(canvas, letter[1], embedded=True)
    _foot(ink, person, newest, 1, blocks[-1].page)
    _cover(ink, person, newest)
    canvas.showPage()
    for page, on_page in groupby(blocks, key=lambda block: block.page):
        _foot(ink, person, newest, page, blocks[-1].page)
        for block in on_page:
            if block.opens:
                category = [r for r in newest.results if r.line.panel == block.result.line.panel]
                draw_title(ink, block, category)
            draw_block(ink, block, earlier, STYLE)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _foot(ink: Ink, person: Person, newest: Draw, page: int, pages: int) -> None:
    """What stands on each page: company, person, date of the draw, page number."""
    holder = holder_of(person)
    ink.text(LEFT, 36, 10, "Fernhill Wellness", "bold")
    ink.text(RIGHT, 36, 8, f"{holder.name}  |  DOB {holder.birth_date:{DAY}}", align="right")
    ink.text(RIGHT, 48, 8, f"Collected {newest.collected:{DAY}}", align="right")
    ink.rule(LEFT, RIGHT, 54)
    ink.text(LEFT, 762, 6, NOTE)
    ink.text(RIGHT, 762, 7, f"{page} / {pages}", align="right")


def _cover(ink: Ink, person: Person, newest: Draw) -> None:
    """Whose and when, counts, a made-up biological age, and the markers that are out of range."""
    holder = holder_of(person)
    flagged = [result for result in newest.results if result.flag is not None]
    measured = sum(result.missing is None for result in newest.results)
    ink.text(LEFT, 100, 24, "Your results", "bold")
    for number, line in enumerate(
        (
            f"Name: {holder.name}",
            f"Date of birth: {holder.birth_date:{DAY}}",
            f"Sex at birth: {'Female' if person.female else 'Male'}",
            f"Member ID: {holder.number}",
            f"Sample ID: {newest.specimen}",
            f"Collected: {newest.collected:{DAY} %I:%M %p}",
            f"Reported: {newest.collected + timedelta(days=2):{DAY}}",
            f"Fasting: {'Yes' if newest.fasting else 'No'}",
        )
    ):
        ink.text(LEFT, 130 + 15 * number, 9.5, line)
    ink.text(LEFT, 290, 30, str(measured - len(flagged)), "bold")
    ink.text(LEFT, 304, 9, "markers in range")
    ink.text(200, 290, 30, str(len(flagged)), "bold")
    ink.text(200, 304, 9, "need attention")
    biological = person.age + (person.number * 7 % 90 - 45) / 10
    ink.text(360, 290, 30, f"{biological:.1f}", "bold")
    ink.text(360, 304, 9, "biological age, years")
    ink.text(LEFT, 350, 13, "Look at these first", "bold")
    for number, result in enumerate(flagged[:PRIORITIES]):
        y = 372 + 16 * number
        ink.text(LEFT, y, 9.5, result.line.name)
        ink.text(330, y, 9.5, f"{result.raw_value} {result.line.unit}", "bold")
        ink.text(450, y, 9.5, result.flag or "")
    for number, line in enumerate(WELCOME):
        ink.text(LEFT, 480 + 13 * number, 9, line)
