"""Readings of members kept from one run to the next, so that a member that did not change is not read again.

A member is known by its kind, name, size and checksum (from the archive's index; a loose file by its sha256).
A kept reading counts only while a file it was read from lies in the folder, unharmed there: so the result
depends on the files alone, never on what was read before. What one run read anew is one pack of files; its
index is written last, and only that means done. Losing packs costs time, never a result.
"""

import json
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from ingest.fitbit.reading import Reading, Rejected
from outputs.digests import canonical_json, digest, file_sha256

_NUMBER = "_reading"


class ReadingKey(NamedTuple):
    """What a reading is known by: its kind, the member's name, and what its bytes are known by."""

    kind: str
    name: str
    mark: str

    @property
    def digest(self) -> str:
        """As it is kept in a folder, where it must not tell the name."""
        return digest("reading", *self)


@dataclass(frozen=True, slots=True)
class _Kept:
    """An entry of a pack's index. number: of its rows in the file of its kind."""

    pack: Path
    kind: str
    number: int
    counts: Mapping[str, Any]


class KeptReadings:
    """Kept readings of one participant.

    folder: where packs lie, or None to keep nothing. version: of the readers
    (readers_version.py); packs of others are dropped.
    present: sha256 of the files that lie in the participant's folder now.
    """

    def __init__(self, folder: Path | None, version: str, present: Collection[str]) -> None:
        self._folder, self._version = folder, version
        self._new: dict[ReadingKey, tuple[str, Reading]] = {}
        self._kept: dict[str, _Kept] = {}
        self._loaded: dict[tuple[Path, str], dict[int | None, pl.DataFrame]] = {}
        for index in sorted(folder.glob("*.json")) if folder else ():
            self._kept.update(_entries(index, version, present))

    def find(self, key: ReadingKey) -> Reading | None:
        """The reading of a member read before, in this run or another, or None."""
        if key in self._new:
            return self._new[key][1]
        kept = self._kept.get(key.digest) if self._kept else None
        return None if kept is None else _reading(self._rows(kept), kept.counts)

    def keep(self, key: ReadingKey, sha256: str, reading: Reading) -> None:
        """Keep a reading of a member that was unharmed in a file."""
        self._new[key] = (sha256, reading)

    def _rows(self, kept: _Kept) -> pl.DataFrame:
        place = (kept.pack, kept.kind)
        if place not in self._loaded:
            frame = pl.read_ipc(_rows_path(*place))
            parts = frame.partition_by(_NUMBER, as_dict=True, include_key=False)
            self._loaded[place] = {None: frame.clear().drop(_NUMBER)} | {
                int(str(number)): part for (number,), part in parts.items()
            }
        rows = self._loaded[place]
        return rows.get(kept.number, rows[None])

    def save(self) -> None:
        """Write what was read anew as a pack, and drop packs of other versions."""
        if self._folder is None or not self._new:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        for index in self._folder.glob("*.json"):
            if _told(index).get("version") != self._version:
                _drop(index)
        named = {key.digest: (key.kind, *told) for key, told in self._new.items()}
        _write_pack(self._folder / digest(sorted(named)), self._version, named)


def _entries(index: Path, version: str, present: Collection[str]) -> dict[str, _Kept]:
    told = _told(index)
    if told.get("version") != version:
        return {}
    whole = {kind for kind, sha256 in told["files"].items() if _is_whole(_rows_path(index, kind), sha256)}
    return {
        key: _Kept(index, kind, number, counts)
        for key, (sha256, kind, number, counts) in told["readings"].items()
        if sha256 in present and kind in whole
    }


def _is_whole(path: Path, sha256: str) -> bool:
    try:
        return file_sha256(path) == sha256
    except OSError:
        return False


def _reading(frame: pl.DataFrame, counts: Mapping[str, Any]) -> Reading:
    rejected = [Rejected(*parts) for parts in counts["rejected"]]
    return Reading(frame, counts["rows"], rejected, counts["ignored"], counts["merged"])


def _write_pack(stem: Path, version: str, new: Mapping[str, tuple[str, str, Reading]]) -> None:
    index = stem.with_name(f"{stem.name}.json")
    by_kind: dict[str, list[pl.DataFrame]] = {}
    readings: dict[str, Any] = {}
    for key, (kind, sha256, reading) in sorted(new.items()):
        frames = by_kind.setdefault(kind, [])
        readings[key] = (sha256, kind, len(frames), _counts(reading))
        frames.append(reading.frame.with_columns(pl.lit(len(frames), pl.Int32).alias(_NUMBER)))
    files: dict[str, str] = {}
    for kind, frames in by_kind.items():
        path = _rows_path(index, kind)
        temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
        pl.concat(frames).write_ipc(temporary, compression="zstd")
        files[kind] = file_sha256(temporary)
        temporary.replace(path)
    temporary = index.with_name(f".{uuid.uuid4().hex}.tmp")
    temporary.write_text(canonical_json({"version": version, "files": files, "readings": readings}))
    temporary.replace(index)


def _counts(reading: Reading) -> dict[str, Any]:
    rejected = [(r.row, r.rule, r.column, r.rows) for r in reading.rejected]
    return {
        "rows": reading.rows,
        "merged": reading.merged,
        "ignored": dict(reading.ignored),
        "rejected": rejected,
    }


def _rows_path(index: Path, kind: str) -> Path:
    return index.with_name(f"{index.stem}.{kind}.arrow")


def _told(index: Path) -> dict[str, Any]:
    """What an index holds; nothing where it is broken."""
    try:
        told = json.loads(index.read_bytes())
    except (OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}


def _drop(index: Path) -> None:
    """The index first: without it the rest means nothing."""
    index.unlink(missing_ok=True)
    for path in index.parent.glob(f"{index.stem}.*.arrow"):
        path.unlink(missing_ok=True)
