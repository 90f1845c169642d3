"""Sleep logs: nights and naps."""

from schemas.columns import day, flag, instant, local_time, text, whole
from schemas.table import Table, TableInfo


class SleepSessions(Table):
    """Sleep logs: nights and naps."""

    info = TableInfo(
        name="sleep_sessions",
        one_row_is="a sleep log",
        references=(("participant_id", "participants"), ("file_id", "source_files")),
    )
    participant_id = text("The study's id of the participant.", key=True)
    sleep_id = text("Id of the log as the vendor gave it, as text.", key=True)
    date = day("Wake date, as the vendor states it.", null=False)
    is_main = flag("The main sleep of its wake date.", null=False)
    kind = text(
        "stages or classic: classic logs know only asleep, restless and awake.",
        null=False,
        allowed=("stages", "classic"),
    )
    start_time = local_time("Start, local.", null=False)
    end_time = local_time("End, local.", null=False)
    start_utc = instant("Start; null where the offset of its time is unknown.")
    end_utc = instant("End; null where the offset of its time is unknown.")
    utc_offset_minutes = whole("Offset of local time from UTC at the start.", "minutes", low=-720, high=840)
    minutes_asleep = whole("Minutes asleep.", "minutes", low=0, high=2880)
    minutes_awake = whole("Minutes awake.", "minutes", low=0, high=2880)
    minutes_to_fall_asleep = whole("Minutes to fall asleep.", "minutes", low=0, high=2880)
    time_in_bed_minutes = whole("Minutes in bed.", "minutes", low=0, high=2880)
    deep_minutes = whole("Deep sleep.", "minutes", low=0, high=2880)
    rem_minutes = whole("REM sleep.", "minutes", low=0, high=2880)
    light_minutes = whole("Light sleep.", "minutes", low=0, high=2880)
    efficiency = whole("The vendor's sleep efficiency.", "%", low=0, high=100)
    log_type = text("auto_detected or manual.")
    file_id = text("The file it came from.", null=False)
