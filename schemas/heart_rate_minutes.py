"""Heart rate by the minute."""

from schemas.columns import instant, number, text, whole
from schemas.table import Table, TableInfo


class HeartRateMinutes(Table):
    """Heart rate by the minute."""

    info = TableInfo(
        name="heart_rate_minutes",
        one_row_is="a minute with at least one heart-rate sample",
        layout="per_participant",
        warnings=("samples of confidence 0 are counted but not averaged: they mean no contact",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    minute_utc = instant("Start of the minute.", key=True)
    utc_offset_minutes = whole("Offset of local time from UTC.", "minutes", low=-720, high=840)
    heart_rate = number(
        "Mean of the samples of confidence 1 or more; null where there is none.", "bpm", 1, low=20, high=260
    )
    samples = whole("Samples of confidence 1 or more.", "count", null=False, low=0)
    samples_no_contact = whole("Samples of confidence 0.", "count", null=False, low=0)
