"""A study of a few people, written by hand, and the order of a run of it."""

from datetime import date
from pathlib import Path
from typing import NamedTuple

from tasks.ledger import LedgerRow
from tasks.order import Order
from tasks.preflight import make_order
from tasks.workspace import Workspace

TOML = '[study]\nname = "Walk"\ntime_zone = "UTC"\n'
PEOPLE = """\
participant_id,sex,birth_date,status,aliases,name
P1,female,1990-02-03,active,old1,Ada Lovelace
P2,male,1980-04-05,active,,
P3,male,1970-06-07,withdrawn,,
"""
AS_OF = date(2026, 6, 28)


def write_study(folder: Path, toml: str = TOML, people: str = PEOPLE) -> Path:
    """A study folder; files of people are added by each test."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.toml").write_text(toml)
    (folder / "participants.csv").write_text(people)
    (folder / ".pha-secret").write_text("0" * 64 + "\n")
    return folder


def send(study: Path, place: str, content: bytes) -> Path:
    """A file that somebody sent: place is below the study folder."""
    path = study / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def order_of(
    study: Path, as_of: date | None = AS_OF, only: list[str] | None = None
) -> tuple[Order, Workspace]:
    """The order of a full run; OUT stands beside the study folder."""
    day = as_of.isoformat() if as_of else None
    return make_order("full", str(study), str(study.parent / "out"), day, None, only)


class Ingested(NamedTuple):
    """A run of a made study up to ingest."""

    order: Order
    workspace: Workspace
    ids: list[str]
    rows: list[LedgerRow]
