"""A second opinion on pictures where the command ``tesseract`` is on the PATH: both must read numbers alike.

Its words come as documented for its TSV output (tesseract(1), configuration ``tsv``). It gets the picture
by a pipe and gives text back: no file of a participant has a name anywhere. One thread, so that a page is
read alike everywhere.
"""

import os
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

COMMAND = "tesseract"
SECONDS = 120
# A uniform block of text: lines stay whole where columns are far apart.
_LAYOUT = "6"
_WORD_LEVEL = "5"
# Share of the narrower of two words that must lie over the other.
_SAME_PLACE = 0.3
_SIGN = re.compile(r"([<>]=?)\s+")
_NUMBER = re.compile(r"(?:[<>]=?)?(?:(?<![\d.,])-)?\d+(?:[.,:]\d*)*|[<>]=?")
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A word and its box in dots of the picture: x0, top, x1, bottom."""

    text: str
    box: Box


@cache
def tesseract_version() -> str | None:
    """Name and version of the command; None where it is not on the PATH or does not start."""
    if shutil.which(COMMAND) is None:
        return None
    said = _run(["--version"], b"")
    return said.splitlines()[0].strip() if said and said.startswith(COMMAND) else None


def second_reading(png: bytes, dots_per_inch: int) -> list[SeenWord]:
    """The words tesseract sees in a picture; none where it fails, so that nothing is confirmed."""
    said = _run(["stdin", "stdout", "--psm", _LAYOUT, "--dpi", str(dots_per_inch), "-l", "eng", "tsv"], png)
    return words_of_tsv(said or "")


def words_of_tsv(tsv: str) -> list[SeenWord]:
    """The words in tesseract's TSV: level, ..., left, top, width, height, conf, text; level 5 is a word."""
    words: list[SeenWord] = []
    for line in tsv.splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) == 12 and cells[0] == _WORD_LEVEL and cells[11].strip():
            left, top, width, height = map(float, cells[6:10])
            words.append(SeenWord(cells[11].strip(), (left, top, left + width, top + height)))
    return words


def is_confirmed(word: SeenWord, others: Sequence[SeenWord]) -> bool:
    """Whether the numbers of a word, with their signs, stand in this order in the other reading there."""
    wanted = numbers_in(word.text)
    there = sorted((other for other in others if _at_one_place(word.box, other.box)), key=lambda o: o.box[0])
    found = numbers_in(" ".join(other.text for other in there))
    return any(found[n : n + len(wanted)] == wanted for n in range(len(found) - len(wanted) + 1))


def numbers_in(text: str) -> list[str]:
    """Numbers with comparator, minus and separators as they stand; a comparator alone where none follows."""
    plain = unicodedata.normalize("NFKC", text).replace("\u2264", "<=").replace("\u2265", ">=")
    return _NUMBER.findall(_SIGN.sub(r"\1", plain))


def _at_one_place(one: Box, other: Box) -> bool:
    middle = (other[1] + other[3]) / 2
    across = min(one[2], other[2]) - max(one[0], other[0])
    narrower = min(one[2] - one[0], other[2] - other[0])
    return one[1] <= middle <= one[3] and across > _SAME_PLACE * narrower


def _run(arguments: Sequence[str], given: bytes) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - our own arguments, no shell; the picture goes by a pipe
            [COMMAND, *arguments],
            input=given,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
