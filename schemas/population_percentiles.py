"""Percentiles of the cohort by stratum: the edition in force."""

from schemas.columns import number, text, whole
from schemas.table import Table, TableInfo


class PopulationPercentiles(Table):
    """Percentiles of the cohort by stratum: the edition in force."""

    info = TableInfo(
        name="population_percentiles",
        one_row_is="a percentile of a metric in a stratum",
        references=(("metric", "metrics"),),
        warnings=(
            "study cohort percentiles, not of the general population",
            "not under disclosure control: do not pass it on, but shareable/shareable_percentiles.parquet",
        ),
        kinds=("full",),
    )
    edition = text("The edition.", key=True)
    metric = text("The metric.", key=True)
    definition = text(
        "person: one value per participant (median of valid days); person_day: each valid day of a "
        "participant weighted 1/n, n being how many that one has.",
        key=True,
        allowed=("person", "person_day"),
    )
    window = text("Window of days.", key=True)
    sex = text("Sex, or all.", key=True)
    age_group = text("Age group, or all.", key=True)
    percentile = text("Percentile, as text so that it can be a key: 5, 10, 25, 50, 75, 90, 95.", key=True)
    value = number("Value; null where n is too small for this percentile.", "metric", 6)
    comparator = text(
        "Set where value is only a bound: so many results were given as below or above a limit.",
        allowed=("<", ">"),
    )
    n = whole("Participants of the stratum.", "participants", null=False, low=0)
    interval_low = number("Lower end of the 95 % order-statistic interval.", "metric", 6)
    interval_high = number("Upper end of the 95 % order-statistic interval.", "metric", 6)
    unit = text("Unit of value.", null=False)
    quantile_type = whole("Hyndman-Fan type.", "type", null=False)
