"""What becomes of a piece of work: made, found, failed, pending; one fault stops nobody else."""

from pathlib import Path

import pytest

from outputs.store import Result, Store
from schemas.errors import PhaError
from tasks.ledger import died, keys_of, work

SECRET = "Ada Lovelace, born 1815-12-10"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def unforeseen() -> Result:
    raise ValueError(SECRET)


def never() -> Result:
    raise AssertionError("made again")


def test_work_is_done_once(store: Store) -> None:
    first = work(store, "core", "P1", "k", Result)
    again = work(store, "core", "P1", "k", never)
    assert (first["state"], again["state"]) == ("done", "reused")
    assert again["seconds"] == first["seconds"]


def test_without_the_right_to_work_a_piece_is_only_found(store: Store) -> None:
    pending = work(store, "core", "P1", "k", None)
    assert (pending["state"], pending["key"]) == ("pending", "")
    work(store, "core", "P1", "k", Result)
    assert work(store, "core", "P1", "k", None)["state"] == "reused"


def test_a_fault_is_a_row_with_a_code_and_nothing_personal(store: Store) -> None:
    row = work(store, "core", "P1", "k", unforeseen)
    assert (row["state"], row["reason_code"]) == ("failed", "unexpected")
    kept = "".join(path.read_text() for path in store.root.rglob("*.json"))
    assert "ValueError" in kept
    assert "tests/tasks/test_ledger.py" in kept
    assert SECRET not in kept
    assert SECRET not in str(row)


def test_a_transient_fault_is_tried_again_and_then_forgotten(store: Store) -> None:
    work(store, "core", "P1", "k", died)
    assert work(store, "core", "P1", "k", Result)["state"] == "done"
    assert work(store, "core", "P1", "k", never)["reason_code"] is None


def test_a_permanent_fault_is_not_tried_again(store: Store) -> None:
    def refused() -> Result:
        raise PhaError("not_a_zip")

    work(store, "fitbit", "P1", "k", refused)
    row = work(store, "fitbit", "P1", "k", never)
    assert (row["state"], row["reason_code"]) == ("failed", "not_a_zip")


def test_wrong_settings_stop_the_run(store: Store) -> None:
    def wrong() -> Result:
        raise PhaError("reference_invalid", problem="no column sex")

    with pytest.raises(PhaError, match="reference_invalid"):
        work(store, "edition", "_cohort", "k", wrong)
    assert store.find("edition", "_cohort", "k") is None


def test_a_process_that_was_killed_has_a_code(store: Store) -> None:
    assert work(store, "labs", "P1", "k", died)["reason_code"] == "process_died"


def test_keys_lead_to_pieces_failed_ones_too_but_not_to_pending_work(store: Store) -> None:
    rows = [
        work(store, "labs", "P1", "a", Result),
        work(store, "labs", "P2", "b", unforeseen),
        work(store, "labs", "P3", "c", None),
        work(store, "core", "P1", "d", Result),
    ]
    assert keys_of(rows) == {"labs": {"P1": "a", "P2": "b"}, "core": {"P1": "d"}}
