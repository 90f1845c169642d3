"""The participants on a board: what each has sent, what waits for them, and how many there are of what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl

SEVERITIES = ("critical", "high", "medium", "low")
WAITING = ("new", "open")
PAGE_READERS = ("coordinator", "clinician", "participant")
OFF_BOARD = ("withdrawn", "excluded")
# Why a participant's own page is not published though it is due (outputs/reports/publication.py).
HELD_WORDS = {
    "alert": "participant page held until the alert is acknowledged or the text is signed off",
    "signature": "participant page held until the text is signed off",
    "both": "participant page held until the text is signed off, and an alert waits",
}


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A participant's line.

    worst: the severity of what waits, or none. pages: reader -> link. held: why their own page is not
    published, in words, or empty.
    """

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
    held: str = ""


@dataclass(frozen=True, slots=True)
class BoardTables:
    """The frames a board is made from: published tables, or the newest there are while a run goes on."""

    participants: pl.DataFrame
    attention: pl.DataFrame
    summaries: pl.DataFrame


def people_lines(
    tables: BoardTables,
    matters: Sequence[Mapping[str, Any]],
    pages: Mapping[tuple[str, str], str],
    holds: Mapping[str, str],
) -> tuple[PersonLine, ...]:
    """Everybody but withdrawn and excluded people: worst first, then the longest behind, then by id.

    holds: participant_id -> a key of HELD_WORDS.
    """
    waiting: dict[str, list[str]] = {}
    for matter in matters:
        if matter["state"] in WAITING and matter["participant_id"]:
            waiting.setdefault(matter["participant_id"], []).append(matter["severity"])
    texts = _text_states(tables.summaries)
    lines = [
        _person(row, waiting.get(row["participant_id"], []), texts, pages, holds)
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
    holds: Mapping[str, str],
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
        pages={r: pages[r, owner] for r in PAGE_READERS if (r, owner) in pages},
        held=HELD_WORDS.get(holds.get(owner, ""), ""),
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


def counts_of(tables: BoardTables, people: Sequence[PersonLine]) -> dict[str, int]:
    """How many participants are on the board, and of how many there is what."""
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
