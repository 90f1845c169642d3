"""The CSV files beside ``Global Export Data``, with their headers, clocks and names."""

from datetime import date, datetime

import numpy as np

from synthetic.exports.account import account_id
from synthetic.exports.json_files import Members
from synthetic.exports.log_files import tracker_id
from synthetic.life.activity import OUT_OF_ZONE, ZONE_MULTIPLIER
from synthetic.life.recording import Recording
from synthetic.people.persona import Person

SPO2_CHUNK_DAYS = 100
ZONE_NAMES = ("OUT_OF_ZONE", "FAT_BURN", "CARDIO", "PEAK")

SLEEP_SCORE_HEADER = (
    "sleep_log_entry_id,timestamp,overall_score,composition_score,revitalization_score,duration_score,"
    "deep_sleep_in_minutes,resting_heart_rate,restlessness"
)
STRESS_HEADER = (
    "DATE,UPDATED_AT,STRESS_SCORE,SLEEP_POINTS,MAX_SLEEP_POINTS,RESPONSIVENESS_POINTS,"
    "MAX_RESPONSIVENESS_POINTS,EXERTION_POINTS,MAX_EXERTION_POINTS,STATUS,CALCULATION_FAILED"
)
PROFILE_HEADER = (
    "id,full_name,first_name,last_name,display_name_setting,display_name,username,email_address,date_of_birth,"
    "child,country,state,city,timezone,locale,member_since,about_me,start_of_week,sleep_tracking,"
    "time_display_format,gender,height,weight,stride_length_walking,stride_length_running,weight_unit,"
    "distance_unit,height_unit,water_unit,glucose_unit,swim_unit"
)
TRACKERS_HEADER = (
    "tracker_id,date_added,last_sync_date_time,batt_level,hardware_rev,is_display_distance,is_display_calories,"
    "is_display_clock,is_display_flower,is_display_elevation,is_display_chatter,is_right_handed,tracker_name,"
    "device_type,on_dominant_hand,is_display_active_minutes,clock_face,enable_ancs,is_bonded,is_display_steps,"
    "alarm_update_time,is_display_heart_rate,heart_rate_tracking,heart_rate_tracking_update_time,tap_enabled,"
    "tap_screen,flick_enabled,flick_screen"
)


def table(header: str, rows: list[str]) -> str:
    """A CSV file with LF line ends."""
    return "\n".join([header, *rows]) + "\n"


def active_zone_minutes(recording: Recording, created: date) -> Members:
    """Monthly files by local minute, only of minutes that earned something: a month may be a header alone."""
    days = recording.days
    rows: dict[str, list[str]] = {_month_start(day, created).isoformat(): [] for day in days.dates}
    for place in np.flatnonzero(recording.measures.zone != OUT_OF_ZONE):
        day, wall, zone = (
            days.dates[days.day[place]],
            int(days.wall[place]),
            int(recording.measures.zone[place]),
        )
        line = f"{day}T{wall // 60:02d}:{wall % 60:02d},{ZONE_NAMES[zone]},{ZONE_MULTIPLIER[zone]}"
        rows[_month_start(day, created).isoformat()].append(line)
    for month, lines in rows.items():
        name = f"Active Zone Minutes (AZM)/Active Zone Minutes - {month}.csv"
        yield name, table("date_time,heart_zone_id,total_minutes", lines)


def _month_start(day: date, created: date) -> date:
    """Files start on the first of the month, the account's first one on the day it was made."""
    return max(day.replace(day=1), created)


def heart_rate_variability(recording: Recording, created: date) -> Members:
    """A file a night. The number in the name counts days from the month's first file: it is not the day."""
    folder = "Heart Rate Variability/Daily Heart Rate Variability Summary"
    columns = ("date", "heart_rate_variability", "nremhr", "entropy")
    for day, rmssd, heart_rate, entropy in recording.nightly.select(columns).iter_rows():
        if rmssd is not None:
            number = (day - _month_start(day, created)).days
            name = f"{folder} - {day:%Y-%m}-{f'({number})' if number else ''}.csv"
            row = f"{day}T00:00:00,{rmssd:.3f},{heart_rate:.3f},{entropy:.3f}"
            yield name, table("timestamp,rmssd,nremhr,entropy", [row])


def respiratory_rate(recording: Recording) -> Members:
    """A file a night."""
    folder = "Heart Rate Variability/Daily Respiratory Rate Summary"
    for day, rate in recording.nightly.select("date", "respiratory_rate").iter_rows():
        if rate is not None:
            yield (
                f"{folder} - {day}.csv",
                table("timestamp,daily_respiratory_rate", [f"{day}T00:00:00,{rate:.1f}"]),
            )


def oxygen_saturation(recording: Recording) -> Members:
    """About a hundred days a file, named by its first and last day; the Z of the day labels means nothing."""
    columns = ("date", "spo2_avg", "spo2_min", "spo2_max")
    dates = recording.days.dates
    for first in range(0, len(dates), SPO2_CHUNK_DAYS):
        chunk = recording.nightly[first : first + SPO2_CHUNK_DAYS]
        rows = [
            f"{day}T00:00:00Z,{average:.1f},{low:.1f},{high:.1f}"
            for day, average, low, high in chunk.select(columns).iter_rows()
            if average is not None
        ]
        last = chunk["date"][-1]
        name = f"Oxygen Saturation (SpO2)/Daily SpO2 - {dates[first]}-{last}.csv"
        yield name, table("timestamp,average_value,lower_bound,upper_bound", rows)


def sleep_score(recording: Recording) -> Members:
    """One file, newest first; the time is the local end of the night with a false Z.

    Accounts without the paid service have no composition and duration score, and the revitalization score
    repeats the overall one.
    """
    nightly = {row["date"]: row for row in recording.nightly.iter_rows(named=True)}
    rows: list[str] = []
    for log_id, sleep in zip(recording.sleep_ids, recording.sleeps, strict=True):
        night = nightly[sleep.wake_date]
        if not sleep.is_main or night["sleep_score"] is None:
            continue
        overall = night["sleep_score"]
        parts = (overall // 4, overall // 4, overall // 2) if recording.person.premium else ("", overall, "")
        resting = night["resting_heart_rate"]
        deep, still = sleep.minutes_by_level()["deep"], night["restlessness"]
        rows.append(
            f"{log_id},{sleep.end.isoformat()}Z,{overall},{parts[0]},{parts[1]},{parts[2]},"
            f"{deep},{'' if resting is None else round(resting)},{still}"
        )
    yield "Sleep Score/sleep_score.csv", table(SLEEP_SCORE_HEADER, rows[::-1])


def stress_score(recording: Recording) -> Members:
    """A row a day; a day without a score says NO_DATA, true and 0."""
    points = "20,30,21,30,28,40,READY" if recording.person.premium else "0,0,0,0,0,0,READY_NOT_PREMIUM"
    rows = [
        f"{day}T00:00:00,{day}T12:0{day.day % 10}:09.581,"
        + ("0,0,0,0,0,0,0,NO_DATA,true" if score is None else f"{score:.0f},{points},false")
        for day, score in recording.nightly.select("date", "stress_management_score").iter_rows()
    ]
    yield "Stress Score/Stress Score.csv", table(STRESS_HEADER, rows)


def profile(person: Person, created: date) -> Members:
    """The account's profile: identifying, and the only place that names the time zone."""
    first, last = person.name.split(" ", 1)
    unit = "en_US" if person.miles else "METRIC"
    height = round(person.body.height_cm, 1)
    row = (
        f"{account_id(person)},{person.name},{first},{last},name,{first} {last[0]}.,null,"
        f"{first.lower()}.{last.lower()}@example.org,{person.birth_date},false,null,null,null,{person.time_zone},"
        f"en_US,{created},null,SUNDAY,Normal,12hour,{person.sex.upper()},{height},"
        f"{round(person.body.weight_kg, 1)},{round(height * 0.414, 3)},{round(height * 0.58, 3)},"
        f"{unit},{unit},{unit},METRIC,METRIC,{unit}"
    )
    yield "Your Profile/Profile.csv", table(PROFILE_HEADER, [row])


def trackers(person: Person, created: date, synced_utc: datetime) -> Members:
    """The one device of the person."""
    row = (
        f"{tracker_id(person)},{created},{synced_utc.isoformat(timespec='milliseconds')}Z,54,0,"
        f"true,true,true,true,true,true,true,,{person.device},false,false,A,true,false,true,{created}T12:54:04.000Z,true,AUTO,"
        f"{created}T12:54:04.000Z,true,TIME,false,"
    )
    yield "Paired Devices/Trackers.csv", table(TRACKERS_HEADER, [row])
