"""Where each published daily value came from."""

from schemas.columns import day, text
from schemas.table import Table, TableInfo


class ValueSources(Table):
    """Where each published daily value came from."""

    info = TableInfo(
        name="value_sources",
        one_row_is="a source of a daily value",
        references=(("participant_id", "participants"), ("file_id", "source_files")),
    )
    participant_id = text("The study's id of the participant.", key=True)
    date = day("The day.", key=True)
    metric = text("Column of daily_summary.", key=True)
    file_id = text("The file.", key=True)
    member_id = text("Keyed digest of the member's path within the file.", key=True)
    role = text("published or alternate.", null=False, allowed=("published", "alternate"))
    rule = text("The rule that chose it.", null=False)
