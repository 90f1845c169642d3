"""What each metric means."""

from schemas.columns import text, whole
from schemas.table import Table, TableInfo


class Metrics(Table):
    """What each metric means."""

    info = TableInfo(
        name="metrics",
        one_row_is="a metric of the percentile and feature tables",
        references=(),
    )
    metric = text("Name: the column of daily_summary, an analyte key or a score.", key=True)
    label = text("Plain name.", null=False)
    definition = text("What it is and how it is computed.", null=False)
    unit = text("Unit.", null=False)
    direction = text(
        "Which way is thought better, for wording only.",
        null=False,
        allowed=("higher", "lower", "middle", "none"),
    )
    measured = text(
        "Belongs to the day, the night or a draw.", null=False, allowed=("day", "night", "draw", "survey")
    )
    decimals = whole("Decimals it is shown with.", "digits", null=False, low=0, high=6)
