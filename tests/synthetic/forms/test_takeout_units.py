"""Units and placeholders: what the forms say of centimetres, pounds, feet, and of values that mean "none"."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from takeout_reader import Export, Row, minute, plain, us
from takeout_tables import GENERATIONS, GOOGLE, LATER

from synthetic.life.night_details import spo2_minutes
from synthetic.life.recording import Recording

ExportOf = Callable[[str], Export]

KG_A_POUND = 0.45359237


def test_distance_is_centimetres_in_json_and_metres_in_csv(export_of: ExportOf, recording: Recording) -> None:
    export = export_of("D")
    centimetres = sum(int(row["value"]) for row in export.json("distance"))
    metres = sum(float(row["distance"]) for row in watched(export.family("distance")))
    steps = sum(int(row["value"]) for row in export.json("steps"))
    assert metres == pytest.approx(centimetres / 100)
    assert 0.4 < metres / steps < 1.2
    assert centimetres == recording.measures.distance_cm.sum()


def watched(rows: list[Row]) -> list[Row]:
    """Rows that no phone recorded."""
    return [row for row in rows if row.get("data source") != "MobileTrack"]


def test_climbs_are_feet_in_json_and_millimetres_in_csv(export_of: ExportOf) -> None:
    export = export_of("D")
    feet = sum(int(row["value"]) for row in export.json("altitude"))
    millimetres = sum(int(row["gain"]) for row in export.family("altitude"))
    floors = sum(int(row["floors"]) for row in export.family("floors"))
    assert (feet / 10, millimetres / 3048) == (floors, floors)
    assert floors > 0


def test_weight_is_pounds_cut_to_a_tenth_also_in_a_metric_account(export_of: ExportOf) -> None:
    export = export_of("D")
    (profile,) = export.csv(r"Profile\.csv")
    assert profile["weight_unit"] == "METRIC"
    pounds = [row["weight"] for row in export.json("weight")]
    grams = [int(row["weight grams"]) for row in export.family("weight")]
    assert [int(gram / 1000 / KG_A_POUND * 10 + 1e-9) / 10 for gram in grams] == pounds
    height_m = float(profile["height"]) / 100
    for row in export.json("weight"):
        assert row["bmi"] == pytest.approx(row["weight"] * KG_A_POUND / height_m**2, abs=0.1)
    assert float(profile["weight"]) == pytest.approx(grams[0] / 1000, abs=3)


def test_height_is_millimetres(export_of: ExportOf) -> None:
    export = export_of("D")
    (profile,) = export.csv(r"Profile\.csv")
    (height,), (row,) = export.json("height"), export.family("height")
    assert height["value"] == row["height millimeters"] == str(round(float(profile["height"]) * 10))


def test_exercises_are_in_the_accounts_unit_and_in_millimetres(
    export_of: ExportOf, recording: Recording
) -> None:
    logs = export_of("D").json("exercise")
    rows = export_of("D").csv(r"UserExercises_.*\.csv")
    for log, row, true in zip(logs, rows, recording.exercises, strict=True):
        metres = int(row["tracker_total_distance_mm"]) / 1000
        assert row["distance_units"] == "METRIC"
        assert log.get("distanceUnit", "Kilometer") == "Kilometer"
        assert metres == pytest.approx(log.get("distance", 0) * 1000, abs=0.001)
        if "distance" in log:
            hours = log["duration"] / 3_600_000
            assert log["speed"] == pytest.approx(log["distance"] / hours, rel=1e-5)
            assert log["pace"] == pytest.approx(hours * 3600 / log["distance"], rel=1e-5)
        assert int(row["tracker_total_altitude_mm"]) == 3048 * true.floors
        assert log["elevationGain"] == pytest.approx(3.048 * true.floors, abs=0.001)
        assert int(row["tracker_total_steps"]) == log.get("steps", 0)
        assert int(row["tracker_peak_heart_rate"]) >= int(row["tracker_avg_heart_rate"])


def test_zone_minutes_of_an_exercise_are_raw_and_their_total_weighted(export_of: ExportOf) -> None:
    for log in export_of("B").json("exercise"):
        zones = log["activeZoneMinutes"]["minutesInHeartRateZones"]
        total = sum(zone["minutes"] * zone["minuteMultiplier"] for zone in zones)
        assert total == log["activeZoneMinutes"]["totalMinutes"]


def test_zone_minutes_of_a_day_are_the_same_on_both_clocks(export_of: ExportOf, recording: Recording) -> None:
    export = export_of("D")
    by_label = Counter[date]()
    for row in export.csv(r"Active Zone Minutes - .*\.csv"):
        by_label[plain(row["date_time"]).date()] += int(row["total_minutes"])
    by_instant = Counter[date]()
    first = int(recording.days.utc_minute[0])
    for row in export.family("active_zone_minutes"):
        place = minute(plain(row["timestamp"])) - first
        day = recording.days.dates[int(recording.days.day[place])]
        by_instant[day] += int(row["total minutes"])
    assert by_label == by_instant


def test_zone_names_changed_their_spelling(export_of: ExportOf) -> None:
    for generation in GOOGLE:
        zones = {row["heart rate zone"] for row in export_of(generation).family("active_zone_minutes")}
        assert zones <= (
            {"FAT_BURN", "CARDIO", "PEAK"} if generation in LATER else {"fat burn", "cardio", "peak"}
        )


def test_minutes_in_zones_are_those_of_worn_minutes(export_of: ExportOf, recording: Recording) -> None:
    days = {
        us(row["dateTime"]).date(): row["value"]["valuesInZones"]
        for row in export_of("B").json("time_in_heart_rate_zones")
    }
    worn = {day: int(wear) for day, wear in zip(recording.days.dates, recording.wear, strict=True) if wear}
    assert {day: sum(zones.values()) for day, zones in days.items()} == worn
    orders = {tuple(zones) for zones in days.values()}
    assert len(orders) > 1


def test_two_recorders_are_interleaved_and_their_sum_is_too_much(
    export_of: ExportOf, recording: Recording
) -> None:
    for generation in LATER:
        rows = export_of(generation).family("steps")
        by_source = Counter[str]()
        for row in rows:
            by_source[row["data source"]] += int(row["steps"])
        phone = by_source.pop("MobileTrack")
        assert phone == recording.phone_steps.sum() > 0
        assert set(by_source) == {"Sense 2", "Versa 4"}
        assert sum(by_source.values()) == recording.minutes.steps.sum()
        switches = sum(one["data source"] != other["data source"] for one, other in pairwise(rows))
        assert switches > 20
        stamps = [row["timestamp"] for row in rows]
        assert stamps == sorted(stamps)


def test_rows_name_the_watch_of_their_day(export_of: ExportOf, recording: Recording) -> None:
    changed = recording.person.watches[1].first_day
    first = int(recording.days.utc_minute[0])
    for row in export_of("D").family("heart_rate")[::200]:
        place = minute(plain(row["timestamp"])) - first
        day = recording.days.dates[int(recording.days.day[place])]
        assert row["data source"] == ("Sense 2" if day < changed else "Versa 4")
    added = {row["device_type"]: row["date_added"] for row in export_of("D").csv(r"Trackers\.csv")}
    (profile,) = export_of("D").csv(r"Profile\.csv")
    assert added == {
        "Sense 2": profile["member_since"],
        "Versa 4": changed.isoformat(),
        "MobileTrack": profile["member_since"],
    }
    sources = {log["source"]["name"] for log in export_of("D").json("exercise")}
    assert sources <= {"Sense 2", "Versa 4"}


@pytest.mark.parametrize("generation", LATER)
def test_nights_of_2026_stand_twice_with_other_ids_times_and_stages(
    export_of: ExportOf, generation: str
) -> None:
    rows = export_of(generation).csv(r"UserSleeps_.*\.csv")
    one = [row for row in rows if row["algorithm_version"] == "sleep_session_v1"]
    two = [row for row in rows if row["algorithm_version"] == "sleep_session_v2"]
    assert len(one) == len(two) == len(rows) / 2
    assert len({row["sleep_id"] for row in rows}) == len(rows)
    for first, second in zip(one, two, strict=True):
        assert first["sleep_start"] < second["sleep_start"] < second["sleep_end"] == first["sleep_end"]
        assert second["sleep_type"] == "STAGES"
    assert "CLASSIC" in {row["sleep_type"] for row in one}
    versions = Counter(
        row["algorithm_version"] for row in export_of(generation).csv(r"UserSleepStages_.*\.csv")
    )
    assert set(versions) == {"sleep_stages_v1", "sleep_stages_v2"}


def test_ids_of_the_google_account_are_no_log_ids(export_of: ExportOf, recording: Recording) -> None:
    ids = {int(row["sleep_id"]) for row in export_of("C").csv(r"UserSleeps_.*\.csv")}
    ids |= {int(row["exercise_id"]) for row in export_of("C").csv(r"UserExercises_.*\.csv")}
    known = set(recording.sleep_ids) | {log.log_id for log in recording.exercises}
    assert not ids & known
    assert all(10**18 <= number < 2**63 for number in ids)
    assert len(ids) == len(known)


def test_stages_of_the_first_telling_add_up_to_the_log(export_of: ExportOf, recording: Recording) -> None:
    export = export_of("D")
    names = {"AWAKE": "wake", "LIGHT": "light", "DEEP": "deep", "REM": "rem"}
    seconds = Counter[tuple[str, str]]()
    for row in export.csv(r"UserSleepStages_.*\.csv"):
        length = plain(row["sleep_stage_end"]) - plain(row["sleep_stage_start"])
        seconds[row["sleep_id"], row["sleep_stage_type"]] += round(length.total_seconds())
    nights = [row for row in export.csv(r"UserSleeps_.*\.csv") if row["algorithm_version"][-1] == "1"]
    for row, log in zip(nights, recording.sleeps, strict=True):
        assert int(row["minutes_asleep"]) == log.minutes_asleep
        if log.kind == "stages":
            for name, level in names.items():
                assert abs(seconds[row["sleep_id"], name] / 60 - log.minutes_by_level()[level]) <= 2


def test_the_new_algorithm_differs_every_night(export_of: ExportOf) -> None:
    name = "average heart rate variability milliseconds"
    for generation, differs in (("C", False), ("D", True)):
        export = export_of(generation)
        legacy = {
            row["timestamp"][:10]: float(row["rmssd"]) for row in export.csv(r"Daily Heart Rate Var.*\.csv")
        }
        rows = export.family("daily_heart_rate_variability")
        assert {row["timestamp"][:10] for row in rows} == set(legacy)
        assert {float(row[name]) != legacy[row["timestamp"][:10]] for row in rows} == {differs}


def test_resting_heart_rate_is_padded_with_null_and_its_newest_days_differ(export_of: ExportOf) -> None:
    export = export_of("D")
    rows = export.json("resting_heart_rate")
    assert len(rows) == 365
    known = {us(row["dateTime"]).date(): row["value"]["value"] for row in rows if row["value"]["date"]}
    assert {json.dumps(row["value"]) for row in rows if not row["value"]["date"]} == {
        '{"date": null, "value": 0.0, "error": 0.0}'
    }
    twin = {
        plain(row["timestamp"]).date(): float(row["beats per minute"])
        for row in export.family("daily_resting_heart_rate")
    }
    assert set(twin) == set(known)
    differing = [day for day in sorted(known) if abs(twin[day] - known[day]) > 0.001]
    assert differing == sorted(known)[-2:]


@pytest.mark.parametrize("generation", GENERATIONS)
def test_days_to_come_are_padded(export_of: ExportOf, recording: Recording, generation: str) -> None:
    for stem, padding in (("sedentary_minutes", "1440"), ("lightly_active_minutes", "0")):
        rows = export_of(generation).json(stem)
        later = [row["value"] for row in rows if us(row["dateTime"]).date() > recording.days.dates[-1]]
        assert set(later) == {padding}


def test_intensities_and_time_in_bed_make_a_day(export_of: ExportOf, recording: Recording) -> None:
    stems = ("sedentary", "lightly_active", "moderately_active", "very_active")
    total = Counter[date]()
    for stem in stems:
        for row in export_of("B").json(f"{stem}_minutes"):
            total[us(row["dateTime"]).date()] += int(row["value"])
    for log in export_of("B").json("sleep"):
        if log["levels"]["summary"].get("light", {}).get("thirtyDayAvgMinutes", 1):
            total[date.fromisoformat(log["dateOfSleep"])] += log["timeInBed"]
    whole = [day for day, wear in zip(recording.days.dates[:-1], recording.wear, strict=False) if wear]
    assert {total[day] for day in whole} == {1440}


def test_logs_at_a_border_repeat_with_an_average_of_0(export_of: ExportOf) -> None:
    logs = export_of("B").json("sleep")
    copies = Counter(log["logId"] for log in logs)
    twice = [log for log in logs if copies[log["logId"]] > 1]
    assert twice
    averages = [log["levels"]["summary"].get("light", {}).get("thirtyDayAvgMinutes") for log in twice]
    assert 0 in averages
    assert any(averages)


def test_oxygen_that_could_not_be_measured_is_50(export_of: ExportOf, recording: Recording) -> None:
    rows = export_of("C").csv(r"Minute SpO2 - .*\.csv")
    values = np.array([float(row["value"]) for row in rows])
    assert 0.12 < np.mean(values == 50.0) < 0.3
    assert values[values != 50.0].min() >= 70
    twin = [float(row["oxygen saturation percentage"]) for row in export_of("C").family("oxygen_saturation")]
    assert twin == values.tolist() == spo2_minutes(recording)["value"].to_list()


def test_without_a_baseline_temperature_is_nan_and_variation_is_its_sum_by_samples(
    export_of: ExportOf, recording: Recording
) -> None:
    rows = export_of("B").csv(r"Computed Temperature - .*\.csv")
    true = recording.nightly.drop_nulls("nightly_temperature")["skin_temperature_variation"].to_list()
    assert [row["baseline_relative_sample_sum"] for row in rows[:3]] == ["NaN"] * 3
    for row, variation in zip(rows, true, strict=True):
        if variation is not None:
            total = float(row["baseline_relative_sample_sum"]) / int(row["temperature_samples"])
            assert total == pytest.approx(variation)
    twin = export_of("C").family("daily_sleep_temperature_derivations")
    for row, variation in zip(twin, true, strict=True):
        difference = float(row["nightly temperature celsius"]) - float(row["baseline temperature celsius"])
        assert np.isnan(difference) if variation is None else difference == pytest.approx(variation)


def test_without_the_paid_service_scores_are_in_the_wrong_columns(export_of: ExportOf) -> None:
    for row in export_of("B").csv(r"sleep_score\.csv"):
        assert (row["composition_score"], row["duration_score"]) == ("", "")
        assert row["revitalization_score"] == row["overall_score"]
    for row in export_of("B").csv(r"Stress Score\.csv"):
        ready = row["STATUS"] == "READY_NOT_PREMIUM"
        assert row["CALCULATION_FAILED"] == ("false" if ready else "true")
        assert (row["STRESS_SCORE"] != "0") == ready
        assert row["EXERTION_POINTS"] == "0"


def test_sleep_scores_are_rounded_from_the_google_accounts(export_of: ExportOf) -> None:
    export = export_of("C")
    rounded = sorted(int(row["overall_score"]) for row in export.csv(r"sleep_score\.csv"))
    exact = [float(row["overall_score"]) for row in export.csv(r"UserSleepScores_.*\.csv")]
    assert sorted(int(score + 0.5) for score in exact) == rounded
    parts = {row["duration_score"] for row in export.csv(r"UserSleepScores_.*\.csv")}
    assert parts == {"-1"}


def test_readiness_is_the_same_where_it_is_told(export_of: ExportOf, recording: Recording) -> None:
    true = dict(recording.nightly.select("date", "readiness_score").drop_nulls().iter_rows())
    rows = export_of("B").csv(r"Daily Readiness Score - .*\.csv")
    assert {date.fromisoformat(row["date"]): float(row["readiness_score_value"]) for row in rows} == true
    twin = export_of("F").family("daily_readiness")
    assert {date.fromisoformat(row["timestamp"]): int(row["score"]) for row in twin} == true
    assert true


def test_products_without_data_say_so(export_of: ExportOf) -> None:
    glucose = export_of("D").files(r"Glucose \d{6}\.csv")
    assert set(glucose.values()) == {"no data"}
    assert len(glucose) == 2
    for name in (r"Device Temperature - .*\.csv", r"body_fat\.csv", r"UserLegacySettingData\.csv"):
        assert any(text.count("\n") == 1 for text in export_of("D").files(name).values())


def test_what_no_study_reads_is_there_and_small(export_of: ExportOf) -> None:
    bulk = (
        r"(gps_location|UserActivityProbabilities|UserSensorCompressionToken|UserConversations|Messages|Orders"
        r"|Email Changes|MedicalRecords).*\.csv"
    )
    found = export_of("D").bases(bulk)
    assert len(found) == 8
    assert all(len(content) < 200 for content in found.values())
