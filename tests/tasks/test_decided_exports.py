"""Decisions on exports in a study: whose they are, what is read again, which have lost their file."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fitbit_files import profile, write_zip
from small_study import order_of, write_study
from test_same_data import heart_rate

from outputs.decisions import Decision, append_decision
from tasks.comparing import set_asides
from tasks.decided_readings import lost_decisions
from tasks.ingest import ingest_one
from tasks.ledger import LedgerRow
from tasks.order import Order
from tasks.workspace import Workspace

ON = date(2026, 6, 28)
PEOPLE = "participant_id,sex,birth_year\nP1,female,1990\nP2,female,1990\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Two people who sent one account's data."""
    root = write_study(tmp_path / "study", people=PEOPLE)
    write_zip(root / "fitbit/P1/a.zip", profile("ACC1") | heart_rate(1))
    write_zip(root / "fitbit/P2/b.zip", profile("ACC1") | heart_rate(2))
    return root


def run(study: Path) -> tuple[Workspace, dict[str, LedgerRow]]:
    """Everybody read, compared, and read again with what was found."""
    order, workspace = order_of(study)
    _read(order)
    order, workspace = order_of(study)
    order["shared"] = set_asides(workspace)
    return workspace, _read(order)


def _read(order: Order) -> dict[str, LedgerRow]:
    return {
        owner: row for owner in ("P1", "P2") for row in ingest_one(order, owner) if row["stage"] == "fitbit"
    }


def file_of(workspace: Workspace, rows: dict[str, LedgerRow], owner: str) -> dict[str, Any]:
    piece = workspace.store.find("fitbit", owner, rows[owner]["key"])
    assert piece is not None
    return workspace.store.scan([piece], "source_files").collect().row(0, named=True)


def decide(study: Path, *decisions: Sequence[str | None]) -> None:
    for target, expect, value in decisions:
        decision = Decision(
            "correct" if value else "accept", target or "", "Kim", ON, expect=expect, value=value
        )
        append_decision(study / "decisions.csv", decision)


def test_data_that_two_people_sent_are_accepted_for_one(study: Path) -> None:
    workspace, before = run(study)
    theirs = file_of(workspace, before, "P1")
    assert theirs["identity"] == "account_shared"
    decide(study, (theirs["file_id"], "account_shared", None))
    workspace, after = run(study)
    assert (file_of(workspace, after, "P1")["identity"], file_of(workspace, after, "P2")["identity"]) == (
        "accepted",
        "account_shared",
    )
    assert file_of(workspace, after, "P1")["rows_staged"] > 0
    assert after["P2"]["key"] == before["P2"]["key"]


def test_setting_aside_what_is_wrong_gives_the_other_back_their_data(study: Path) -> None:
    workspace, before = run(study)
    wrong = file_of(workspace, before, "P2")
    decide(study, (wrong["file_id"], wrong["content_digest"], "set aside"))
    workspace, after = run(study)
    assert file_of(workspace, after, "P2")["identity"] == "set_aside_by_decision"
    assert file_of(workspace, after, "P1")["rows_staged"] > 0
    piece = workspace.store.find("fitbit", "P2", after["P2"]["key"])
    assert piece is not None
    assert piece.document["problems"] == []


def test_only_the_person_concerned_is_read_again(study: Path) -> None:
    _, before = run(study)
    decide(study, ("P2:2026-01-05:steps", "7", "set aside"))
    workspace, after = run(study)
    assert after["P1"]["key"] == before["P1"]["key"]
    assert after["P2"]["key"] != before["P2"]["key"]
    piece = workspace.store.find("fitbit", "P2", after["P2"]["key"])
    assert piece is not None
    assert [problem["code"] for problem in piece.document["problems"]] == ["decision_outdated"]


def test_decisions_without_their_file_or_person_are_told(study: Path) -> None:
    workspace, rows = run(study)
    theirs = file_of(workspace, rows, "P1")
    decide(
        study,
        (theirs["file_id"], "account_shared", None),
        ("ab" * 16, "unchecked", None),
        ("P1:2026-01-05:steps", "7", "set aside"),
        ("P9:2026-01-05..2026-01-06", "-300", "Europe/Paris"),
    )
    _, workspace = order_of(study)
    assert [(lost.stage, lost.code, lost.subject) for lost in lost_decisions(workspace)] == [
        ("fitbit", "decision_outdated", "P9:2026-01-05..2026-01-06"),
        ("fitbit", "decision_outdated", "ab" * 16),
    ]
    assert [lost.what.partition(" was not applied")[0] for lost in lost_decisions(workspace)] == [
        "The decision to correct P9:2026-01-05..2026-01-06",
        f"The decision to accept {'ab' * 16}",
    ]
