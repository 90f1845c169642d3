"""A folder of reports with their truth: NAME.pdf, and beside it NAME.json, whose it is and what is printed.

{"person": {"participant_id", "name", "birth_date", "sex"}, "rows": [columns of lab_results]}. Each layout is
a folder below the given one, or the given one itself.
"""

import json
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

from benchmarks.lab_matching import Row
from schemas.participant import Participant, Sex

LabelledReport = tuple[Participant, bytes, list[Row]]
DATES = {"collected_date": date, "reported_date": date}
MOMENTS = ("collected_at", "received_at", "reported_at")
SEXES: dict[str, Sex] = {"female": "female", "male": "male", "intersex": "intersex"}


def layouts_in(folder: Path) -> dict[str, list[Path]]:
    """Layout -> its reports: those of each folder that holds any, by name."""
    folders = sorted({path.parent for path in folder.rglob("*.pdf")})
    return {one.relative_to(folder).as_posix(): sorted(one.glob("*.pdf")) for one in folders}


def labelled_reports(paths: list[Path]) -> Iterator[LabelledReport]:
    """Each report with its person and its true rows."""
    for path in paths:
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        person = truth["person"]
        born = date.fromisoformat(person["birth_date"])
        owner = Participant(
            person["participant_id"],
            SEXES.get(person["sex"], "unknown"),
            born.year,
            "UTC",
            birth_date=born,
            name=person["name"],
        )
        yield owner, path.read_bytes(), [_with_dates(row) for row in truth["rows"]]


def write_report(folder: Path, owner: Participant, name: str, content: bytes, rows: list[Row]) -> None:
    """Put a report and its truth into a folder, in the form that is read again."""
    folder.mkdir(parents=True, exist_ok=True)
    person = {
        "participant_id": owner.participant_id,
        "name": owner.name,
        "birth_date": owner.birth_date,
        "sex": owner.sex,
    }
    path = folder / name
    path.write_bytes(content)
    truth = json.dumps({"person": person, "rows": rows}, default=str, ensure_ascii=False, indent=1)
    path.with_suffix(".json").write_text(truth, encoding="utf-8")


def _with_dates(row: Row) -> Row:
    days = {column: kind.fromisoformat(row[column]) for column, kind in DATES.items() if row.get(column)}
    moments = {column: datetime.fromisoformat(row[column]) for column in MOMENTS if row.get(column)}
    return {**row, **days, **moments}
