"""What became of each participant in each stage: plain rows that cross Prefect and end up in run_ledger."""

from collections.abc import Callable, Container, Iterable
from typing import Literal, TypedDict

from outputs.store import Piece, Result, Store
from schemas.errors import CODES, PhaError
from tasks.faults import as_coded

# make: do the work; look: only find it; killed: record that its process was killed.
Mode = Literal["make", "look", "killed"]
Keys = dict[str, dict[str, str]]


class LedgerRow(TypedDict):
    """One participant in one stage. key leads to the piece in the store; it is empty where there is none."""

    participant_id: str
    stage: str
    key: str
    state: str
    reason_code: str | None
    seconds: float


def work(store: Store, stage: str, owner: str, key: str, make: Callable[[], Result] | None) -> LedgerRow:
    """Find or make a piece; without ``make`` (the participant is not in this run) only find it.

    A fault of one participant becomes a failed row, with a code and no personal data, and stops nobody else.
    """
    if make is None:
        found = store.find(stage, owner, key)
        if found is None:
            return LedgerRow(
                participant_id=owner, stage=stage, key="", state="pending", reason_code=None, seconds=0.0
            )
        piece, reused = found, True
    else:
        made = store.get_or_make(stage, owner, key, coded(make))
        piece, reused = made.piece, made.reused
    state = "reused" if reused else "done"
    if piece.code is not None:
        state = "pending" if CODES[piece.code].pauses else "failed"
    return LedgerRow(
        participant_id=owner,
        stage=stage,
        key=key,
        state=state,
        reason_code=piece.code,
        seconds=piece.seconds,
    )


def is_settled(rows: Iterable[LedgerRow]) -> bool:
    """Nothing is left to be made: all was found, is not due, or failed for good."""
    return all(
        row["state"] in ("reused", "not_due")
        or (row["state"] == "failed" and not CODES[row["reason_code"] or ""].transient)
        for row in rows
    )


def not_due(stage: str, owner: str) -> LedgerRow:
    """The row of a stage that is not for this participant: one who withdrew or was excluded."""
    return LedgerRow(
        participant_id=owner, stage=stage, key="", state="not_due", reason_code=None, seconds=0.0
    )


def kept(store: Store, stage: str, owner: str) -> LedgerRow:
    """What a stage made last for a participant of whom nothing new is read."""
    piece = store.newest(stage, owner)
    if piece is None:
        return not_due(stage, owner)
    return LedgerRow(
        participant_id=owner,
        stage=stage,
        key=piece.key,
        state="reused",
        reason_code=None,
        seconds=piece.seconds,
    )


def died() -> Result:
    """What stands for the work of a process that was killed from outside."""
    raise PhaError("process_died")


def coded(make: Callable[[], Result]) -> Callable[[], Result]:
    """The same work, with any fault turned into a coded one."""

    def guarded() -> Result:
        try:
            return make()
        except Exception as error:  # noqa: BLE001
            raise as_coded(error) from None

    return guarded


def keys_of(rows: Iterable[LedgerRow]) -> Keys:
    """stage -> owner -> key, of rows that lead to a piece."""
    keys: Keys = {}
    for row in rows:
        if row["key"]:
            keys.setdefault(row["stage"], {})[row["participant_id"]] = row["key"]
    return keys


def pieces_of(store: Store, keys: Keys, stages: Container[str] | None = None) -> list[Piece]:
    """The pieces that keys lead to, of some stages or all, by stage and owner; failures among them."""
    found = [
        store.find(stage, owner, key)
        for stage, owners in sorted(keys.items())
        if stages is None or stage in stages
        for owner, key in sorted(owners.items())
    ]
    return [piece for piece in found if piece is not None]
