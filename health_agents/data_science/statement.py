"""From a result to its statement: the named numbers put in their places."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from health_agents.data_science.result import PLACEHOLDER, NamedNumber, ProgramResult

_SIGNS = {"<": "< ", "<=": "at most ", ">": "> ", ">=": "at least ", None: ""}
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_SINGULAR = {"days": "day", "nights": "night", "weeks": "week", "minutes": "minute", "people": "person"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it is published and the names of the numbers it was written with."""

    text: str
    names: tuple[str, ...]


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


def write_sentences(result: ProgramResult) -> list[Sentence]:
    """The sentences of the statement, each placeholder filled with its number."""
    numbers = {number.name: number for number in result.numbers}

    def text_of(match: re.Match[str]) -> str:
        number = numbers[match["name"]]
        return shown_digits(number) if match["bare"] else rendered(number)

    return [
        Sentence(PLACEHOLDER.sub(text_of, one), tuple(match["name"] for match in PLACEHOLDER.finditer(one)))
        for one in _SENTENCE_END.split(result.statement)
    ]


def _ordinal_ending(digits: str) -> str:
    if digits[-2:] in ("11", "12", "13"):
        return "th"
    return {"1": "st", "2": "nd", "3": "rd"}.get(digits[-1], "th")
