"""Check a release from its own files: is it what was published, and does it hold together?

Everything is taken from the release's own descriptor, so that a release made by an older version of the
project is judged by what it says of itself.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from outputs.datapackage import NAME as DATAPACKAGE
from outputs.digests import file_sha256
from outputs.gate_words import SUBJECTS
from outputs.problem import Problem, damaged
from outputs.release import run_id_of
from outputs.release_checks import count_orphans, open_counts, standing_unverified
from outputs.release_folder import parse_name
from outputs.shareable_checks import disclosure_faults

RUN = "run.json"


def verify_release(path: Path) -> list[Problem]:
    """All faults of a release folder; none means that it is whole, unchanged and consistent.

    Digests, sizes and row counts; no file missing or extra; Parquet schemas and field metadata against the
    descriptor; keys; references; sums that must close; claims; the run id. Raises nothing for a damaged file.
    """
    release = path.resolve()
    try:
        package = json.loads((release / DATAPACKAGE).read_bytes())
        run = json.loads((release / RUN).read_bytes())
    except (OSError, ValueError):
        return [damaged(f"{DATAPACKAGE} or {RUN}", "missing or not JSON")]
    try:
        for look in _LOOKS:
            # What is wrong at one level makes the next not worth judging.
            if problems := list(look(release, package, run)):
                return problems
    except _NOT_AS_DESCRIBED as error:
        return [damaged(DATAPACKAGE, f"does not describe the release ({type(error).__name__})")]
    return []


def _published(release: Path, package: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _files(release, package)
    yield from _identity(release, run)
    yield from _recorded_twice(package, run)


def _files(release: Path, package: Mapping[str, Any]) -> Iterator[Problem]:
    """Each file named is there with its digest, and no other file is."""
    named = {entry["path"]: entry for entry in package["otherFiles"]}
    named |= {entry["path"]: entry for resource in package["resources"] for entry in resource["files"]}
    there = {path.relative_to(release).as_posix() for path in release.rglob("*") if not path.is_dir()}
    yield from (damaged(name, "missing") for name in sorted(set(named) - there))
    yield from (
        damaged(name, "no part of the release") for name in sorted(there - set(named) - {DATAPACKAGE})
    )
    for name in sorted(there & set(named)):
        if f"sha256:{file_sha256(release / name)}" != named[name]["hash"]:
            yield damaged(name, "its content is not what was published")


def _identity(release: Path, run: Mapping[str, Any]) -> Iterator[Problem]:
    """The folder's name, the record and the digest of what it was made from agree."""
    name = parse_name(release.name)
    identity = run["identity"]
    if run_id_of(identity) != run["run_id"]:
        yield damaged(RUN, "the run id is not the digest of what the release was made from")
    if name is None or (name.as_of.isoformat(), name.kind, name.run_id) != (
        identity["as_of"],
        identity["kind"],
        run["run_id"],
    ):
        yield damaged(RUN, "the folder's name is not that of the release")


def _recorded_twice(package: Mapping[str, Any], run: Mapping[str, Any]) -> Iterator[Problem]:
    """run.json and the descriptor, whose own digest stands nowhere, tell the same of every table file."""
    described = {entry["path"]: entry for resource in package["resources"] for entry in resource["files"]}
    recorded = run["tables"]
    for path in sorted(set(described) | set(recorded)):
        known = {key: value for key, value in described.get(path, {}).items() if key != "path"}
        if known != recorded.get(path):
            yield damaged(path, f"{RUN} and {DATAPACKAGE} differ on it")


def _forms(release: Path, package: Mapping[str, Any], _: Mapping[str, Any]) -> Iterator[Problem]:
    for resource in package["resources"]:
        if resource["rows"] != sum(entry["rows"] for entry in resource["files"]):
            yield damaged(resource["name"], "the rows of its files do not sum to its rows")
        for entry in resource["files"]:
            yield from _form(release / entry["path"], entry, resource["schema"])


def _rows(release: Path, package: Mapping[str, Any], _: Mapping[str, Any]) -> Iterator[Problem]:
    resources = {resource["name"]: resource for resource in package["resources"]}
    for resource in resources.values():
        for entry in resource["files"]:
            yield from _keys(release / entry["path"], entry["path"], resource["schema"])
        yield from _references(release, resource, resources)


def _form(path: Path, entry: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Problem]:
    """Rows, column names, types and field metadata of a file are as described."""
    footer = pq.read_metadata(path)
    if footer.num_rows != entry["rows"]:
        yield damaged(entry["path"], "the number of rows differs")
    arrow = pq.read_schema(path)
    fields = schema["fields"]
    if arrow.names != [field["name"] for field in fields]:
        yield damaged(entry["path"], "the columns differ")
        return
    for field in fields:
        if not _is_as_described(arrow.field(field["name"]), field):
            yield damaged(entry["path"], f"column {field['name']}: type, unit or description differs")


def _is_as_described(column: pa.Field, field: Mapping[str, Any]) -> bool:
    metadata = {key.decode(): value.decode() for key, value in (column.metadata or {}).items()}
    return (
        _arrow_type(field) == column.type
        and metadata.get("description") == field["description"]
        and metadata.get("unit") == field.get("unit")
    )


def _arrow_type(field: Mapping[str, Any]) -> pa.DataType:
    types: dict[str, pa.DataType] = {
        "string": pa.large_string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "date": pa.date32(),
        "datetime": pa.timestamp("us", tz="UTC" if field.get("clock") == "UTC" else None),
    }
    return types[field["type"]]


def _keys(path: Path, shown: str, schema: Mapping[str, Any]) -> Iterator[Problem]:
    """The key is unique and every required column is filled. One file at a time."""
    rows = pl.scan_parquet(path)
    required = [field["name"] for field in schema["fields"] if field["constraints"]["required"]]
    key = schema["primaryKey"]
    counts = rows.select(
        rows=pl.len(),
        keys=pl.struct(key).n_unique(),
        empty=pl.sum_horizontal(pl.lit(0, pl.UInt32), *(pl.col(name).null_count() for name in required)),
    ).collect()
    height, keys, empty = counts.row(0)
    if height != keys:
        yield damaged(shown, f"{height - keys} rows have a key that is not theirs alone")
    if empty:
        yield damaged(shown, f"{empty} cells are empty that must not be")


def _references(
    release: Path, resource: Mapping[str, Any], resources: Mapping[str, Mapping[str, Any]]
) -> Iterator[Problem]:
    files = [release / entry["path"] for entry in resource["files"]]
    for reference in resource["schema"]["foreignKeys"] if files else ():
        target = resources[reference["reference"]["resource"]]
        there = pl.scan_parquet([release / entry["path"] for entry in target["files"]])
        missing = sum(count_orphans(pl.scan_parquet(path), reference["fields"], there) for path in files)
        if missing:
            yield damaged(resource["name"], f"{missing} rows point at no row of {target['name']}")


def _sums(release: Path, _: Mapping[str, Any], __: Mapping[str, Any]) -> Iterator[Problem]:
    """Counts close, shareable tables tell of no few people, nothing unverified stands in a published text."""
    for subject, faults in open_counts(release).items():
        if faults and subject != "claims.unverified_in_text":
            yield damaged(subject, f"{faults} files whose counts do not close")
    for rule, faults in disclosure_faults(release).items():
        if faults:
            yield damaged("shareable", f"{SUBJECTS[rule]} ({faults})")
    for participant_id, text in sorted(set(standing_unverified(release))):
        yield damaged("claims", f"{text} of {participant_id} holds a claim that was not verified")


_LOOKS = (_published, _forms, _rows, _sums)
_NOT_AS_DESCRIBED = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OSError,
    pl.exceptions.PolarsError,
    pa.ArrowException,
)
