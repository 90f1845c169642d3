"""Sleep logs hold together as the vendor's do."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synthetic.exports.logs import efficiency
from synthetic.life.living import all_sleeps
from synthetic.life.sleep import WAKE, SleepLog, bed_time_sd, nap_of, night_of
from synthetic.life.state import day_states
from synthetic.local_days import make_local_days
from synthetic.people.casting import Casting
from synthetic.people.habits import Work
from synthetic.people.persona import make_person

DAY = date(2026, 5, 20)


def night(number: int, seed: int) -> SleepLog:
    return night_of(make_person(number, 60, 3), DAY, 20, 60, 0.0, np.random.default_rng(seed))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 11), st.integers(0, 10_000))
def test_minutes_of_the_levels_add_up_to_the_time_in_bed(number: int, seed: int) -> None:
    log = night(number, seed)
    minutes = log.minutes_by_level()
    assert sum(minutes.values()) == log.minutes_in_bed == log.minutes_asleep + log.minutes_awake
    assert min(minutes.values()) >= 0
    assert 0 < efficiency(log) <= 100


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 11), st.integers(0, 10_000))
def test_a_night_ends_on_its_wake_date_and_begins_within_a_day_before(number: int, seed: int) -> None:
    log = night(number, seed)
    assert log.wake_date == DAY
    assert (log.end - log.start).total_seconds() == log.minutes_in_bed * 60
    assert log.minutes_in_bed <= 660


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 11), st.integers(0, 10_000))
def test_short_wakes_last_three_minutes_at_most_and_lie_in_sleep(number: int, seed: int) -> None:
    log = night(number, seed)
    laid_over = log.levels != log.segments
    edges = np.flatnonzero(np.diff(np.concatenate([[0], laid_over.astype(int), [0]])))
    lengths = edges[1::2] - edges[::2]
    assert (lengths <= 6).all()
    assert (log.levels[laid_over] == WAKE).all()
    assert (log.segments[laid_over] != WAKE).all()


def test_most_nights_have_stages_and_a_few_are_classic() -> None:
    kinds = [night(0, seed).kind for seed in range(300)]
    assert 1 <= kinds.count("classic") <= 30


def test_deep_sleep_comes_early_and_rem_late() -> None:
    logs = [log for log in (night(0, seed) for seed in range(60)) if log.kind == "stages"]
    halves = [(log.levels[: len(log.levels) // 2], log.levels[len(log.levels) // 2 :]) for log in logs]
    deep = [np.mean([(half == 2).mean() for half in side]) for side in zip(*halves, strict=True)]
    rem = [np.mean([(half == 3).mean() for half in side]) for side in zip(*halves, strict=True)]
    assert deep[0] > 1.5 * deep[1]
    assert rem[1] > 1.5 * rem[0]


def test_a_nap_is_short_classic_and_not_the_main_sleep() -> None:
    for seed in range(50):
        nap = nap_of(DAY, np.random.default_rng(seed))
        assert (nap.kind, nap.is_main, nap.wake_date) == ("classic", False, DAY)
        assert 60 <= nap.minutes_in_bed < 180
        assert nap.minutes_asleep > 0


def test_a_planted_change_of_bed_times_starts_where_it_says() -> None:
    person = make_person(4, 100, 7)
    assert bed_time_sd(person, 49, 100) == pytest.approx(person.body.bed_time_sd)
    assert bed_time_sd(person, 50, 100) == pytest.approx(3 * person.body.bed_time_sd)


@pytest.mark.parametrize("work", ["days", "nights", "rotating"])
def test_nobody_sleeps_twice_at_a_time(work: Work) -> None:
    for number in range(12, 20):
        person = replace(make_person(number, 60, 3, Casting(effect="worse_regularity")), work=work)
        days = make_local_days(person.time_zone, person.first_day, person.last_day)
        states = day_states(person, len(days.dates), np.random.default_rng(number))
        sleeps = all_sleeps(person, days, states, np.random.default_rng(number))
        ends = 0
        for start, length in ((days.place_of(sleep.start), sleep.minutes_in_bed) for sleep in sleeps[1:]):
            assert start >= ends
            ends = start + length
        assert sum(sleep.is_main for sleep in sleeps) >= 58
