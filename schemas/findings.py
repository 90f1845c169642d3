"""Every rule checked for every participant, with its outcome."""

from schemas.columns import day, json_text, text
from schemas.table import Table, TableInfo


class Findings(Table):
    """Every rule checked for every participant, with its outcome."""

    info = TableInfo(
        name="findings",
        one_row_is="a rule checked on a subject",
        warnings=("findings are prompts for a clinician, never a diagnosis",),
        kinds=("full",),
        version=2,
    )
    participant_id = text("The study's id of the participant.", key=True)
    rule_id = text("The rule (docs/findings.md).", key=True)
    subject = text("Metric or analyte; the rule's own id where it has only one.", key=True)
    window_end = day("Draw date for labs, else data_through; as-of where nothing arrived.", key=True)
    outcome = text(
        "fired, normal, insufficient, not_applicable or not_comparable.",
        null=False,
        allowed=("fired", "normal", "insufficient", "not_applicable", "not_comparable"),
    )
    reason = text("Why it could not be checked.")
    severity = text(
        "How soon somebody should look.", null=False, allowed=("info", "low", "medium", "high", "critical")
    )
    category = text("Band or class the rule found.")
    seen = text(
        "Of a fired one: new, known from the release before, or once (a trend seen in one release).",
        allowed=("once", "new", "known"),
    )
    statement = text("One sentence.", null=False)
    next_step = text("What a clinician might consider.")
    evidence_json = json_text("Inputs with values, units, dates and table cells.", null=False)
    guideline = text("Source with year.", null=False)
    guideline_url = text("Link to it.")
