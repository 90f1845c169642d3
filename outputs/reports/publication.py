"""Who gets a page of their own, and what holds one back."""

import json
from collections.abc import Mapping
from pathlib import Path

from outputs.board_people import HELD_WORDS, WAITING
from outputs.board_state import HELD_FILE
from outputs.reports.release_rows import ReleaseRows, Row


def summary_of(rows: ReleaseRows, participant_id: str, reader: str) -> Row | None:
    """The summary for a reader, or None."""
    found = (row for row in rows.of(participant_id, "summaries") if row["reader"] == reader)
    return next(found, None)


def has_participant_page(
    rows: ReleaseRows, person: Row, results_to: Mapping[str, str], *, require_sign_off: bool
) -> bool:
    """Whether the page is published: it would be written, and nothing holds it."""
    due = _is_due(rows, person, results_to)
    return due and held_because(rows, person, results_to, require_sign_off=require_sign_off) is None


def held_because(
    rows: ReleaseRows, person: Row, results_to: Mapping[str, str], *, require_sign_off: bool
) -> str | None:
    """A key of HELD_WORDS where a page that is due is not published; None elsewhere.

    alert: a critical alert waits (new or open), and nobody signed the participant's text: a participant
    must not read of calm days, or of a frightening value, before a clinician has seen it. Signing that text
    or acknowledging the alert releases the page. signature: the study requires one, and there is none.
    """
    owner = person["participant_id"]
    summary = summary_of(rows, owner, "participant")
    if summary is None or summary["signed_by"] is not None or not _is_due(rows, person, results_to):
        return None
    if any(_is_waiting_alert(row) for row in rows.of(owner, "attention")):
        return "both" if require_sign_off else "alert"
    return "signature" if require_sign_off else None


def write_holds(reports: Path, holds: Mapping[str, str]) -> None:
    """participant_id -> what holds their page, beside the pages: boards read it."""
    (reports / HELD_FILE).write_text(json.dumps(dict(sorted(holds.items())), indent=1), encoding="utf-8")


def held_words(reason: str) -> str:
    """What a board and the clinician's page say of a page that is held."""
    return HELD_WORDS[reason]


def _is_due(rows: ReleaseRows, person: Row, results_to: Mapping[str, str]) -> bool:
    """Results go to the participant, and there is a text that is not withheld."""
    owner = person["participant_id"]
    summary = summary_of(rows, owner, "participant")
    return results_to.get(owner) == "participant" and summary is not None and summary["status"] != "withheld"


def _is_waiting_alert(matter: Row) -> bool:
    return matter["kind"] == "alert" and matter["severity"] == "critical" and matter["state"] in WAITING
