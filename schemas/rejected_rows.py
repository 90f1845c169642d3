"""Rows that could not be used, and why; never their text."""

from schemas.columns import text, whole
from schemas.table import Table, TableInfo


class RejectedRows(Table):
    """Rows that could not be used, and why; never their text."""

    info = TableInfo(
        name="rejected_rows",
        one_row_is="a rejected row, or a run of them with one reason",
        references=(("participant_id", "participants"), ("file_id", "source_files")),
    )
    file_id = text("The file.", key=True)
    place = text("Where in it: member digest and row, or page and row.", key=True)
    rule = text("The rule that failed.", key=True)
    participant_id = text("Whose; null for a row that belongs to nobody.")
    table = text("Table it was meant for.", null=False)
    code = text("Code.", null=False)
    column = text("Column in doubt.")
    rows = whole("How many rows.", "rows", null=False, low=1)
