"""Every kind's reader: its form, its sentinels, and what it does with rows that are not right."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from datetime import date, datetime

import pytest
from fitbit_files import beats, minutes, pretty, sleep_log, timed
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.kinds import KINDS, Kind, ignored_by, kinds_of
from ingest.fitbit.measures import MEASURES
from ingest.fitbit.reading import OtherForm, Reading
from schemas.daily_summary import DailySummary

NIGHT = datetime(2026, 1, 5, 5, 0)


def read(name: str, text: str | bytes, *, damaged: bool = False) -> Reading:
    """Read a member by its name and check that its rows add up."""
    kind = kinds_of(name)[0]
    data = text.encode() if isinstance(text, str) else text
    reading = kind.read(Content(data, damaged), name)
    accepted = reading.frame["rows"].sum() if "rows" in reading.frame.columns else reading.frame.height
    rejected = sum(entry.rows for entry in reading.rejected)
    assert reading.rows == accepted + rejected + sum(reading.ignored.values()) + reading.merged
    return reading


def rules(reading: Reading) -> list[tuple[int, str]]:
    return [(entry.row, entry.rule) for entry in reading.rejected]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("steps-2023-11-26.json", "steps"),
        ("steps-2023-11-26 (1).json", "steps"),
        ("steps.json", "steps"),
        ("heart_rate-2023-12-10.json", "heart_rate"),
        ("exercise-0.json", "exercise"),
        ("exercise-100.json", "exercise"),
        ("demographic_vo2_max-2023-11-26.json", "vo2max"),
        ("Daily Heart Rate Variability Summary - 2023-12-(11).csv", "heart_rate_variability"),
        ("Daily Heart Rate Variability Summary - 2023-12-.csv", "heart_rate_variability"),
        ("Daily Respiratory Rate Summary - 2023-12-16.csv", "respiratory_rate"),
        ("Daily SpO2 - 2025-04-07-2025-07-15.csv", "spo2"),
        ("Active Zone Minutes - 2025-04-01.csv", "active_zone_minutes"),
        ("sleep_score.csv", "sleep_score"),
        ("Stress Score.csv", "stress"),
        ("Computed Temperature - 2025-04-01.csv", "temperature"),
        ("Trackers.csv", "trackers"),
        ("Heart Rate Variability Details - 2023-12-07.csv", "hrv_details"),
        ("Minute SpO2 - 2025-04-07.csv", "spo2_minutes"),
        ("steps_2025-07-01.csv", "steps_csv"),
        ("steps_2025-07-01 (1).csv", "steps_csv"),
        ("heart_rate_2025-07-01.csv", "heart_rate_csv"),
        ("heart_rate_variability_2025-07-01.csv", "hrv_minutes_csv"),
        ("daily_heart_rate_variability.csv", "heart_rate_variability_csv"),
        ("daily_resting_heart_rate.csv", "resting_heart_rate_csv"),
        ("resting_heart_rate_2026-10-01.csv", "resting_heart_rate_csv"),
        ("daily_oxygen_saturation_2025-07-01.csv", "spo2_csv"),
        ("oxygen_saturation_2025-07-01.csv", "spo2_minutes_csv"),
        ("demographic_vo2max.csv", "vo2max_csv"),
        ("weight.csv", "weight_csv"),
        ("weight_2026-05-01.csv", "weight_csv"),
        ("UserSleeps_2025-07-05.csv", "user_sleeps"),
        ("UserSleepStages_2025-07-05.csv", "user_sleep_stages"),
        ("UserExercises_2025-07-05.csv", "user_exercises"),
    ],
)
def test_a_kind_is_known_by_its_file_name(name: str, kind: str) -> None:
    assert [found.name for found in kinds_of(name)][:1] == [kind]


@pytest.mark.parametrize(
    "name",
    [
        "steps-2025-07-01.csv",
        "resting_heart_rate-2023-11-26.csv",
        "my steps-2023-11-26.json",
        "UserSleepsOld_2025-07-05.csv",
    ],
)
def test_names_that_only_look_alike_are_no_kind(name: str) -> None:
    assert kinds_of(name) == ()
    assert ignored_by(f"Takeout/Fitbit/x/{name}", name) == "unknown_kind"


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("Takeout/Fitbit/Menstrual Health/Trackers.csv", "never_read"),
        ("Takeout/Fitbit/Social/steps-2023-11-26.json", "never_read"),
        ("__MACOSX/._steps-2023-11-26.json", "not_data"),
        ("Takeout/archive_browser.html", "not_data"),
        ("Takeout/Fitbit/Sleep Score/README.txt", "not_data"),
        ("x/.DS_Store", "not_data"),
        ("takeout-20231218T103201Z-001.zip", "nested_archive"),
        ("Takeout/Tasks/Tasks.json", "unknown_kind"),
        ("Takeout/Fitbit/Global Export Data/steps-2023-11-26.json", None),
        ("Takeout/Google Health/Globale Exportdaten/steps-2023-11-26.json", None),
        ("Takeout\\Fitbit\\Social\\a.json", "never_read"),
        ("Takeout/Fitbit/Physical Activity_GoogleData/gps_location_2025-07-05.csv", "never_read"),
        ("Takeout/Google Health/x/UserActivityProbabilities_2026-04-01.csv", "never_read"),
        ("Takeout/Google Health/x/Coach Messages.json", "unknown_kind"),
        ("Takeout/Google Health/x/CoachChats_2026-04-01.csv", "never_read"),
        ("Takeout/Fitbit/Global Export Data/time_in_heart_rate_zones-2023-12-05.json", "no_result"),
        ("Takeout/Fitbit/Temperature/Device Temperature - 2023-11-28.csv", "no_result"),
        ("Takeout/Fitbit/Heart Rate Variability/Respiratory Rate Summary - 2023-11-27.csv", "no_result"),
        ("Takeout/Google Health/Physical Activity_GoogleData/Heart Rate/heart_rate_2026-10-01.csv", None),
    ],
)
def test_members_are_ignored_by_a_named_rule(path: str, rule: str | None) -> None:
    assert ignored_by(path, path.replace("\\", "/").split("/")[-1]) == rule


def test_minute_values_are_text_in_their_own_clock() -> None:
    steps = read("steps-2025-01-01.json", minutes(datetime(2025, 1, 1, 13, 30), [500, 0]))
    assert steps.frame.rows() == [(datetime(2025, 1, 1, 13, 30), 500), (datetime(2025, 1, 1, 13, 31), 0)]
    assert steps.frame.columns == ["utc", "steps"]
    assert read("calories-2025-01-01.json", minutes(NIGHT, [1.25])).frame.columns == [
        "local",
        "calories_kcal",
    ]
    assert read("altitude-2025-01-01.json", minutes(NIGHT, [10])).frame["floors"].to_list() == [1.0]


def test_distance_is_in_centimetres() -> None:
    reading = read("distance-2025-01-01.json", minutes(NIGHT, [820]))
    assert reading.frame["distance_m"].to_list() == [8.20]


def test_two_digit_years_turn_over_after_68() -> None:
    reading = read("steps-2025-01-01.json", timed([("01/01/68 00:00:00", "1"), ("01/01/99 00:00:00", "2")]))
    assert [moment.year for moment in reading.frame["utc"]] == [2068, 1999]


def test_rows_without_a_usable_value_are_rejected_with_their_place() -> None:
    text = json.dumps(
        [
            {"dateTime": "01/01/25 00:00:00", "value": "5"},
            {"dateTime": "01/01/25 00:01:00"},
            {"dateTime": "01/01/25 00:02:00", "value": "many"},
            {"dateTime": "13/45/25 00:03:00", "value": "5"},
            {"dateTime": "01/01/25 00:04:00", "value": "-3"},
            {"dateTime": "01/01/25 00:05:00", "value": "100000"},
            {"dateTime": "01/01/25 00:06:00", "value": 7},
            {"value": "5"},
        ]
    )
    reading = read("steps-2025-01-01.json", text)
    assert reading.frame["steps"].to_list() == [5, 7]
    assert sorted(rules(reading)) == [
        (2, "value_missing"),
        (3, "value_missing"),
        (4, "value_missing"),
        (5, "outside_limits"),
        (6, "outside_limits"),
        (8, "record_of_other_form"),
    ]


def test_a_cut_off_member_keeps_its_whole_rows() -> None:
    text = minutes(NIGHT, range(100))
    reading = read("steps-2025-01-01.json", text[: len(text) // 2], damaged=True)
    assert reading.damaged_from == reading.rows
    assert reading.frame["steps"].to_list() == list(range(reading.rows - 1))
    assert rules(reading) == [(reading.rows, "member_damaged")]
    assert 40 < reading.rows < 60


@pytest.mark.parametrize("value", ["1e30", "inf", "nan", "7.5", "1e400", "0x10", "-0.5"])
def test_a_number_that_is_no_whole_one_is_rejected_and_never_rounded(value: str) -> None:
    reading = read("steps.json", timed([("01/01/25 00:00:00", "3"), ("01/01/25 00:01:00", value)]))
    assert reading.frame["steps"].to_list() == [3]
    assert rules(reading) == [(2, "value_missing")]


def test_numbers_no_column_can_hold_are_rejected_with_their_record() -> None:
    beat = {"bpm": 10**30, "confidence": 3}
    text = timed([("01/01/25 00:00:00", {"bpm": 60, "confidence": 3}), ("01/01/25 00:01:00", beat)])
    assert rules(read("heart_rate.json", text)) == [(2, "record_of_other_form")]
    calories = read("calories.json", timed([("01/01/25 00:00:00", "inf"), ("01/01/25 00:01:00", "1.5")]))
    assert rules(calories) == [(1, "value_missing")]


@given(st.integers(0, 400), st.integers(1, 20))
def test_wherever_a_member_is_cut_no_value_is_wrong(cut: int, rows: int) -> None:
    text = minutes(NIGHT, [number * 37 for number in range(rows)])
    whole = cut >= len(text)
    reading = read("steps-2025-01-01.json", text[:cut], damaged=not whole) if cut else None
    if reading is None:
        return
    assert reading.frame["steps"].to_list() == [number * 37 for number in range(reading.frame.height)]
    assert reading.frame.height == rows if whole else reading.frame.height <= rows


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_reads_nothing_from_an_empty_member(kind: Kind) -> None:
    reading = kind.read(Content(b""), "x")
    assert (reading.frame.height, reading.rows) == (0, 0)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@settings(max_examples=10)
@given(st.binary(max_size=200))
def test_no_bytes_break_a_reader(kind: Kind, data: bytes) -> None:
    for damaged in (False, True):
        try:
            reading = kind.read(Content(data, damaged), "x")
        except OtherForm:
            continue
        assert reading.frame.height <= reading.rows


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["dateTime", "value", "bpm", "confidence", "logId", "startTime", "levels", "x"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "name", ["steps.json", "heart_rate.json", "sleep.json", "exercise.json", "weight.json"]
)
@settings(max_examples=20)
@given(st.lists(JSON_VALUES, max_size=4))
def test_no_json_breaks_a_reader(name: str, records: list[object]) -> None:
    try:
        read(name, json.dumps(records))
    except OtherForm:
        assert records


@pytest.mark.parametrize("text", ["{}", "null", '"steps"', "12", "<html></html>", "[1, 2]", '[{"a": 1}]'])
def test_another_form_is_told_apart_from_bad_rows(text: str) -> None:
    with pytest.raises(OtherForm):
        read("steps.json", text)


def test_heart_rate_is_kept_by_the_minute_without_samples_of_no_contact() -> None:
    text = timed(
        [
            ("12/09/23 23:00:07", {"bpm": 60, "confidence": 3}),
            ("12/09/23 23:00:12", {"bpm": 63, "confidence": 1}),
            ("12/09/23 23:00:30", {"bpm": 70, "confidence": 0}),
            ("12/09/23 23:01:00", {"bpm": 70, "confidence": 0}),
        ]
    )
    reading = read("heart_rate-2023-12-10.json", text)
    assert reading.frame.drop("file_day").rows() == [
        (datetime(2023, 12, 9, 23, 0), 61.5, 2, 1, 3),
        (datetime(2023, 12, 9, 23, 1), None, 0, 1, 1),
    ]
    assert reading.frame["file_day"].to_list() == [date(2023, 12, 10)] * 2


def test_impossible_heart_rates_are_rejected_and_repeated_samples_merged() -> None:
    text = timed(
        [
            ("12/09/23 23:00:07", {"bpm": 60, "confidence": 3}),
            ("12/09/23 23:00:07", {"bpm": 60, "confidence": 3}),
            ("12/09/23 23:00:09", {"bpm": 5, "confidence": 2}),
            ("12/09/23 23:00:11", {"bpm": 60, "confidence": 9}),
        ]
    )
    reading = read("heart_rate-2023-12-10.json", text)
    assert (reading.rows, reading.merged, rules(reading)) == (
        4,
        1,
        [(3, "outside_limits"), (4, "outside_limits")],
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 7199), st.integers(30, 200), st.integers(0, 3)),
        max_size=60,
        unique_by=lambda s: s[0],
    )
)
def test_heart_rate_minutes_are_what_a_plain_count_gives(samples: list[tuple[int, int, int]]) -> None:
    rows = [
        (f"01/05/26 {s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}", {"bpm": bpm, "confidence": c})
        for s, bpm, c in samples
    ]
    reading = read("heart_rate-2026-01-05.json", timed(rows))
    for minute, mean, contact, none, count in reading.frame.drop("file_day").iter_rows():
        here = [(bpm, c) for s, bpm, c in samples if s // 60 == minute.hour * 60 + minute.minute]
        good = [bpm for bpm, c in here if c >= 1]
        assert (contact, none, count) == (len(good), len(here) - len(good), len(here))
        assert mean == (pytest.approx(sum(good) / len(good)) if good else None)


def test_a_day_of_samples_keeps_the_day_of_its_file() -> None:
    reading = read("heart_rate-2026-01-05.json", beats(NIGHT, 1440))
    assert reading.frame.height == 1440
    assert read("heart_rate.json", beats(NIGHT, 1)).frame["file_day"].to_list() == [None]


def test_resting_heart_rate_placeholders_are_ignored_by_name() -> None:
    text = timed(
        [
            ("01/01/25 00:00:00", {"date": None, "value": 0.0, "error": 0.0}),
            ("01/02/25 00:00:00", {"date": "01/02/25", "value": 58.09, "error": 6.8}),
            ("01/03/25 00:00:00", {"date": "01/03/25", "value": 12.0, "error": 6.8}),
        ]
    )
    reading = read("resting_heart_rate-2025-01-01.json", text)
    assert reading.frame.rows() == [(date(2025, 1, 2), 58.09)]
    assert reading.ignored == {"placeholder_zero": 1}
    assert rules(reading) == [(3, "outside_limits")]


def test_cardio_fitness_is_the_filtered_estimate() -> None:
    value = {"demographicVO2Max": 45.0, "filteredDemographicVO2Max": 44.8186}
    reading = read("demographic_vo2_max-2025-01-01.json", timed([("01/02/25 00:00:00", value)]))
    assert reading.frame.rows() == [(date(2025, 1, 2), 44.8186)]


def test_a_sleep_log_in_its_own_words() -> None:
    log = sleep_log(12345678901, "2026-01-04T22:45:00", "2026-01-05T06:45:30")
    reading = read("sleep-2026-01-01.json", pretty([log]))
    row = reading.frame.row(0, named=True)
    assert row["sleep_id"] == "12345678901"
    assert row["date"] == date(2026, 1, 5)
    assert (row["local"], row["local_end"]) == (datetime(2026, 1, 4, 22, 45), datetime(2026, 1, 5, 6, 45, 30))
    assert (row["deep_minutes"], row["rem_minutes"], row["light_minutes"]) == (60, 80, 200)


def test_classic_logs_and_logs_without_short_data_have_their_minutes() -> None:
    classic = sleep_log(
        1,
        "2026-01-05T13:00:00",
        "2026-01-05T14:00:00",
        type="classic",
        mainSleep=False,
        levels={"summary": {"asleep": {"count": 0, "minutes": 40}}, "data": []},
    )
    bare = sleep_log(2, "2026-01-05T15:00:00", "2026-01-05T16:00:00")
    del bare["levels"]
    frame = read("sleep-2026-01-01.json", pretty([classic, bare])).frame
    assert frame["deep_minutes"].to_list() == [None, None]
    assert frame["minutes_asleep"].to_list() == [40, 40]
    assert frame["epochs"].to_list() == [[], []]


def test_short_wakes_are_laid_over_the_stages() -> None:
    start = "2026-01-05T00:00:00.000"
    levels = {
        "summary": {},
        "data": [
            {"dateTime": start, "level": "light", "seconds": 600},
            {"dateTime": "2026-01-05T00:10:00.000", "level": "deep", "seconds": 600},
        ],
        "shortData": [
            {"dateTime": "2026-01-05T00:09:30.000", "level": "wake", "seconds": 60},
            {"dateTime": "2026-01-05T00:15:00.000", "level": "wake", "seconds": 30},
        ],
    }
    log = sleep_log(1, start[:19], "2026-01-05T00:20:00", levels=levels, minutesAsleep=18)
    epochs = read("sleep-2026-01-01.json", pretty([log])).frame["epochs"].to_list()[0]
    assert [(epoch["after"], epoch["seconds"], epoch["stage"]) for epoch in epochs] == [
        (0, 570, "light"),
        (570, 60, "wake"),
        (630, 270, "deep"),
        (900, 30, "wake"),
        (930, 270, "deep"),
    ]


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"endTime": "2026-01-04T22:00:00.000"}, "ends_before_it_starts"),
        ({"endTime": "2026-01-09T22:00:00.000"}, "longer_than_two_days"),
        ({"dateOfSleep": "soon"}, "value_missing"),
        ({"type": "polyphasic"}, "kind_unknown"),
        ({"minutesAsleep": -4}, "outside_limits"),
        ({"minutesAsleep": "long"}, "record_of_other_form"),
    ],
)
def test_impossible_sleep_logs_are_rejected(fields: dict[str, object], rule: str) -> None:
    good = sleep_log(1, "2026-01-03T22:45:00", "2026-01-04T06:45:00")
    bad = sleep_log(2, "2026-01-04T22:45:00", "2026-01-05T06:45:00") | fields
    reading = read("sleep-2026-01-01.json", pretty([good, bad]))
    assert reading.frame["sleep_id"].to_list() == ["1"]
    assert rules(reading) == [(2, rule)]


EXERCISE = {
    "logId": 7,
    "activityName": "Fett\u00adverbrennung mit Anna",
    "activityTypeId": 90013,
    "averageHeartRate": 104,
    "calories": 161,
    "distance": 1.5,
    "distanceUnit": "Mile",
    "duration": 1076000,
    "activeDuration": 1070000,
    "steps": 1726,
    "logType": "auto_detected",
    "activeZoneMinutes": {"totalMinutes": 12},
    "startTime": "11/29/23 09:14:05",
    "elevationGain": 3.048,
}


def test_an_exercise_gets_the_english_name_of_its_type_and_metres() -> None:
    row = read("exercise-0.json", pretty([EXERCISE])).frame.row(0, named=True)
    assert row["activity_name"] == "Walk"
    assert row["distance_m"] == pytest.approx(2414.016)
    assert row["duration_minutes"] == pytest.approx(17.9333, abs=1e-4)
    assert (row["utc"], row["active_zone_minutes"]) == (datetime(2023, 11, 29, 9, 14, 5), 12)
    assert row["elevation_gain_m"] == 3.048


@pytest.mark.parametrize(
    ("fields", "column", "value"),
    [
        ({"activityTypeId": 4242}, "activity_name", None),
        ({"distanceUnit": None}, "distance_m", None),
        ({"distanceUnit": "Kilometer"}, "distance_m", 1500.0),
        ({"averageHeartRate": 0}, "average_heart_rate", None),
        ({"activeZoneMinutes": None}, "active_zone_minutes", None),
        ({"elevationGain": 30.0}, "elevation_gain_m", None),
        ({"elevationGain": 0.0}, "elevation_gain_m", 0.0),
        ({"elevationGain": 32.004}, "elevation_gain_m", 32.004),
    ],
)
def test_what_an_exercise_does_not_say_is_null(fields: dict[str, object], column: str, value: object) -> None:
    frame = read("exercise-0.json", pretty([EXERCISE | fields])).frame
    assert frame[column].to_list() == [value]


def test_weight_is_in_pounds() -> None:
    entry = {"logId": 1773964799000, "weight": 104.9, "bmi": 20.51, "date": "03/19/26", "time": "23:59:59"}
    row = read("weight-2026-03-01.json", pretty([entry])).frame.row(0, named=True)
    assert row["weight_kg"] == pytest.approx(47.58, abs=0.01)
    assert row["local"] == datetime(2026, 3, 19, 23, 59, 59)


@pytest.mark.parametrize(
    ("name", "text", "rows", "ignored"),
    [
        (
            "Daily Heart Rate Variability Summary - 2023-12-(11).csv",
            "timestamp,rmssd,nremhr,entropy\n2023-12-12T00:00:00,62.1,53.8,2.7\n2023-12-13T00:00:00,0.0,0,0\n",
            [(date(2023, 12, 12), 62.1)],
            {"no_value": 1},
        ),
        (
            "Daily Respiratory Rate Summary - 2023-12-12.csv",
            "timestamp,daily_respiratory_rate\n2023-12-12T00:00:00,16.6\n2023-12-13T00:00:00,-1.0\n",
            [(date(2023, 12, 12), 16.6)],
            {"no_value": 1},
        ),
        (
            "Daily SpO2 - 2025-04-07-2025-07-15.csv",
            "timestamp,average_value,lower_bound,upper_bound\n"
            "2025-04-07T00:00:00Z,96.1,94.5,98.9\n2025-04-08T00:00:00Z,95.0,50.0,99.0\n2025-04-09T00:00:00Z,0,0,0\n",
            [(date(2025, 4, 7), 96.1, 94.5, 98.9), (date(2025, 4, 8), 95.0, None, 99.0)],
            {"no_value": 1},
        ),
        (
            "Stress Score.csv",
            "DATE,UPDATED_AT,STRESS_SCORE,STATUS,CALCULATION_FAILED\n"
            "2025-04-07T00:00:00,x,0,NO_DATA,true\n2025-04-08T00:00:00,x,77,READY,false\n"
            "2025-04-09T00:00:00,x,50,READY,true\n",
            [(date(2025, 4, 8), 77)],
            {"no_value": 2},
        ),
        (
            "Daily Readiness Score - 2024-02-01.csv",
            "date,readiness_score_value,readiness_state\n2024-02-02,61,MEDIUM\n",
            [(date(2024, 2, 2), 61)],
            {},
        ),
        (
            "Computed Temperature - 2025-04-01.csv",
            "type,sleep_start,sleep_end,temperature_samples,nightly_temperature,baseline_relative_sample_sum\n"
            "IDT,2025-04-07T04:19:30,2025-04-07T09:18,282,31.8,NaN\n"
            "SKIN,2025-04-08T23:33:30,2025-04-09T07:20:30,400,34.4,-120.0\n",
            [(date(2025, 4, 9), 400.0, -0.3)],
            {"no_baseline": 1},
        ),
        (
            "Active Zone Minutes - 2025-04-01.csv",
            "date_time,heart_zone_id,total_minutes\n2025-04-09T23:59,FAT_BURN,1\n2025-04-10T00:00,PEAK,2\n",
            [(datetime(2025, 4, 9, 23, 59), "fatburn", 1), (datetime(2025, 4, 10), "peak", 2)],
            {},
        ),
        (
            "sleep_score.csv",
            "sleep_log_entry_id,timestamp,overall_score,resting_heart_rate\n"
            "1,2025-07-06T08:10:30Z,80,62\n2,2025-07-05T08:10:30Z,0,62\n",
            [("1", datetime(2025, 7, 6, 8, 10, 30), 80, 62.0)],
            {"no_score": 1},
        ),
    ],
)
def test_csv_families(name: str, text: str, rows: list[tuple[object, ...]], ignored: dict[str, int]) -> None:
    reading = read(name, text)
    assert reading.frame.rows() == rows
    assert reading.ignored == ignored
    assert not reading.rejected


@pytest.mark.parametrize("text", ["no data", "", "DATE,STRESS_SCORE\n", "\ufeffDATE,STRESS_SCORE\r\n"])
def test_a_csv_may_be_there_without_rows(text: str) -> None:
    assert read("Stress Score.csv", text).rows == 0


def test_csv_columns_are_found_by_header_in_any_order_and_lines_may_end_early() -> None:
    text = (
        "\ufeffentropy,data source, rmssd ,timestamp\r\n2.7,Fitbit App,62.1,2023-12-12T00:00:00\r\n2.7,x\r\n"
    )
    reading = read("Daily Heart Rate Variability Summary - 2023-12-.csv", text)
    assert reading.frame.rows() == [(date(2023, 12, 12), 62.1)]
    assert reading.rows == 2


def test_a_csv_without_the_needed_columns_is_of_another_form() -> None:
    with pytest.raises(OtherForm):
        read("Stress Score.csv", "DATE,SCORE\n2025-04-07T00:00:00,5\n")


def test_the_last_line_of_a_cut_off_csv_is_not_trusted() -> None:
    text = "timestamp,daily_respiratory_rate\n2023-12-12T00:00:00,16.6\n2023-12-13T00:00:00,1"
    reading = read("Daily Respiratory Rate Summary - 2023-12-12.csv", text, damaged=True)
    assert reading.frame.rows() == [(date(2023, 12, 12), 16.6)]
    assert rules(reading) == [(2, "member_damaged")]


def test_zones_that_are_not_known_are_rejected() -> None:
    text = "date_time,heart_zone_id,total_minutes\n2025-04-09T10:00,OUTER,1\n2025-04-09T10:01,fat burn,9\n"
    reading = read("Active Zone Minutes - 2025-04-01.csv", text)
    assert sorted(rules(reading)) == [(1, "value_missing"), (2, "outside_limits")]


def test_metrics_of_all_kinds_are_columns_of_the_daily_table() -> None:
    columns = [column for measure in MEASURES for column in measure.columns]
    assert len(columns) == len(set(columns))
    assert set(columns) <= set(DailySummary.columns())
    told = {source.kind for measure in MEASURES for source in measure.sources}
    assert told <= {kind.name for kind in KINDS}
