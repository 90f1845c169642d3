"""The values that shareable percentiles were ever made of, so that a new version can be held against them."""

from schemas.columns import number, text
from schemas.table import Table, TableInfo


class SharedValues(Table):
    """The values that shareable percentiles were ever made of. Never published."""

    info = TableInfo(
        name="shared_values",
        one_row_is="a participant's value of a metric in a version that was shared",
        kinds=(),
    )
    edition = text("The edition that the version of the metric is of.", key=True)
    participant_id = text("The study's id of the participant.", key=True)
    metric = text("The metric.", key=True)
    window = text("The window: one a metric.", null=False)
    value = number("Median of valid days, or the newest accepted value.", "metric", 6)
    comparator = text("Set where bound stands for a value.", allowed=("<", "<=", ">", ">="))
    bound = number("The limit a result was given as below or above.", "metric", 6)
    unit = text("Unit of value and bound.", null=False)
    sex = text("Registered sex.", null=False, allowed=("female", "male", "intersex", "unknown"))
    age_group = text("Age group of the study's strata at the time.")
