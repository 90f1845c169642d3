"""The live board: OUT/index.html and OUT/status.json, and `pha status`, which reads the latter alone."""

import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from outputs.board_people import WAITING
from outputs.board_state import ROLES, BoardState, as_json
from outputs.reports.board_page import board_page
from outputs.reports.words import age
from schemas.errors import PhaError

NAMED = 5


def write_board(out: Path, state: BoardState) -> None:
    """Renew both files. Each is replaced whole, so that a reader never sees half of one."""
    out.mkdir(parents=True, exist_ok=True, mode=0o700)
    _replace(out / "index.html", board_page(state))
    _replace(out / "status.json", as_json(state))


def status_lines(out: Path, now: datetime, *, show_all: bool = False) -> list[str]:
    """What `pha status` prints: the release, newer work, alerts, and what waits for whom.

    With ``show_all`` every matter stands on its own, also settled ones, with the id to decide on.
    Raises release_missing where no run was made in OUT yet.
    """
    try:
        state = json.loads((out / "status.json").read_bytes())
    except FileNotFoundError:
        raise PhaError("release_missing") from None
    matters = [matter for matter in state["matters"] if show_all or matter["state"] in WAITING]
    alerts = [matter for matter in matters if matter["kind"] == "alert"]
    others = [matter for matter in matters if matter["kind"] != "alert"]
    return [
        state["study"] + (" (made-up people)" if state["made_up"] else ""),
        *_release_lines(state, now),
        *_run_lines(state["run"]),
        ", ".join(f"{name}: {count:,}" for name, count in state["counts"].items()),
        *_section("ALERTS", alerts, show_all=show_all),
        *_limit_lines(state),
        *(
            line
            for role in ROLES
            for line in _section(
                f"For the {role}", [m for m in others if m["role"] == role], show_all=show_all
            )
        ),
        *_held_page_lines(state["people"]),
        *([] if matters else ["", "Nothing needs attention."]),
    ]


def alert_lines(out: Path) -> list[str]:
    """The alerts that wait, as `pha status` prints them; none before the first board."""
    try:
        matters = json.loads((out / "status.json").read_bytes())["matters"]
    except FileNotFoundError:
        return []
    waiting = [matter for matter in matters if matter["kind"] == "alert" and matter["state"] in WAITING]
    return list(_section("ALERTS", waiting, show_all=False))


def _release_lines(state: Mapping[str, Any], now: datetime) -> Iterator[str]:
    shown = state["shown"]
    if shown is None:
        yield "No release yet."
    else:
        published = age(datetime.fromisoformat(shown["published_at"]), now)
        yield f"Release {shown['name']}, as of {shown['as_of']}, published {published} ago."
    for held in state["held"]:
        yield f"HELD: {held['name']}: {held['what']}"
        yield f"  -> {held['next_step']}"


def _run_lines(run: Mapping[str, Any] | None) -> Iterator[str]:
    if run is None or run["state"] == "done":
        return
    yield f"The run of {run['started_at'][:16].replace('T', ' ')} is {run['state']}."
    if run["what"]:
        yield f"  {run['what']}"
        yield f"  -> {run['next_step']}"
    for stage in run["stages"]:
        failed = f", {stage['failed']:,} failed" if stage["failed"] else ""
        yield f"  {stage['stage']}: {stage['done']:,} of {stage['total']:,}{failed}"


def _held_page_lines(people: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Participants whose own page is not published, by reason."""
    held = sorted((line["held"], line["participant_id"]) for line in people if line.get("held"))
    for reason, group in groupby(held, key=lambda pair: pair[0]):
        ids = [participant_id for _, participant_id in group]
        more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
        yield ""
        yield f"{reason[:1].upper()}{reason[1:]}: {', '.join(ids[:NAMED])}{more}"


def _limit_lines(state: Mapping[str, Any]) -> Iterator[str]:
    if not state["limits_set_by"]:
        yield "No clinician has set the alert limits yet: [alerts] set_by in study.toml."


def _section(title: str, matters: Iterable[Mapping[str, Any]], *, show_all: bool) -> Iterator[str]:
    """Matters of one code under each other; many of one code are shortened to the first ids."""
    ordered = list(matters)
    if not ordered:
        return
    yield ""
    yield f"{title} ({len(ordered):,})"
    for (severity, code), group in groupby(ordered, key=lambda m: (m["severity"], m["code"])):
        rows = list(group)
        if show_all or len(rows) <= NAMED:
            for row in rows:
                state = f" [{row['state']}]" if row["state"] != "open" else ""
                yield f"  {severity:<9}{row['participant_id'] or 'study'}: {row['what']}{state}"
                if show_all:
                    yield f"{'':11}id {row['attention_id']}"
        else:
            ids = ", ".join(row["participant_id"] or "study" for row in rows[:NAMED])
            yield f"  {severity:<9}{code}, {len(rows):,} times: {ids} and {len(rows) - NAMED:,} more"
        yield f"{'':11}-> {rows[0]['next_step']}"


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)
