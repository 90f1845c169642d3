"""The page of a release's checks: one file, right without a network, all text escaped, no values."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from outputs.digests import canonical_json
from outputs.gate import Check
from outputs.gate_words import FAULTS

TITLES = {
    "declared_form": "Every row is in its declared form",
    "references": "Every row pointed at is there",
    "counts": "Counts close",
    "minute_files": "Each minute file: form, rising keys, one known participant",
    "enrolment": "Enrolled = present + explained",
    "rejected": "Share of rows rejected, by source",
    "coverage": "Rows now over rows at the last release",
    "magnitude": "Typical size now over that at the last release",
    "shareable": "Shareable tables tell of no fewer than 11 people",
    "shared_before": "What was shared of an edition stays as it was",
    "quartiles_moved": "Quartiles against the last release, beyond chance",
    "people_kept": "People with a value over those at the last release",
    "unit_jumps": "Share of people whose value changed as between two units",
}

MEANING = {
    "key_unique": "key is unique",
    "not_null": "never empty",
    "allowed_words": "only declared words",
    "null_share": "share with a value",
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
        faults=FAULTS,
        meaning=MEANING,
        titles=TITLES,
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
