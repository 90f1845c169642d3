"""Who needs attention, why, and what to do next: the table attention, free of values and raw text."""

from collections.abc import Iterable, Mapping
from datetime import date

import polars as pl

from outputs.decisions import Decision, latest_by_target
from outputs.matters import AttentionInputs, Matter, matters
from schemas.attention import Attention
from schemas.errors import CODES
from schemas.table import conform, polars_schema

UNDECIDED = ("new", "open")


def attention_table(
    inputs: AttentionInputs, previous: pl.DataFrame | None, decisions: Iterable[Decision], as_of: date
) -> pl.DataFrame:
    """The table attention for a release of ``as_of``, sorted by attention_id.

    ``previous`` is the table of the release before. A matter it did not hold is new; one it held is open, or
    what the last decision on it says; one that is gone is shown once more as resolved. Withdrawn and
    excluded people are left out, whatever they had before.
    """
    old = {row["attention_id"]: row for row in previous.iter_rows(named=True)} if previous is not None else {}
    decided = latest_by_target(decisions)
    current: dict[str, dict[str, object]] = {}
    for matter in matters(inputs):
        key = matter.attention_id
        if key not in current:
            current[key] = _row(matter, old.get(key), decided.get(key), as_of)
    gone = [
        row | {"state": "resolved"}
        for key, row in old.items()
        if key not in current and row["state"] != "resolved"
    ]
    off = inputs.participants.filter(pl.col("status").is_in(["withdrawn", "excluded"]))["participant_id"]
    frame = pl.DataFrame([*current.values(), *gone], schema=polars_schema(Attention))
    shown = frame.lazy().filter(~pl.col("participant_id").is_in(off.implode()).fill_null(value=False))
    return conform(shown, Attention).sort("attention_id").collect()


def needs_attention_now(attention: pl.DataFrame, previous: pl.DataFrame | None) -> bool:
    """True where something waits for a person that did not wait at the last release (exit code 3).

    A matter waits while it is new or open: one whose snooze has run out waits again.
    """
    waiting = _waiting(attention)
    return bool(waiting - _waiting(previous)) if previous is not None else bool(waiting)


def _waiting(attention: pl.DataFrame) -> set[str]:
    return set(attention.filter(pl.col("state").is_in(UNDECIDED))["attention_id"])


def _row(
    matter: Matter, old: Mapping[str, object] | None, decision: Decision | None, as_of: date
) -> dict[str, object]:
    code = CODES[matter.code]
    known = old is not None and old["state"] != "resolved"
    return {
        "attention_id": matter.attention_id,
        "participant_id": matter.participant_id,
        "kind": matter.kind,
        "code": matter.code,
        "severity": matter.severity or code.severity,
        "role": code.role,
        "what": matter.what,
        "next_step": code.next_step,
        "message": code.message,
        "first_seen": old["first_seen"] if old is not None and known else as_of,
        "state": _state(known=known, decision=decision, as_of=as_of),
    }


def _state(*, known: bool, decision: Decision | None, as_of: date) -> str:
    if decision is not None and decision.decision == "acknowledge":
        return "acknowledged"
    if decision is not None and decision.until is not None and as_of <= decision.until:
        return "snoozed"
    return "open" if known else "new"
