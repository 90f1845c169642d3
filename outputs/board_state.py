"""What a board says, as plain data; the live page, its frozen copy, status.json and `pha status` show it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal

import polars as pl

from schemas.attention import Attention
from schemas.participants import Participants
from schemas.settings import AlertsSection, Settings
from schemas.summaries import Summaries
from schemas.table import Table, empty

SEVERITIES = ("critical", "high", "medium", "low")
ROLES = ("clinician", "coordinator", "operator")
WAITING = ("new", "open")
OFF_BOARD = ("withdrawn", "excluded")
MATTER_COLUMNS = tuple(Attention.columns())


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
class PersonLine:
    """A participant's line. ``worst`` is the severity of what waits, or none; ``pages``: reader -> link."""

    participant_id: str
    site: str | None
    status: str
    worst: str
    waiting: int
    data_through: date | None
    days_behind: int | None
    adherence: float | None
    has_labs: bool | None
    has_surveys: bool | None
    summary: str
    pages: Mapping[str, str]


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


@dataclass(frozen=True, slots=True)
class BoardTables:
    """The frames a board is made from: published tables, or the newest there are while a run goes on."""

    participants: pl.DataFrame
    attention: pl.DataFrame
    summaries: pl.DataFrame


def board_state(
    settings: Settings,
    tables: BoardTables,
    pages: Mapping[tuple[str, str], str],
    *,
    shown: Shown | None,
    written_at: datetime | None = None,
    held: Sequence[Held] = (),
    run: Run | None = None,
) -> BoardState:
    """Put a board together. ``pages``: (reader, participant_id) -> link, of those that exist."""
    matters = sorted(tables.attention.iter_rows(named=True), key=_urgency)
    people = _people(tables, matters, pages)
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
        counts=_counts(tables, people),
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
    """
    release = (out / "latest").resolve() if (out / "latest").exists() else None
    tables = read_board_tables(release)
    newest = BoardTables(
        tables.participants if participants is None else participants,
        tables.attention if attention is None else attention,
        tables.summaries,
    )
    shown = shown_release(json.loads((release / "run.json").read_bytes())) if release else None
    pages = find_pages(release / "reports", "latest/reports/") if release else {}
    return board_state(settings, newest, pages, shown=shown, written_at=now, held=held, run=run)


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
        for reader in ("clinician", "participant")
        for path in (reports / reader).glob("*.html")
    }


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


def _people(
    tables: BoardTables, matters: Sequence[Mapping[str, Any]], pages: Mapping[tuple[str, str], str]
) -> tuple[PersonLine, ...]:
    """Everybody but withdrawn and excluded people: worst first, then the longest behind, then by id."""
    waiting: dict[str, list[str]] = {}
    for matter in matters:
        if matter["state"] in WAITING and matter["participant_id"]:
            waiting.setdefault(matter["participant_id"], []).append(matter["severity"])
    texts = _text_states(tables.summaries)
    lines = [
        _person(row, waiting.get(row["participant_id"], []), texts, pages)
        for row in tables.participants.iter_rows(named=True)
        if row["status"] not in OFF_BOARD
    ]
    order = (*SEVERITIES, "none")
    lines.sort(key=lambda line: (order.index(line.worst), -(line.days_behind or 0), line.participant_id))
    return tuple(lines)


def _person(
    row: Mapping[str, Any],
    severities: Sequence[str],
    texts: Mapping[str, str],
    pages: Mapping[tuple[str, str], str],
) -> PersonLine:
    owner = row["participant_id"]
    return PersonLine(
        participant_id=owner,
        site=row["site"],
        status=row["status"],
        worst=min(severities, key=SEVERITIES.index) if severities else "none",
        waiting=len(severities),
        data_through=row["data_through"],
        days_behind=row["days_behind"],
        adherence=row["adherence"],
        has_labs=row["has_labs"],
        has_surveys=row["has_surveys"],
        summary=texts.get(owner, "none"),
        pages={r: pages[r, owner] for r in ("clinician", "participant") if (r, owner) in pages},
    )


def _text_states(summaries: pl.DataFrame) -> dict[str, str]:
    """participant_id -> the least advanced state over both texts."""
    order = ("withheld", "needs_review", "verified", "signed")
    found: dict[str, str] = {}
    for row in summaries.iter_rows(named=True):
        signed = row["status"] == "verified" and row["signed_by"] is not None
        state = "signed" if signed else row["status"]
        owner = row["participant_id"]
        found[owner] = min(state, found.get(owner, state), key=order.index)
    return found


def _counts(tables: BoardTables, people: Sequence[PersonLine]) -> dict[str, int]:
    on_board = {line.participant_id for line in people}
    rows = [r for r in tables.participants.iter_rows(named=True) if r["participant_id"] in on_board]
    return {
        "enrolled": len(rows),
        "with data": sum(bool(r["has_wearable"] or r["has_labs"] or r["has_surveys"]) for r in rows),
        "wearable": sum(bool(r["has_wearable"]) for r in rows),
        "labs": sum(bool(r["has_labs"]) for r in rows),
        "surveys": sum(bool(r["has_surveys"]) for r in rows),
        "summaries": sum(line.summary in ("verified", "needs_review", "signed") for line in people),
        "withdrawn or excluded": tables.participants.height - len(rows),
    }


def _limits(alerts: AlertsSection) -> dict[str, str]:
    """Analyte -> its limits in words; units are the canonical ones."""
    return {
        analyte: " or ".join(
            text
            for text, limit in (
                (f"at or below {limit.low:g}", limit.low) if limit.low is not None else ("", None),
                (f"at or above {limit.high:g}", limit.high) if limit.high is not None else ("", None),
            )
            if limit is not None
        )
        for analyte, limit in sorted(alerts.critical.items())
    }
