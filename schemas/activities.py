"""Recorded exercises."""

from schemas.columns import instant, local_time, number, text, whole
from schemas.table import Table, TableInfo


class Activities(Table):
    """Recorded exercises."""

    info = TableInfo(
        name="activities",
        one_row_is="a recorded exercise",
        warnings=("custom activity names are not published unless the study allows free text",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    activity_id = text("Id of the log as the vendor gave it, as text.", key=True)
    activity_name = text("English name by activity_type_id; null for a custom one.")
    activity_type_id = whole("The vendor's type of activity.", "id")
    start_time = local_time("Start, local; null where the offset of its time is unknown.")
    start_utc = instant("Start.", null=False)
    utc_offset_minutes = whole("Offset of local time from UTC.", "minutes", low=-720, high=840)
    duration_minutes = number("From start to end.", "minutes", 2, low=0)
    active_duration_minutes = number("Pauses left out.", "minutes", 2, low=0)
    distance_m = number("Distance.", "m", 1, low=0)
    steps = whole("Steps.", "count", low=0)
    calories_kcal = number("Energy spent.", "kcal", 1, low=0)
    average_heart_rate = whole("Mean heart rate.", "bpm", low=25, high=250)
    active_zone_minutes = whole("Active zone minutes.", "minutes", low=0)
    elevation_gain_m = number("Elevation gained.", "m", 1)
    log_type = text("How it was recorded: tracker, auto_detected, manual, mobile_run ...")
    file_id = text("The file it came from.", null=False)
