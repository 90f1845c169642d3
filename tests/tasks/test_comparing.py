"""What different participants sent, compared after it was read; what is found is read again without it."""

from pathlib import Path

import polars as pl
import pytest
from fitbit_files import profile, write_zip
from small_study import order_of, write_study
from test_same_data import heart_rate

from tasks.comparing import set_asides
from tasks.ingest import ingest_one
from tasks.ledger import keys_of
from tasks.order import Order
from tasks.workspace import Workspace

PEOPLE = """\
participant_id,sex,birth_year,status
P1,female,1990,active
P2,female,1990,active
P3,male,1970,withdrawn
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study", people=PEOPLE)


def read_all(order: Order) -> dict[str, dict[str, str]]:
    return keys_of([row for owner in ("P1", "P2", "P3") for row in ingest_one(order, owner)])


def settle(study: Path) -> tuple[Order, Workspace]:
    """Everybody read, then compared; the order holds what was found."""
    order, workspace = order_of(study)
    order["shared"] = workspace.shared
    read_all(order)
    return {**order, "shared": set_asides(workspace)}, workspace


def tables(order: Order, workspace: Workspace, owner: str) -> tuple[int, list[str | None]]:
    """Heart-rate minutes of a person, and the verdicts on their files."""
    piece = workspace.store.find("fitbit", owner, read_all(order)["fitbit"][owner])
    assert piece is not None
    minutes = workspace.store.scan([piece], "heart_rate_minutes").select(pl.len()).collect().item()
    files = workspace.store.scan([piece], "source_files").sort("identity").collect()
    return minutes, files["identity"].to_list()


def test_people_with_data_of_their_own_are_left_alone(study: Path) -> None:
    write_zip(study / "fitbit/P1/a.zip", profile("ACC1") | heart_rate(2))
    write_zip(study / "fitbit/P2/b.zip", profile("ACC2") | heart_rate(2, shift=1))
    assert settle(study)[0]["shared"] == []


def test_one_account_in_two_folders_is_read_for_nobody(study: Path) -> None:
    write_zip(study / "fitbit/P1/a.zip", profile("ACC1") | heart_rate(1))
    write_zip(study / "fitbit/P2/b.zip", profile("ACC1") | heart_rate(2))
    order, workspace = settle(study)
    assert [(owner, verdict) for owner, _, verdict in order["shared"]] == [
        ("P1", "account_shared"),
        ("P2", "account_shared"),
    ]
    for owner in ("P1", "P2"):
        assert tables(order, workspace, owner) == (0, ["account_shared"])


def test_another_persons_archive_without_its_profile_is_found_by_its_heart_rate(study: Path) -> None:
    write_zip(study / "fitbit/P1/own.zip", profile("ACC1") | heart_rate(2))
    write_zip(study / "fitbit/P1/strange.zip", heart_rate(2, shift=1), root="")
    write_zip(study / "fitbit/P2/b.zip", profile("ACC2") | heart_rate(3, shift=1))
    order, workspace = settle(study)
    minutes, verdicts = tables(order, workspace, "P1")
    assert (minutes, verdicts) == (2 * 1440, ["overlap_conflict", "unchecked"])
    assert tables(order, workspace, "P2") == (0, ["overlap_conflict"])


def test_another_persons_archive_with_its_profile_leaves_its_owner_unharmed(tmp_path: Path) -> None:
    people = PEOPLE.replace("status\n", "status,name\n").replace(
        "P1,female,1990,active", "P1,female,1990,active,Ada Lovelace"
    )
    study = write_study(
        tmp_path / "study",
        people=people.replace("P2,female,1990,active", "P2,female,1990,active,Ann Bea Smith"),
    )
    other = profile("ACC2") | heart_rate(2, shift=1)
    write_zip(study / "fitbit/P1/strange.zip", other)
    write_zip(study / "fitbit/P2/b.zip", other | {"x README.txt": "x"})
    order, workspace = settle(study)
    assert order["shared"] == []
    assert tables(order, workspace, "P1") == (0, ["identity_mismatch"])
    assert tables(order, workspace, "P2") == (2 * 1440, ["matched"])


def test_every_later_run_comes_to_the_same_and_reads_nothing_again(study: Path) -> None:
    write_zip(study / "fitbit/P1/a.zip", profile("ACC1") | heart_rate(1))
    write_zip(study / "fitbit/P2/b.zip", profile("ACC1") | heart_rate(1, shift=2))
    order, workspace = settle(study)
    read_all(order)
    before = sorted(path.name for path in workspace.store.root.rglob("*.json"))
    again, _ = settle(study)
    assert again["shared"] == order["shared"]
    assert {row["state"] for owner in ("P1", "P2") for row in ingest_one(again, owner)} == {"reused"}
    assert sorted(path.name for path in workspace.store.root.rglob("*.json")) == before


def test_when_the_others_file_is_gone_the_data_are_used_again(study: Path) -> None:
    write_zip(study / "fitbit/P1/a.zip", profile("ACC1") | heart_rate(1))
    other = write_zip(study / "fitbit/P2/b.zip", profile("ACC1") | heart_rate(1))
    assert settle(study)[0]["shared"]
    other.unlink()
    order, workspace = settle(study)
    assert order["shared"] == []
    assert tables(order, workspace, "P1")[0] == 1440
