"""What is kept of a night agrees with the night's daily values and lies within the night."""

from datetime import date

import numpy as np
import polars as pl
import pytest

from synthetic.life.night_details import (
    INVALID_OXYGEN,
    hrv_details,
    spo2_minutes,
    wrist_temperature_minutes,
)
from synthetic.life.recording import Recording, record
from synthetic.life.sleep import SleepLog
from synthetic.people.persona import make_person

DAYS = 40
NUMBERS = {"sleep_trouble": 14, "healthy_training": 30, "overweight": 15}
EPOCH_DAY = date(1970, 1, 1)


@pytest.fixture(scope="module")
def recordings() -> dict[str, Recording]:
    return {name: record(make_person(number, DAYS, 8), 8) for name, number in NUMBERS.items()}


@pytest.fixture(scope="module", params=list(NUMBERS))
def recording(request: pytest.FixtureRequest, recordings: dict[str, Recording]) -> Recording:
    assert recordings[request.param].person.profile == request.param
    return recordings[request.param]


def nights(recording: Recording) -> list[SleepLog]:
    return [sleep for sleep in recording.sleeps if sleep.is_main and sleep.kind == "stages"]


def wall_minute(sleep: SleepLog) -> int:
    return (sleep.start.date() - EPOCH_DAY).days * 1440 + sleep.start.hour * 60 + sleep.start.minute


def within(frame: pl.DataFrame, column: str, start: int, length: int) -> pl.DataFrame:
    return frame.filter(pl.col(column).is_between(start, start + length, closed="left"))


def test_variability_of_a_nights_windows_gives_its_daily_value(recording: Recording) -> None:
    details = hrv_details(recording)
    daily = dict(recording.nightly.select("date", "heart_rate_variability").iter_rows())
    for sleep in nights(recording):
        windows = within(details, "local_minute", wall_minute(sleep), sleep.minutes_in_bed)
        mean = (windows["rmssd"] * windows["coverage"]).sum() / windows["coverage"].sum()
        assert mean == pytest.approx(daily[sleep.wake_date], abs=0.002)
        assert windows.height > sleep.minutes_asleep / 5 * 0.6


def test_variability_windows_are_full_fives_in_order_with_possible_values(recording: Recording) -> None:
    details = hrv_details(recording)
    assert (details["local_minute"] % 5 == 0).all()
    assert (details["local_minute"].diff().drop_nulls() > 0).all()
    assert details["coverage"].is_between(0.4, 1).all()
    assert details.select(pl.col("rmssd", "low_frequency", "high_frequency").min() > 0).row(0) == (True,) * 3
    assert details.height == sum(
        within(details, "local_minute", wall_minute(sleep), sleep.minutes_in_bed).height
        for sleep in nights(recording)
    )


def test_oxygen_minutes_give_the_nights_mean_within_its_bounds(recording: Recording) -> None:
    details = spo2_minutes(recording)
    daily = {row["date"]: row for row in recording.nightly.iter_rows(named=True)}
    for sleep in nights(recording):
        start = int(recording.days.utc_of(sleep.start).timestamp())
        minutes = within(details, "utc_second", start, sleep.minutes_in_bed * 60)
        assert minutes.height == sleep.minutes_in_bed
        valid, night = minutes.filter(pl.col("value") != INVALID_OXYGEN)["value"], daily[sleep.wake_date]
        assert valid.mean() == pytest.approx(night["spo2_avg"], abs=0.15)
        assert night["spo2_min"] <= valid.min() <= valid.max() <= night["spo2_max"]


def test_a_sixth_to_a_quarter_of_oxygen_minutes_is_invalid_and_says_fifty(recording: Recording) -> None:
    values = spo2_minutes(recording)["value"]
    assert 0.14 < (values == INVALID_OXYGEN).mean() < 0.27
    assert values.filter(values != INVALID_OXYGEN).min() >= 70


def test_sleep_trouble_shows_in_oxygen_and_wake_share(
    recordings: dict[str, Recording],
) -> None:
    def lowest(name: str) -> float:
        nightly = recordings[name].nightly
        return (nightly["spo2_avg"] - nightly["spo2_min"]).mean()

    def awake(name: str) -> float:
        return float(np.mean([s.minutes_awake / s.minutes_in_bed for s in nights(recordings[name])]))

    assert lowest("sleep_trouble") > lowest("overweight") > lowest("healthy_training")
    assert awake("sleep_trouble") > 1.2 * awake("healthy_training")


def test_wrist_temperature_of_a_night_averages_to_its_variation(recording: Recording) -> None:
    details = wrist_temperature_minutes(recording)
    daily = dict(recording.nightly.select("date", "skin_temperature_variation").iter_rows())
    known = [sleep for sleep in nights(recording) if daily[sleep.wake_date] is not None]
    assert len(known) > 15
    for sleep in known:
        minutes = within(details, "local_minute", wall_minute(sleep), sleep.minutes_in_bed)
        assert minutes.height == sleep.minutes_in_bed
        assert minutes["temperature"].mean() == pytest.approx(daily[sleep.wake_date], abs=1e-9)


def test_wrist_temperature_is_known_only_while_worn_and_after_a_baseline(recording: Recording) -> None:
    details = wrist_temperature_minutes(recording)
    local = recording.days.utc_minute + recording.days.offset
    worn = local[recording.minutes.worn]
    assert set(details["local_minute"]) <= set(worn.tolist())
    first = recording.nightly.filter(pl.col("skin_temperature_variation").is_not_null())["date"][0]
    assert details["local_minute"][0] >= ((first - EPOCH_DAY).days - 1) * 1440
    since = (first - EPOCH_DAY).days * 1440
    assert details.filter(pl.col("local_minute") >= since).height == int((worn >= since).sum())
    awake = details.filter(~pl.col("local_minute").is_in(local[recording.minutes.in_bed].tolist()))
    assert awake["temperature"].mean() < -0.5


def test_baseline_is_the_mean_of_nights_before_from_the_third_on(recording: Recording) -> None:
    frame = recording.nightly
    known: list[float] = []
    for row in frame.iter_rows(named=True):
        if row["nightly_temperature"] is None:
            assert row["baseline_temperature"] is None
            assert row["skin_temperature_variation"] is None
            known.append(float("nan"))
            continue
        before = np.array(known[-30:])
        before = before[~np.isnan(before)]
        if len(before) < 3:
            assert row["baseline_temperature"] is None
        else:
            assert row["baseline_temperature"] == pytest.approx(before.mean(), abs=1e-9)
            apart = row["nightly_temperature"] - row["baseline_temperature"]
            assert row["skin_temperature_variation"] == pytest.approx(apart, abs=1e-9)
        known.append(row["nightly_temperature"])


def test_breathing_by_stage_is_near_that_of_the_whole_sleep_and_fastest_in_rem(recording: Recording) -> None:
    frame = recording.nightly
    for stage in ("deep", "light", "rem"):
        apart = (frame[f"respiratory_rate_{stage}"] - frame["respiratory_rate"]).drop_nulls()
        assert apart.abs().max() < 2.5
    assert frame["respiratory_rate_rem"].mean() > frame["respiratory_rate_deep"].mean()


def test_scores_are_whole_possible_and_null_where_there_is_no_night(recording: Recording) -> None:
    frame = recording.nightly
    by_date = {sleep.wake_date for sleep in nights(recording)}
    for row in frame.iter_rows(named=True):
        assert (row["sleep_score"] is not None) == (row["date"] in by_date)
        if row["sleep_score"] is not None:
            assert abs(row["sleep_score"] - row["sleep_score_overall"]) <= 0.5
    assert frame["readiness_score"].drop_nulls().is_between(1, 100).all()
    assert frame["readiness_score"][:7].null_count() == 7
    assert frame["readiness_score"].null_count() < DAYS / 2


def test_details_depend_on_the_recording_alone(recording: Recording) -> None:
    for details in (hrv_details, spo2_minutes, wrist_temperature_minutes):
        assert details(recording).equals(details(recording))
