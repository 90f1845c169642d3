"""The analysts' import: read a release without knowing where its files lie."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from schemas.errors import PhaError


@dataclass(frozen=True)
class Release:
    """A published release. ``edition`` is the percentile edition its ranks are from, or None."""

    path: Path
    as_of: date
    kind: str
    edition: str | None

    @property
    def tables(self) -> list[str]:
        """Names of the tables, in the order of the data dictionary."""
        return list(self._resources)

    def scan(self, table: str) -> pl.LazyFrame:
        """All rows of a table, lazily; PhaError release_table_unknown for any other name."""
        resource = self._resource(table)
        files = [self.path / entry["path"] for entry in resource["files"]]
        return pl.scan_parquet(files) if files else pl.LazyFrame(schema=_polars_schema(resource))

    def describe(self, table: str) -> pl.DataFrame:
        """One row a column: column, type, unit, description, key and required."""
        schema = self._resource(table)["schema"]
        rows = [
            {
                "column": field["name"],
                "type": field["type"],
                "unit": field.get("unit"),
                "description": field["description"],
                "key": field["name"] in schema["primaryKey"],
                "required": field["constraints"]["required"],
            }
            for field in schema["fields"]
        ]
        return pl.DataFrame(rows, schema_overrides={"unit": pl.String})

    def warnings(self, table: str) -> list[str]:
        """What to know before using a table."""
        return list(self._resource(table)["warnings"])

    @cached_property
    def _resources(self) -> dict[str, Mapping[str, Any]]:
        package = json.loads((self.path / "datapackage.json").read_bytes())
        return {resource["name"]: resource for resource in package["resources"]}

    def _resource(self, table: str) -> Mapping[str, Any]:
        if table not in self._resources:
            near = get_close_matches(table, self._resources, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else "."
            raise PhaError("release_table_unknown", wrong=table, hint=hint)
        return self._resources[table]


def open_release(path: str | Path) -> Release:
    """Open a release folder, or the newest release of an OUT folder (``OUT/latest``).

    Raises PhaError ``release_missing`` where there is none.
    """
    given = Path(path).expanduser()
    folder = given if (given / "datapackage.json").is_file() else given / "latest"
    if not (folder / "datapackage.json").is_file():
        raise PhaError("release_missing")
    run = json.loads((folder / "run.json").read_bytes())
    return Release(folder.resolve(), date.fromisoformat(run["as_of"]), run["kind"], run["edition"])


def _polars_schema(resource: Mapping[str, Any]) -> dict[str, pl.DataType]:
    """Types of a table that has no file yet, such as minutes of a study without wearables."""
    return {field["name"]: _polars_type(field) for field in resource["schema"]["fields"]}


def _polars_type(field: Mapping[str, Any]) -> pl.DataType:
    types: dict[str, pl.DataType] = {
        "string": pl.String(),
        "integer": pl.Int64(),
        "number": pl.Float64(),
        "boolean": pl.Boolean(),
        "date": pl.Date(),
        "datetime": pl.Datetime("us", "UTC" if field.get("clock") == "UTC" else None),
    }
    return types[field["type"]]
