"""Up to the core tables: new exports become a core release, alerts and a renewed board."""

from prefect import flow

from tasks.as_of import decide_as_of
from tasks.batches import RUNNER, in_batches
from tasks.board import renew_board
from tasks.comparing import compare_people
from tasks.core import core_batch
from tasks.failure import FAILURE_HOOKS
from tasks.ingest import ingest_batch, ingest_surveys
from tasks.ledger import keys_of
from tasks.publish import Outcome, publish_release
from tasks.start import start_run


@flow(
    name="ingest",
    task_runner=RUNNER,
    log_prints=False,
    on_failure=FAILURE_HOOKS,
    on_crashed=FAILURE_HOOKS,
)
def ingest(study: str, out: str = "out", as_of: str | None = None, only: list[str] | None = None) -> Outcome:
    """Publish a core release of a study."""
    order, ids = start_run("core", study, out, as_of, None, only)
    rows = ingest_surveys(order) + in_batches(ingest_batch, ids, order)
    order, rows = compare_people(order, rows)
    renew_board(order, rows)
    order = decide_as_of(order, keys_of(rows))
    rows += in_batches(core_batch, ids, order, keys_of(rows))
    return publish_release(order, rows)
