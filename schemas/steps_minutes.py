"""Steps by the minute."""

from schemas.columns import instant, text, whole
from schemas.table import Table, TableInfo


class StepsMinutes(Table):
    """Steps by the minute."""

    info = TableInfo(
        name="steps_minutes",
        one_row_is="a minute with a step row",
        layout="per_participant",
    )
    participant_id = text("The study's id of the participant.", key=True)
    minute_utc = instant("Start of the minute.", key=True)
    utc_offset_minutes = whole("Offset of local time from UTC.", "minutes", low=-720, high=840)
    steps = whole("Steps of the minute, reconciled over devices.", "count", null=False, low=0, high=1000)
