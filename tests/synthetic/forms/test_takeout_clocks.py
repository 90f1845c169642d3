"""The clock of every kind: read as the form says, its times return to the minutes of the recording.

The person's clocks were at UTC+11, +9 in Tokyo, +11 again, and +10 after summer time: a clock that is read
wrong is an hour or more off. Generations tell the same (test_takeout_same_story.py), so one of each way of
writing is read here: B for what never changed, C and D for the Google account before and after the change.
"""

import json
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from takeout_reader import Export, Row, minute, offset_minutes, plain, us
from takeout_tables import LATER

from synthetic.life.night_details import hrv_details, spo2_minutes, wrist_temperature_minutes
from synthetic.life.recording import Recording
from synthetic.life.sleep import SleepLog

ExportOf = Callable[[str], Export]


def at_utc(recording: Recording, utc_minute: int) -> int:
    """Place in the recording's arrays of a UTC minute."""
    return utc_minute - int(recording.days.utc_minute[0])


def places(recording: Recording, stamps: list[datetime]) -> np.ndarray:
    """Places in the recording's arrays of UTC times."""
    return np.array([at_utc(recording, minute(stamp)) for stamp in stamps])


def local_minutes(recording: Recording) -> dict[int, list[int]]:
    """Places by wall-clock minute since 1970: two in the hour that came twice."""
    found: dict[int, list[int]] = defaultdict(list)
    for place, local in enumerate((recording.days.utc_minute + recording.days.offset).tolist()):
        found[local].append(place)
    return found


def utc_of(recording: Recording, log: SleepLog) -> datetime:
    """Instant of a sleep's start, without zone."""
    return recording.days.utc_of(log.start).replace(tzinfo=None)


def offset_of(recording: Recording, log: SleepLog) -> int:
    return round((log.start - utc_of(recording, log)) / timedelta(minutes=1))


def test_the_recording_has_three_offsets(recording: Recording) -> None:
    assert set(recording.days.offset.tolist()) == {540, 600, 660}


def test_steps_and_distance_json_are_utc(export_of: ExportOf, recording: Recording) -> None:
    for stem, true in (("steps", recording.minutes.steps), ("distance", recording.measures.distance_cm)):
        rows = export_of("B").json(stem)
        at = places(recording, [us(row["dateTime"]) for row in rows])
        assert np.array_equal(true[at], [int(row["value"]) for row in rows])
        assert true[at].sum() == true.sum() > 0
        assert recording.minutes.worn[at].all()


def test_heart_rate_files_are_local_days_of_utc_samples(export_of: ExportOf, recording: Recording) -> None:
    beats: dict[int, list[int]] = defaultdict(list)
    for path, text in export_of("B").files(r"heart_rate-.*\.json").items():
        rows = json.loads(text)
        stamps = [us(row["dateTime"]) for row in rows]
        at = places(recording, stamps)
        assert {recording.days.dates[day].isoformat() for day in recording.days.day[at].tolist()} == {
            path[-15:-5]
        }
        for place, row in zip(at.tolist(), rows, strict=True):
            if row["value"]["confidence"]:
                beats[place].append(row["value"]["bpm"])
            else:
                assert row["value"]["bpm"] == 70
    worn = np.flatnonzero(recording.minutes.worn)
    assert sorted(beats) == worn.tolist()
    assert [np.mean(beats[place]) for place in worn.tolist()] == recording.minutes.heart_rate[worn].tolist()


def test_calories_json_are_local_with_1440_minutes_a_day(export_of: ExportOf, recording: Recording) -> None:
    tenths: dict[int, list[int]] = defaultdict(list)
    first = recording.days.dates[0].toordinal() - 719_163
    for row in export_of("B").json("calories"):
        local = minute(us(row["dateTime"]))
        tenths[local // 1440 - first].append(round(float(row["value"]) * 10))
    energy = recording.measures.energy_tenths
    assert all(tenths[day] == energy[day].tolist() for day in range(len(energy) - 1))
    last = tenths[len(energy) - 1]
    assert last == energy[-1][: len(last)].tolist()
    assert len(last) == 21 * 60 + 40


def test_altitude_json_is_local(export_of: ExportOf, recording: Recording) -> None:
    known = local_minutes(recording)
    rows = export_of("B").json("altitude")
    for row in rows:
        at = known[minute(us(row["dateTime"]))]
        assert int(row["value"]) in {10 * int(recording.measures.floors[place]) for place in at}
    assert sum(int(row["value"]) for row in rows) == 10 * recording.measures.floors.sum()


def test_sleep_json_is_local_in_the_offset_of_the_start(export_of: ExportOf, recording: Recording) -> None:
    logs = {log["logId"]: log for log in export_of("B").json("sleep")}
    assert set(logs) == set(recording.sleep_ids)
    for log_id, sleep in zip(recording.sleep_ids, recording.sleeps, strict=True):
        log = logs[log_id]
        start, end = plain(log["startTime"]), plain(log["endTime"])
        assert (start, end) == (sleep.start, sleep.start + timedelta(milliseconds=log["duration"]))
        assert log["dateOfSleep"] == end.date().isoformat()
        assert sum(epoch["seconds"] for epoch in log["levels"]["data"]) * 1000 == log["duration"]


def test_sleep_scores_claim_utc_for_the_local_end(export_of: ExportOf) -> None:
    export = export_of("B")
    ends = {str(log["logId"]): log["endTime"] for log in export.json("sleep")}
    rows = export.csv(r"sleep_score\.csv")
    assert all(row["timestamp"] == ends[row["sleep_log_entry_id"]][:-4] + "Z" for row in rows)
    assert rows == sorted(rows, key=lambda row: row["timestamp"], reverse=True)


def test_exercises_are_utc(export_of: ExportOf, recording: Recording) -> None:
    true = {log.log_id: recording.days.utc_of(log.exercise.start) for log in recording.exercises}
    logs = export_of("B").json("exercise")
    assert {log["logId"]: us(log["startTime"]).replace(tzinfo=UTC) for log in logs} == true
    assert all(us(log["lastModified"]) > us(log["startTime"]) for log in logs)


def test_workouts_leave_utc_marks(export_of: ExportOf, recording: Recording) -> None:
    ends = {
        recording.days.utc_of(log.exercise.start) + timedelta(seconds=log.exercise.seconds): log
        for log in recording.exercises
    }
    runs = export_of("B").json("run_vo2_max")
    assert runs
    for row in runs:
        assert ends[us(row["dateTime"]).replace(tzinfo=UTC)].exercise.sport.name == "Run"
    for row in export_of("B").json("swim_lengths_data"):
        at = us(row["dateTime"]).replace(tzinfo=UTC)
        assert any(end > at > end - timedelta(seconds=log.exercise.seconds) for end, log in ends.items())


def test_weights_are_local_and_their_id_reads_that_as_utc(export_of: ExportOf) -> None:
    for row in export_of("B").json("weight"):
        at = us(f"{row['date']} {row['time']}")
        assert row["logId"] == at.replace(tzinfo=UTC).timestamp() * 1000


def test_active_zone_minutes_are_local(export_of: ExportOf, recording: Recording) -> None:
    zones = {"FAT_BURN": 1, "CARDIO": 2, "PEAK": 3}
    known = local_minutes(recording)
    rows = export_of("B").csv(r"Active Zone Minutes - .*\.csv")
    for row in rows:
        at = known[minute(plain(row["date_time"]))]
        assert zones[row["heart_zone_id"]] in {int(recording.measures.zone[place]) for place in at}
        assert int(row["total_minutes"]) == min(zones[row["heart_zone_id"]], 2)
    assert len(rows) == np.count_nonzero(recording.measures.zone)


def test_variability_details_are_local(export_of: ExportOf, recording: Recording) -> None:
    true = hrv_details(recording)
    rows = export_of("B").csv(r"Heart Rate Variability Details - .*\.csv")
    assert [minute(plain(row["timestamp"])) for row in rows] == true["local_minute"].to_list()
    assert [float(row["rmssd"]) for row in rows] == true["rmssd"].to_list()


def test_respiration_stands_at_the_local_wake_time(export_of: ExportOf, recording: Recording) -> None:
    woke = {log.end for log in recording.sleeps if log.is_main}
    for name in ("Respiratory Rate Summary", "Heart Rate Variability Histogram"):
        rows = export_of("B").csv(rf"{name} - .*\.csv")
        stamps = [plain(row["timestamp"]) for row in rows]
        assert set(stamps) <= woke
        assert len(stamps) > len(set(stamps)), "the first file repeats rows of the month"


def test_oxygen_minutes_are_utc_and_their_raw_ratio_local(export_of: ExportOf, recording: Recording) -> None:
    rows = export_of("B").csv(r"Minute SpO2 - .*\.csv")
    true = spo2_minutes(recording)
    seconds = [int(plain(row["timestamp"]).replace(tzinfo=UTC).timestamp()) for row in rows]
    assert seconds == true["utc_second"].to_list()
    assert [float(row["value"]) for row in rows] == true["value"].to_list()
    ratio = export_of("B").csv(r"estimated_oxygen_variation-.*\.csv")
    assert len(ratio) == len(rows)
    local = [us(row["timestamp"]) for row in ratio]
    nights = [(log.start, log.end) for log in recording.sleeps if log.is_main]
    assert all(any(start <= at <= end for start, end in nights) for at in local)


def test_skin_temperature_is_local_and_follows_the_watch(export_of: ExportOf, recording: Recording) -> None:
    true = dict(wrist_temperature_minutes(recording).iter_rows())
    changed = recording.person.watches[1].first_day
    wrist = export_of("B").csv(r"Wrist Temperature - .*\.csv")
    device = export_of("B").csv(r"Device Temperature - .*\.csv")
    assert wrist
    assert device
    assert {plain(row["recorded_time"]).date() < changed for row in wrist} == {True}
    assert {plain(row["recorded_time"]).date() < changed for row in device} == {False}
    shown = [minute(plain(row["recorded_time"])) for row in wrist + device]
    assert set(shown) == set(true)
    assert all(float(row["temperature"]) == true[minute(plain(row["recorded_time"]))] for row in wrist)


def test_computed_temperature_names_local_nights(export_of: ExportOf, recording: Recording) -> None:
    nights = {(log.start, log.end) for log in recording.sleeps if log.is_main}
    rows = export_of("B").csv(r"Computed Temperature - .*\.csv")
    assert rows
    assert {(plain(row["sleep_start"]), plain(row["sleep_end"])) for row in rows} <= nights
    assert all(not row[name].endswith(":00:00") for row in rows for name in ("sleep_start", "sleep_end"))


@pytest.mark.parametrize("generation", ["C", "D"])
def test_minute_families_are_utc(export_of: ExportOf, recording: Recording, generation: str) -> None:
    days, energy = recording.days, recording.measures.energy_tenths
    true = {
        ("calories", "calories"): energy[days.day, days.wall] / 10,
        ("altitude", "gain"): recording.measures.floors * 3048,
        ("floors", "floors"): recording.measures.floors,
        ("active_zone_minutes", "total minutes"): np.minimum(recording.measures.zone, 2),
    }
    for (family, column), values in true.items():
        rows = export_of(generation).family(family)
        at = places(recording, [plain(row["timestamp"]) for row in rows])
        assert np.array_equal(values[at], [float(row[column]) for row in rows]), family
    assert len(export_of(generation).family("calories")) == np.count_nonzero(recording.arrived)


def of_watch(rows: list[Row]) -> list[Row]:
    """Rows that no phone recorded."""
    return [row for row in rows if row.get("data source") != "MobileTrack"]


@pytest.mark.parametrize("generation", ["C", "D"])
def test_steps_and_distance_rows_equal_the_json_at_offset_0(export_of: ExportOf, generation: str) -> None:
    export = export_of(generation)
    for name, factor in (("steps", 1), ("distance", 100)):
        known = {us(row["dateTime"]): int(row["value"]) for row in export.json(name)}
        rows = of_watch(export.family(name))
        assert {plain(row["timestamp"]): round(float(row[name]) * factor) for row in rows} == known


@pytest.mark.parametrize("generation", ["C", "D"])
def test_heart_rate_rows_equal_the_json_at_offset_0(export_of: ExportOf, generation: str) -> None:
    export = export_of(generation)
    known = [(us(row["dateTime"]), row["value"]["bpm"]) for row in export.json("heart_rate")]
    rows = export.family("heart_rate")
    assert sorted((plain(row["timestamp"]), float(row["beats per minute"])) for row in rows) == sorted(known)


@pytest.mark.parametrize("generation", ["C", "D"])
def test_body_temperature_is_utc(export_of: ExportOf, recording: Recording, generation: str) -> None:
    rows = export_of(generation).family("body_temperature")
    at = places(recording, [plain(row["timestamp"]) for row in rows])
    local = (recording.days.utc_minute + recording.days.offset)[at].tolist()
    assert local == wrist_temperature_minutes(recording)["local_minute"].to_list()
    degrees = np.full(len(recording.days.utc_minute), np.nan)
    degrees[at] = [float(row["temperature celsius"]) for row in rows]
    nightly = dict(recording.nightly.select("date", "nightly_temperature").drop_nulls().iter_rows())
    for log in recording.sleeps:
        start = recording.days.place_of(log.start)
        night = degrees[start : start + log.minutes_in_bed]
        if log.is_main and log.wake_date in nightly and not np.isnan(night).any():
            assert night.mean() == pytest.approx(nightly[log.wake_date], abs=0.02)
    assert 30 < np.nanmin(degrees) < np.nanmax(degrees) < 40


@pytest.mark.parametrize("generation", ["C", "D"])
def test_variability_rows_changed_their_clock_with_the_version(
    export_of: ExportOf, recording: Recording, generation: str
) -> None:
    export = export_of(generation)
    rows = export.family("heart_rate_variability")
    details = export.csv(r"Heart Rate Variability Details - .*\.csv")
    ahead = [
        minute(plain(detail["timestamp"])) - minute(plain(row["timestamp"]))
        for row, detail in zip(rows, details, strict=True)
    ]
    name = "root mean square of successive differences milliseconds"
    assert all(
        abs(float(row[name]) - float(detail["rmssd"])) <= 0.0501
        for row, detail in zip(rows, details, strict=True)
    )
    assert set(ahead) == ({540, 600, 660} if generation in LATER else {0})


@pytest.mark.parametrize("generation", ["C", "D"])
def test_respiration_rows_changed_their_clock_with_the_version(
    export_of: ExportOf, recording: Recording, generation: str
) -> None:
    nights = [log for log in recording.sleeps if log.is_main]
    local = {log.end for log in nights}
    utc = {log.end - timedelta(minutes=offset_of(recording, log)) for log in nights}
    rows = export_of(generation).family("respiratory_rate_sleep_summary")
    stamps = {plain(row["timestamp"]) for row in rows}
    assert stamps <= (utc if generation in LATER else local)
    assert len(stamps) == len(rows) > 10


def tellings(export: Export) -> list[Row]:
    """Rows of UserSleeps as the first algorithm tells them."""
    return [
        row for row in export.csv(r"UserSleeps_.*\.csv") if row.get("algorithm_version") != "sleep_session_v2"
    ]


@pytest.mark.parametrize("generation", LATER)
def test_nights_are_utc_with_their_offset(export_of: ExportOf, recording: Recording, generation: str) -> None:
    rows = tellings(export_of("D"))
    for row, log in zip(rows, recording.sleeps, strict=True):
        assert plain(row["sleep_start"]) == utc_of(recording, log)
        assert offset_minutes(row["start_utc_offset"]) == offset_of(recording, log)
        assert plain(row["sleep_end"]) - plain(row["sleep_start"]) == log.end - log.start


def test_migrated_nights_are_local_and_claim_an_offset_of_0(
    export_of: ExportOf, recording: Recording
) -> None:
    rows = tellings(export_of("C"))
    migrated = 0
    for row, log in zip(rows, recording.sleeps, strict=True):
        if row["start_utc_offset"] == "+00:00":
            migrated += 1
            assert plain(row["sleep_start"]) == log.start
            assert plain(row["sleep_end"]) == log.end
        else:
            assert plain(row["sleep_start"]) == utc_of(recording, log)
            assert offset_minutes(row["start_utc_offset"]) == offset_of(recording, log)
    assert len(rows) > migrated > 0.8 * len(rows)
    assert [row["start_utc_offset"] == "+00:00" for row in rows] == sorted(
        (row["start_utc_offset"] == "+00:00" for row in rows), reverse=True
    )


@pytest.mark.parametrize("generation", ["C", "D"])
def test_stages_follow_their_night_whatever_offset_stands_beside(
    export_of: ExportOf, recording: Recording, generation: str
) -> None:
    export = export_of(generation)
    stages: dict[str, list[Row]] = defaultdict(list)
    for row in export.csv(r"UserSleepStages_.*\.csv"):
        stages[row["sleep_id"]].append(row)
    nights = export.csv(r"UserSleeps_.*\.csv")
    assert {row["sleep_id"] for row in nights} == set(stages)
    for night in nights:
        parts = sorted(stages[night["sleep_id"]], key=lambda row: row["sleep_stage_start"])
        assert parts[0]["sleep_stage_start"] == night["sleep_start"]
        assert parts[-1]["sleep_stage_end"] == night["sleep_end"]
        ends = [row["sleep_stage_end"] for row in parts]
        assert ends[:-1] == [row["sleep_stage_start"] for row in parts[1:]]
        assert {offset_minutes(row["start_utc_offset"]) for row in parts} <= {540, 600, 660}


@pytest.mark.parametrize("generation", ["C", "D"])
def test_score_times_follow_their_night(export_of: ExportOf, generation: str) -> None:
    export = export_of(generation)
    ends = {row["sleep_id"]: row["sleep_end"] for row in export.csv(r"UserSleeps_.*\.csv")}
    rows = export.csv(r"UserSleepScores_.*\.csv")
    assert rows
    assert all(row["score_time"] == ends[row["sleep_id"]] for row in rows)


@pytest.mark.parametrize("generation", ["C", "D"])
def test_google_exercises_are_utc_and_their_offset_is_true_later(
    export_of: ExportOf, recording: Recording, generation: str
) -> None:
    rows = export_of(generation).csv(r"UserExercises_.*\.csv")
    for row, log in zip(rows, recording.exercises, strict=True):
        start = recording.days.utc_of(log.exercise.start).replace(tzinfo=None)
        assert plain(row["exercise_start"]) == start
        assert plain(row["exercise_end"]) == start + timedelta(seconds=log.exercise.seconds)
        offset = round((log.exercise.start - start) / timedelta(minutes=1))
        found_itself = log.exercise.sport.log_type == "auto_detected" and generation not in LATER
        assert offset_minutes(row["utc_offset"]) == (600 if found_itself else offset)


@pytest.mark.parametrize("generation", ["C", "D"])
def test_grams_stand_at_the_instant_of_the_pounds(
    export_of: ExportOf, recording: Recording, generation: str
) -> None:
    export = export_of(generation)
    local = [us(f"{row['date']} {row['time']}") for row in export.json("weight")]
    instants = [recording.days.utc_of(at).replace(tzinfo=None) for at in local]
    rows = export.family("weight")
    assert [plain(row["timestamp"]).replace(microsecond=0) for row in rows] == instants
    assert all(("." in row["timestamp"]) == (generation in LATER) for row in rows)


def test_the_last_sync_is_utc_and_nothing_is_later(export_of: ExportOf, recording: Recording) -> None:
    export = export_of("B")
    newest = max(us(row["dateTime"]) for row in export.json("heart_rate"))
    trackers = export.csv(r"Trackers\.csv")
    synced = {row["device_type"]: plain(row["last_sync_date_time"]) for row in trackers}
    assert synced["Versa 4"] == synced["MobileTrack"] >= newest
    assert synced["Sense 2"] < synced["Versa 4"]
    assert plain(f"{recording.days.dates[-1]}T21:40:00") == synced["Versa 4"] + timedelta(hours=10)
