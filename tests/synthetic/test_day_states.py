"""One hidden state a day drives all that is measured of the body, in the right direction."""

import numpy as np
import polars as pl
import pytest

from synthetic.life.recording import Recording, record
from synthetic.life.state import FEVER_BPM, RESTING_SD, autocorrelated, day_states
from synthetic.people.casting import Casting
from synthetic.people.persona import make_person

EFFECT_FREE = Casting(effect_free=True)
DAYS = 150


@pytest.fixture(scope="module")
def recordings() -> list[Recording]:
    return [record(make_person(number, DAYS, 41, EFFECT_FREE), 41) for number in range(8)]


def together(recordings: list[Recording], one: str, other: str) -> float:
    """Mean correlation within people of two daily values."""
    found = [
        recording.nightly.select(one, other).drop_nulls().select(pl.corr(one, other)).item()
        for recording in recordings
    ]
    return float(np.mean(found))


@pytest.mark.parametrize(
    ("metric", "low", "high"),
    [
        ("heart_rate_variability", -0.8, -0.35),
        ("respiratory_rate", 0.3, 0.8),
        ("skin_temperature_variation", 0.3, 0.8),
        ("stress_management_score", -0.85, -0.35),
        ("readiness_score", -0.98, -0.5),
        ("spo2_avg", -0.2, 0.2),
    ],
)
def test_daily_values_move_with_the_resting_heart_rate(
    recordings: list[Recording], metric: str, low: float, high: float
) -> None:
    assert low < together(recordings, "resting_heart_rate", metric) < high


def test_respiration_and_temperature_move_together_and_against_variability(
    recordings: list[Recording],
) -> None:
    assert together(recordings, "respiratory_rate", "skin_temperature_variation") > 0.25
    assert together(recordings, "respiratory_rate", "heart_rate_variability") < -0.25


def test_days_without_effects_vary_by_two_and_a_half_bpm_and_keep_half_of_the_day_before() -> None:
    spread, kept = [], []
    for number in range(40):
        person = make_person(number, 200, 5, EFFECT_FREE)
        resting = day_states(person, 200, np.random.default_rng(number)).resting
        spread.append(resting.std())
        kept.append(np.corrcoef(resting[1:], resting[:-1])[0, 1])
    assert np.mean(spread) == pytest.approx(RESTING_SD, abs=0.15)
    # An estimate from 200 days lies a hundredth or two below the true 0.5.
    assert np.mean(kept) == pytest.approx(0.49, abs=0.04)


def test_read_values_vary_as_the_body_does(recordings: list[Recording]) -> None:
    spread = [recording.nightly["resting_heart_rate"].std() for recording in recordings]
    assert np.mean(spread) == pytest.approx(2.5, abs=0.3)


def test_a_series_is_stationary_from_its_first_day() -> None:
    series = np.array([autocorrelated(6, np.random.default_rng(seed)) for seed in range(3_000)])
    assert series.std(axis=0) == pytest.approx(np.ones(6), abs=0.06)
    assert series.mean(axis=0) == pytest.approx(np.zeros(6), abs=0.06)


def test_a_fever_raises_heart_rate_breathing_and_temperature_and_lowers_the_rest() -> None:
    person = make_person(20, 60, 3, Casting(effect="fever_week"))
    recording = record(person, 3)
    fever = recording.states.fever
    assert fever.max() == 1
    assert int((fever > 0).sum()) == 7
    calm = record(make_person(20, 60, 3, EFFECT_FREE), 3)
    worst = int(fever.argmax())
    assert recording.states.resting[worst] - calm.states.resting[worst] == pytest.approx(FEVER_BPM)
    sick, well = recording.nightly.row(worst, named=True), calm.nightly.row(worst, named=True)
    assert sick["respiratory_rate"] > well["respiratory_rate"] + 1.5
    assert sick["skin_temperature_variation"] > well["skin_temperature_variation"] + 1
    assert sick["heart_rate_variability"] < 0.8 * well["heart_rate_variability"]
    assert sick["stress_management_score"] < well["stress_management_score"]
    ill = recording.days.day == worst
    assert recording.minutes.walked[ill].sum() < 0.7 * calm.minutes.walked[ill].sum()


def test_heart_rate_is_lowest_in_the_night_and_in_deep_sleep(recordings: list[Recording]) -> None:
    for recording in recordings:
        minutes, wall = recording.minutes, recording.days.wall
        quiet = minutes.worn & (minutes.effort < 0.01)
        asleep = minutes.heart_rate[quiet & minutes.in_bed].mean()
        afternoon = minutes.heart_rate[quiet & ~minutes.in_bed & (abs(wall - 840) < 120)].mean()
        evening = minutes.heart_rate[quiet & ~minutes.in_bed & (wall > 1260)].mean()
        assert asleep < evening < afternoon


def test_heart_rate_answers_to_effort_with_a_lag(recordings: list[Recording]) -> None:
    recording = recordings[0]
    run = max(recording.exercises, key=lambda log: log.exercise.effort)
    start = recording.days.place_of(run.exercise.start)
    heart_rate = recording.minutes.heart_rate[start - 5 : start + 12]
    assert heart_rate[5] < heart_rate[8:].mean() - 10
    stop = start + run.exercise.seconds // 60
    after = recording.minutes.heart_rate[stop : stop + 10]
    assert after[0] > after[-1] + 10
