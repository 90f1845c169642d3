"""A portal's print-out: cards down two columns, a large value with its unit, a bar that repeats it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from itertools import groupby

from reportlab.lib.colors import Color, black, white
from reportlab.lib.pagesizes import letter
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.composed.draws import Draw, draws_of
from synthetic.labs.composed.printed import Printed, file_of
from synthetic.labs.ink import STANDARD, Ink
from synthetic.labs.layouts.layout import NOTE
from synthetic.labs.pdf import TITLE
from synthetic.labs.printing import Interval, Result, Style
from synthetic.labs.report import holder_of
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

NAME = "range_cards"
STYLE = Style(
    thousands=",",
    between="{low} – {high}",
    below="less than {high}",
    at_most="{high} or less",
    above="more than {low}",
    at_least="{low} or more",
    flags={"L": ("Low", "L"), "H": ("High", "H"), "critical": ("Critical", "critical")},
    gaps={"not_performed": "Not performed", "cancelled": "Canceled", "pending": "Pending"},
)
COLUMNS, CARD_WIDTH, TOP, BOTTOM = (40.0, 312.0), 260.0, 118.0, 728.0
CARD, GAP, TITLE_HEIGHT, INSET = 92.0, 8.0, 24.0, 12.0
NAME_WIDTH, NAME_SIZE, VALUE_SIZE = 178.0, 9.5, 17.0
BAR_WIDTH, BAR_SHARE = 236.0, 0.25
GREEN, AMBER, RED = Color(0.2, 0.55, 0.35), Color(0.93, 0.7, 0.2), Color(0.75, 0.2, 0.2)
PALE, LINE_GREY, DIM = Color(0.88, 0.88, 0.88), Color(0.75, 0.75, 0.75), Color(0.4, 0.4, 0.4)


@dataclass(frozen=True, slots=True)
class Card:
    """A result's card; ``title`` where its group's title precedes it in the column."""

    page: int
    x: float
    top: float
    title: str | None
    result: Result


def range_cards_report(person: Person, seed: int) -> LabFile:
    """The print-out of a person's newest draw."""
    (draw,) = draws_of(person, seed, "us_cards", STYLE, 1)
    cards = list(_cards([_with_word(result) for result in draw.results]))
    printed = [
        Printed(card.page, (card.x, card.top, card.x + CARD_WIDTH, card.top + CARD), card.result, draw)
        for card in cards
    ]
    content = _pdf(person, draw, cards)
    return file_of(person, NAME, STYLE, content, printed, ["time", "reported", "fasting", "final"])


def _with_word(result: Result) -> Result:
    """A portal says of each result that has an interval where it lies, also when it is normal."""
    if result.flag is None and result.computed == "N":
        return replace(result, flag="Normal", flag_meaning="N")
    return result


def _cards(results: Sequence[Result]) -> Iterator[Card]:
    """Down the first column, then the second; a group's title never stands alone at the foot."""
    page, column, y = 1, 0, TOP
    for group, members in groupby(results, key=lambda result: result.line.panel):
        title: str | None = group
        for result in members:
            if y + CARD + (TITLE_HEIGHT if title else 0.0) > BOTTOM:
                page, column, y = (page, 1, TOP) if column == 0 else (page + 1, 0, TOP)
            y += TITLE_HEIGHT if title else 0.0
            yield Card(page, COLUMNS[column], y, title, result)
            y, title = y + CARD + GAP, None


def _date(moment: datetime) -> str:
    return f"{moment:%b} {moment.day}, {moment.year}"


def _time(moment: datetime) -> str:
    return f"{_date(moment)} {moment.hour % 12 or 12}:{moment:%M %p}"


def _pdf(person: Person, draw: Draw, cards: Sequence[Card]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=letter, invariant=1)
    canvas.setTitle(TITLE)
    ink = Ink(canvas, letter[1])
    for page, on_page in groupby(cards, key=lambda card: card.page):
        _head(ink, person, draw, page, cards[-1].page)
        for card in on_page:
            if card.title:
                ink.text(card.x, card.top - 8, 13, card.title, "bold")
            _card(ink, card)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _head(ink: Ink, person: Person, draw: Draw, page: int, pages: int) -> None:
    """A band with the portal's name, then one line on the person and one on the draw."""
    holder, born = holder_of(person), person.birth_date
    sex = {"female": "Female", "male": "Male"}.get(holder.sex, "Unspecified")
    ink.shade(0, 0, letter[0], 34, GREEN)
    ink.coloured(40, 23, 14, "HarborView MyResults", white, "bold")
    ink.coloured(572, 23, 9, f"Printed by patient on {draw.reported:%m/%d/%Y}", white, align="right")
    birth = f"Born {born.month}/{born.day}/{born.year} ({holder.age_on(draw.collected.date())} yo)"
    ink.text(40, 54, 14, holder.name, "bold")
    ink.text(40, 68, 9, f"{birth}   |   {sex}   |   Record {holder.number}")
    ink.text(40, 84, 9, f"Collected {_time(draw.collected)}   |   Last updated {_time(draw.reported)}")
    ink.text(572, 68, 9, f"Order #{draw.serial}", align="right")
    ink.text(572, 84, 9, f"Fasting: {'Yes' if draw.fasting else 'No'}   |   Final", align="right")
    ink.rule(40, 572, 90)
    ink.text(40, 752, 7, "Ask your care team what these results mean. Ranges are the laboratory's.")
    ink.text(40, 764, 6.5, NOTE)
    ink.text(572, 764, 8, f"Page {page} of {pages}", align="right")


def _card(ink: Ink, card: Card) -> None:
    result, x, y = card.result, card.x + INSET, card.top
    canvas = ink.canvas
    canvas.setStrokeColor(LINE_GREY)
    canvas.roundRect(card.x, ink.height - y - CARD, CARD_WIDTH, CARD, 5)
    canvas.setStrokeColor(black)
    for number, part in enumerate(simpleSplit(result.line.name, STANDARD["bold"], NAME_SIZE, NAME_WIDTH)):
        ink.text(x, y + 14 + 11 * number, NAME_SIZE, part, "bold")
    _chip(ink, card)
    size = VALUE_SIZE if result.value is not None or result.bound is not None else 10
    ink.text(x, y + 49, size, result.raw_value, "bold")
    if result.missing is None:
        width = stringWidth(result.raw_value, STANDARD["bold"], size)
        ink.coloured(x + width + 5, y + 49, 8.5, result.line.unit or "", DIM)
    if result.interval is None:
        return
    ink.text(x, y + 62, 8, f"Reference range: {STYLE.interval(result.interval)}")
    if result.value is not None:
        _bar(ink, x, y + 80, result.value, result.interval)


def _chip(ink: Ink, card: Card) -> None:
    word = card.result.flag
    if word is None:
        return
    right, y = card.x + CARD_WIDTH - 10, ink.height - card.top - 19
    ink.canvas.setFillColor({"Normal": GREEN, "Critical": RED}.get(word, AMBER))
    colour = white if word in {"Normal", "Critical"} else black
    ink.canvas.roundRect(right - 44, y, 44, 13, 6, stroke=0, fill=1)
    ink.coloured(right - 22, card.top + 15.5, 8, word, colour, "bold", "centre")


def _bar(ink: Ink, x: float, y: float, value: Decimal, interval: Interval) -> None:
    """A grey bar with the interval in green, its ends below in small print, the value above its mark."""
    ends = [end for end in (interval.low, interval.high) if end is not None]
    low = ends[0] if interval.low is not None else Decimal(0)
    high = ends[-1] if interval.high is not None else low * 2
    left = x if interval.low is None else x + BAR_WIDTH * BAR_SHARE
    right = x + BAR_WIDTH * (1.0 if interval.high is None else 1 - BAR_SHARE)
    ink.shade(x, y - 4, x + BAR_WIDTH, y, PALE)
    ink.shade(left, y - 4, right, y, GREEN)
    for end in ends:
        ink.text(left if end is interval.low else right, y + 7.5, 6, STYLE.number(end), align="centre")
    share = float((value - low) / (high - low))
    mark = min(max(left + share * (right - left), x + 3), x + BAR_WIDTH - 3)
    ink.canvas.circle(mark, ink.height - y + 2, 3, stroke=1, fill=1)
    ink.text(mark, y - 7, 6, STYLE.number(value), "bold", "centre")
