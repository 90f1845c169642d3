"""Who needs attention, why, and what to do next."""

from schemas.columns import day, text
from schemas.table import Table, TableInfo


class Attention(Table):
    """Who needs attention, why, and what to do next."""

    info = TableInfo(
        name="attention",
        one_row_is="a matter for a person to act on",
    )
    attention_id = text("Stable over runs: digest of participant, kind, code and subject.", key=True)
    participant_id = text("The participant; null for a matter of the study.")
    kind = text(
        "What sort of matter.",
        null=False,
        allowed=("alert", "identity", "input", "lab_review", "data_gap", "finding", "text", "study", "run"),
    )
    code = text("Code: pha explain CODE.", null=False)
    severity = text("How soon.", null=False, allowed=("critical", "high", "medium", "low"))
    role = text("Who acts.", null=False, allowed=("coordinator", "clinician", "operator"))
    what = text("What happened.", null=False)
    next_step = text("What to do.", null=False)
    message = text("Words to send to the participant.")
    first_seen = day("As-of of the first release with it.", null=False)
    state = text(
        "Where it stands.", null=False, allowed=("new", "open", "acknowledged", "snoozed", "resolved")
    )
