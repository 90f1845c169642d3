"""Words of a page as pdfplumber finds them, by the boxes they stand in."""

import re
from collections.abc import Sequence
from typing import Any

Word = dict[str, Any]


def squeezed(text: str | None) -> str:
    return re.sub(r"[\s^]", "", text or "")


def inside(words: Sequence[Word], x0: float, top: float, x1: float, bottom: float) -> str:
    """Words whose middle lies in a box, line by line, without blanks."""
    found = [
        word
        for word in words
        if x0 <= (word["x0"] + word["x1"]) / 2 < x1 and top <= (word["top"] + word["bottom"]) / 2 < bottom
    ]
    lines: list[list[Word]] = []
    for word in sorted(found, key=lambda word: float(word["bottom"])):
        if not lines or word["bottom"] - lines[-1][0]["bottom"] > 6:
            lines.append([])
        lines[-1].append(word)
    ordered = (sorted(line, key=lambda word: float(word["x0"])) for line in lines)
    return squeezed("".join(word["text"] for line in ordered for word in line))
