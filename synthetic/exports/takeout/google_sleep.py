"""``UserSleeps``, ``UserSleepStages``, ``UserSleepScores``: nights of the Google account.

Until the version changed, migrated nights stand in local time with ``+0000`` and an offset of 0; their stages
too, beside an offset that looks real and must not be applied.
"""

from datetime import date, datetime, timedelta

from synthetic.exports.logs import level_names, level_runs
from synthetic.exports.takeout.csv_text import month_start, text_rows
from synthetic.exports.takeout.export import Export, Files, long_id
from synthetic.exports.takeout.google_times import instant_text, offset_text
from synthetic.exports.takeout.night_versions import Night, nights
from synthetic.exports.takeout.score_csv import scored_sleeps

SLEEPS = (
    "sleep_id,sleep_type,minutes_in_sleep_period,minutes_after_wake_up,minutes_to_fall_asleep,minutes_asleep,"
    "minutes_awake,minutes_longest_awakening,minutes_to_persistent_sleep,start_utc_offset,sleep_start,"
    "end_utc_offset,sleep_end,data_source,algorithm_version,sleep_created,sleep_last_updated"
)
STAGES = (
    "sleep_id,sleep_stage_id,sleep_stage_type,start_utc_offset,sleep_stage_start,end_utc_offset,"
    "sleep_stage_end,data_source,algorithm_version,sleep_stage_created,sleep_stage_last_updated"
)
SCORES = (
    "sleep_id,sleep_score_id,data_source,score_utc_offset,score_time,overall_score,duration_score,"
    "composition_score,revitalization_score,sleep_time_minutes,deep_sleep_minutes,rem_sleep_percent,"
    "resting_heart_rate,sleep_goal_minutes,waso_count_long_wakes,waso_count_all_wake_time,"
    "restlessness_normalized,hr_below_resting_hr,sleep_score_created,sleep_score_last_updated"
)
STAGE_TYPES = {"wake": "AWAKE"}
AWAKE = ("wake", "awake", "restless")
CREATED_AFTER = timedelta(minutes=4)
SLEEP_GOAL_MINUTES = 450


def sleeps(export: Export) -> Files:
    """A row for each telling of a night."""
    rows = [(night.log.wake_date, _sleep_row(export, night)) for night in nights(export)]
    yield from _monthly(export, "UserSleeps", SLEEPS, rows)


def stages(export: Export) -> Files:
    """A row for each stretch of a level, short wakes laid over; those of a night are in no order."""
    rows = [(night.log.wake_date, row) for night in nights(export) for row in _stage_rows(export, night)]
    yield from _monthly(export, "UserSleepStages", STAGES, rows)


def scores(export: Export) -> Files:
    """A row for each telling of a night that has a score; -1 where a part has none."""
    scored = {log.wake_date: values for _, log, values in scored_sleeps(export)}
    rows = [
        (night.log.wake_date, _score_row(export, night, scored[night.log.wake_date]))
        for night in nights(export)
        if night.log.is_main and night.log.wake_date in scored
    ]
    yield from _monthly(export, "UserSleepScores", SCORES, rows)


def _monthly(export: Export, name: str, header: str, rows: list[tuple[date, dict[str, object]]]) -> Files:
    """Files by month of the wake date, with the columns the layout knows."""
    columns = [
        column
        for column in header.split(",")
        if column != "algorithm_version" or export.generation.two_algorithms
    ]
    parts: dict[date, list[str]] = {}
    for day, row in rows:
        line = ",".join(str(row[column]) for column in columns)
        parts.setdefault(month_start(day, export.created), []).append(line)
    for month, lines in parts.items():
        yield text_rows(f"{name}_{month}.csv", ",".join(columns), lines)


def _sleep_row(export: Export, night: Night) -> dict[str, object]:
    log = night.log
    offset = offset_text(0 if night.migrated else night.offset)
    awake = [length // 2 for level, _, length in level_runs(log.levels) if level_names(log)[level] in AWAKE]
    values = (
        night.sleep_id, log.kind.upper(), log.minutes_in_bed, 0, 0, log.minutes_asleep, log.minutes_awake,
        max(awake, default=0), 0, offset, _written(export, night, log.start), offset,
        _written(export, night, log.end), "DERIVED", f"sleep_session_v{night.algorithm}",
        _written(export, night, log.end + CREATED_AFTER), _written(export, night, log.end + CREATED_AFTER),
    )  # fmt: skip
    return dict(zip(SLEEPS.split(","), values, strict=True))


def _stage_rows(export: Export, night: Night) -> list[dict[str, object]]:
    log, offset = night.log, offset_text(night.offset)
    created = _written(export, night, log.end + CREATED_AFTER)
    rows: list[dict[str, object]] = []
    for number, (level, first, length) in enumerate(level_runs(log.levels)):
        start = log.start + timedelta(seconds=30 * first)
        end = start + timedelta(seconds=30 * length)
        name = level_names(log)[level]
        values = (
            night.sleep_id, long_id(night.sleep_id, f"stage {number}"), STAGE_TYPES.get(name, name.upper()),
            offset, _written(export, night, start), offset, _written(export, night, end), "DERIVED",
            f"sleep_stages_v{night.algorithm}", created, created,
        )  # fmt: skip
        rows.append(dict(zip(STAGES.split(","), values, strict=True)))
    return rows[1::2] + rows[::2]


def _score_row(export: Export, night: Night, values: dict[str, float | None]) -> dict[str, object]:
    log, minutes = night.log, night.log.minutes_by_level()
    offset = offset_text(0 if night.migrated else night.offset)
    resting = values["resting_heart_rate"]
    created = _written(export, night, log.end + CREATED_AFTER)
    cells = (
        night.sleep_id, long_id(night.sleep_id, "score"), "DERIVED", offset, _written(export, night, log.end),
        values["sleep_score_overall"], -1, -1, -1, log.minutes_asleep,
        minutes.get("deep", 0), round(100 * minutes.get("rem", 0) / log.minutes_in_bed, 6),
        "" if resting is None else round(resting), SLEEP_GOAL_MINUTES,
        0, 2, values["restlessness"], 0.5, created, created,
    )  # fmt: skip
    return dict(zip(SCORES.split(","), cells, strict=True))


def _written(export: Export, night: Night, local: datetime) -> str:
    return instant_text(export, night.instant(export, local))
