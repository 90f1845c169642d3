"""Columns of the rows of several kinds, one kind after the other: a participant has few of the many kinds."""

from collections.abc import Mapping, Sequence

import polars as pl


def rows_of(kept: Mapping[str, pl.DataFrame], kinds: Sequence[str], *columns: str) -> pl.DataFrame:
    """These columns of all rows of the kinds. Taken by name, which costs no pass over an empty frame."""
    names = list(columns)
    told = [kept[kind][names] for kind in kinds if kept[kind].height]
    return pl.concat(told) if told else kept[kinds[0]][names]


def kinds_with(kept: Mapping[str, pl.DataFrame], column: str) -> list[str]:
    """Kinds whose rows have a column."""
    return [kind for kind, frame in kept.items() if column in frame.columns]
