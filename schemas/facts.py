"""The dossier: all that the agents may say of a participant."""

from schemas.columns import day, flag, json_text, number, text, whole
from schemas.table import Table, TableInfo


class Facts(Table):
    """The dossier: all that the agents may say of a participant."""

    info = TableInfo(
        name="facts",
        one_row_is="a fact with an id, a value, a unit, a window and the table cell it came from",
        kinds=("full",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    fact_id = text("Deterministic id, such as sleep_minutes.median.last_30_days.", key=True)
    topic = text(
        "Section it belongs to.",
        null=False,
        allowed=(
            "profile",
            "data",
            "heart",
            "activity",
            "sleep",
            "labs",
            "surveys",
            "body",
            "peers",
            "findings",
            "insights",
            "changes",
        ),
    )
    label = text("Plain name.", null=False)
    value_num = number("Value.", "unit", 6)
    value_text = text("Value that is a word.")
    comparator = text("Set where the value is only a bound.", allowed=("<", "<=", ">", ">="))
    unit = text("Unit.")
    decimals = whole("Decimals it is shown with.", "digits", low=0, high=6)
    direction = text(
        "above, below, within, rising, falling or steady: which words about it are true.",
        allowed=("above", "below", "within", "rising", "falling", "steady"),
    )
    interval_low = number("Lower end of the 95 % interval of a rank, or of a wearable's change.", "unit", 6)
    interval_high = number("Upper end of it.", "unit", 6)
    window = text("Window.")
    window_start = day("First day.")
    window_end = day("Last day.")
    days = whole("Valid days (nights) behind it.", "days", low=0)
    rendered = text("Value and unit as shown.", null=False)
    source_table = text("Table of the cell.", null=False)
    source_key_json = json_text("Key of the cell.", null=False)
    source_column = text("Column of the cell.", null=False)
    for_participant = flag("May stand on the participant's page.", null=False)
