"""The Parquet files of a release folder, found by the name of their table."""

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from outputs.parquet import write_table
from schemas.table import empty
from schemas.tables import TABLES


def names_of(kind: str, layout: str | None = None) -> list[str]:
    """Tables that a release of a kind holds, in the order of the data dictionary."""
    return [
        name
        for name, table in TABLES.items()
        if kind in table.info.kinds and (layout is None or table.info.layout == layout)
    ]


def files_of(release: Path, table: str) -> list[Path]:
    """The files of a table: one, or one a participant by name."""
    if TABLES[table].info.layout == "per_participant":
        return sorted((release / "tables" / table).glob("*.parquet"))
    path = place_of(release, table)
    return [path] if path.is_file() else []


def place_of(release: Path, table: str) -> Path:
    """Where the one file of a table is in a release."""
    return release / TABLES[table].info.folder / f"{table}.parquet"


def scan(release: Path, table: str) -> pl.LazyFrame:
    """All rows of a table of a release; no rows where the release does not hold it."""
    files = files_of(release, table)
    return pl.scan_parquet(files) if files else empty(TABLES[table]).lazy()


def write_tables(release: Path, kind: str, tables: Mapping[str, pl.LazyFrame]) -> None:
    """Write every one-file table of the kind. A table left out or one too many is a fault of the caller."""
    wanted = set(names_of(kind, "one_file"))
    if wanted != set(tables):
        raise ValueError(
            f"tables missing {sorted(wanted - set(tables))}, unknown {sorted(set(tables) - wanted)}"
        )
    for name, frame in tables.items():
        write_table(frame, TABLES[name], place_of(release, name))


def link_minute_files(release: Path, kind: str, files: Mapping[str, Mapping[str, Path]]) -> None:
    """Put the participants' minute files into the release without a second copy on the same device."""
    unknown = set(files) - set(names_of(kind, "per_participant"))
    if unknown:
        raise ValueError(f"no tables of one file a participant: {sorted(unknown)}")
    for table in names_of(kind, "per_participant"):
        folder = release / "tables" / table
        folder.mkdir(parents=True)
        for participant_id, source in sorted(files.get(table, {}).items()):
            _link_or_copy(source, folder / f"{participant_id}.parquet")


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        target.hardlink_to(source)
    except OSError as error:
        if error.errno not in {errno.EXDEV, errno.EPERM, errno.EMLINK, errno.ENOTSUP}:
            raise
        shutil.copyfile(source, target)


def make_read_only(release: Path) -> None:
    """Take the right to write from every file: a release never changes."""
    for folder, _, names in os.walk(release):
        for name in names:
            Path(folder, name).chmod(0o444)
