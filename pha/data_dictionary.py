"""docs/data_dictionary.md: every published table and column, from their declarations."""

import inspect
from collections.abc import Iterator

import dataframely as dy

from pha.markdown import code, page, table
from schemas.table import Table, key_of, unit_of
from schemas.tables import TABLES

_TYPES: dict[type[dy.Column], str] = {
    dy.String: "text",
    dy.Int64: "whole number",
    dy.Float64: "number",
    dy.Bool: "true or false",
    dy.Date: "day",
    dy.Datetime: "local time",
}


def data_dictionary() -> str:
    """The page's text. Tables that are never published are left out."""
    published = [declared for declared in TABLES.values() if declared.info.kinds]
    contents = table(
        ["table", "one row is", "key", "in releases"],
        (
            [
                f"[`{info.name}`](#{info.name})",
                info.one_row_is,
                ", ".join(key_of(declared)),
                ", ".join(info.kinds),
            ]
            for declared in published
            if (info := declared.info)
        ),
    )
    intro = (
        "Every published table. Units and descriptions also stand in the Parquet files' field metadata and "
        "in a release's `datapackage.json`. **Bold** columns are the key; one marked *always* is never empty."
    )
    return page("Data dictionary", intro, contents, *(_section(declared) for declared in published))


def _section(declared: type[Table]) -> str:
    info = declared.info
    facts = [f"One row is {info.one_row_is}. Version {info.version}. Key: {', '.join(key_of(declared))}."]
    if info.layout == "per_participant":
        facts.append(f"One file a participant: `tables/{info.name}/<participant_id>.parquet`.")
    if info.folder != "tables":
        facts.append(f"Its file: `{info.folder}/{info.name}.parquet`.")
    facts += [f"`{columns}` points at [`{target}`](#{target})." for columns, target in info.references]
    warnings = "\n".join(f"- {warning[:1].upper()}{warning[1:].rstrip('.')}." for warning in info.warnings)
    rules = "\n".join(f"- `{name}`: {text}" for name, text in _rules(declared))
    columns = table(["column", "type", "unit", "filled", "allowed", "description"], _columns(declared))
    parts = [
        f"## {info.name}",
        " ".join(facts),
        f"Know before use:\n\n{warnings}" if warnings else "",
        columns,
        f"Rules on rows:\n\n{rules}" if rules else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _columns(declared: type[Table]) -> Iterator[list[str]]:
    for name, column in declared.columns().items():
        yield [
            f"**{name}**" if column.primary_key else name,
            _type(column),
            unit_of(column) or "",
            "" if column.nullable else "always",
            _allowed(column),
            column.description or "",
        ]


def _type(column: dy.Column) -> str:
    metadata = column.metadata or {}
    if metadata.get("format") == "json":
        return "JSON text"
    if metadata.get("clock") == "UTC":
        return "instant (UTC)"
    if "decimals" in metadata:
        return f"number, {metadata['decimals']} decimals"
    return _TYPES[type(column)]


def _allowed(column: dy.Column) -> str:
    """The words or limits of a column."""
    if words := (column.metadata or {}).get("allowed"):
        return ", ".join(code(word) for word in words)
    if pattern := getattr(column, "regex", None):
        return code(pattern)
    low, high = getattr(column, "min", None), getattr(column, "max", None)
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"from {low}" if low is not None else f"to {high}" if high is not None else ""


def _rules(declared: type[Table]) -> Iterator[tuple[str, str]]:
    """Row rules declared in the class: their names are the reasons of rejection."""
    for name, member in vars(declared).items():
        function = getattr(member, "validation_fn", None)
        if function is not None:
            yield name, inspect.getdoc(function) or ""
