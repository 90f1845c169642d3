"""Columns of text cells put together as a raw export."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.surveys.export import Sheet

# Stands for a cell that is none of the words its question has: no code, number, date or missing code.
NO_FIT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Column:
    """A column by its raw name; ``cells`` from the first row on."""

    name: str
    cells: tuple[str, ...]


def compose(columns: Sequence[Column], rows: int, previews: frozenset[int] = frozenset()) -> Sheet:
    """The columns as one sheet; those of one name become one, in the place of the first.

    Of several cells that are filled with different answers none is taken: NO_FIT stands instead.
    """
    together: dict[str, tuple[str, ...]] = {}
    for column in columns:
        have = together.get(column.name)
        together[column.name] = column.cells if have is None else _merged(have, column.cells)
    header = tuple(together)
    return Sheet(header, tuple(zip(*together.values(), strict=True)) if rows else (), previews)


def _merged(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(_one(a.strip(), b.strip()) for a, b in zip(first, second, strict=True))


def _one(first: str, second: str) -> str:
    if first and second and first != second:
        return NO_FIT
    return first or second
