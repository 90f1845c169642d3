"""Lab reports as they came."""

from schemas.columns import day, text, whole
from schemas.table import Table, TableInfo


class LabFiles(Table):
    """Lab reports as they came."""

    info = TableInfo(
        name="lab_files",
        one_row_is="a lab report",
    )
    participant_id = text("The study's id of the participant.", key=True)
    file_id = text("Keyed digest of participant, path and content.", key=True)
    bytes = whole("Size.", "bytes", null=False, low=0)
    pages = whole("Pages.", "pages", low=0)
    lab_vendor = text("Laboratory family.")
    layout_id = text("Layout the reader recognised.")
    status = text(
        "What became of the report.",
        null=False,
        allowed=("accepted", "partial", "quarantined", "duplicate", "unreadable"),
    )
    reason = text("Code of the reason where it was not accepted whole.")
    identity = text("Identity verdict over all pages.", allowed=("matched", "unchecked", "identity_mismatch"))
    collected_date = day("Day of collection.")
    report_status = text(
        "Status of the report.",
        allowed=("preliminary", "final", "corrected", "amended", "cancelled", "unknown"),
    )
    rows_read = whole("Readings found.", "rows", null=False, low=0)
    rows_accepted = whole("Readings accepted.", "rows", null=False, low=0)
    rows_review = whole("Readings put to review.", "rows", null=False, low=0)
    rows_ignored = whole("Readings ignored by a named rule.", "rows", null=False, low=0)
