"""The main job: exports → core tables → percentiles → dossier → insights → summaries → release."""

from prefect import flow

from tasks.agents import insights_batch, summaries_batch
from tasks.as_of import decide_as_of
from tasks.batches import RUNNER, in_batches
from tasks.board import renew_board
from tasks.comparing import compare_people
from tasks.core import core_batch
from tasks.failure import FAILURE_HOOKS
from tasks.ingest import ingest_batch, ingest_surveys
from tasks.ledger import keys_of
from tasks.model_rounds import in_rounds, rounds_of
from tasks.own_questions import compile_questions
from tasks.population import dossier_batch, make_edition
from tasks.publish import Outcome, publish_release
from tasks.start import start_run


@flow(
    name="cohort",
    task_runner=RUNNER,
    log_prints=False,
    on_failure=FAILURE_HOOKS,
    on_crashed=FAILURE_HOOKS,
)
def cohort(
    study: str,
    out: str = "out",
    as_of: str | None = None,
    model: str | None = None,
    only: list[str] | None = None,
) -> Outcome:
    """Publish a full release of a study, and renew its board after every stage."""
    order, ids = start_run("full", study, out, as_of, model, only)
    rows = ingest_surveys(order) + in_batches(ingest_batch, ids, order)
    order, rows = compare_people(order, rows)
    renew_board(order, rows)
    order = decide_as_of(order, keys_of(rows))
    rows += in_batches(core_batch, ids, order, keys_of(rows))
    renew_board(order, rows)
    rows += make_edition(order, keys_of(rows))
    rows += in_batches(dossier_batch, ids, order, keys_of(rows))
    renew_board(order, rows)
    keys = keys_of(rows)
    rows += rounds_of(lambda: compile_questions(order, keys), order)
    rows += in_rounds(insights_batch, ids, order, keys_of(rows))
    renew_board(order, rows)
    rows += in_rounds(summaries_batch, ids, order, keys_of(rows))
    return publish_release(order, rows)
