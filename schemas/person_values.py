"""One value per participant, metric and window: what percentiles are made of. Never published."""

from schemas.columns import day, number, text, whole
from schemas.table import Table, TableInfo


class PersonValues(Table):
    """One value per participant, metric and window: what percentiles are made of. Never published."""

    info = TableInfo(
        name="person_values",
        one_row_is="a participant's value of a metric in a window",
        kinds=(),
    )
    participant_id = text("The study's id of the participant.", key=True)
    metric = text("The metric.", key=True)
    window = text("last_7_days, last_30_days, last_90_days, whole, or newest for draws and scores.", key=True)
    window_start = day("First day of the window.")
    window_end = day("Last day of the window.")
    value = number("Median of valid days, or the newest accepted value.", "metric", 6)
    comparator = text("Set where bound stands for a value.", allowed=("<", "<=", ">", ">="))
    bound = number("The limit a result was given as below or above.", "metric", 6)
    unit = text("Unit of value and bound.", null=False)
    days = whole("Valid days (nights) behind the value.", "days", low=0)
    no_value_reason = text(
        "Why there is no value.", allowed=("insufficient_days", "no_value", "data_old", "censored")
    )
    sex = text("Registered sex.", null=False, allowed=("female", "male", "intersex", "unknown"))
    age_group = text("Age group of the study's strata.")
