"""Laboratory reports as PDF, in the looks of the layouts. Laboratories, people and words are made up."""

from collections.abc import Callable
from io import BytesIO

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase.pdfdoc import PDFDictionary
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.fields import Fields, filled, page_fields, row_fields
from synthetic.labs.ink import Ink, register_embedded_fonts
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.layouts.layout import Layout, Text
from synthetic.labs.placing import Place, comment_y, placed
from synthetic.labs.report import Report

TITLE = "Laboratory report (made up)"


def lab_pdf(
    report: Report,
    *,
    embedded: bool = False,
    copies: int = 1,
    decorate: Callable[[Ink, int], None] | None = None,
    encrypt: StandardEncryption | None = None,
    opening: PDFDictionary | None = None,
    blank_pages: int = 0,
) -> bytes:
    """The report as PDF bytes, equal for equal reports.

    ``decorate(ink, page)`` draws what else stands on a page, under its text; ``copies`` prints every glyph so
    often; ``opening`` is an action on opening; blank pages follow the last one.
    """
    layout = LAYOUTS[report.layout]
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=layout.size, invariant=1, encrypt=encrypt)
    canvas.setTitle(TITLE)
    if embedded:
        register_embedded_fonts()
    ink = Ink(canvas, layout.size[1], embedded, copies)
    places = placed(report, layout)
    pages = places[-1].page if places else 1
    for page in range(1, pages + 1):
        if decorate is not None:
            decorate(ink, page)
        fields = page_fields(report, layout, page, pages)
        _write_page(ink, layout, fields, page, pages)
        for place in (place for place in places if place.page == page):
            _write_row(ink, layout, place, fields | row_fields(place, report, layout))
        _add_canary(canvas, report.phrase, page)
        canvas.showPage()
    for _ in range(blank_pages):
        canvas.showPage()
    if opening is not None:
        canvas.setCatalogEntry("OpenAction", opening)
    canvas.save()
    return stream.getvalue()


def _write_page(ink: Ink, layout: Layout, fields: Fields, page: int, pages: int) -> None:
    wanted = {"all", *(["first"] if page == 1 else []), *(["last"] if page == pages else [])}
    for text in layout.page:
        if text.where in wanted:
            _write(ink, text, fields, 0.0, 0.0)


def _write_row(ink: Ink, layout: Layout, place: Place, fields: Fields) -> None:
    if place.title_y is not None:
        for text in layout.panel:
            _write(ink, text, fields, 0.0, place.title_y)
        if layout.rule is not None:
            x0, x1, y = layout.rule
            ink.rule(x0, x1, place.title_y + y)
    for text in layout.row:
        _write(ink, text, fields, place.x, place.y)
    for number, line in enumerate(place.comments):
        ink.text(place.x + layout.comment_x, place.y + comment_y(layout, number), layout.comment_size, line)


def _write(ink: Ink, text: Text, fields: Fields, x: float, y: float) -> None:
    written = filled(text.template, fields)
    look = text.look
    if look == "marked":
        look = "bold" if fields["flag"] else "plain"
    if written:
        ink.text(x + text.x, y + text.y, text.size, written, look, text.align)


def _add_canary(canvas: Canvas, phrase: str | None, page: int) -> None:
    """The phrase where people and programs leave names: metadata, and a note on the first page."""
    if phrase is None or page > 1:
        return
    canvas.setAuthor(phrase)
    canvas.setSubject(phrase)
    canvas.setKeywords(phrase)
    canvas.textAnnotation(phrase, Rect=[20, 20, 40, 40], addtopage=1)
