"""Where each participant stands among the others."""

from schemas.columns import day, number, text, whole
from schemas.table import Table, TableInfo


class ParticipantPercentiles(Table):
    """Where each participant stands among the others."""

    info = TableInfo(
        name="participant_percentiles",
        one_row_is="a participant's rank in a metric and window",
        references=(("participant_id", "participants"), ("metric", "metrics")),
        warnings=("rank = (less + half equal) / others, over the others only",),
        kinds=("full",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    metric = text("The metric.", key=True)
    window = text("Window of days.", key=True)
    window_start = day("First day of the window.")
    window_end = day("Last day of the window.")
    value = number(
        "The participant's value: median of valid days, or the newest accepted result.", "metric", 6
    )
    unit = text("Unit of value.", null=False)
    days = whole("Valid days (nights) behind the value.", "days", low=0)
    rank = number("Share of the others below, ties half, times 100.", "percentile", 1, low=0, high=100)
    rank_low = number(
        "Lower end of the 95 % interval of the rank (Wilson), were the others a sample of more people.",
        "percentile",
        1,
        low=0,
        high=100,
    )
    rank_high = number("Upper end of it.", "percentile", 1, low=0, high=100)
    others = whole("How many others the rank is over.", "participants", low=0)
    stratum = text("Which stratum was used.", allowed=("cell", "sex", "all", "reference"))
    stratum_sex = text("Sex of the stratum, or all.")
    stratum_age_group = text("Age group of the stratum, or all.")
    edition = text("The edition of the percentiles.", null=False)
    no_rank_reason = text(
        "Why there is no rank.",
        allowed=("insufficient_days", "too_few_others", "no_value", "data_old", "censored"),
    )
