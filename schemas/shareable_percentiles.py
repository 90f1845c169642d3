"""Percentiles that may be passed on: population_percentiles under disclosure control."""

from schemas.columns import number, text, whole
from schemas.table import Table, TableInfo


class ShareablePercentiles(Table):
    """Percentiles that may be passed on: population_percentiles under disclosure control."""

    info = TableInfo(
        name="shareable_percentiles",
        one_row_is="a percentile of a metric in a group of at least 11 participants",
        references=(("metric", "metrics"),),
        warnings=(
            "study cohort percentiles, not of the general population",
            "a group that is not there has too few people, or would tell of one that has",
            "n is rounded down to 5 and values are rounded: do not calculate with them as if they were exact",
        ),
        kinds=("full",),
        folder="shareable",
    )
    metric = text("The metric.", key=True)
    sex = text("Sex, or all.", key=True)
    age_group = text("Age group, or all.", key=True)
    percentile = text("Percentile, as text so that it can be a key: 5, 10, 25, 50, 75, 90, 95.", key=True)
    edition = text("The edition it is of: another metric may be of an older one.", null=False)
    window = text("Window of days, or newest for draws and scores: one a metric.", null=False)
    value = number("Value, rounded; null where n is too small for this percentile.", "metric", 6)
    comparator = text(
        "Set where value is only a bound: so many results were given as below or above a limit.",
        allowed=("<", ">"),
    )
    n = whole("Participants of the group, rounded down to 5.", "participants", null=False, low=10)
    interval_low = number("Lower end of the 95 % order-statistic interval, rounded.", "metric", 6)
    interval_high = number("Upper end of the 95 % order-statistic interval, rounded.", "metric", 6)
    unit = text("Unit of value.", null=False)
    quantile_type = whole("Hyndman-Fan type.", "type", null=False)
