"""Cells of other survey systems in the way a raw REDCap export writes them: codes, Y-M-D, 24 hours."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Literal

from ingest.surveys.answers import MISSING_CODES
from ingest.surveys.cells import NO_FIT
from ingest.surveys.dictionary import Field
from schemas.errors import PhaError

Order = Literal["ymd", "mdy", "dmy"]
Written = Literal["codes", "labels"]

_DATE = re.compile(r"^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})(?:[ T]+(.+))?$")
_CLOCK = re.compile(r"^(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*([AaPp]\.?[Mm]\.?)?$")


def iso_day(cell: str, order: Order) -> str | None:
    """A day, with its time of day where it has one, as Y-M-D H:M:S; None where it is no date in that order.

    A year comes first wherever the first part has four digits.
    """
    found = _DATE.match(cell.strip())
    if found is None:
        return None
    parts = dict(zip("ymd" if len(found[1]) == 4 else order, (found[1], found[2], found[3]), strict=True))
    if len(parts["y"]) != 4:
        return None
    try:
        day = date(int(parts["y"]), int(parts["m"]), int(parts["d"])).isoformat()
    except ValueError:
        return None
    if not found[4]:
        return day
    time = clock(found[4])
    return f"{day} {time}" if time else None


def clock(cell: str) -> str | None:
    """A time of day of 12 or 24 hours as H:M:S; None where it is none."""
    found = _CLOCK.match(cell.strip())
    if found is None:
        return None
    hour, half = int(found[1]), (found[4] or "").replace(".", "").casefold()
    if half and not 1 <= hour <= 12:
        return None
    hour = hour % 12 + (12 if half == "pm" else 0) if half else hour
    return f"{hour:02d}:{found[2]}:{found[3] or '00'}" if hour < 24 else None


def raw_cells(field: Field, cells: Sequence[str], order: Order, written: Written | None) -> tuple[str, ...]:
    """A column's cells as raw ones; words that are none of a question's choices do not fit."""
    if field.kind == "choice":
        return tuple(map(_choice(field, _written(field.choices, cells, written)), cells))
    if field.kind == "date":
        return tuple(map(_or_missing(partial(iso_day, order=order)), cells))
    if field.kind == "time":
        return tuple(map(_or_missing(_time), cells))
    return tuple(cells)


def ticks(field: Field, cells: Sequence[str], written: Written | None) -> dict[str, tuple[str, ...]]:
    """Boxes that share a cell, as a column a code: 1 where ticked, 0 where not.

    A code for missing data stays in each box; NO_FIT where the cell is no list of boxes or could be several.
    """
    read = {cell: _ticked(field, cell.strip(), written) for cell in set(cells)}

    def raw(cell: str, code: str) -> str:
        found = read[cell]
        return found if isinstance(found, str) else str(int(code in found))

    return {code: tuple(raw(cell, code) for cell in cells) for code, _ in field.choices}


def box(code: str, label: str, cells: Sequence[str]) -> tuple[str, ...]:
    """A column of one box: its code, its label or 1 where ticked.

    Blank is unticked in a column that has no 0 for it; where it has, blank is no answer.
    """
    filled = {cell.strip() for cell in cells}
    known = {"": "" if "0" in filled else "0", "0": "0", "1": "1", label: "1", code: "1"}
    if code == "0":
        known["0"] = NO_FIT  # The box of that code ticked, or any box unticked?
    known |= {missing: missing for missing in MISSING_CODES if missing not in known}
    return tuple(known.get(cell.strip(), NO_FIT) for cell in cells)


def _time(cell: str) -> str | None:
    """A time of day, without seconds that are 0."""
    return time.removesuffix(":00") if (time := clock(cell)) and time.count(":") == 2 else time


def _or_missing(read: Callable[[str], str | None]) -> Callable[[str], str]:
    """The reading of a filled cell; a code for missing data stays as it is."""

    def raw(cell: str) -> str:
        words = cell.strip()
        return words and (read(words) or (words if words in MISSING_CODES else NO_FIT))

    return raw


def _written(choices: Sequence[tuple[str, str]], cells: Sequence[str], told: Written | None) -> Written:
    """Whether a column holds codes or labels: every filled cell decides, unless the study has told.

    Raises PhaError survey_unreadable where both fit and mean different choices.
    """
    filled = {cell.strip() for cell in cells} - {"", *MISSING_CODES}
    codes, labels = {code: code for code, _ in choices}, {label: code for code, label in choices}
    if told is not None:
        return told
    coded, labelled = filled <= set(codes), filled <= set(labels)
    if coded and labelled and any(codes[cell] != labels[cell] for cell in filled):
        raise PhaError("survey_unreadable", problem="choices could be codes or labels; say which in answers")
    if coded or labelled:
        return "codes" if coded else "labels"
    return "codes" if len(filled & set(codes)) > len(filled & set(labels)) else "labels"


def _choice(field: Field, written: Written) -> Callable[[str], str]:
    """Words that are no choice do not fit; a label that two codes share tells neither."""
    words = [code if written == "codes" else label for code, label in field.choices]
    coded = zip(words, field.choices, strict=True)
    codes = {word: code for word, (code, _) in coded if words.count(word) == 1}
    return _or_missing(codes.get)


def _ticked(field: Field, cell: str, written: Written | None) -> frozenset[str] | str:
    """Codes of the ticked boxes, the code for missing data, or NO_FIT."""
    codes = {code: code for code, _ in field.choices}
    labels = {label: code for code, label in field.choices}
    if cell in MISSING_CODES and cell not in codes:
        return cell
    found = _lists(cell, codes, ",") if written != "labels" else set[frozenset[str]]()
    found |= _lists(cell, labels, ", ") if written != "codes" else set[frozenset[str]]()
    return found.pop() if len(found) == 1 else NO_FIT


def _lists(cell: str, words: Mapping[str, str], joint: str) -> set[frozenset[str]]:
    """All that a list of words can mean, each word at most once: they may hold the joint themselves."""
    if not cell:
        return {frozenset()}
    begun = [word for word in words if word and f"{cell}{joint}".startswith(word + joint)]
    return {
        rest | {words[word]}
        for word in begun
        for rest in _lists(
            cell[len(word) + len(joint) :], {w: code for w, code in words.items() if w != word}, joint
        )
    }
