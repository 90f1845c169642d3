"""What became of every row read, by member: staged, merged, rejected, or ignored by a named rule."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import polars as pl

from ingest.archive import Content
from ingest.fitbit.exports import Export
from ingest.fitbit.file_read import FileRead, MemberReading
from ingest.fitbit.kinds import KIND_BY_NAME, Kind

# Codes of rejections that are no plain fault of a value.
_CODE_OF_RULE = {"file_unreadable", "member_unreadable", "member_damaged", "clock_unclear"}
ROW_REJECTED = "row_rejected"


class Ledger:
    """Members by number, the rows accepted from them by kind, and the fate of all rows.

    Frames that pass through here have ``member`` (its number), ``newer`` (rank of its export) and ``rows``.
    """

    def __init__(self, exports: Sequence[Export]) -> None:
        self.members: list[tuple[FileRead, MemberReading]] = []
        self.newer: list[int] = []
        for rank, export in enumerate(exports):
            for pair in export.readings:
                self.members.append(pair)
                self.newer.append(rank)
        self.fates: Counter[tuple[int, str, str]] = Counter()
        self.rejected: Counter[tuple[int, int, str, str | None]] = Counter()
        for number, (_, member) in enumerate(self.members):
            self._open(number, member)

    def accepted(self, kind: Kind) -> pl.DataFrame:
        """Rows of a kind over all members, as the readers accepted them."""
        frames = {
            number: member.reading.frame
            for number, (_, member) in enumerate(self.members)
            if member.kind.name == kind.name and not member.reading.frame.is_empty()
        }
        if not frames:
            return _empty(kind.name)
        heights = [frame.height for frame in frames.values()]
        numbers = np.fromiter(frames, np.int32)
        newer = np.array(self.newer, np.int32)[numbers]
        frame = pl.concat(frames.values(), rechunk=True)
        added = [
            pl.Series("member", np.repeat(numbers, heights)),
            pl.Series("newer", np.repeat(newer, heights)),
        ]
        if "rows" not in frame.columns:
            added.append(pl.Series("rows", np.ones(frame.height, np.int64)))
        return frame.hstack(added)

    def drop(self, frame: pl.DataFrame, condition: pl.Expr, fate: str, rule: str = "") -> pl.DataFrame:
        """Take rows out of a frame and count them under a fate: merged, or ignored or rejected by a rule."""
        if frame.is_empty():
            return frame
        is_out = frame.select(condition.fill_null(False)).to_series()
        if not is_out.any():
            return frame
        for number, rows in _rows_by_member(frame.filter(is_out)):
            self.fates[number, fate, rule] += rows
            if fate == "rejected":
                self.rejected[number, 0, rule, None] += rows
        return frame.filter(~is_out)

    def keep_best(self, frame: pl.DataFrame, kind: Kind) -> pl.DataFrame:
        """One row a key: the best by ``kind.best``; the others are merged into it."""
        if frame.is_empty():
            return frame
        key = pl.col(kind.key[0]) if len(kind.key) == 1 else pl.struct(kind.key)
        if frame.select(key.n_unique()).item() == frame.height:
            return frame
        order = frame.sort(
            *kind.key,
            *kind.best,
            "member",
            descending=[*(False for _ in kind.key), *(True for _ in kind.best), False],
            maintain_order=True,
        )
        first = pl.struct(kind.key) != pl.struct(kind.key).shift(1)
        marked = order.with_columns(first.fill_null(True).alias("_best"))
        return self.drop(marked, ~pl.col("_best"), "merged").drop("_best")

    def staged(self, kept: Sequence[pl.DataFrame]) -> None:
        """Count the rows that stay."""
        for frame in kept:
            for number, rows in _rows_by_member(frame):
                self.fates[number, "staged", ""] += rows

    def _open(self, number: int, member: MemberReading) -> None:
        reading = member.reading
        self.fates[number, "merged", ""] += reading.merged
        for rule, rows in reading.ignored.items():
            self.fates[number, "ignored", rule] += rows
        for rejected in reading.rejected:
            self.fates[number, "rejected", rejected.rule] += rejected.rows
            self.rejected[number, rejected.row, rejected.rule, rejected.column] += rejected.rows


def _rows_by_member(frame: pl.DataFrame) -> list[tuple[int, int]]:
    """Numbers of members and how many rows read stand in a frame of each."""
    members, rows = frame["member"].to_numpy(), frame["rows"].to_numpy()
    totals = np.bincount(members, rows)
    return [(int(number), int(totals[number])) for number in np.flatnonzero(np.bincount(members))]


def code_of(rule: str) -> str:
    """The code a rejected row is published under."""
    return rule if rule in _CODE_OF_RULE else ROW_REJECTED


@cache
def _empty(kind: str) -> pl.DataFrame:
    frame = KIND_BY_NAME[kind].read(Content(b""), "").frame.drop("owner", strict=False)
    added = {"member": pl.Int32, "newer": pl.Int32} | ({} if "rows" in frame.columns else {"rows": pl.Int64})
    return frame.with_columns(pl.lit(None, dtype).alias(name) for name, dtype in added.items())
