"""The one writer of Parquet files, for the store and for releases.

Bytes depend on the rows alone: full key sort, fixed row groups, one compression level, floats rounded to
their declared decimals, field metadata from the declaration. Thread counts and batch sizes change nothing.
"""

import os
import uuid
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from schemas.table import Table, conform, key_of, polars_schema, unit_of

ROW_GROUP_ROWS = 131_072
ZSTD_LEVEL = 3


def write_table(frame: pl.LazyFrame | pl.DataFrame, table: type[Table], path: Path) -> int:
    """Write a frame as one file of the table; returns its rows. The file appears whole or not at all."""
    sorted_frame = conform(frame.lazy(), table).sort(key_of(table)).collect()
    # Where chunks end follows from the number of threads; in one chunk nothing of that can reach the file.
    arrow = sorted_frame.rechunk().to_arrow(compat_level=pl.CompatLevel.oldest()).cast(arrow_schema(table))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        _write_file(arrow.combine_chunks(), temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return arrow.num_rows


def _write_file(arrow: pa.Table, path: Path) -> None:
    with path.open("wb") as stream:
        pq.write_table(
            arrow,
            stream,
            row_group_size=ROW_GROUP_ROWS,
            compression="zstd",
            compression_level=ZSTD_LEVEL,
            version="2.6",
            data_page_version="1.0",
            write_statistics=True,
            store_schema=True,
        )
        stream.flush()
        os.fsync(stream.fileno())


def arrow_schema(table: type[Table]) -> pa.Schema:
    """Arrow schema with description and unit in each field's metadata and the table's own in the schema's."""
    plain = pl.DataFrame(schema=polars_schema(table)).to_arrow(compat_level=pl.CompatLevel.oldest()).schema
    fields = [
        plain.field(name).with_metadata(
            {"description": column.description or "", **({"unit": unit} if (unit := unit_of(column)) else {})}
        )
        for name, column in table.columns().items()
    ]
    return pa.schema(
        fields,
        {
            "table": table.info.name,
            "schema_version": str(table.info.version),
            "one_row_is": table.info.one_row_is,
        },
    )
