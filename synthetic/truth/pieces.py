"""The truth of one participant after the other, joined into one file a table with memory for one of them."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from outputs.parquet import ROW_GROUP_ROWS, ZSTD_LEVEL, arrow_schema, write_table
from schemas.table import Table
from schemas.tables import TABLES

PIECES = ".pieces"


def write_pieces(truth: Path, participant_id: str, frames: Mapping[str, pl.DataFrame]) -> None:
    """Keep the rows of one participant, by the name of the table."""
    for name, frame in frames.items():
        write_table(frame, TABLES[name], truth / PIECES / name / f"{participant_id}.parquet")


def join_pieces(truth: Path) -> None:
    """Make ``<table>.parquet`` of the pieces of every table, in the order of the ids; removes the pieces."""
    for folder in sorted((truth / PIECES).iterdir()):
        _join(sorted(folder.iterdir()), TABLES[folder.name], truth / f"{folder.name}.parquet")
    shutil.rmtree(truth / PIECES)


def _join(pieces: Sequence[Path], table: type[Table], path: Path) -> None:
    """Ids lead the key of every table, so pieces in the order of the ids are in the order of the key."""
    with pq.ParquetWriter(
        path, arrow_schema(table), compression="zstd", compression_level=ZSTD_LEVEL, version="2.6"
    ) as writer:
        for piece in pieces:
            writer.write_table(pq.read_table(piece), row_group_size=ROW_GROUP_ROWS)
