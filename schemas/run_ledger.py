"""What became of each participant in each stage."""

from schemas.columns import number, text, whole
from schemas.table import Table, TableInfo


class RunLedger(Table):
    """What became of each participant in each stage."""

    info = TableInfo(
        name="run_ledger",
        one_row_is="a stage of a participant",
        times_excluded=True,
        references=(),
        warnings=("_cohort stands for work on the whole cohort",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    stage = text("Stage.", key=True)
    state = text("State.", null=False, allowed=("done", "reused", "failed", "pending", "not_due"))
    reason_code = text("Code of a failure.")
    next_step = text("What to do.")
    seconds = number("Time it took when it was made.", "s", 3, low=0)
    tokens = whole("Tokens of language models.", "tokens", low=0)
    cost_usd = number("Cost.", "USD", 6, low=0)
