"""Rows of a release that belong to one participant, read as they are asked for."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from pha.release_reader import Release

Row = dict[str, Any]
# Keys of cells that stand for several days.
SPAN = ("from", "to")


class Cells:
    """The tables of a release, cut to one participant."""

    def __init__(self, release: Release, participant_id: str) -> None:
        self.release, self.participant_id = release, participant_id
        self._tables: dict[str, pl.DataFrame] = {}

    def table(self, name: str) -> pl.DataFrame:
        """The participant's rows of a table."""
        if name not in self._tables:
            own = pl.col("participant_id") == self.participant_id
            self._tables[name] = self.release.scan(name).filter(own).collect()
        return self._tables[name]

    def row(self, table: str, key: Mapping[str, Any]) -> Row:
        """The one row of a key; LookupError where the release has none: then it is damaged."""
        found = self.rows(table, key)
        if len(found) != 1:
            raise LookupError(f"{table} has {len(found)} rows of {sorted(key)}")
        return found[0]

    def rows(self, table: str, key: Mapping[str, Any]) -> list[Row]:
        """The rows whose columns hold what the key says; a null in the key is one in the row."""
        frame = self.table(table)
        wanted = (
            pl.col(name).cast(pl.String).eq_missing(None if value is None else pl.lit(str(value)))
            for name, value in key.items()
            if name in frame.columns
        )
        return frame.filter(*wanted).to_dicts()

    def fact(self, fact_id: str) -> Row | None:
        """A fact of the participant, or None."""
        found = self.rows("facts", {"fact_id": fact_id})
        return found[0] if found else None
