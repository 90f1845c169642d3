"""Scores: sleep, stress, readiness."""

from datetime import date
from typing import Any

from synthetic.exports.takeout.csv_text import month_start, text_rows
from synthetic.exports.takeout.export import Export, Files
from synthetic.life.sleep import SleepLog

SLEEP_SCORE_HEADER = (
    "sleep_log_entry_id,timestamp,overall_score,composition_score,revitalization_score,duration_score,"
    "deep_sleep_in_minutes,resting_heart_rate,restlessness"
)
STRESS_HEADER = (
    "DATE,UPDATED_AT,STRESS_SCORE,SLEEP_POINTS,MAX_SLEEP_POINTS,RESPONSIVENESS_POINTS,"
    "MAX_RESPONSIVENESS_POINTS,EXERTION_POINTS,MAX_EXERTION_POINTS,STATUS,CALCULATION_FAILED"
)
READINESS_HEADER = (
    "date,readiness_score_value,readiness_state,activity_subcomponent,sleep_subcomponent,hrv_subcomponent,"
    "activity_state,sleep_state,hrv_state"
)
READY = "20,30,21,30,28,40,READY,false"
READY_NOT_PREMIUM = "0,0,0,0,0,0,READY_NOT_PREMIUM,false"
NO_DATA = "0,0,0,0,0,0,0,NO_DATA,true"


def scored_sleeps(export: Export) -> list[tuple[int, SleepLog, dict[str, Any]]]:
    """Main sleeps with a score: the log's id, the log and the values of its night."""
    recording = export.recording
    nightly = {row["date"]: row for row in recording.nightly.iter_rows(named=True)}
    return [
        (log_id, log, nightly[log.wake_date])
        for log_id, log in zip(recording.sleep_ids, recording.sleeps, strict=True)
        if log.is_main and nightly[log.wake_date]["sleep_score"] is not None
    ]


def sleep_score(export: Export) -> Files:
    """One file, newest first; the time is the local end of the night with a false Z.

    Accounts without the paid service have no composition and duration score, and the revitalization score
    repeats the overall one.
    """
    rows = [_sleep_row(export, log_id, log, night) for log_id, log, night in scored_sleeps(export)]
    yield text_rows("sleep_score.csv", SLEEP_SCORE_HEADER, rows[::-1])


def _sleep_row(export: Export, log_id: int, log: SleepLog, night: dict[str, Any]) -> str:
    overall, resting = night["sleep_score"], night["resting_heart_rate"]
    parts = (overall // 4, overall // 4, overall // 2) if export.person.premium else ("", overall, "")
    cells = (
        log_id, f"{log.end.isoformat()}Z", overall, *parts, log.minutes_by_level()["deep"],
        "" if resting is None else round(resting), night["restlessness"],
    )  # fmt: skip
    return ",".join(map(str, cells))


def stress_score(export: Export) -> Files:
    """A row a day; a day without a score says NO_DATA, true and 0."""
    points = READY if export.person.premium else READY_NOT_PREMIUM
    rows = [
        f"{day}T00:00:00,{day}T12:0{day.day % 10}:09.581,"
        f"{NO_DATA if score is None else f'{score:.0f},{points}'}"
        for day, score in export.recording.nightly.select("date", "stress_management_score").iter_rows()
    ]
    yield text_rows("Stress Score.csv", STRESS_HEADER, rows)


def readiness_score(export: Export) -> Files:
    """Files by month, newest first; the parts are of the score's size."""
    months: dict[date, list[str]] = {}
    for day, score in export.recording.nightly.select("date", "readiness_score").drop_nulls().iter_rows():
        months.setdefault(month_start(day, export.created), []).append(_readiness_row(day, score))
    for month, rows in months.items():
        yield text_rows(f"Daily Readiness Score - {month}.csv", READINESS_HEADER, rows[::-1])


def _readiness_row(day: date, score: int) -> str:
    state = readiness_level(score)
    return f"{day},{score:.1f},{state},{score - 3:.1f},{score + 4:.1f},{score:.1f},{state},{state},{state}"


def readiness_level(score: int) -> str:
    """The app's word for a score."""
    return "LOW" if score < 30 else "MEDIUM" if score < 65 else "HIGH"


def readiness_properties(export: Export) -> Files:
    """Nothing was ever set: a header alone."""
    name = f"Daily Readiness User Properties - {export.created}.csv"
    yield text_rows(name, "property_type,value,last_update", [])
