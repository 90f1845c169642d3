"""Which source and recorder a day is taken from, and how logs of two systems become one."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import (
    ANN,
    beats,
    day_of,
    file_row,
    ingest,
    minutes,
    pretty,
    sleep_log,
    table,
    timed,
    write_tgz,
    write_zip,
)
from hypothesis import given
from hypothesis import strategies as st

from ingest.fitbit.choosing import FEWEST_DAYS_OF_A_METHOD, choose
from ingest.fitbit.kinds import KIND_BY_NAME
from ingest.fitbit.measures import MEASURES, Measure
from ingest.fitbit.recorders import best_of_day
from ingest.fitbit.sleep_logs import overlapping
from ingest.fitbit.twin_files import needless_twins
from outputs.store import Result

GLOBAL = "Global Export Data"
FAMILIES = "Physical Activity_GoogleData"
HEALTH = "Health Fitness Data_GoogleData"
TAKEOUT = "takeout-20260601T103201Z-001.zip"
FIRST = date(2026, 1, 1)
WHOLE = pl.DataFrame(schema={"kind": pl.String, "date": pl.Date})
HRV = next(measure for measure in MEASURES if measure.name == "heart_rate_variability")
SLEEP_HEAD = (
    "sleep_id,sleep_type,minutes_in_sleep_period,minutes_asleep,minutes_awake,minutes_to_fall_asleep,"
    "start_utc_offset,sleep_start,sleep_end,algorithm_version\n"
)
STAGE_HEAD = "sleep_id,sleep_stage_id,sleep_stage_type,sleep_stage_start,sleep_stage_end\n"


def series(values: Mapping[int, float], column: str = "heart_rate_variability") -> pl.DataFrame:
    days = [FIRST + timedelta(days=n) for n in values]
    return pl.DataFrame(
        {"date": days, column: list(values.values())}, schema={"date": pl.Date, column: pl.Float64}
    )


def chosen(measure: Measure, **kept: pl.DataFrame) -> list[tuple[int, float, str]]:
    """(day, value, kind) by day."""
    nothing = series({}, measure.name)
    choices = choose([measure], {s.kind: kept.get(s.kind, nothing) for s in measure.sources}, WHOLE, WHOLE)
    rows = choices.days.join(choices.won, on="date").sort("date")
    return [
        ((day - FIRST).days, value, kind)
        for day, value, kind in rows.select("date", measure.name, "kind").iter_rows()
    ]


# One source a day -------------------------------------------------------------------------------------------


def test_the_best_source_of_each_day_counts_and_the_other_fills_its_gaps() -> None:
    respiration = next(measure for measure in MEASURES if measure.name == "respiratory_rate")
    best, twin = series({0: 14, 2: 15}, "respiratory_rate"), series({0: 99, 1: 16}, "respiratory_rate")
    assert chosen(respiration, respiratory_rate=best, respiratory_rate_csv=twin) == [
        (0, 14, "respiratory_rate"),
        (1, 16, "respiratory_rate_csv"),
        (2, 15, "respiratory_rate"),
    ]


@given(st.lists(st.sets(st.integers(0, 6)), min_size=2, max_size=2))
def test_every_day_that_a_source_tells_has_one_value(told: list[set[int]]) -> None:
    respiration = next(measure for measure in MEASURES if measure.name == "respiratory_rate")
    frames = [
        series(dict.fromkeys(sorted(days), 10.0 + rank), "respiratory_rate") for rank, days in enumerate(told)
    ]
    rows = chosen(respiration, respiratory_rate=frames[0], respiratory_rate_csv=frames[1])
    assert [day for day, _, _ in rows] == sorted(told[0] | told[1])
    assert all(value == (10 if day in told[0] else 11) for day, value, _ in rows)


def test_another_method_never_fills_gaps_but_may_go_on_after_the_end() -> None:
    best = series({0: 30, 3: 31, 5: 30})
    newer = series({n: 40 + n for n in range(6 + FEWEST_DAYS_OF_A_METHOD)})
    rows = chosen(HRV, heart_rate_variability=best, heart_rate_variability_csv=newer)
    assert [day for day, _, _ in rows] == [0, 3, 5, *range(6, 6 + FEWEST_DAYS_OF_A_METHOD)]


def test_a_short_tail_of_another_method_is_not_published() -> None:
    best = series({0: 30, 5: 30})
    newer = series({n: 40 + n for n in range(6 + FEWEST_DAYS_OF_A_METHOD - 1)})
    rows = chosen(HRV, heart_rate_variability=best, heart_rate_variability_csv=newer)
    assert [day for day, _, _ in rows] == [0, 5]


def test_a_source_that_tells_the_same_is_the_same_method_and_fills_gaps() -> None:
    best = series({n: 30 + n for n in range(0, 20, 2)})
    same = series({n: 30 + n for n in range(20)})
    others = {source.kind: series({}) for source in HRV.sources}
    kept = others | {"heart_rate_variability": best, "heart_rate_variability_csv": same}
    choices = choose([HRV], kept, WHOLE, WHOLE)
    assert choices.days.height == 20
    assert set(choices.days["heart_rate_variability_method"]) == {"vendor_daily_rmssd"}
    assert choices.compared["heart_rate_variability"] == (0, 0)


def test_the_resting_rate_of_a_night_near_the_daily_one_is_another_definition() -> None:
    resting = next(measure for measure in MEASURES if measure.name == "resting_heart_rate")
    daily = series(dict.fromkeys(range(0, 20, 2), 60.4), "resting_heart_rate")
    night = series(dict.fromkeys(range(20), 60), "resting_heart_rate")
    rows = chosen(resting, resting_heart_rate=daily, sleep_score=night)
    assert {kind for _, _, kind in rows} == {"resting_heart_rate"}
    alone = chosen(resting, sleep_score=night)
    assert len(alone) == 20


def test_a_change_of_method_breaks_the_series(tmp_path: Path) -> None:
    day = [f"2026-01-{n:02}" for n in range(1, 20)]
    old = "".join(f"{d}T00:00:00,{30 + n},60,2\n" for n, d in enumerate(day[:8]))
    new = "".join(f"{d}T00:00:00Z,{45 + n},Fitbit App\n" for n, d in enumerate(day))
    result = read(
        tmp_path,
        {
            "Heart Rate Variability/Daily Heart Rate Variability Summary - 2026-01-(1).csv": (
                f"timestamp,rmssd,nremhr,entropy\n{old}"
            ),
            f"{FAMILIES}/daily_heart_rate_variability.csv": (
                f"timestamp,average heart rate variability milliseconds,data source\n{new}"
            ),
        },
    )
    frame = table(result, "daily_summary").sort("date")
    assert frame.filter("break_before")["date"].to_list() == [date(2026, 1, 9)]
    assert frame["heart_rate_variability_method"].unique().sort().to_list() == [
        "vendor_daily_average",
        "vendor_daily_rmssd",
    ]
    alternates = table(result, "value_sources").filter(pl.col("role") == "alternate")
    assert set(alternates["rule"]) == {"other_method"}


# Recorders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ({"Inspire 3": 1, "MobileTrack": 90}, "Inspire 3"),
        ({"Inspire 3": 5, "Pixel Watch": 6}, "Pixel Watch"),
        ({"Fitbit App": 1, "MobileTrack": 90}, "Fitbit App"),
        ({"Google Health App": 1, "Phone Health Kit": 90}, "Google Health App"),
        ({"MobileTrack": 1, "Garmin Connect™ Health Kit": 9}, "MobileTrack"),
        ({"Strava Fit Health Connect": 2, "YAZIO Health Kit": 3}, "YAZIO Health Kit"),
        ({"": 2, "MobileTrack": 3}, ""),
        ({"B": 2, "A": 2}, "A"),
    ],
)
def test_the_best_recorder_of_a_day(rows: Mapping[str, int], best: str) -> None:
    recorders = [name for name, count in rows.items() for _ in range(count)]
    frame = pl.DataFrame({"date": [FIRST] * len(recorders), "recorder": recorders})
    assert best_of_day(frame)["recorder"].to_list() == [best]


def test_a_day_without_the_watch_is_the_phones(tmp_path: Path) -> None:
    text = (
        "timestamp,steps,data source\n2026-01-05T17:00:00Z,500,Inspire 3\n"
        "2026-01-05T17:00:00Z,800,MobileTrack\n2026-01-06T17:00:00Z,300,MobileTrack\n"
    )
    result = read(tmp_path, {f"{FAMILIES}/steps_2026-01-01.csv": text})
    assert table(result, "daily_summary").sort("date")["steps"].to_list() == [500, 300]


def test_of_one_day_another_vendors_value_gives_way(tmp_path: Path) -> None:
    text = (
        "timestamp,beats per minute,data source\n2026-01-05T00:00:00Z,70,Garmin Connect™ Health Kit\n"
        "2026-01-05T00:00:00Z,60,Fitbit App\n"
    )
    result = read(tmp_path, {f"{FAMILIES}/daily_resting_heart_rate.csv": text})
    assert day_of(result, "2026-01-05")["resting_heart_rate"] == 60


# Heart rate -------------------------------------------------------------------------------------------------


def names(*files: tuple[str, str]) -> list[tuple[tuple[str, str], str]]:
    return [(("takeout", group), name) for group, name in files]


@pytest.mark.parametrize(
    ("json_days", "csv_days", "needless"),
    [
        ((4, 5, 6), (5, 6), [5]),
        ((4, 5), (5, 6), []),
        ((5, 6), (5, 6), []),
        ((4, 5, 6), (5,), []),
        (tuple(range(1, 32)), (2, 31), [2]),
        ((*range(1, 10), *range(11, 32)), (2, 31), []),
    ],
)
def test_a_heart_rate_csv_is_needless_where_the_json_tells_all_its_days(
    json_days: Sequence[int], csv_days: Sequence[int], needless: Sequence[int]
) -> None:
    told = {("takeout", "x"): {date(2026, 1, day) for day in json_days}}
    found = needless_twins(told, names(*(("x", f"heart_rate_2026-01-{day:02}.csv") for day in csv_days)))
    assert found == set(names(*(("x", f"heart_rate_2026-01-{day:02}.csv") for day in needless)))


def test_another_exports_json_makes_no_csv_needless() -> None:
    told = {("takeout", "x"): {date(2026, 1, day) for day in range(1, 9)}}
    assert not needless_twins(
        told, names(("y", "heart_rate_2026-01-04.csv"), ("y", "heart_rate_2026-01-05.csv"))
    )


def csv_beats(*days: int) -> dict[str, str]:
    """A heart-rate CSV for each UTC day of January 2026, whole."""
    found: dict[str, str] = {}
    for day in days:
        rows = "".join(
            f"{datetime(2026, 1, day) + timedelta(minutes=n):%Y-%m-%dT%H:%M:%SZ},71.5,Inspire 3\n"
            for n in range(1440)
        )
        found[f"{FAMILIES}/heart_rate_2026-01-{day:02}.csv"] = (
            f"timestamp,beats per minute,data source\n{rows}"
        )
    return found


def json_beats(*days: int) -> dict[str, str]:
    """A heart-rate JSON for each day in New York, whole."""
    return {
        f"{GLOBAL}/heart_rate-2026-01-{day:02}.json": beats(datetime(2026, 1, day, 5), 1440) for day in days
    }


def test_days_without_json_are_taken_from_the_csv(tmp_path: Path) -> None:
    members = csv_beats(5, 6, 7, 8) | {
        f"{GLOBAL}/heart_rate-2026-01-06.json": beats(datetime(2026, 1, 6, 5), 700)
    }
    result = read(tmp_path, members)
    days = table(result, "daily_summary").sort("date")
    assert days["wear_minutes"].to_list() == [300, 1440, 700, 1440, 1140]


HARM = {
    "empty": "[]",
    "no JSON": "<html>",
    "cut": beats(datetime(2026, 1, 6, 5), 1440)[:40_000],
    "mostly impossible": beats(datetime(2026, 1, 6, 5), 1440, bpm=999),
}


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("container", ["zip", "tgz"])
def test_a_broken_json_leaves_its_day_to_the_csv(harm: str, container: str, tmp_path: Path) -> None:
    members = json_beats(4, 5, 7, 8) | csv_beats(5, 6, 7, 8)
    members[f"{GLOBAL}/heart_rate-2026-01-06.json"] = HARM[harm]
    if container == "zip":
        write_zip(tmp_path / TAKEOUT, members)
    else:
        write_tgz(tmp_path / TAKEOUT.replace("zip", "tgz"), members)
    result = ingest(tmp_path)
    days = table(result, "daily_summary").filter(pl.col("date") < date(2026, 1, 9))
    assert days["wear_minutes"].to_list() == [1440] * 5
    assert days["is_partial"].to_list() == [False, False, False, False, True]
    assert day_heart_rates(result, 6) == {71.5}
    assert day_heart_rates(result, 5) == {60.0}


def day_heart_rates(result: Result, day: int) -> set[float]:
    midnight = datetime(2026, 1, day, 5, tzinfo=UTC)
    minute = pl.col("minute_utc")
    rows = table(result, "heart_rate_minutes").filter(
        minute >= midnight, minute < midnight + timedelta(days=1)
    )
    return set(rows["heart_rate"])


@pytest.mark.parametrize("container", ["zip", "tgz"])
def test_csv_files_that_repeat_whole_json_are_left_unread(container: str, tmp_path: Path) -> None:
    members = json_beats(4, 5, 6, 7, 8) | csv_beats(5, 6, 7, 8)
    if container == "zip":
        write_zip(tmp_path / TAKEOUT, members)
    else:
        write_tgz(tmp_path / TAKEOUT.replace("zip", "tgz"), members)
    told = json.loads(str(file_row(ingest(tmp_path))["members_json"]))
    assert told["ignored"] == {"twin_of_json": 3}
    assert told["read"] == {"heart_rate": 5, "heart_rate_csv": 1}


@pytest.mark.parametrize(
    ("recorder", "state", "from_steps", "valid", "wear"),
    [
        ("MobileTrack", "not_worn", False, False, 0),
        ("Phone Health Kit", "not_worn", False, False, 0),
        ("Inspire 3", "worn", True, True, None),
    ],
)
def test_a_phone_counts_steps_and_is_no_wear(
    recorder: str, state: str, from_steps: bool, valid: bool, wear: int | None, tmp_path: Path
) -> None:
    noon = datetime(2026, 1, 5, 17)
    rows = "".join(f"{noon + timedelta(minutes=n):%Y-%m-%dT%H:%M:%SZ},90,{recorder}\n" for n in range(20))
    members = {
        f"{FAMILIES}/steps_2026-01-01.csv": f"timestamp,steps,data source\n{rows}",
        f"{FAMILIES}/floors_2026-01-01.csv": "timestamp,floors,data source\n",
        f"{GLOBAL}/sedentary_minutes-2026-01-01.json": timed([("01/05/26 00:00:00", "1440")]),
    }
    row = day_of(read(tmp_path, members), "2026-01-05")
    assert row["steps"] == 1800
    assert (row["day_state"], row["wear_from_steps"], row["valid_day"]) == (state, from_steps, valid)
    assert row["wear_minutes"] == wear
    assert row["floors"] is None
    assert row["sedentary_minutes"] == (None if state == "not_worn" else 1440)


def test_files_in_a_family_s_folder_are_read_whatever_product_has_its_name(tmp_path: Path) -> None:
    """From 2026-10 each family has a folder: ``Heart Rate`` is a product's, too, of which nothing is read."""
    members = {
        f"{FAMILIES}/Heart Rate/{name.rsplit('/', 1)[-1]}": text for name, text in csv_beats(5, 6).items()
    }
    members["Heart Rate/Heart Rate Notifications Alerts.csv"] = "id,start_timestamp\n"
    result = read(tmp_path, members)
    told = json.loads(str(file_row(result)["members_json"]))
    assert (told["read"], told["ignored"]) == ({"heart_rate_csv": 2}, {"never_read": 1})
    assert day_of(result, "2026-01-05")["wear_minutes"] == 1440


def test_a_day_that_only_a_cut_file_tells_is_not_whole(tmp_path: Path) -> None:
    whole = minutes(datetime(2026, 1, 4, 5), [10] * 3 * 1440)
    cut = whole[: round(len(whole) * 0.5)]
    days = table(
        read(tmp_path, {f"{GLOBAL}/steps-2026-01-04.json": cut} | json_beats(4, 5, 6)), "daily_summary"
    )
    assert days["is_partial"].to_list() == [False, True, True]
    assert days["steps"][0] == 14_400
    assert 0 < days["steps"][1] < 14_400


# Sleep and exercises of two systems -------------------------------------------------------------------------


def spans(*pairs: tuple[int, int]) -> pl.DataFrame:
    zero = datetime(2026, 1, 5)
    return pl.DataFrame(
        {
            "id": range(len(pairs)),
            "utc": [zero + timedelta(minutes=a) for a, _ in pairs],
            "utc_end": [zero + timedelta(minutes=b) for _, b in pairs],
        }
    )


@pytest.mark.parametrize(
    ("one", "other", "twins"),
    [
        ((0, 100), (40, 140), True),
        ((0, 100), (50, 150), False),
        ((0, 100), (90, 110), False),
        ((0, 400), (10, 30), True),
    ],
)
def test_twins_share_more_than_half_of_the_shorter(
    one: tuple[int, int], other: tuple[int, int], twins: bool
) -> None:
    assert (overlapping(spans(one), spans(other), 0.5).height == 1) == twins


def sleep_row(
    number: int, start: str, end: str, offset: str = "-05:00", kind: str = "STAGES", version: str = ""
) -> str:
    return f"{number},{kind},480,450,30,0,{offset},{start},{end},{version}\n"


def test_nights_after_the_json_are_taken_from_user_sleeps(tmp_path: Path) -> None:
    rows = sleep_row(1, "2026-01-05 04:00:00+0000", "2026-01-05 12:00:00+0000") + sleep_row(
        2, "2026-01-06T04:00:00Z", "2026-01-06T12:00:00Z"
    )
    stages = (
        "2,21,DEEP,2026-01-06T05:00:00Z,2026-01-06T06:00:00Z\n2,20,LIGHT,2026-01-06T04:00:00Z,2026-01-06T05:00:00Z\n"
        "1,10,REM,2026-01-05 04:00:00+0000,2026-01-05 05:00:00+0000\n"
    )
    night = sleep_log(77, "2026-01-04T23:02:00", "2026-01-05T07:00:00")
    result = read(
        tmp_path,
        {
            f"{GLOBAL}/sleep-2026-01-01.json": pretty([night]),
            f"{HEALTH}/UserSleeps_2026-01-01.csv": SLEEP_HEAD + rows,
            f"{HEALTH}/UserSleepStages_2026-01-01.csv": STAGE_HEAD + stages,
        },
    )
    sessions = table(result, "sleep_sessions").sort("date")
    assert sessions.select("sleep_id", "date", "deep_minutes", "light_minutes").rows() == [
        ("77", date(2026, 1, 5), 60, 200),
        ("2", date(2026, 1, 6), 60, 60),
    ]
    assert sessions["start_time"].to_list()[1] == datetime(2026, 1, 5, 23, 0)
    epochs = table(result, "sleep_stages").filter(pl.col("sleep_id") == "2").sort("start_utc")
    assert epochs["stage"].to_list() == ["light", "deep"]
    assert ignored(result) == {"other_source": 2}


def test_local_digits_with_a_false_offset_of_zero_are_local(tmp_path: Path) -> None:
    rows = sleep_row(1, "2025-01-04 23:00:00+0000", "2025-01-05 07:00:00+0000", offset="+00:00")
    stage = "1,10,REM,2025-01-04 23:00:00+0000,2025-01-05 01:00:00+0000\n"
    result = read(
        tmp_path,
        {
            f"{HEALTH}/UserSleeps_2025-01-01.csv": SLEEP_HEAD + rows,
            f"{HEALTH}/UserSleepStages_2025-01-01.csv": STAGE_HEAD + stage,
        },
    )
    session = table(result, "sleep_sessions").row(0, named=True)
    assert (session["start_time"], session["utc_offset_minutes"]) == (datetime(2025, 1, 4, 23, 0), -300)
    assert session["rem_minutes"] == 120


def test_in_a_zone_of_utc_an_offset_of_zero_is_true(tmp_path: Path) -> None:
    rows = sleep_row(1, "2025-01-04 23:00:00+0000", "2025-01-05 07:00:00+0000", offset="+00:00")
    result = read(tmp_path, {f"{HEALTH}/UserSleeps_2025-01-01.csv": SLEEP_HEAD + rows}, "Europe/London")
    assert table(result, "sleep_sessions")["utc_offset_minutes"].to_list() == [0]


def test_what_the_older_algorithm_calls_classic_stays_classic(tmp_path: Path) -> None:
    times = ("2026-01-05T18:00:00Z", "2026-01-05T19:00:00Z")
    rows = sleep_row(1, *times, kind="CLASSIC", version="sleep_session_v1") + sleep_row(
        2, *times, version="sleep_session_v2"
    )
    stage = "2,20,DEEP,2026-01-05T18:00:00Z,2026-01-05T19:00:00Z\n"
    members = {
        f"{HEALTH}/UserSleeps_2026-01-01.csv": SLEEP_HEAD + rows,
        f"{HEALTH}/UserSleepStages_2026-01-01.csv": STAGE_HEAD + stage,
    }
    session = table(read(tmp_path, members), "sleep_sessions").row(0, named=True)
    assert (session["sleep_id"], session["kind"], session["deep_minutes"]) == ("2", "classic", None)


def test_stages_on_another_clock_than_their_sleep_are_ignored(tmp_path: Path) -> None:
    rows = sleep_row(1, "2026-01-05T04:00:00Z", "2026-01-05T12:00:00Z")
    stage = "1,20,DEEP,2026-01-04T23:00:00Z,2026-01-05T01:00:00Z\n"
    members = {
        f"{HEALTH}/UserSleeps_2026-01-01.csv": SLEEP_HEAD + rows,
        f"{HEALTH}/UserSleepStages_2026-01-01.csv": STAGE_HEAD + stage,
    }
    result = read(tmp_path, members)
    assert ignored(result) == {"clock_unclear": 1}
    assert day_of(result, "2026-01-05")["deep_sleep_minutes"] is None


EXERCISE_HEAD = (
    "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,log_type,tracker_total_calories,"
    "tracker_total_steps,tracker_total_distance_mm,tracker_total_altitude_mm,tracker_avg_heart_rate,events,"
    "deletion_reason\n"
)


def exercise_row(number: int, start: str, end: str, name: str = "Outdoor Walk", deleted: str = "") -> str:
    events = '"{type: START},\n{type: STOP}"'
    return f"{number},{start},{end},+07:00,{name},TRACKER,45,754,451762,0,0,{events},{deleted}\n"


def test_exercises_that_the_json_lacks_are_added_and_its_twins_are_not(tmp_path: Path) -> None:
    walk = {
        "logId": 5,
        "startTime": "01/05/26 21:00:38",
        "duration": 700_000,
        "activityTypeId": 90013,
    }
    rows = (
        exercise_row(7277197369463281811, "2026-01-05 21:00:38+0000", "2026-01-05 21:12:35+0000")
        + exercise_row(8, "2026-01-06 21:00:00+0000", "2026-01-06 21:30:00+0000", name="My secret dance")
        + exercise_row(9, "2026-01-07 21:00:00+0000", "2026-01-07 21:30:00+0000", deleted="USER")
    )
    result = read(
        tmp_path,
        {
            f"{GLOBAL}/exercise-0.json": pretty([walk]),
            f"{HEALTH}/UserExercises_2026-01-01.csv": EXERCISE_HEAD + rows,
        },
    )
    activities = table(result, "activities").sort("start_utc")
    assert activities.select(
        "activity_id", "activity_name", "steps", "distance_m", "average_heart_rate"
    ).rows() == [
        ("5", "Walk", None, None, None),
        ("8", None, 754, 451.8, None),
    ]
    assert activities["start_time"].to_list()[1] == datetime(2026, 1, 6, 16, 0)
    assert ignored(result) == {"deleted_by_owner": 1, "other_source": 1}


# Devices ----------------------------------------------------------------------------------------------------


def test_a_device_that_the_list_of_trackers_lost_is_named_by_its_rows(tmp_path: Path) -> None:
    steps = (
        "timestamp,steps,data source\n2026-01-05T17:00:00Z,500,Alta HR\n2026-01-06T17:00:00Z,500,Charge 6\n"
    )
    listed = "tracker_id,date_added,last_sync_date_time,device_type\n2,2026-01-01,,Charge 6\n"
    result = read(
        tmp_path, {f"{FAMILIES}/steps_2026-01-01.csv": steps, "Paired Devices/Trackers.csv": listed}
    )
    frame = table(result, "daily_summary").sort("date")
    assert frame["device"].to_list() == ["Alta HR", "Charge 6"]
    assert frame["break_before"].to_list() == [False, True]


# Declarations -----------------------------------------------------------------------------------------------


def test_every_measure_names_kinds_that_are_read() -> None:
    assert {source.kind for measure in MEASURES for source in measure.sources} <= set(KIND_BY_NAME)


def test_floors_of_the_csv_come_first_and_altitude_fills_in(tmp_path: Path) -> None:
    members = {
        f"{FAMILIES}/floors_2026-01-01.csv": "timestamp,floors\n2026-01-05T17:00:00Z,3\n",
        f"{GLOBAL}/altitude-2026-01-01.json": timed([("01/06/26 12:00:00", "40")]),
    }
    frame = table(read(tmp_path, members), "daily_summary").sort("date")
    assert frame["floors"].to_list() == [3, 4]


def read(folder: Path, members: dict[str, str], zone: str = "America/New_York") -> Result:
    write_zip(folder / TAKEOUT, members)
    return ingest(folder, ANN if zone == ANN.time_zone else type(ANN)("P1", "female", 1990, zone))


def ignored(result: Result) -> dict[str, int]:
    return json.loads(str(file_row(result)["ignored_json"]))
