"""Of fifty participants one export changes: dossier and agents work for one."""

from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from fitbit_files import minutes
from small_study import TOML, order_of, send, write_study

from tasks.agents import insights_one, isolation, summary_one
from tasks.core import core_one
from tasks.ingest import ingest_one
from tasks.ledger import LedgerRow, keys_of
from tasks.population import dossier_batch, make_edition

pytestmark = [pytest.mark.proof, pytest.mark.sandbox]

IDS = [f"P{number:02}" for number in range(1, 51)]
DAY = date(2026, 6, 21)
STAGES = ("fitbit", "core", "dossier", "insights", "summaries")
ONE_QUESTION = '[questions]\nids = ["weekday_weekend"]\n'


def send_day(study: Path, participant: str, day: int, steps: int) -> None:
    """A day of an export: two hours of steps, which make it worn where no heart rate is there."""
    begin = datetime(2026, 6, day, 8, tzinfo=UTC)
    folder = f"fitbit/{participant}/Global Export Data"
    send(study, f"{folder}/steps-2026-06-{day}.json", minutes(begin, [steps] * 120).encode())


def run(study: Path) -> list[LedgerRow]:
    """The way of everybody from files to texts, stage by stage as a flow goes it."""
    order, workspace = order_of(study, DAY)
    rows = [row for name in IDS for row in ingest_one(order, name)]
    rows += [core_one(workspace, order, keys_of(rows), name) for name in IDS]
    rows += make_edition.fn(order, keys_of(rows))
    rows += dossier_batch.fn(IDS, order, keys_of(rows))
    rows += [row for name in IDS for row in insights_one(order, keys_of(rows), name)]
    return rows + [summary_one(workspace, order, keys_of(rows), name) for name in IDS]


def done(rows: list[LedgerRow]) -> Counter[str]:
    return Counter(row["stage"] for row in rows if row["state"] == "done")


def test_one_changed_export_is_work_for_one(tmp_path: Path) -> None:
    assert isolation() is not None
    people = "".join(f"{name},female,1990-02-03\n" for name in IDS)
    header = "participant_id,sex,birth_date\n"
    study = write_study(tmp_path / "study", TOML + ONE_QUESTION, header + people)
    for number, name in enumerate(IDS):
        for day in (19, 20):  # the newest day of an export is never whole
            send_day(study, name, day, 10 + number)
    first = run(study)
    assert {row["state"] for row in first} == {"done"}
    assert done(first) == Counter({**dict.fromkeys((*STAGES, "labs"), 50), "edition": 1})
    send_day(study, "P07", 19, 40)
    again = run(study)
    assert {row["participant_id"] for row in again if row["state"] == "done"} == {"P07"}
    assert done(again) == Counter(dict.fromkeys(STAGES, 1))
    assert {row["state"] for row in again} == {"done", "reused"}
