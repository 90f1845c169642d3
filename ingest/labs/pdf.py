"""A lab PDF as pages of words with positions: limits first, then only glyphs a person would see."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any, Literal

import pdfplumber
from pdfminer.pdfdocument import PDFDocument, PDFPasswordIncorrect
from pdfminer.pdfparser import PDFParser
from pdfplumber.page import Page as PlumberPage

from ingest.labs.bounded import bound_work
from schemas.errors import PhaError

MAX_BYTES = 25_000_000
MAX_PAGES = 60
MAX_GLYPHS = 60_000
MAX_PICTURES = 12  # A page takes seconds.
MIN_POINTS = 4.0
HUGE_FACTOR = 3.0
UNREADABLE_SHARE = 0.01
FEW_GLYPHS = 150
SCAN_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Word:
    """A word, its box in points from the top left corner, and its font size."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float


Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Page:
    """The visible words of a page, numbered from 1. Of a picture, ``unsure`` are boxes of words in doubt,
    and ``seconded`` says that two engines read it.
    """

    number: int
    words: tuple[Word, ...]
    source_kind: Literal["text", "ocr"] = "text"
    unsure: tuple[Box, ...] = ()
    seconded: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """What was read of a picture of a page: words, boxes of those in doubt, and whether by two engines."""

    words: tuple[Word, ...]
    unsure: tuple[Box, ...]
    seconded: bool


PictureReader = Callable[[PlumberPage], Picture]


def read_pages(path: Path, read_picture: PictureReader | None = None) -> list[Page]:
    """The pages of a report; those that are pictures by ``read_picture``, its words and boxes in doubt.

    Raises PhaError: file_unreadable, lab_pdf_empty, lab_too_large, lab_encrypted, lab_not_pdf,
    lab_text_unusable (a page that is a picture, or whose characters have no meaning, and nothing to read
    pictures with; or more than MAX_PICTURES of them).
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PhaError("file_unreadable") from error
    if not content:
        raise PhaError("lab_pdf_empty")
    if len(content) > MAX_BYTES:
        raise PhaError("lab_too_large")
    bound_work()
    try:
        with pdfplumber.open(BytesIO(content)) as pdf:
            if len(pdf.pages) > MAX_PAGES:
                raise PhaError("lab_too_large")
            return list(_pages(pdf.pages, read_picture))
    except PhaError:
        raise
    except Exception as error:  # noqa: BLE001
        if (bound := _bound_met(error)) is not None:
            raise bound from None
        # A damaged PDF may raise anything from the parser's depths; none of it may stop the other reports.
        raise PhaError("lab_encrypted" if _is_locked(error) else "lab_not_pdf") from None


def needs_password(path: Path) -> bool:
    """Whether a PDF opens only with a password; its objects are not read. False where it is damaged."""
    try:
        with path.open("rb") as file:
            PDFDocument(PDFParser(file), password="")
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001
        # As above: a damaged PDF may raise anything.
        return _is_locked(error)
    return False


def _pages(pages: list[PlumberPage], read_picture: PictureReader | None) -> Iterator[Page]:
    pictures = 0
    for number, page in enumerate(pages, 1):
        if len(page.chars) > MAX_GLYPHS:
            raise PhaError("lab_too_large")
        if not _text_is_unusable(page):
            yield Page(number, _visible_words(page))
        elif read_picture is None or pictures == MAX_PICTURES:
            raise PhaError("lab_text_unusable")
        else:
            pictures += 1
            seen = read_picture(page)
            yield Page(number, seen.words, "ocr", seen.unsure, seen.seconded)
        page.close()


def _visible_words(page: PlumberPage) -> tuple[Word, ...]:
    """Overprinted copies removed, then hidden, tiny, huge and rotated glyphs."""
    single = page.dedupe_chars(tolerance=1)
    sizes = [float(char["size"]) for char in single.chars]
    limit = HUGE_FACTOR * median(sizes) if sizes else 0.0
    dark = [rect for rect in page.rects if rect.get("fill") and _is_dark(rect["non_stroking_color"])]

    def seen(item: dict[str, Any]) -> bool:
        return item["object_type"] != "char" or (
            item["upright"]
            and MIN_POINTS <= item["size"] <= limit
            and (not _is_white(item["non_stroking_color"]) or any(_covers(rect, item) for rect in dark))
        )

    words = single.filter(seen).extract_words(x_tolerance=1.5, y_tolerance=1, extra_attrs=["size"])
    return tuple(Word(w["text"], w["x0"], w["top"], w["x1"], w["bottom"], w["size"]) for w in words)


def _text_is_unusable(page: PlumberPage) -> bool:
    """A picture with hardly any text on it is a scan; a blank page is none."""
    texts = [char["text"] for char in page.chars if char["text"].strip()]
    if len(texts) < FEW_GLYPHS and _pictured_share(page) >= SCAN_SHARE:
        return True
    unreadable = sum(_is_unreadable(text) for text in texts)
    return unreadable > UNREADABLE_SHARE * len(texts)


def _pictured_share(page: PlumberPage) -> float:
    """Share of the page its largest picture covers."""
    areas = [abs((i["x1"] - i["x0"]) * (i["bottom"] - i["top"])) for i in page.images]
    return max(areas, default=0.0) / float(page.width * page.height)


def _is_unreadable(text: str) -> bool:
    return text.startswith("(cid:") or any(
        character == "\ufffd" or "\ue000" <= character <= "\uf8ff" for character in text
    )


def _bound_met(error: BaseException) -> PhaError | None:
    """The fault that the bound on work raised, which pdfplumber wraps in its own."""
    return next((item for item in (*error.args, error.__cause__) if isinstance(item, PhaError)), None)


def _is_locked(error: BaseException) -> bool:
    seen: list[object] = [error, error.__cause__, error.__context__, *error.args]
    return any(isinstance(item, PDFPasswordIncorrect) for item in seen)


def _lightness(color: object) -> float | None:
    """0 black to 1 white for grey, RGB and CMYK; None for a pattern."""
    parts = list(color) if isinstance(color, list | tuple) else [color]
    if not all(isinstance(part, int | float) for part in parts):
        return None
    levels = [float(part) for part in parts if isinstance(part, int | float)]
    if len(levels) == 4:
        return 1.0 - min(1.0, max(levels[:3]) + levels[3])
    return sum(levels) / len(levels) if levels else None


def _is_white(color: object) -> bool:
    lightness = _lightness(color)
    return lightness is not None and lightness > 0.95


def _is_dark(color: object) -> bool:
    lightness = _lightness(color)
    return lightness is not None and lightness < 0.6


def _covers(rect: dict[str, Any], char: dict[str, Any]) -> bool:
    middle_x, middle_y = (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2
    return rect["x0"] <= middle_x <= rect["x1"] and rect["top"] <= middle_y <= rect["bottom"]
