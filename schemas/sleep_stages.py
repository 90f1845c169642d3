"""Epochs of sleep logs, short wakes laid over the stages."""

from schemas.columns import instant, text, whole
from schemas.table import Table, TableInfo


class SleepStages(Table):
    """Epochs of sleep logs, short wakes laid over the stages."""

    info = TableInfo(
        name="sleep_stages",
        one_row_is="an epoch of a sleep log",
        references=(("participant_id", "participants"), ("participant_id+sleep_id", "sleep_sessions")),
    )
    participant_id = text("The study's id of the participant.", key=True)
    sleep_id = text("The sleep log.", key=True)
    start_utc = instant("Start of the epoch.", key=True)
    seconds = whole("Length of the epoch.", "s", null=False, low=1)
    stage = text(
        "Stage.", null=False, allowed=("deep", "light", "rem", "wake", "asleep", "restless", "awake")
    )
