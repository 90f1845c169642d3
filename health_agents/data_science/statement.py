"""From a result to its statement: numbers put in their places, then read back and checked one by one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from health_agents.data_science.result import LAST_DAYS, PLACEHOLDER, NamedNumber, ProgramResult

_SIGNS = {"<": "< ", "<=": "at most ", ">": "> ", ">=": "at least ", None: ""}
_DIRECTIONS = re.compile(r"\b(above|below|within|rising|falling|steady)\b")
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_STATED = re.compile(f"{PLACEHOLDER.pattern}|{LAST_DAYS.pattern}")
_SINGULAR = {"days": "day", "nights": "night", "weeks": "week", "minutes": "minute", "people": "person"}


@dataclass(frozen=True, slots=True)
class Claim:
    """A number or window as it stands in a sentence, the number it rests on and the verdict of the check."""

    sentence: str
    quoted: str
    name: str
    verdict: str


def rendered(number: NamedNumber) -> str:
    """A number as shown: rounded half up to its decimals, with its unit and the sign of a bound."""
    digits = shown_digits(number)
    if number.unit == "percentile":
        return f"{_SIGNS[number.comparator]}{digits}{_ordinal_ending(digits)} percentile"
    unit = _SINGULAR.get(number.unit or "", number.unit) if digits == "1" else number.unit
    return f"{_SIGNS[number.comparator]}{digits} {unit or ''}".rstrip()


def shown_digits(number: NamedNumber) -> str:
    """The number alone, with a comma between thousands."""
    step = Decimal(1).scaleb(-number.decimals)
    value = Decimal(repr(number.value)).quantize(step, rounding=ROUND_HALF_UP)
    return f"{value if value else abs(value):,}"


def write_statement(result: ProgramResult) -> tuple[str, list[Claim]]:
    """The statement and a claim for each number and window in it, in the order of reading."""
    numbers = {number.name: number for number in result.numbers}
    claims = [
        claim for template in _SENTENCE_END.split(result.statement) for claim in _claims(template, numbers)
    ]
    return _fill(result.statement, numbers), claims


def _fill(template: str, numbers: dict[str, NamedNumber]) -> str:
    return PLACEHOLDER.sub(lambda match: _text_of(match, numbers), template)


def _text_of(match: re.Match[str], numbers: dict[str, NamedNumber]) -> str:
    number = numbers[match["name"]]
    return shown_digits(number) if match["bare"] else rendered(number)


def _claims(template: str, numbers: dict[str, NamedNumber]) -> Iterator[Claim]:
    sentence = _fill(template, numbers)
    named = [numbers[match[1]] for match in PLACEHOLDER.finditer(template)]
    verdict = "verified" if _directions_hold(template, named) else "direction_differs"
    for match in _STATED.finditer(template):
        if number := numbers.get(match["name"] or ""):
            yield Claim(sentence, _text_of(match, numbers), number.name, verdict)
        else:
            yield Claim(sentence, match[0], _owner(f"last_{match['days']}_days", named, numbers), verdict)


def _owner(window: str, named: list[NamedNumber], numbers: dict[str, NamedNumber]) -> str:
    """The number a window's words rest on: one of the sentence, else one of the result."""
    return next(number.name for number in [*named, *numbers.values()] if number.window == window)


def _directions_hold(template: str, named: list[NamedNumber]) -> bool:
    """The words of direction in a sentence are exactly those of its numbers."""
    said = set(_DIRECTIONS.findall(template))
    return said == {number.direction for number in named if number.direction is not None}


def _ordinal_ending(digits: str) -> str:
    if digits[-2:] in ("11", "12", "13"):
        return "th"
    return {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
