"""The board as a page: live in OUT, and frozen in each release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from outputs.board_people import SEVERITIES, WAITING, BoardTables, PersonLine
from outputs.board_state import ROLES, BoardState, board_state, find_holds, find_pages, shown_release
from outputs.reports import words
from outputs.reports.measures import Figure
from outputs.reports.pages import render
from outputs.reports.release_rows import ReleaseRows
from schemas.settings import Settings, StudySection

UNFOLDED = 12
COUNT_WORDS = {
    "with data": "with any data",
    "wearable": "with a wearable",
    "labs": "with labs",
    "surveys": "with surveys",
}


@dataclass(frozen=True, slots=True)
class MatterGroup:
    """Matters of one code: what to do once, whose below."""

    severity: str
    code: str
    next_step: str
    message: str | None
    rows: list[Mapping[str, Any]]

    @property
    def folded(self) -> bool:
        """Long lists are folded, so that the page stays usable with a thousand people."""
        return len(self.rows) > UNFOLDED


@dataclass(frozen=True, slots=True)
class PeopleGroup:
    """Participants whose worst matter has one severity."""

    severity: str
    lines: list[PersonLine]


def release_board(release: Path, rows: ReleaseRows, settings: Settings, run: Mapping[str, Any]) -> BoardState:
    """The board of a release alone: no run, no clock. Links are relative to its reports/ folder."""
    tables = BoardTables(rows.participants, rows.table("attention"), rows.table("summaries"))
    pages = find_pages(release / "reports", "")
    holds = find_holds(release / "reports")
    return board_state(settings, tables, pages, shown=shown_release(run), holds=holds)


def board_page(state: BoardState) -> str:
    """The page as HTML."""
    waiting = [matter for matter in state.matters if matter["state"] in WAITING]
    others = [matter for matter in waiting if matter["kind"] != "alert"]
    return render(
        "board.html",
        study=StudySection(name=state.study, time_zone="UTC", made_up=state.made_up),
        state=state,
        age=words.age(state.shown.published_at, state.written_at)
        if state.shown is not None and state.written_at is not None
        else None,
        alerts=[matter for matter in waiting if matter["kind"] == "alert"],
        figures=[
            Figure(COUNT_WORDS.get(name, name), f"{count:,}", "", None)
            for name, count in state.counts.items()
            if count or name != "withdrawn or excluded"
        ],
        roles=[(role, groups) for role in ROLES if (groups := _groups(others, role))],
        settled=[matter for matter in state.matters if matter["state"] not in WAITING],
        people=_people_groups(state.people),
        clinician_pages={
            line.participant_id: line.pages["clinician"] for line in state.people if "clinician" in line.pages
        },
    )


def _groups(matters: Sequence[Mapping[str, Any]], role: str) -> list[MatterGroup]:
    own = [matter for matter in matters if matter["role"] == role]
    groups: list[MatterGroup] = []
    for (severity, code), rows in groupby(own, key=lambda m: (m["severity"], m["code"])):
        listed = list(rows)
        groups.append(MatterGroup(severity, code, listed[0]["next_step"], listed[0]["message"], listed))
    return groups


def _people_groups(people: Sequence[PersonLine]) -> list[PeopleGroup]:
    return [
        PeopleGroup(severity, lines)
        for severity in (*SEVERITIES, "none")
        if (lines := [line for line in people if line.worst == severity])
    ]
