"""The name of the person whose page it is: labelled, written ``SURNAME, FIRST``, or above the age."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ingest.labs.column_content import form_of
from ingest.labs.columns import Header, titles_of
from ingest.labs.head_facts import WORD_OF_NAME, Fact
from ingest.labs.lines import Line
from ingest.labs.names import may_be_a_person, name_tokens

SEX_LABEL = r"(?:sex|gender|geschlecht|sexe|sesso|sexo)"
AGE_WORD = r"(?:age|alter|âge|edad|età)"
_AGE_LABEL = re.compile(rf"^{AGE_WORD}(?:\s*/\s*{SEX_LABEL})?\s*[:.]", re.IGNORECASE)
# Behind a name a date is that of birth; a date with a time of day stands behind the title of a table.
_SURNAME_FIRST = re.compile(
    rf"^({WORD_OF_NAME}(?: {WORD_OF_NAME}){{0,3}}, {WORD_OF_NAME}(?: {WORD_OF_NAME}){{0,3}})"
    r"(?: \((?!.*\d:\d\d).*\))?$"
)
_PLAIN_NAME = re.compile(rf"^(?:(?:{WORD_OF_NAME}|[A-Z])\.? ){{1,3}}{WORD_OF_NAME}$")
SAME_MARGIN_POINTS = 2.0
HEAD_LINES = 12
FOOT_LINES = 3


def name_on(lines: Sequence[Line], facts: Sequence[Fact]) -> str | None:
    """The labelled name, else a cell of head or foot like ``SURNAME, FIRST``, else a name above the age."""
    if labelled := [fact.text for fact in facts if fact.kind == "name"]:
        return labelled[0]
    if parts := [fact.text for fact in facts if fact.kind in ("surname", "forename")]:
        return " ".join(dict.fromkeys(parts))
    return _surname_first(lines) or _name_above_age(lines)


def _surname_first(lines: Sequence[Line]) -> str | None:
    cells = [(n, s.text) for n in _head_and_foot(len(lines)) for s in lines[n].segments]
    written = [(n, m[1]) for n, text in cells if (m := _SURNAME_FIRST.match(text)) is not None]
    persons = [(n, name) for n, name in written if may_be_a_person(name)]
    rows = _result_rows(lines) if persons else set[int]()
    return next((name for n, name in persons if n not in rows), None)


def _head_and_foot(lines: int) -> list[int]:
    return [*range(min(HEAD_LINES, lines)), *range(max(lines - FOOT_LINES, 0), lines)]


def _result_rows(lines: Sequence[Line]) -> set[int]:
    """The rows of tables with titles: ``Color, UA`` with a value in the column of results is no person."""
    rows: set[int] = set()
    header: Header | None = None
    for n, line in enumerate(lines):
        if (titles := titles_of(line)) is not None:
            header = titles
        elif header is not None and _has_result(line, header):
            rows.add(n)
    return rows


def _has_result(line: Line, header: Header) -> bool:
    first, *others = line.segments
    return header.role_of(first) == "name" and any(
        header.role_of(s) == "value" and form_of(s.text, comma) in ("value", "bound")
        for s in others
        for comma in (False, True)
    )


def _name_above_age(lines: Sequence[Line]) -> str | None:
    """A block of the patient without the label of the name: the cell right above ``Age:`` at its margin."""
    head = lines[:HEAD_LINES]
    for above, line in pairwise(head):
        for label in (s for s in line.segments if _AGE_LABEL.match(s.text)):
            for cell in (s for s in above.segments if abs(s.x0 - label.x0) <= SAME_MARGIN_POINTS):
                if _PLAIN_NAME.match(cell.text) and all(
                    may_be_a_person(word) for word in name_tokens(cell.text)
                ):
                    return cell.text
    return None
