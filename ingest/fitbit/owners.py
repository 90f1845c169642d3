"""Rows that name their person by an id of the study: only those of the folder's owner are used."""

from collections.abc import Collection
from dataclasses import replace

import polars as pl

from ingest.fitbit.reading import Reading

OTHER_PERSON = "other_person"


def of_owner(reading: Reading, ids: Collection[str] | None) -> tuple[Reading, bool | None]:
    """A reading without rows of other people, and whether any row named the owner: None where none names one.

    ids: the owner's study id and aliases in small letters, None to keep all rows. Rows whose ``owner`` is
    null lie in the owner's folder and say nothing. The column ``owner`` is dropped.
    """
    if "owner" not in reading.frame.columns:
        return reading, None
    if ids is None:
        return replace(reading, frame=reading.frame.drop("owner")), None
    name = pl.col("owner").str.to_lowercase()
    own = name.is_in(list(ids))
    named = reading.frame.filter(pl.col("owner").is_not_null())
    kept = reading.frame.filter(pl.col("owner").is_null() | own).drop("owner")
    rows = pl.col("rows").sum() if "rows" in reading.frame.columns else pl.len()
    lost = int(reading.frame.select(rows).item() - kept.select(rows).item())
    ignored = {**reading.ignored, OTHER_PERSON: lost} if lost else reading.ignored
    is_named = None if named.is_empty() else not named.filter(own).is_empty()
    return replace(reading, frame=kept, ignored=ignored), is_named
