"""Cross-checks of a participant's data."""

from schemas.columns import text, whole
from schemas.table import Table, TableInfo


class QualityChecks(Table):
    """Cross-checks of a participant's data."""

    info = TableInfo(
        name="quality_checks",
        one_row_is="a cross-check",
    )
    participant_id = text("The study's id of the participant.", key=True)
    check = text("The check (docs/quality.md).", key=True)
    outcome = text("ok, differs or not_checked.", null=False, allowed=("ok", "differs", "not_checked"))
    checked = whole("Days or rows compared.", "rows", null=False, low=0)
    differing = whole("Of them, how many differ.", "rows", null=False, low=0)
    detail = text("What was compared.", null=False)
