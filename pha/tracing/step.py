"""What a trace is made of: cells of published tables, days, and places in what a participant sent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class Records:
    """What a file holds of a value: the member's rows that count for one day, or the cell of one answer.

    kind: what the reader takes the member for. count: rows of the member that count for the day.
    numbers: which rows those are, from 1, as the reader counts them; empty where several rows are read as
    one. values: the rows as the reader sees them, a few of them.
    """

    kind: str
    count: int
    numbers: tuple[int, ...]
    values: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in what a participant sent.

    name and member: real names, from OUT/private; None where they are not at hand. page, box: of a lab
    report, in points from the top left. printed: what stands there. rule: why this source was taken.
    """

    source: str
    file_id: str
    name: str | None = None
    member_id: str | None = None
    member: str | None = None
    rule: str | None = None
    page: int | None = None
    box: tuple[float, ...] | None = None
    printed: str | None = None
    records: tuple[Records, ...] = ()


@dataclass(frozen=True, slots=True)
class Day:
    """A day's cell. left_out: why it does not count; None where it counts."""

    date: date
    value: Any
    left_out: str | None
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A cell of a published table, what it holds, and what it rests on.

    said: in words. value: of one cell; days: of a cell that stands for several days.
    """

    table: str
    key: Mapping[str, Any]
    column: str
    said: str
    value: Any = None
    days: tuple[Day, ...] = ()
    origins: tuple[Origin, ...] = ()
    rests_on: tuple["Step", ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """A fact as published and the cell it was read from."""

    release: str
    participant_id: str
    fact_id: str
    label: str
    rendered: str
    cell: Step


def steps_of(step: Step) -> Iterator[Step]:
    """A step and all it rests on."""
    yield step
    for below in step.rests_on:
        yield from steps_of(below)


def origins_of(step: Step) -> Iterator[Origin]:
    """All places in files that a step rests on in the end."""
    for each in steps_of(step):
        yield from each.origins
        for day in each.days:
            yield from day.origins
