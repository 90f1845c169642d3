"""What a reader makes of one member: the rows it accepts, and what became of every other row.

Rows read = accepted + rejected + ignored + merged, for each member and so for each file.
"""

import math
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from schemas.table import Table

_NO_RULE = -1
_numbered = ContextVar("numbered", default=False)


@contextmanager
def numbered_rows() -> Generator[None]:
    """Within it frames of readings keep ``row``, the number in the member: to walk back from a value.

    Elsewhere it is dropped, as it costs memory in every row. Kinds that read several rows as one have none.
    """
    token = _numbered.set(True)
    try:
        yield
    finally:
        _numbered.reset(token)


@dataclass(frozen=True, slots=True)
class Rule:
    """A named reason not to use a row: ``fails`` is true for such rows (null counts as false)."""

    name: str
    fails: pl.Expr
    column: str | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """Rows that could not be used: the first of them (from 1), how many, and why."""

    row: int
    rule: str
    column: str | None = None
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of a reader.

    frame: accepted rows in the columns of the kind; where it has a column ``rows``, a row of it stands for
        that many rows read.
    damaged_from: the first row that was lost because the member is damaged, or None.
    """

    frame: pl.DataFrame
    rows: int
    rejected: Sequence[Rejected] = ()
    ignored: Mapping[str, int] = field(default_factory=dict[str, int])
    merged: int = 0
    damaged_from: int | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """Decoded rows with their numbers (from 1) in ``row``, before any rule; and those that did not decode."""

    frame: pl.DataFrame
    rows: int
    rejected: tuple[Rejected, ...] = ()
    damaged_from: int | None = None

    def like(self, frame: pl.DataFrame) -> "Rows":
        """Another frame of the same rows, with ``row``."""
        return Rows(frame, self.rows, self.rejected, self.damaged_from)


class OtherForm(Exception):  # noqa: N818
    """The member has another form than its kind; nothing of it was read."""


class FormNotRead(OtherForm):
    """The member has a form that is known and holds study data, but is not read."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form


def sift(rows: Rows, reject: Sequence[Rule] = (), ignore: Sequence[Rule] = ()) -> Reading:
    """Keep the rows no rule names. A row is counted under the first rule that names it, ignoring first.

    The column ``row`` is dropped, but for ``numbered_rows``.
    """
    return sift_each([rows], rows.frame, reject, ignore)[0]


def sift_each(
    members: Sequence[Rows], frame: pl.DataFrame, reject: Sequence[Rule] = (), ignore: Sequence[Rule] = ()
) -> list[Reading]:
    """``sift`` for several members in one pass. frame: the rows of all, one member after the other."""
    rules = [*ignore, *reject]
    failed = _failed_rules(frame, rules)
    passes = failed == _NO_RULE
    kept = (frame if passes.all() else frame.filter(pl.Series(passes))).drop(
        [] if _numbered.get() else ["row"]
    )
    readings: list[Reading] = []
    start = kept_start = 0
    for rows in members:
        part = slice(start, start + rows.frame.height)
        own = kept.slice(kept_start, int(passes[part].sum()))
        ignored: dict[str, int] = {}
        rejected: list[Rejected] = []
        if own.height < rows.frame.height:
            ignored, rejected = _fates(failed[part], frame["row"][part], rules, len(ignore))
        readings.append(
            Reading(own, rows.rows, [*rows.rejected, *rejected], ignored, damaged_from=rows.damaged_from)
        )
        start, kept_start = part.stop, kept_start + own.height
    return readings


def _failed_rules(frame: pl.DataFrame, rules: Sequence[Rule]) -> NDArray[np.int64]:
    """For each row the number of the first rule that names it."""
    failing = frame.select(rule.fails.any().alias(str(i)) for i, rule in enumerate(rules))
    if not any(failing.row(0)):
        return np.full(frame.height, _NO_RULE)
    first = (pl.when(rule.fails).then(pl.lit(i, pl.Int64)) for i, rule in enumerate(rules))
    return frame.select(pl.coalesce(*first, pl.lit(_NO_RULE, pl.Int64))).to_series().to_numpy()


def _fates(
    failed: NDArray[np.int64], numbers: pl.Series, rules: Sequence[Rule], ignoring: int
) -> tuple[dict[str, int], list[Rejected]]:
    """Rows that failed: the first ``ignoring`` rules ignore a row, the others reject it."""
    ignored: Counter[str] = Counter()
    rejected: list[Rejected] = []
    places = np.flatnonzero(failed != _NO_RULE)
    for row, number in zip(numbers[places].to_list(), failed[places].tolist(), strict=True):
        rule = rules[number]
        if number < ignoring:
            ignored[rule.name] += 1
        else:
            rejected.append(Rejected(row, rule.name, rule.column))
    return dict(ignored), rejected


def whole(column: str) -> pl.Expr:
    """A float column as whole numbers, null where a value is none: nothing is rounded silently."""
    value = pl.col(column)
    return pl.when(value == value.round()).then(value.cast(pl.Int64, strict=False)).alias(column)


def limits_of(table: type[Table], column: str) -> tuple[float, float]:
    """The limits a published column declares; infinite where it declares none."""
    declared = table.columns()[column]
    low, high = getattr(declared, "min", None), getattr(declared, "max", None)
    return -math.inf if low is None else low, math.inf if high is None else high


def outside_limits(table: type[Table], column: str, value: pl.Expr | None = None) -> Rule:
    """The rule that a value must lie within the limits its published column declares."""
    low, high = limits_of(table, column)
    shown = pl.col(column) if value is None else value
    fails = pl.lit(False)
    if low > -math.inf:
        fails = fails | (shown < low)
    if high < math.inf:
        fails = fails | (shown > high)
    return Rule("outside_limits", fails, column)


def missing(column: str) -> Rule:
    """The rule that a value must be there and be of its type."""
    return Rule("value_missing", pl.col(column).is_null(), column)
