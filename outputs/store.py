"""OUT/store: finished pieces of work, and the memory of what failed.

``store/<stage>/<owner>/<key>.<table>.parquet`` for each table, then ``<key>.json`` last: only that file
means done. Files are created once and never changed; the first writer wins, so any number of processes may
share a store. A failure is such a record too, permanent or transient; a transient one is tried again.
"""

import json
import os
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import polars as pl

from outputs.digests import canonical_json, digest, file_sha256
from outputs.lock import exclusive
from outputs.parquet import write_table
from schemas.errors import PhaError
from schemas.table import empty
from schemas.tables import TABLES

COHORT = "_cohort"


@dataclass(frozen=True, slots=True)
class Result:
    """What a stage made for one owner.

    tables: published tables by name (rows of this owner only).
    document: small JSON the next stages need that is no table. Ingest stages keep under "problems" a list
        of {"code", "subject", "what"}: what to tell people of single files, without ending the stage.
    private: file_id or member_id -> real name, kept in OUT/private only.
    """

    tables: Mapping[str, pl.DataFrame | pl.LazyFrame] = field(default_factory=dict[str, pl.DataFrame])
    document: Mapping[str, Any] = field(default_factory=dict[str, Any])
    private: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Piece:
    """A record of the store: what was made (or failed) for an owner in a stage under a key."""

    stage: str
    owner: str
    key: str
    state: Literal["done", "failed"]
    result_digest: str
    tables: dict[str, str] = field(default_factory=dict[str, str])
    document: dict[str, Any] = field(default_factory=dict[str, Any])
    seconds: float = 0.0
    code: str | None = None
    what: str | None = None
    transient: bool = False


class Store:
    """The pieces below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def find(self, stage: str, owner: str, key: str) -> Piece | None:
        """The finished or failed piece under a key, or None."""
        record = self._folder(stage, owner) / f"{key}.json"
        try:
            return Piece(**json.loads(record.read_bytes()))
        except FileNotFoundError:
            return None

    def newest(self, stage: str, owner: str) -> Piece | None:
        """The result that a stage made last for an owner, whatever its key; None where there is none."""
        records = sorted(self._folder(stage, owner).glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        pieces = (self.find(stage, owner, path.stem) for path in reversed(records))
        return next((piece for piece in pieces if piece is not None and piece.state == "done"), None)

    def table_path(self, piece: Piece, table: str) -> Path | None:
        """The Parquet file of a table of a piece, or None where the piece has no such table."""
        if table not in piece.tables:
            return None
        return self._folder(piece.stage, piece.owner) / f"{piece.key}.{table}.parquet"

    def scan(self, pieces: Iterable[Piece], table: str) -> pl.LazyFrame:
        """All rows of a table over pieces; no rows where none has it."""
        paths = [path for piece in pieces if (path := self.table_path(piece, table)) is not None]
        return pl.scan_parquet(paths) if paths else empty(TABLES[table]).lazy()

    def put(self, stage: str, owner: str, key: str, result: Result, seconds: float = 0.0) -> Piece:
        """Keep a result; returns the record in the store, which may be that of an earlier writer.

        Tables that hold when things ran are no part of the result's digest: equal work stays equal.
        """
        folder = self._folder(stage, owner)
        document = json.loads(canonical_json(result.document))
        with exclusive(folder):
            if (first := self._settled(stage, owner, key)) is not None:
                return first
            digests: dict[str, str] = {}
            for name, frame in result.tables.items():
                path = folder / f"{key}.{name}.parquet"
                write_table(frame, TABLES[name], path)
                digests[name] = file_sha256(path)
            self._keep_private_names(stage, owner, key, result.private)
            lasting = {name: sha for name, sha in digests.items() if not TABLES[name].info.times_excluded}
            content = digest(lasting, document)
            piece = Piece(stage, owner, key, "done", content, digests, document, round(seconds, 3))
            return self._record(piece)

    def put_failure(self, stage: str, owner: str, key: str, error: PhaError) -> Piece:
        """Keep a failure: its code, its safe text and whether another try may help."""
        piece = Piece(
            stage,
            owner,
            key,
            "failed",
            error.code.name,
            code=error.code.name,
            what=error.what,
            transient=error.code.transient,
        )
        with exclusive(self._folder(stage, owner)):
            return self._settled(stage, owner, key) or self._record(piece)

    def get_or_make(self, stage: str, owner: str, key: str, make: Callable[[], Result]) -> "Made":
        """The piece under a key, made now if it is missing or failed in a way worth another try."""
        found = self.find(stage, owner, key)
        if found is not None and not found.transient:
            return Made(found, reused=True)
        started = time.perf_counter()
        try:
            result = make()
        except PhaError as error:
            if error.code.scope == "usage":
                raise
            return Made(self.put_failure(stage, owner, key, error), reused=False)
        return Made(self.put(stage, owner, key, result, time.perf_counter() - started), reused=False)

    def _folder(self, stage: str, owner: str) -> Path:
        return self.root / stage / owner

    def _keep_private_names(self, stage: str, owner: str, key: str, names: Mapping[str, str]) -> None:
        if not names:
            return
        private = self.root.parent / "private"
        private.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = private / stage / owner
        folder.mkdir(parents=True, exist_ok=True)
        _write_whole(folder / f"{key}.json", canonical_json(names))

    def _settled(self, stage: str, owner: str, key: str) -> Piece | None:
        """The record that nobody may replace: a result, or a failure that another try won't mend."""
        found = self.find(stage, owner, key)
        return None if found is None or found.transient else found

    def _record(self, piece: Piece) -> Piece:
        """Write the record that means done, after everything it speaks of is on disk."""
        record = self._folder(piece.stage, piece.owner) / f"{piece.key}.json"
        _write_whole(record, canonical_json(asdict(piece)))
        return piece


@dataclass(frozen=True, slots=True)
class Made:
    """A piece and whether it was there already."""

    piece: Piece
    reused: bool


def _write_whole(path: Path, text: str) -> None:
    """The file appears whole or not at all, also when the machine stops."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
