"""Days of who travels: across zones, seasons and the date line; and a recording that stays whole."""
# ruff: noqa: DTZ001 - wall-clock times have no zone

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.daily_summary import DailySummary
from schemas.sleep_sessions import SleepSessions
from synthetic.life.recording import Recording, record
from synthetic.local_days import LocalDays, Trip, make_local_days
from synthetic.people.persona import make_person
from synthetic.truth.wearable import daily_summary, sleep_sessions

NEW_YORK, AUCKLAND = "America/New_York", "Pacific/Auckland"
OUT, BACK = date(2026, 3, 10), date(2026, 4, 10)
ZONES = (
    NEW_YORK, AUCKLAND, "Australia/Sydney", "Asia/Tokyo", "Europe/London", "Asia/Kathmandu",
    "Pacific/Honolulu", "Pacific/Kiritimati",
)  # fmt: skip


def auckland() -> LocalDays:
    return make_local_days(NEW_YORK, date(2026, 3, 6), date(2026, 4, 14), [Trip(AUCKLAND, OUT, BACK)])


def test_a_day_flown_westwards_over_the_date_line_loses_hours_and_the_way_back_gains_them() -> None:
    days = auckland()
    lengths = np.bincount(days.day)
    # Both hemispheres change clocks on the way: New York on 8 March, Auckland on 5 April.
    assert lengths[2] == 23 * 60
    assert lengths[4] == 18 * 60  # until 18:00; then it is 11:00 of the next day
    assert lengths[5] == 13 * 60
    assert lengths[30] == 25 * 60
    assert lengths[35] == (24 + 16) * 60


def test_offsets_at_noon_tell_where_a_day_was_spent() -> None:
    days = auckland()
    found = [days.offset_at_noon(day) for day in (1, 2, 4, 5, 29, 30, 34, 36, 39)]
    assert found == [-300, -240, -240, 780, 780, 720, 720, -240, -240]
    # On the day of the way back noon came twice.
    assert days.offset_at_noon(35) is None


def test_the_account_names_the_zone_of_the_end() -> None:
    assert auckland().zone == ZoneInfo(NEW_YORK)
    away = make_local_days(NEW_YORK, date(2026, 3, 6), date(2026, 3, 20), [Trip(AUCKLAND, OUT, BACK)])
    assert away.zone == ZoneInfo(AUCKLAND)


def test_wall_times_are_read_where_they_were_shown() -> None:
    days = auckland()
    assert days.zone_at(datetime(2026, 3, 10, 17, 59)) == ZoneInfo(NEW_YORK)
    assert days.zone_at(datetime(2026, 3, 11, 11, 0)) == ZoneInfo(AUCKLAND)
    assert days.utc_of(datetime(2026, 3, 11, 11, 0)) == datetime(2026, 3, 10, 22, 0, tzinfo=UTC)
    # On the day of the way back 02:00 to 18:00 came twice: the first time counts.
    assert days.zone_at(datetime(2026, 4, 10, 9, 0)) == ZoneInfo(AUCKLAND)
    assert days.zone_at(datetime(2026, 4, 10, 18, 30)) == ZoneInfo(NEW_YORK)


def test_a_time_that_was_flown_over_is_moved_to_one_that_existed() -> None:
    days = auckland()
    assert days.existing(datetime(2026, 3, 10, 23, 30)) == datetime(2026, 3, 11, 16, 30)
    assert days.existing(datetime(2026, 3, 11, 11, 30)) == datetime(2026, 3, 11, 11, 30)


def test_a_journey_or_a_country_can_lose_a_day() -> None:
    trip = Trip("Pacific/Kiritimati", date(2026, 5, 3), date(2026, 5, 30))
    days = make_local_days("Pacific/Honolulu", date(2026, 5, 1), date(2026, 5, 10), [trip])
    assert np.bincount(days.day, minlength=10).tolist() == [1440, 1440, 1080, 360, *[1440] * 6]
    lost = make_local_days("Pacific/Apia", date(2011, 12, 28), date(2012, 1, 1))
    assert np.bincount(lost.day, minlength=5).tolist() == [1440, 1440, 0, 1440, 1440]
    assert lost.minutes_of(2) == slice(2880, 2880)


def test_a_date_can_be_lived_twice() -> None:
    trip = Trip("Pacific/Honolulu", date(2026, 5, 3), date(2026, 5, 8))
    days = make_local_days("Pacific/Kiritimati", date(2026, 5, 1), date(2026, 5, 6), [trip])
    assert np.bincount(days.day).tolist() == [1440, 1440, 2880, 1440, 1440, 1440]


def test_going_back_more_than_a_day_is_refused() -> None:
    trip = Trip("Etc/GMT+12", date(2026, 5, 3), date(2026, 5, 8))
    with pytest.raises(ValueError, match="begin twice"):
        make_local_days("Pacific/Kiritimati", date(2026, 5, 1), date(2026, 5, 10), [trip])


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(ZONES), st.sampled_from(ZONES), st.dates(date(2025, 1, 1), date(2027, 1, 1)),
    st.integers(3, 9), st.integers(0, 20_000),
)  # fmt: skip
def test_every_minute_of_any_journey_goes_to_the_wall_and_back(
    home: str, there: str, first: date, length: int, minute: int
) -> None:
    trip = Trip(there, first + timedelta(days=2), first + timedelta(days=2 + length))
    days = make_local_days(home, first, first + timedelta(days=length + 4), [trip])
    assert (np.diff(days.utc_minute) == 1).all()
    assert (np.diff(days.day) >= 0).all()
    place = minute % len(days.day)
    local = datetime.combine(days.dates[days.day[place]], datetime.min.time()) + timedelta(
        minutes=int(days.wall[place])
    )
    assert days.existing(local) == local
    # The same minute, or an earlier one that showed the same time.
    back = days.place_of(local)
    assert back <= place
    assert days.utc_minute[back] + days.offset[back] == days.utc_minute[place] + days.offset[place]


@pytest.fixture(scope="module")
def traveller() -> Recording:
    person = make_person(30, 60, 4)
    out = person.first_day + timedelta(days=20)
    return record(replace(person, trips=(Trip(AUCKLAND, out, out + timedelta(days=12)),)), 4)


def test_a_travellers_truth_keeps_all_row_rules(traveller: Recording) -> None:
    for frame, table in (
        (daily_summary(traveller), DailySummary),
        (sleep_sessions(traveller, "export.zip"), SleepSessions),
    ):
        _, failures = table.filter(frame)
        assert failures.counts() == {}


def test_days_of_a_move_are_marked(traveller: Recording) -> None:
    person = traveller.person
    moved = daily_summary(traveller).filter("tz_change")["date"].to_list()
    (trip,) = person.trips
    # Over the date line both days of the way out are short; the way back makes one long one.
    assert {trip.out, trip.out + timedelta(days=1), trip.back} <= set(moved)
    assert trip.back + timedelta(days=1) not in moved


def test_sleeps_lie_within_one_zone_and_never_over_each_other(traveller: Recording) -> None:
    days = traveller.days
    ends = 0
    for sleep in traveller.sleeps:
        start = days.place_of(sleep.start)
        assert start >= ends
        ends = start + sleep.minutes_in_bed
        assert len(set(days.offset[start:ends].tolist())) == 1
        assert traveller.minutes.worn[start:ends].all()
    mains = [sleep.wake_date for sleep in traveller.sleeps if sleep.is_main]
    assert len(set(mains)) == len(mains)


def test_exercises_last_as_long_on_the_wall_as_in_truth(traveller: Recording) -> None:
    for log in traveller.exercises:
        start = traveller.days.place_of(log.exercise.start)
        stop = traveller.days.place_of(log.exercise.start + timedelta(seconds=log.exercise.seconds))
        assert 0 <= stop - start - log.exercise.seconds // 60 <= 1


@pytest.mark.parametrize(
    "zone", ["Australia/Sydney", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe"]
)
def test_people_of_any_zone_can_be_recorded(zone: str) -> None:
    person = replace(make_person(2, 100, 6), time_zone=zone, trips=())
    frame = daily_summary(record(person, 6))
    _, failures = DailySummary.filter(frame)
    assert failures.counts() == {}
    assert frame.filter("valid_day").height > 75
    changes = frame.filter(pl.col("tz_change")).height
    assert changes == (1 if zone.startswith("Australia") else 0)


def test_night_workers_sleep_by_day_and_walk_by_night() -> None:
    person = replace(make_person(30, 60, 4), work="nights", trips=())
    recording = record(person, 4)
    frame = daily_summary(recording).drop_nulls("bed_minute")
    after_shift = frame.filter(pl.col("date").dt.weekday().is_between(2, 5))
    assert after_shift["bed_minute"].median() > 400
    assert frame.filter(pl.col("date").dt.weekday() == 7)["bed_minute"].median() < 120
    assert frame.height > 45
    small_hours = recording.minutes.steps[(recording.days.wall > 60) & (recording.days.wall < 300)].sum()
    assert small_hours > 0.05 * recording.minutes.steps.sum()
    _, failures = DailySummary.filter(daily_summary(recording))
    assert failures.counts() == {}
