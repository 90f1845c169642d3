"""What different participants sent is compared: one account or the same data is set aside in both."""

from collections.abc import Iterator, Sequence

from ingest.same_data import conflicts
from ingest.study import Source
from outputs.store import Piece
from tasks.batches import in_batches
from tasks.ingest import ingest_batch
from tasks.keys import ingest_key
from tasks.ledger import LedgerRow
from tasks.order import Order, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import SetAside, Workspace

STAGE: Source = "fitbit"


def set_asides(workspace: Workspace) -> list[SetAside]:
    """All files to be set aside: equal bytes, and what the exports read so far tell of each other.

    A function of the files and of what ingest made of them with nothing but equal bytes set aside; so every
    run with the same files comes to the same. Who withdrew is not compared: nothing of them is read.
    """
    equal = workspace.shared
    found = conflicts(workspace.store.scan(_pieces(workspace, equal), "identity_marks"))
    verdicts = {(owner, content): verdict for owner, content, verdict in found.iter_rows()}
    secret = workspace.study.secret
    told = [
        (owner, file.sha256, verdict)
        for owner in sorted({owner for owner, _ in verdicts})
        for file in workspace.files(STAGE, owner, [])
        if (verdict := verdicts.get((owner, file.content_digest(secret))))
    ]
    return sorted([*equal, *told])


def _pieces(workspace: Workspace, equal: Sequence[SetAside]) -> Iterator[Piece]:
    """What ingest made of exports with nothing but equal bytes set aside, as far as it is there."""
    for person in workspace.study.participants:
        owner = person.participant_id
        files = workspace.files(STAGE, owner, equal)
        if files and person.status != "withdrawn":
            piece = workspace.store.find(STAGE, owner, ingest_key(workspace, person, STAGE, files))
            if piece is not None:
                yield piece


@pha_task("compare")
def find_set_asides(order: Order) -> list[SetAside]:
    """All that has to be set aside, after everybody's exports were read."""
    return set_asides(workspace_of(order))


def compare_people(order: Order, rows: Sequence[LedgerRow]) -> tuple[Order, list[LedgerRow]]:
    """The order with all that is set aside, and the rows of ingest with the exports concerned read again.

    A second reading of what was read before costs little, and is done for those alone whose files were found.
    """
    found: list[SetAside] = find_set_asides(order)
    changed = {owner for owner, _, _ in set(found) - set(order["shared"])}
    if not changed:
        return order, list(rows)
    after: Order = {**order, "shared": found}
    ids = [
        row["participant_id"] for row in rows if row["stage"] == STAGE and row["participant_id"] in changed
    ]
    again = {
        row["participant_id"]: row for row in in_batches(ingest_batch, ids, after) if row["stage"] == STAGE
    }
    return after, [again.get(row["participant_id"], row) if row["stage"] == STAGE else row for row in rows]
