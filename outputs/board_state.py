"""What a board says, as plain data; the live page, its frozen copy, status.json and `pha status` show it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

import polars as pl

from outputs.board_people import (
    PAGE_READERS,
    SEVERITIES,
    WAITING,
    BoardTables,
    PersonLine,
    counts_of,
    people_lines,
)
from schemas.attention import Attention
from schemas.participants import Participants
from schemas.settings import AlertsSection, Settings
from schemas.summaries import Summaries
from schemas.table import Table, empty

ROLES = ("clinician", "coordinator", "operator")
HELD_FILE = "held.json"


@dataclass(frozen=True, slots=True)
class Shown:
    """The release that the board shows."""

    name: str
    kind: str
    as_of: date
    published_at: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """Newer work that was not published: what stopped it and what to do."""

    name: str
    what: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stage of the run is, in participants. ``done`` counts what was found finished, too."""

    stage: str
    done: int
    failed: int
    total: int


@dataclass(frozen=True, slots=True)
class Run:
    """The last run: while it goes on, and how it ended."""

    state: Literal["running", "done", "failed"]
    started_at: datetime
    stages: tuple[Progress, ...] = ()
    what: str = ""
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class BoardState:
    """All of a board. ``written_at`` is None for the copy that is frozen in a release.

    matters: rows of the table attention, worst first. limits: analyte -> limits in words.
    """

    study: str
    made_up: bool
    written_at: datetime | None
    shown: Shown | None
    held: tuple[Held, ...]
    run: Run | None
    limits: Mapping[str, str]
    limits_set_by: str
    limits_set_on: date | None
    counts: Mapping[str, int]
    matters: tuple[Mapping[str, Any], ...]
    people: tuple[PersonLine, ...]


def board_state(
    settings: Settings,
    tables: BoardTables,
    pages: Mapping[tuple[str, str], str],
    *,
    shown: Shown | None,
    written_at: datetime | None = None,
    held: Sequence[Held] = (),
    run: Run | None = None,
    holds: Mapping[str, str] | None = None,
) -> BoardState:
    """Put a board together. ``pages``: (reader, participant_id) -> link, of those that exist.

    ``holds``: participant_id -> why their own page is not published (``find_holds``).
    """
    matters = sorted(tables.attention.iter_rows(named=True), key=_urgency)
    people = people_lines(tables, matters, pages, holds or {})
    return BoardState(
        study=settings.study.name,
        made_up=settings.study.made_up,
        written_at=written_at,
        shown=shown,
        held=tuple(held),
        run=run,
        limits=_limits(settings.alerts),
        limits_set_by=settings.alerts.set_by,
        limits_set_on=settings.alerts.set_on,
        counts=counts_of(tables, people),
        matters=tuple(matters),
        people=people,
    )


def live_board(
    out: Path,
    settings: Settings,
    now: datetime,
    *,
    held: Sequence[Held] = (),
    run: Run | None = None,
    participants: pl.DataFrame | None = None,
    attention: pl.DataFrame | None = None,
) -> BoardState:
    """The board of OUT: the release that OUT/latest leads to, under what a run already knows better.

    ``participants`` and ``attention`` are the run's own, where it has them; else the release's are shown.
    What was held before stays told while a run goes on or has failed: only a run that ends settles it.
    """
    if not held and run is not None and run.state != "done":
        held = _told_as_held(out)
    release = (out / "latest").resolve() if (out / "latest").exists() else None
    tables = read_board_tables(release)
    newest = BoardTables(
        tables.participants if participants is None else participants,
        tables.attention if attention is None else attention,
        tables.summaries,
    )
    shown = shown_release(json.loads((release / "run.json").read_bytes())) if release else None
    pages = find_pages(release / "reports", "latest/reports/") if release else {}
    holds = find_holds(release / "reports") if release else {}
    return board_state(settings, newest, pages, shown=shown, written_at=now, held=held, run=run, holds=holds)


def _told_as_held(out: Path) -> tuple[Held, ...]:
    """What the board in OUT says is held."""
    try:
        status = json.loads((out / "status.json").read_bytes())
    except FileNotFoundError:
        return ()
    return tuple(Held(**held) for held in status["held"])


def shown_release(run: Mapping[str, Any]) -> Shown:
    """The release that a run.json is of."""
    published = datetime.fromisoformat(run["published_at"])
    return Shown(run["name"], run["kind"], date.fromisoformat(run["as_of"]), published)


def read_board_tables(release: Path | None) -> BoardTables:
    """The frames of a release, empty where it has none."""

    def read(table: type[Table]) -> pl.DataFrame:
        path = None if release is None else release / "tables" / f"{table.info.name}.parquet"
        return pl.read_parquet(path) if path is not None and path.is_file() else empty(table)

    return BoardTables(read(Participants), read(Attention), read(Summaries))


def find_pages(reports: Path, prefix: str) -> dict[tuple[str, str], str]:
    """(reader, participant_id) -> link, of the pages that lie in a reports folder."""
    return {
        (reader, path.stem): f"{prefix}{reader}/{path.name}"
        for reader in PAGE_READERS
        for path in (reports / reader).glob("*.html")
    }


def find_holds(reports: Path) -> dict[str, str]:
    """participant_id -> why their page is held, as a release's pages say; none before such a file was."""
    path = reports / HELD_FILE
    return json.loads(path.read_bytes()) if path.is_file() else {}


def as_json(state: BoardState) -> str:
    """The state as the text of status.json."""
    return json.dumps(asdict(state), ensure_ascii=False, indent=1, default=_iso)


def _iso(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in status.json")


def _urgency(matter: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        matter["state"] not in WAITING,
        SEVERITIES.index(matter["severity"]),
        ROLES.index(matter["role"]),
        matter["code"],
        matter["participant_id"] or "",
        matter["attention_id"],
    )


def _limits(alerts: AlertsSection) -> dict[str, str]:
    """Analyte -> its limits in words; units are the canonical ones."""
    words: dict[str, str] = {}
    for analyte, limit in sorted(alerts.critical.items()):
        low = [] if limit.low is None else [f"at or below {limit.low:g}"]
        high = [] if limit.high is None else [f"at or above {limit.high:g}"]
        words[analyte] = " or ".join(low + high)
    return words
