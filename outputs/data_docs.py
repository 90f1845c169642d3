"""The page of a release's checks: one file, right without a network, all text escaped, no values."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from outputs.digests import canonical_json
from outputs.gate import Check

MEANING = {
    "declared_form": "Every row is in the declared form",
    "reference": "Every row pointed at is there",
    "counts_close": "Counts close",
    "minute_files": "Each minute file: form, rising keys, one known participant",
    "enrolment": "Enrolled = present + explained",
    "rejected_share": "Share of rows rejected",
    "coverage": "Rows against the last release",
    "magnitude": "Typical size against the last release",
    "key_unique": "The key is unique",
    "not_null": "Never empty",
    "allowed_words": "Only the declared words",
    "null_share": "Values not gone missing since the last release",
}


def write_data_docs(
    folder: Path, name: str, as_of: str, previous: str | None, made_up: bool, checks: Sequence[Check]
) -> None:
    """Write ``index.html`` for people and ``results.json`` for programs."""
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(
        canonical_json({"release": name, "checks": [asdict(check) for check in checks]}), encoding="utf-8"
    )
    pages = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    page = pages.get_template("data_docs.html.j2").render(
        name=name,
        as_of=as_of,
        previous=previous,
        made_up=made_up,
        total=len(checks),
        failed=[check for check in checks if not check.passed],
        tables=[(table, list(group)) for table, group in groupby(checks, key=lambda check: check.table)],
        meaning=MEANING,
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
