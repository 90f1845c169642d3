"""Publish a release: written whole beside the others, checked, then named by one rename, or held back.

A release is known by its run id, the digest of all that decides what is in it. Nothing in a release ever
changes: the same id finds the release that is there.
"""

import json
import shutil
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from outputs.data_docs import write_data_docs
from outputs.datapackage import NAME as DATAPACKAGE
from outputs.datapackage import describe_file, describe_release
from outputs.digests import canonical_json, digest
from outputs.gate import Check, run_gate
from outputs.lock import exclusive
from outputs.problem import Problem, held
from outputs.release_folder import Kind, ReleaseName, move_links
from outputs.release_readme import readme
from outputs.release_tables import files_of, link_minute_files, make_read_only, names_of, write_tables
from outputs.shareable_readme import shareable_readme
from schemas.errors import PhaError
from schemas.settings import Settings

RESULT_VERSION = 2
RUN_ID_DIGITS = 12


@dataclass(frozen=True)
class ReleaseContent:
    """All that a release is made of.

    edition: the percentile edition in force. previous: folder name of the last release of the kind.
    tables: every one-file table of the kind. minute_files: per-participant table -> participant_id -> file
    of the store. inputs: everything that decides the run id: result digests of the pieces, the digests of
    decisions and settings, result versions. about: what run.json says besides (versions, timings, cost).
    """

    kind: Kind
    as_of: date
    settings: Settings
    edition: str | None
    previous: str | None
    tables: Mapping[str, pl.LazyFrame]
    minute_files: Mapping[str, Mapping[str, Path]]
    inputs: Mapping[str, str]
    about: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Published:
    """Where the release is. ``existing``: it was there already. ``held``: why stands in ``problems``."""

    path: Path
    run_id: str
    existing: bool
    held: bool
    problems: list[Problem]


def run_id(content: ReleaseContent) -> str:
    """Digest of all that decides the content: equal ids mean equal tables. Times and cost are not in it."""
    return run_id_of(identity(content))


def identity(content: ReleaseContent) -> dict[str, Any]:
    """What the run id is the digest of, as run.json keeps it."""
    return {
        "release_version": RESULT_VERSION,
        "kind": content.kind,
        "as_of": content.as_of.isoformat(),
        "edition": content.edition,
        "previous": content.previous,
        "inputs": dict(content.inputs),
    }


def run_id_of(parts: Mapping[str, Any]) -> str:
    """The run id of an identity as run.json keeps it."""
    return digest("release", parts)[:RUN_ID_DIGITS]


def publish(
    out: Path, content: ReleaseContent, write_reports: Callable[[Path], None], now: datetime
) -> Published:
    """Make the release of a content, or find it; moves the links. A release that fails a check is held.

    ``write_reports`` is given the folder with its tables, data_docs and run.json, before it gets its name.
    ``now`` only says when; a disk that is full raises OSError and leaves no trace.
    """
    name = ReleaseName(content.as_of, content.kind, run_id(content))
    out.mkdir(parents=True, exist_ok=True)
    out.chmod(0o700)
    with exclusive(out / "releases"):
        _drop_unfinished(out / "releases")
        target = out / "releases" / str(name)
        if target.is_dir():
            move_links(out, name)
            return Published(target, name.run_id, existing=True, held=False, problems=[])
        return _make(out, content, name, write_reports, now)


def _make(
    out: Path,
    content: ReleaseContent,
    name: ReleaseName,
    write_reports: Callable[[Path], None],
    now: datetime,
) -> Published:
    folder = out / "releases" / f".{name}.{uuid.uuid4().hex}.tmp"
    try:
        write_tables(folder, content.kind, content.tables)
        link_minute_files(folder, content.kind, content.minute_files)
        before = _previous_folder(out, content)
        checks = run_gate(folder, content.kind, before, content.settings.drift)
        _write_checks(folder, name, content, checks)
        if failed := [check for check in checks if not check.passed]:
            return _hold(out, folder, name, failed)
        _write_about(folder, name, content, now)
        write_reports(folder)
        _write_json(folder / DATAPACKAGE, describe_release(folder, name, content.settings.study.name, now))
        make_read_only(folder)
        folder.rename(out / "releases" / str(name))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    move_links(out, name)
    return Published(out / "releases" / str(name), name.run_id, existing=False, held=False, problems=[])


def _previous_folder(out: Path, content: ReleaseContent) -> Path | None:
    if content.previous is None:
        return None
    folder = out / "releases" / content.previous
    if not folder.is_dir():
        raise PhaError("release_missing")
    return folder


def _write_checks(folder: Path, name: ReleaseName, content: ReleaseContent, checks: list[Check]) -> None:
    made_up = content.settings.study.made_up
    write_data_docs(
        folder / "data_docs", str(name), name.as_of.isoformat(), content.previous, made_up, checks
    )


def _hold(out: Path, folder: Path, name: ReleaseName, failed: list[Check]) -> Published:
    """Keep the folder aside, in the place of an earlier attempt at the same release."""
    target = out / "held" / str(name)
    target.parent.mkdir(exist_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    folder.rename(target)
    problems = [held(f"{check.table}: {check.check}", str(check)) for check in failed]
    return Published(target, name.run_id, existing=False, held=True, problems=problems)


def _write_about(folder: Path, name: ReleaseName, content: ReleaseContent, now: datetime) -> None:
    run = {
        "name": str(name),
        "run_id": name.run_id,
        "identity": identity(content),
        "kind": content.kind,
        "as_of": content.as_of.isoformat(),
        "edition": content.edition,
        "previous": content.previous,
        "published_at": now.isoformat(),
        "study": content.settings.study.model_dump(mode="json"),
        "settings": content.settings.model_dump(mode="json", exclude={"alerts": {"command"}}),
        "tables": _table_digests(folder, content.kind),
        "about": dict(content.about),
    }
    _write_json(folder / "run.json", run)
    (folder / "README.md").write_text(readme(name, content.settings, content.edition), encoding="utf-8")
    if (folder / "shareable").is_dir():
        text = shareable_readme(name, content.settings)
        (folder / "shareable" / "README.md").write_text(text, encoding="utf-8")


def _table_digests(folder: Path, kind: Kind) -> dict[str, dict[str, Any]]:
    files = [describe_file(folder, path) for table in names_of(kind) for path in files_of(folder, table)]
    return {file.pop("path"): file for file in files}


def _write_json(path: Path, value: object) -> None:
    text = json.dumps(json.loads(canonical_json(value)), indent=1, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _drop_unfinished(releases: Path) -> None:
    """Remove what killed runs left; under the lock nobody else is writing."""
    for leftover in releases.glob(".*.tmp"):
        shutil.rmtree(leftover)
