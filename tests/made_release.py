"""A small made release: three people, forty days, every table of the kind, with rows that hold together."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import dataframely as dy
import polars as pl

from outputs.parquet import write_table
from outputs.release import Published, ReleaseContent, publish
from outputs.release_tables import names_of
from schemas.settings import Settings, StudySection
from schemas.table import conform, empty
from schemas.tables import TABLES

PEOPLE = ("P1", "P2", "P3")
DAYS = 40
FIRST = date(2026, 1, 1)
AS_OF = date(2026, 2, 9)
NOW = datetime(2026, 2, 10, 3, 0, tzinfo=UTC)
SETTINGS = Settings(study=StudySection(name="Walk & <Rest>", time_zone="Europe/Amsterdam", made_up=True))

Frames = dict[str, pl.DataFrame]


def rows(table: str, *given: dict[str, Any]) -> pl.DataFrame:
    """Rows in the table's form; a required column that is not given gets a plain value."""
    filled = [{**_required(table), **row} for row in given]
    return conform(pl.LazyFrame(filled, infer_schema_length=None), TABLES[table]).collect()


def _required(table: str) -> dict[str, Any]:
    return {name: _plain(column) for name, column in TABLES[table].columns().items() if not column.nullable}


def _plain(column: dy.Column) -> Any:
    allowed = (column.metadata or {}).get("allowed")
    if allowed:
        return allowed[0]
    if isinstance(column, dy.String):
        return "{}" if (column.metadata or {}).get("format") == "json" else "word"
    if isinstance(column, dy.Int64):
        return max(column.min or 0, 0)
    if isinstance(column, dy.Bool):
        return False
    if isinstance(column, dy.Date):
        return FIRST
    if isinstance(column, dy.Float64):
        return 1.0
    return datetime(2026, 1, 1, tzinfo=UTC if column.time_zone else None)


def frames(kind: str = "full") -> Frames:
    """Every one-file table of a kind."""
    made = {table: empty(TABLES[table]) for table in names_of(kind, "one_file")}
    return made | {table: frame for table, frame in _content().items() if table in made}


def _content() -> Frames:
    facts = [{"participant_id": person, "fact_id": "steps.median", "rendered": "8,000"} for person in PEOPLE]
    return {
        "participants": rows("participants", *({"participant_id": p, "has_wearable": True} for p in PEOPLE)),
        "daily_summary": rows("daily_summary", *_days()),
        "source_files": rows("source_files", *_files()),
        "run_ledger": rows(
            "run_ledger",
            {"participant_id": "_cohort", "stage": "edition"},
            *({"participant_id": person, "stage": "fitbit"} for person in PEOPLE),
        ),
        "lab_files": rows("lab_files", {"participant_id": "P1", "file_id": "lab1", "status": "accepted"}),
        "lab_results": rows(
            "lab_results",
            {"participant_id": "P1", "file_id": "lab1", "row_no": 1, "page": 1, "raw_name": "GLUCOSE"},
        ),
        "metrics": rows("metrics", {"metric": "steps"}),
        "facts": rows("facts", *facts),
        "claims": rows(
            "claims",
            {
                "participant_id": "P1",
                "text": "summary:clinician",
                "claim_no": 1,
                "sentence": "8,000 steps.",
                "fact_id": "steps.median",
            },
        ),
        "summaries": rows(
            "summaries",
            {
                "participant_id": "P1",
                "reader": "clinician",
                "sections_json": '[{"sentences":[{"text":"8,000 steps."}]}]',
            },
        ),
    }


def _days() -> Iterator[dict[str, Any]]:
    for number, person in enumerate(PEOPLE):
        for day in range(DAYS):
            yield {
                "participant_id": person,
                "date": FIRST + timedelta(days=day),
                "day_state": "worn",
                "steps": 7000 + 100 * number + 10 * day,
                "resting_heart_rate": 60.25 + number,
            }


def _files() -> Iterator[dict[str, Any]]:
    for person in PEOPLE:
        yield {
            "file_id": f"file-{person}",
            "participant_id": person,
            "source": "fitbit",
            "rows_read": 1000,
            "rows_staged": 950,
            "rows_rejected": 50,
        }


def minute_files(folder: Path) -> dict[str, dict[str, Path]]:
    """Store files of two people: ten minutes each."""
    made = {}
    for person in ("P1", "P2"):
        start = datetime(2026, 1, 1, 8, tzinfo=UTC)
        minutes = (
            {"participant_id": person, "minute_utc": start + timedelta(minutes=n), "heart_rate": 61.04}
            for n in range(10)
        )
        path = folder / "store" / "core" / person / "key.heart_rate_minutes.parquet"
        write_table(rows("heart_rate_minutes", *minutes), TABLES["heart_rate_minutes"], path)
        made[person] = path
    return {"heart_rate_minutes": made, "steps_minutes": {}}


def content(
    out: Path, kind: str = "full", change: Callable[[Frames], None] | None = None, **fields: Any
) -> ReleaseContent:
    """The content of a release; ``change`` edits its frames."""
    made = frames(kind)
    if change is not None:
        change(made)
    given: dict[str, Any] = {
        "kind": kind,
        "as_of": AS_OF,
        "settings": SETTINGS,
        "edition": "2026-02",
        "previous": None,
        "tables": {name: frame.lazy() for name, frame in made.items()},
        "minute_files": minute_files(out),
        "inputs": {"decisions": "d", "settings": "s"},
        "about": {"versions": {"pha-cohort": "0.1.0"}},
    }
    return ReleaseContent(**(given | fields))


def write_reports(folder: Path) -> None:
    """A page that stands for the pages."""
    (folder / "reports").mkdir()
    (folder / "reports" / "index.html").write_text("<p>page</p>", encoding="utf-8")


def published(
    out: Path, kind: str = "full", change: Callable[[Frames], None] | None = None, **fields: Any
) -> Published:
    """Publish a made release into OUT."""
    return publish(out, content(out, kind, change, **fields), write_reports, NOW)
