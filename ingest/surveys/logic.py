"""REDCap's branching logic as a small tree: comparisons of fields, and / or / not, brackets. It is only read.

What REDCap offers beside (functions, smart variables, arithmetic, instances, piping) is not understood here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as Words

MAX_CHARACTERS = 4_000
MAX_DEPTH = 30
Operator = Words["=", "<>", "<", "<=", ">", ">="]
_SPELLINGS: dict[str, Operator] = {
    "=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=",
}  # fmt: skip
_WORDS = {"and": "and", "&&": "and", "or": "or", "||": "or", "not": "not", "!": "not"}
_TOKEN = re.compile(
    r"""(?P<ref>(?:\[(?P<event>[a-z][a-z0-9_]*)\])?\[(?P<field>[a-z][a-z0-9_]*)(?:\((?P<code>[\w.-]{1,100})\))?\])
    |(?P<text>'[^'\[\]]*'|"[^"\[\]]*")
    |(?P<number>-?\d{1,15}(?:\.\d{1,15})?(?![\w.]))
    |(?P<operator><>|!=|<=|>=|==|=|<|>)
    |(?P<word>(?:and|or|not)\b|&&|\|\||!)
    |(?P<bracket>[()])""",
    re.IGNORECASE | re.VERBOSE,
)
_BLANK = re.compile(r"\s*")


class LogicNotUnderstoodError(Exception):
    """The text is not of the part of the language that is read here; it says nothing of the text."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An answer: ``[event][field(code)]``; ``event`` None: that of the row. ``code``: a box of a checkbox."""

    field: str
    code: str | None = None
    event: str | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or a quoted text, without its quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two answers or constants compared."""

    operator: Operator
    left: Reference | Constant
    right: Reference | Constant


@dataclass(frozen=True, slots=True)
class Not:
    """The contrary."""

    part: "Logic"


@dataclass(frozen=True, slots=True)
class Joined:
    """Several conditions: all of them (and), or one of them (or)."""

    word: Words["and", "or"]
    parts: tuple["Logic", ...]


Logic = Comparison | Not | Joined


def parse_logic(text: str) -> Logic:
    """The condition under which a field is shown. Raises LogicNotUnderstoodError, for any other text too."""
    if len(text) > MAX_CHARACTERS:
        raise LogicNotUnderstoodError
    return _Reader(list(_tokens(text))).whole()


def references(logic: Logic) -> frozenset[Reference]:
    """All answers a condition asks for."""
    match logic:
        case Comparison(left=left, right=right):
            return frozenset(side for side in (left, right) if isinstance(side, Reference))
        case Not(part=part):
            return references(part)
        case Joined(parts=parts):
            return frozenset().union(*map(references, parts))


def _tokens(text: str) -> Iterator[re.Match[str]]:
    place, end = _after_blanks(text, 0), len(text)
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise LogicNotUnderstoodError
        yield token
        place = _after_blanks(text, token.end())


def _after_blanks(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


class _Reader:
    """Recursive descent: or over and over not over a comparison or brackets, as deep as MAX_DEPTH."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._place = 0

    def whole(self) -> Logic:
        logic = self._joined("or", 0)
        if self._place != len(self._tokens):
            raise LogicNotUnderstoodError
        return logic

    def _joined(self, word: Words["and", "or"], depth: int) -> Logic:
        parts = [self._part(word, depth)]
        while self._takes("word", word):
            parts.append(self._part(word, depth))
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _part(self, word: Words["and", "or"], depth: int) -> Logic:
        return self._joined("and", depth) if word == "or" else self._negated(depth)

    def _negated(self, depth: int) -> Logic:
        if depth > MAX_DEPTH:
            raise LogicNotUnderstoodError
        if self._takes("word", "not"):
            return Not(self._negated(depth + 1))
        if self._takes("bracket", "("):
            inner = self._joined("or", depth + 1)
            if not self._takes("bracket", ")"):
                raise LogicNotUnderstoodError
            return inner
        return self._comparison()

    def _comparison(self) -> Comparison:
        left, operator, right = self._operand(), self._next(), self._operand()
        if operator.lastgroup != "operator":
            raise LogicNotUnderstoodError
        return Comparison(_SPELLINGS[operator[0]], left, right)

    def _operand(self) -> Reference | Constant:
        token = self._next()
        if token["ref"]:
            event = token["event"]
            return Reference(token["field"].lower(), token["code"], event.lower() if event else None)
        if token["text"]:
            return Constant(token["text"][1:-1])
        if token["number"]:
            return Constant(token["number"])
        raise LogicNotUnderstoodError

    def _next(self) -> re.Match[str]:
        if self._place >= len(self._tokens):
            raise LogicNotUnderstoodError
        self._place += 1
        return self._tokens[self._place - 1]

    def _takes(self, group: str, meaning: str) -> bool:
        token = self._tokens[self._place] if self._place < len(self._tokens) else None
        said = token[group] if token else None
        if said is None or _WORDS.get(said.lower(), said) != meaning:
            return False
        self._place += 1
        return True
