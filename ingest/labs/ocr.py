"""Pictures of pages read by optical character recognition, where the extra ``ocr`` is installed.

Digits are never mended. Where tesseract is there too, a word with a number that it does not read alike is
marked; without it, one that was recognised with less than 0.98. A result that a mark touches goes to a
person. One thread, so that a page is read alike however busy the machine is.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from math import atan2, cos, sin
from statistics import median
from typing import Any

import numpy as np
from pdfplumber.page import Page as PlumberPage
from PIL.Image import Image

from ingest.labs.pdf import Box, Picture, PictureReader, Word
from ingest.labs.second_opinion import SeenWord, is_confirmed, numbers_in, second_reading, tesseract_version

DOTS_PER_INCH = 200
POINTS_A_DOT = 72 / DOTS_PER_INCH
SURE = 0.98
# Height of a recognised box against the font size of the letters in it.
SIZE_OF_HEIGHT = 1.0

# Units the engine is known to misread, each with one possible meaning. Words without a digit of a value.
REPAIRED = {
    "mmol/1": "mmol/l", "mmo1/l": "mmol/l", "mmo1/L": "mmol/L", "mg/d1": "mg/dl", "g/d1": "g/dl",
    "ug/d1": "ug/dl", "ng/m1": "ng/ml", "mIU/1": "mIU/l", "IU/1": "IU/l", "U/1": "U/l", "1U/L": "IU/L",
    "umol/1": "umol/l", "xlOE3/uL": "x10E3/uL", "xlOE6/uL": "x10E6/uL",
}  # fmt: skip


def engine_version() -> str | None:
    """Names and versions of what reads pictures here; None where the extra is not installed."""
    try:
        first = f"rapidocr {version('rapidocr')}"
    except PackageNotFoundError:
        return None
    second = tesseract_version()
    return f"{first}, {second}" if second else first


def picture_reader() -> PictureReader | None:
    """What reads pages that are pictures; None where the extra is not installed."""
    return None if engine_version() is None else read_picture


def read_picture(page: PlumberPage) -> Picture:
    """The words of a page that is a picture, its slant taken out, and the boxes of those to be doubted.

    Places are in points from the top left corner of the straightened page.
    """
    image = page.to_image(resolution=DOTS_PER_INCH).original.convert("RGB")
    found = _engine()(np.asarray(image)[:, :, ::-1], return_word_box=True)
    recognised = [
        (text, score, corners)
        for line in found.word_results or ()
        for text, score, corners in line
        if text.strip()
    ]
    angle = _slant(found.boxes)
    words = tuple(_word(text, corners, angle) for text, _, corners in recognised)
    seconded = tesseract_version() is not None
    others = second_reading(_png(image), DOTS_PER_INCH) if seconded else []
    unsure = tuple(
        (word.x0, word.top, word.x1, word.bottom)
        for word, (text, score, corners) in zip(words, recognised, strict=True)
        if numbers_in(text)
        and not (is_confirmed(SeenWord(text, _around(corners)), others) if seconded else score >= SURE)
    )
    return Picture(words, unsure, seconded)


def _png(image: Image) -> bytes:
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def _around(corners: Sequence[Sequence[float]]) -> Box:
    across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return min(across), min(down), max(across), max(down)


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR

    one_thread = {
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    }
    return RapidOCR(params={"Global.log_level": "critical", **one_thread})


def _slant(boxes: Iterable[Sequence[Sequence[float]]] | None) -> float:
    """Median angle of the upper edges of the text, in radians; a page on its side is left as it is."""
    angles = [
        atan2(float(right[1] - left[1]), float(right[0] - left[0]))
        for left, right, *_ in (() if boxes is None else boxes)
    ]
    return median(angles) if angles else 0.0


def _word(text: str, corners: Sequence[Sequence[float]], angle: float) -> Word:
    """A word at its place after turning the page back by ``angle`` about its corner."""
    turned = [(x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)) for x, y in corners]
    across, down = [x * POINTS_A_DOT for x, _ in turned], [y * POINTS_A_DOT for _, y in turned]
    top, bottom = min(down), max(down)
    return Word(
        REPAIRED.get(text, text), min(across), top, max(across), bottom, (bottom - top) * SIZE_OF_HEIGHT
    )
