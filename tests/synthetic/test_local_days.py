"""Every elapsed minute of a participant's days, in UTC and on the wall."""
# ruff: noqa: DTZ001 - wall-clock times have no zone

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synthetic.local_days import make_local_days, offset_at

NEW_YORK = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("zone", "day", "minutes"),
    [
        ("America/New_York", date(2026, 3, 7), 1440),
        ("America/New_York", date(2026, 3, 8), 1380),
        ("America/New_York", date(2025, 11, 2), 1500),
        ("Australia/Lord_Howe", date(2025, 10, 5), 1410),
        ("Asia/Kathmandu", date(2026, 3, 8), 1440),
    ],
)
def test_a_day_has_the_minutes_its_zone_gives_it(zone: str, day: date, minutes: int) -> None:
    assert len(make_local_days(zone, day, day).utc_minute) == minutes


def test_the_wall_clock_jumps_where_clocks_are_put_forward() -> None:
    days = make_local_days("America/New_York", date(2026, 3, 8), date(2026, 3, 8))
    assert days.wall[118:122].tolist() == [118, 119, 180, 181]
    assert days.offset[[0, 119, 120, -1]].tolist() == [-300, -300, -240, -240]


def test_the_wall_clock_repeats_an_hour_where_clocks_are_put_back() -> None:
    days = make_local_days("America/New_York", date(2025, 11, 2), date(2025, 11, 2))
    assert days.wall[119:121].tolist() == [119, 60]
    assert np.bincount(days.wall, minlength=1440)[[59, 60, 119, 120]].tolist() == [1, 2, 2, 1]


def test_midnight_of_a_zone_in_utc() -> None:
    days = make_local_days("America/Los_Angeles", date(2026, 6, 1), date(2026, 6, 2))
    first = datetime(1970, 1, 1) + timedelta(minutes=int(days.utc_minute[0]))
    assert first == datetime(2026, 6, 1, 7, 0)
    assert days.place_of(datetime(2026, 6, 1, 0, 0, 59)) == 0
    assert days.place_of(datetime(2026, 6, 2, 1, 30)) == 1440 + 90
    assert days.minutes_of(1) == slice(1440, 2880)


def test_a_wall_time_that_clocks_jump_over_is_moved_to_one_that_exists() -> None:
    days = make_local_days("America/New_York", date(2026, 3, 7), date(2026, 3, 9))
    assert days.existing(datetime(2026, 3, 8, 2, 19, 30)) == datetime(2026, 3, 8, 3, 19, 30)
    assert days.existing(datetime(2026, 3, 8, 1, 59, 30)) == datetime(2026, 3, 8, 1, 59, 30)


def test_the_offset_at_noon_is_the_new_one_on_the_day_clocks_change() -> None:
    days = make_local_days("America/New_York", date(2026, 3, 7), date(2026, 3, 9))
    assert [days.offset_at_noon(day) for day in (0, 1, 2)] == [-300, -240, -240]
    assert offset_at(datetime(2026, 3, 8, 1, 0), NEW_YORK) == -300


@given(
    st.sampled_from(["America/New_York", "Europe/Amsterdam", "Australia/Sydney", "Asia/Kolkata"]),
    st.dates(date(2019, 1, 1), date(2027, 1, 1)),
    st.integers(1, 9),
)
def test_days_follow_each_other_without_gap_and_agree_with_the_zone(
    zone: str, first: date, count: int
) -> None:
    days = make_local_days(zone, first, first + timedelta(days=count - 1))
    assert (np.diff(days.utc_minute) == 1).all()
    assert sorted(set(days.day.tolist())) == list(range(count))
    local = days.utc_minute + days.offset
    midnight = (first - date(1970, 1, 1)).days * 1440
    assert (local == midnight + days.day * 1440 + days.wall).all()
