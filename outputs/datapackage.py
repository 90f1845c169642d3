"""``datapackage.json``: the release described in the Frictionless Data Package form (version 2).

Every table with its columns, types, units, descriptions and constraints, and every file with its digest.
Beyond the standard: ``rows``, ``files`` (each file of a table), a field's ``unit`` and ``decimals``, a
resource's ``warnings``, and the package's ``otherFiles`` (pages and records with their digests).
"""

from datetime import datetime
from pathlib import Path
from typing import Any

import dataframely as dy
import pyarrow.parquet as pq

from outputs.digests import file_sha256
from outputs.release_folder import ReleaseName
from outputs.release_tables import files_of, names_of, place_of
from schemas.table import Table, key_of, unit_of
from schemas.tables import TABLES

NAME = "datapackage.json"
PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
MEDIATYPE = "application/vnd.apache.parquet"

_TYPES: dict[type[dy.Column], str] = {
    dy.String: "string",
    dy.Int64: "integer",
    dy.Float64: "number",
    dy.Bool: "boolean",
    dy.Date: "date",
    dy.Datetime: "datetime",
}


def describe_release(release: Path, name: ReleaseName, title: str, created: datetime) -> dict[str, Any]:
    """The descriptor of a written release folder, from its files and the declarations."""
    return {
        "$schema": PROFILE,
        "name": str(name),
        "title": title,
        "created": created.isoformat(),
        "resources": [resource(release, TABLES[table]) for table in names_of(name.kind)],
        "otherFiles": [
            {"path": path, "bytes": (release / path).stat().st_size, "hash": _hash(release / path)}
            for path in other_files(release)
        ],
    }


def other_files(release: Path) -> list[str]:
    """Paths within the release of all that is neither a table nor the descriptor itself."""
    paths = (path.relative_to(release).as_posix() for path in release.rglob("*") if not path.is_dir())
    apart = {NAME, *(place_of(release, table).relative_to(release).as_posix() for table in TABLES)}
    return sorted(path for path in paths if path not in apart and not path.startswith("tables/"))


def resource(release: Path, table: type[Table]) -> dict[str, Any]:
    """One table: where its files are, what they hold, and the form of its rows."""
    info = table.info
    files = [describe_file(release, path) for path in files_of(release, info.name)]
    alone = files[0] if info.layout == "one_file" else None
    return {
        "name": info.name,
        "type": "table",
        **_place(files, alone),
        "description": f"One row is {info.one_row_is}.",
        "version": str(info.version),
        **({"bytes": alone["bytes"], "hash": alone["hash"]} if alone else {}),
        "rows": sum(file["rows"] for file in files),
        "files": files,
        "warnings": list(info.warnings),
        "schema": table_schema(table),
    }


def _place(files: list[dict[str, Any]], alone: dict[str, Any] | None) -> dict[str, Any]:
    """Where the rows are; the standard wants a table without any file to be data without rows."""
    if not files:
        return {"data": []}
    path = alone["path"] if alone else [file["path"] for file in files]
    return {"path": path, "format": "parquet", "mediatype": MEDIATYPE}


def describe_file(release: Path, path: Path) -> dict[str, Any]:
    """A Parquet file's place in the release, size, digest and rows."""
    return {
        "path": path.relative_to(release).as_posix(),
        "bytes": path.stat().st_size,
        "hash": _hash(path),
        "rows": pq.read_metadata(path).num_rows,
    }


def table_schema(table: type[Table]) -> dict[str, Any]:
    """The Table Schema: fields, key, and references. A reference of several columns names them all."""
    references = [(columns.split("+"), target) for columns, target in table.info.references]
    return {
        "fields": [field(name, column) for name, column in table.columns().items()],
        "primaryKey": key_of(table),
        "foreignKeys": [
            {"fields": columns, "reference": {"resource": target, "fields": columns}}
            for columns, target in references
        ],
    }


def field(name: str, column: dy.Column) -> dict[str, Any]:
    """One column. ``clock`` says whether a datetime is UTC or what the participant's clock showed."""
    metadata = column.metadata or {}
    extra = {name: metadata[name] for name in ("decimals", "clock") if name in metadata}
    unit = unit_of(column)
    return {
        "name": name,
        "type": _TYPES[type(column)],
        "description": column.description,
        **({"unit": unit} if unit else {}),
        **({"contentMediaType": "application/json"} if metadata.get("format") == "json" else {}),
        **extra,
        "constraints": _constraints(column),
    }


def _constraints(column: dy.Column) -> dict[str, Any]:
    allowed = (column.metadata or {}).get("allowed")
    limits = {
        "required": not column.nullable,
        "minimum": getattr(column, "min", None),
        "maximum": getattr(column, "max", None),
        "enum": allowed,
        "pattern": None if allowed else getattr(column, "regex", None),
    }
    return {name: limit for name, limit in limits.items() if limit is not None}


def _hash(path: Path) -> str:
    return f"sha256:{file_sha256(path)}"
