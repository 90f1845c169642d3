"""The reviewed programs on hand-made days with hand-computed answers."""

import math
import random
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest
from asking import ask, days_of, directions_of, replaced, statement_of, values_of
from hypothesis import given, settings
from hypothesis import strategies as st
from program_tables import LAST_DAY, days, exercises, participants, percentiles

from health_agents.data_science.library import reviewed_question
from health_agents.data_science.result import ProgramResult
from health_agents.data_science.statement import rendered, write_sentences
from health_agents.sandbox import Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

N = 120
WEEKDAYS = [(LAST_DAY - timedelta(N - 1 - n)).weekday() for n in range(N)]


# One question of each program that tells of the last days.
QUESTIONS = (
    *("fitness_trend", "sleep_regularity", "activity_guideline", "resting_heart_rate_peers"),
    *("weekday_weekend", "resting_heart_rate_change", "sleep_and_resting_heart_rate", "steps_records"),
    *("exercise_weeks", "sleep_duration_level", "weekend_sleep_shift"),
)


def rest_heart(start: float = 60.0, per_day: float = 0.1) -> list[float]:
    """Resting heart rates on a line with a small wave that no trend has (0, 0.3, 0, -0.3, ...)."""
    return [start + per_day * n + 0.3 * (0, 1, 0, -1)[n % 4] for n in range(N)]


def answerable(question_id: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Days and population with which the question has an answer."""
    daily = days(
        resting_heart_rate=rest_heart(),
        bed_minute=[-30, 30] * (N // 2),
        wake_up_minute=[400, 440] * (N // 2),
        active_zone_minutes=[25] * N,
        steps=[5000 + 10 * n for n in range(N)],
        sleep_minutes=[400 + n % 7 for n in range(N)],
    )
    return daily, percentiles({"50": 62.0})


def ask_with_exercises(
    sandbox: Sandbox,
    question_id: str,
    daily: pl.DataFrame,
    population: pl.DataFrame | None = None,
    person: pl.DataFrame | None = None,
) -> ProgramResult:
    return ask(sandbox, question_id, daily, population, person, activities=exercises(range(0, N, 3)))


class TestAllPrograms:
    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_old_data_have_no_last_days(self, sandbox: Sandbox, question_id: str) -> None:
        daily, population = answerable(question_id)
        fresh = ask_with_exercises(sandbox, question_id, daily, population, participants(days_behind=14))
        assert fresh.outcome == "answered"
        old = ask_with_exercises(sandbox, question_id, daily, population, participants(days_behind=15))
        assert (old.outcome, old.reason, old.numbers) == ("insufficient", "data_old", [])
        assert old.statement == "The newest data are too old for an answer."

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_no_wearable_data(self, sandbox: Sandbox, question_id: str) -> None:
        result = ask_with_exercises(
            sandbox, question_id, days().clear(), person=participants(data_through=None)
        )
        assert (result.outcome, result.reason) == ("insufficient", "no_wearable_data")
        assert result.statement == "There are no wearable data yet."

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_one_week_of_data_is_told_in_one_short_line(self, sandbox: Sandbox, question_id: str) -> None:
        daily, population = answerable(question_id)
        result = ask_with_exercises(sandbox, question_id, daily.sort("date").tail(7), population)
        assert re.fullmatch(
            r"Not enough (days|nights|weeks with data|days with both) yet: \d+ of \d+ (days|nights|weeks)\.",
            statement_of(result),
        )

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_words_are_plain_and_address_nobody(self, sandbox: Sandbox, question_id: str) -> None:
        question, (daily, population) = reviewed_question(question_id), answerable(question_id)
        statement = statement_of(ask_with_exercises(sandbox, question_id, daily, population))
        spoken = f"{question.title}. {question.words} {statement}"
        assert not re.search(
            r"\b(you|your|person|their|interval|test, p|p [=<]|Welch|Mann|per week)\b", spoken
        )
        assert len(write_sentences(ask_with_exercises(sandbox, question_id, daily, population))) <= 2

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_days_without_any_value(self, sandbox: Sandbox, question_id: str) -> None:
        daily = days(day_state=["not_worn"] * N, valid_day=[False] * N)
        result = ask_with_exercises(sandbox, question_id, daily, percentiles({"50": 62.0}))
        assert result.outcome == "insufficient"
        assert result.reason in {"too_few_days", "too_few_nights", "too_few_weeks"}

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_partial_days_do_not_count(self, sandbox: Sandbox, question_id: str) -> None:
        daily, population = answerable(question_id)
        partial = daily.with_columns(is_partial=pl.lit(True))
        assert ask_with_exercises(sandbox, question_id, partial, population).outcome == "insufficient"

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_nothing_after_data_through_counts(self, sandbox: Sandbox, question_id: str) -> None:
        daily, population = answerable(question_id)
        through = participants(data_through=LAST_DAY - timedelta(10))
        known = daily.filter(pl.col("date") <= LAST_DAY - timedelta(10))
        with_later = ask_with_exercises(sandbox, question_id, daily, population, through)
        assert with_later == ask_with_exercises(sandbox, question_id, known, population, through)

    @pytest.mark.parametrize("question_id", QUESTIONS)
    def test_order_of_rows_means_nothing(self, sandbox: Sandbox, question_id: str) -> None:
        daily, population = answerable(question_id)
        mixed = daily.sample(fraction=1, shuffle=True, seed=3)
        one = ask_with_exercises(sandbox, question_id, daily, population)
        assert ask_with_exercises(sandbox, question_id, mixed, population) == one


class TestFitnessTrend:
    def test_a_rising_heart_rate(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "fitness_trend", days(resting_heart_rate=rest_heart(60, 0.1)))
        values = values_of(result)
        assert values["resting_heart_rate_rate"] == pytest.approx(0.7, abs=0.01)
        assert values["resting_heart_rate_low"] > 0.6
        assert values["resting_heart_rate_high"] < 0.8
        assert days_of(result, "resting_heart_rate_rate") == 120
        assert directions_of(result) == {
            "resting_heart_rate_change": "rising", "resting_heart_rate_rate": "rising"
        }  # fmt: skip
        assert "resting heart rate rose by {resting_heart_rate_change}." in result.statement
        assert values["resting_heart_rate_change"] == pytest.approx(
            11.9, abs=0.1
        )  # 119 days from first to last
        assert (values["towards_more"], values["towards_less"]) == (0, 1)

    def test_the_statement_in_full(self, sandbox: Sandbox) -> None:
        line = [60 - 0.1 * n for n in range(N)]
        assert statement_of(ask(sandbox, "fitness_trend", days(resting_heart_rate=line))) == (
            "Over the last 120 days, resting heart rate fell by 11.9 bpm. These are signals of the wearable, "
            "not a fitness test."
        )

    def test_three_signals_are_told_in_one_sentence(self, sandbox: Sandbox) -> None:
        daily = days(
            resting_heart_rate=rest_heart(60, 0.1),
            heart_rate_variability=[42.0] * N,
            vo2max=[35 - 0.01 * n for n in range(N)],
        )
        assert statement_of(ask(sandbox, "fitness_trend", daily)).startswith(
            "Over the last 120 days, resting heart rate rose by 11.9 bpm, heart rate variability was steady "
            "with a median of 42.0 ms and the cardio fitness estimate fell by 1.2 mL/kg/min. These are"
        )

    def test_a_change_that_rounds_to_nothing_is_steady(self, sandbox: Sandbox) -> None:
        # 0.0004 a day, without noise: the interval lies above 0, yet 119 days make 0.05.
        result = ask(sandbox, "fitness_trend", days(vo2max=[35 + 0.0004 * n for n in range(N)]))
        assert set(directions_of(result).values()) == {"steady"}
        assert "was steady with a median of 35.0 mL/kg/min" in statement_of(result)

    def test_the_technical_detail_is_kept(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "fitness_trend", days(resting_heart_rate=rest_heart()))
        labels = {number.name: number.label for number in result.numbers}
        assert labels["resting_heart_rate_rate"] == "Resting heart rate, slope"
        assert labels["resting_heart_rate_low"] == (
            "Resting heart rate, slope, 99.2 % interval of all signals together, from"
        )
        assert {n.unit for n in result.numbers if n.name.endswith(("_rate_rate", "_low"))} == {"bpm per week"}

    def test_a_constant_is_steady(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "fitness_trend", days(resting_heart_rate=[60.0] * N))
        assert values_of(result)["resting_heart_rate_rate"] == 0
        assert set(directions_of(result).values()) == {"steady"}
        assert "was steady with a median of 60.0 bpm." in statement_of(result)

    def test_signals_that_disagree(self, sandbox: Sandbox) -> None:
        daily = days(resting_heart_rate=rest_heart(60, 0.1), heart_rate_variability=rest_heart(30, 0.1))
        values = values_of(ask(sandbox, "fitness_trend", daily))
        assert (values["towards_more"], values["towards_less"]) == (1, 1)

    def test_signals_that_agree(self, sandbox: Sandbox) -> None:
        daily = days(resting_heart_rate=rest_heart(60, -0.1), vo2max=[35 + 0.1 * n for n in range(N)])
        result = ask(sandbox, "fitness_trend", daily)
        assert directions_of(result) == {
            "resting_heart_rate_change": "falling", "resting_heart_rate_rate": "falling",
            "vo2max_change": "rising", "vo2max_rate": "rising",
        }  # fmt: skip
        assert (values_of(result)["towards_more"], values_of(result)["towards_less"]) == (2, 0)

    @pytest.mark.parametrize(("with_data", "outcome"), [(68, "answered"), (67, "insufficient")])
    def test_three_of_every_four_days_are_needed(
        self, sandbox: Sandbox, with_data: int, outcome: str
    ) -> None:
        missing = dict.fromkeys(range(N - with_data))
        result = ask(sandbox, "fitness_trend", days(resting_heart_rate=replaced(rest_heart(), missing)))
        assert result.outcome == outcome
        if outcome == "insufficient":
            assert (result.reason, values_of(result)) == ("too_few_days", {"days": 67, "needed": 68})

    def test_days_not_worn_do_not_count(self, sandbox: Sandbox) -> None:
        spoilt = range(40, 60)
        daily = days(
            resting_heart_rate=replaced(rest_heart(), dict.fromkeys(spoilt, 140.0)),
            valid_day=replaced([True] * N, dict.fromkeys(spoilt, False)),
        )
        result = ask(sandbox, "fitness_trend", daily)
        assert days_of(result, "resting_heart_rate_rate") == 100
        assert values_of(result)["resting_heart_rate_rate"] == pytest.approx(0.7, abs=0.02)

    def test_nights_count_without_a_worn_day(self, sandbox: Sandbox) -> None:
        daily = days(heart_rate_variability=rest_heart(40, 0.1), valid_day=[None] * N)
        assert days_of(ask(sandbox, "fitness_trend", daily), "heart_rate_variability_rate") == 120

    def test_no_trend_crosses_a_break(self, sandbox: Sandbox) -> None:
        # Another device from 80 days ago on reads 20 bpm more; the person's own slope is +0.1 a day.
        jump = [value + (20 if n >= N - 80 else 0) for n, value in enumerate(rest_heart())]
        daily = days(resting_heart_rate=jump, break_before=replaced([False] * N, {N - 80: True}))
        result = ask(sandbox, "fitness_trend", daily)
        assert values_of(result)["resting_heart_rate_rate"] == pytest.approx(0.7, abs=0.02)
        assert days_of(result, "resting_heart_rate_rate") == 80
        assert "Only days since the last change of device" in result.statement

    def test_too_little_since_a_break(self, sandbox: Sandbox) -> None:
        daily = days(resting_heart_rate=rest_heart(), break_before=replaced([False] * N, {N - 40: True}))
        result = ask(sandbox, "fitness_trend", daily)
        assert (result.outcome, result.reason) == ("insufficient", "break_in_window")
        assert values_of(result) == {"days": 40, "needed": 68}

    def test_a_break_before_the_window_means_nothing(self, sandbox: Sandbox) -> None:
        daily = days(
            resting_heart_rate=rest_heart(), break_before=replaced([False] * N, {20: True, 30: True})
        )
        assert days_of(ask(sandbox, "fitness_trend", daily), "resting_heart_rate_rate") == 90

    def test_days_that_hang_together_widen_the_interval(self, sandbox: Sandbox) -> None:
        slow_wave = [60 + 3 * math.sin(n / 8) for n in range(N)]
        mixed = [slow_wave[(n * 37) % N] for n in range(N)]
        results = [
            ask(sandbox, "fitness_trend", days(resting_heart_rate=series)) for series in (slow_wave, mixed)
        ]
        widths = [
            values_of(r)["resting_heart_rate_high"] - values_of(r)["resting_heart_rate_low"] for r in results
        ]
        assert values_of(results[0])["resting_heart_rate_lag"] > 0.85
        assert values_of(results[1])["resting_heart_rate_lag"] < 0.5
        assert widths[0] > 1.5 * widths[1]
        assert set(directions_of(results[0]).values()) == {"steady"}

    @settings(max_examples=20, deadline=None)
    @given(size=st.floats(0.05, 0.3), falls=st.booleans(), seed=st.integers(0, 10_000))
    def test_planted_slopes_are_recovered(
        self, sandbox: Sandbox, size: float, falls: bool, seed: int
    ) -> None:
        noise, slope = random.Random(seed), -size if falls else size
        series = [65 + slope * (n - N / 2) + noise.gauss(0, 0.8) for n in range(N)]
        result = ask(sandbox, "fitness_trend", days(resting_heart_rate=series))
        values = values_of(result)
        assert values["resting_heart_rate_rate"] == pytest.approx(7 * slope, abs=0.15)
        assert values["resting_heart_rate_low"] <= values["resting_heart_rate_rate"]
        assert values["resting_heart_rate_high"] >= values["resting_heart_rate_rate"]
        assert values["resting_heart_rate_change"] == pytest.approx(119 * size, abs=2)
        assert set(directions_of(result).values()) == {"rising" if slope > 0 else "falling"}

    @settings(max_examples=10, deadline=None)
    @given(outlier=st.integers(31, N - 1))
    def test_one_wild_day_changes_nothing(self, sandbox: Sandbox, outlier: int) -> None:
        daily = days(resting_heart_rate=replaced(rest_heart(), {outlier: 149.0}))
        values = values_of(ask(sandbox, "fitness_trend", daily))
        assert values["resting_heart_rate_rate"] == pytest.approx(0.7, abs=0.03)

    def test_more_days_are_used_where_they_are_there(self, sandbox: Sandbox) -> None:
        for count, length, used in ((90, 90, 90), (100, 120, 100), (150, 150, 150), (400, 180, 180)):
            rates = [60 + 0.1 * n for n in range(count)]
            result = ask(sandbox, "fitness_trend", days(count, resting_heart_rate=rates))
            assert statement_of(result).startswith(f"Over the last {length} days, resting heart rate rose")
            assert days_of(result, "resting_heart_rate_rate") == used

    def test_a_longer_window_loses_no_signal(self, sandbox: Sandbox) -> None:
        # VO2max is there for 80 days: 120 days of the heart rate alone would tell of less.
        vo2max = [None] * (N - 80) + [35.0] * 80
        result = ask(sandbox, "fitness_trend", days(resting_heart_rate=rest_heart(), vo2max=vo2max))
        assert days_of(result, "vo2max_rate") == 80
        assert days_of(result, "resting_heart_rate_rate") == 90


class TestSleepRegularity:
    def test_standard_deviations(self, sandbox: Sandbox) -> None:
        # 15 nights 30 minutes below and 15 above the mean: sqrt(30 * 30^2 / 29); for 100: 101.7.
        daily = days(bed_minute=[-30, 30] * (N // 2), wake_up_minute=[300, 500] * (N // 2))
        result = ask(sandbox, "sleep_regularity", daily)
        assert values_of(result)["bedtime_sd"] == pytest.approx(math.sqrt(30 * 30**2 / 29))
        assert values_of(result)["wake_up_time_sd"] == pytest.approx(math.sqrt(30 * 100**2 / 29))
        assert directions_of(result) == {"bedtime_sd": "within", "wake_up_time_sd": "above"}
        assert statement_of(result) == (
            "Over the last 30 days, bedtime typically varied by 31 minutes, within what counts as regular, "
            "and wake-up time by 102 minutes, above what counts as regular. A variation of at most 60 "
            "minutes from night to night counts as regular."
        )

    @pytest.mark.parametrize(("half", "place"), [(30, "within"), (100, "above")])
    def test_both_times_alike(self, sandbox: Sandbox, half: int, place: str) -> None:
        daily = days(bed_minute=[-half, half] * (N // 2), wake_up_minute=[400 - half, 400 + half] * (N // 2))
        statement = statement_of(ask(sandbox, "sleep_regularity", daily))
        assert f"minutes, both {place} what counts as regular." in statement

    @pytest.mark.parametrize(("half", "shown", "place"), [(59, "60", "within"), (60, "61", "above")])
    def test_what_is_shown_decides(self, sandbox: Sandbox, half: int, shown: str, place: str) -> None:
        # sqrt(30 / 29) times 59 is 60.01, shown as 60; times 60 it is 61.03.
        daily = days(bed_minute=[-half, half] * (N // 2), wake_up_minute=[400] * N)
        result = ask(sandbox, "sleep_regularity", daily)
        assert f"bedtime typically varied by {shown} minutes" in statement_of(result)
        assert directions_of(result)["bedtime_sd"] == place

    @pytest.mark.parametrize(("nights", "outcome"), [(23, "answered"), (22, "insufficient")])
    def test_nights_needed(self, sandbox: Sandbox, nights: int, outcome: str) -> None:
        missing = dict.fromkeys(range(N - 30, N - nights))
        daily = days(bed_minute=replaced([-30] * N, missing), wake_up_minute=[400] * N)
        result = ask(sandbox, "sleep_regularity", daily)
        assert result.outcome == outcome
        if outcome == "answered":
            assert result.numbers[0].days == nights
        else:
            assert statement_of(result) == "Not enough nights yet: 22 of 23 nights."

    def test_a_flight_is_not_irregular_sleep(self, sandbox: Sandbox) -> None:
        daily = days(
            bed_minute=replaced([-30] * N, {N - 5: -400}),
            wake_up_minute=replaced([400] * N, {N - 5: 90}),
            tz_change=replaced([False] * N, {N - 5: True}),
        )
        result = ask(sandbox, "sleep_regularity", daily)
        assert values_of(result) == {
            "bedtime_sd": 0, "bedtime_mad": 0, "wake_up_time_sd": 0, "wake_up_time_mad": 0, "limit": 60,
        }  # fmt: skip
        assert {number.days for number in result.numbers if number.name != "limit"} == {29}

    def test_one_odd_night_moves_the_deviation_and_not_its_check(self, sandbox: Sandbox) -> None:
        nights = replaced([-30, 30] * (N // 2), {N - 5: 600})
        values = values_of(
            ask(sandbox, "sleep_regularity", days(bed_minute=nights, wake_up_minute=[400] * N))
        )
        assert values["bedtime_sd"] > 100
        assert values["bedtime_mad"] == pytest.approx(1.4826 * 60, abs=45)

    def test_too_little_since_a_break(self, sandbox: Sandbox) -> None:
        daily = days(
            bed_minute=[-30] * N,
            wake_up_minute=[400] * N,
            break_before=replaced([False] * N, {N - 10: True}),
        )
        result = ask(sandbox, "sleep_regularity", daily)
        assert (result.reason, values_of(result)["nights"]) == ("break_in_window", 10)
        assert statement_of(result) == (
            "Not enough nights yet since the last change of device or algorithm: 10 of 23 nights."
        )

    def test_nights_count_without_a_worn_day(self, sandbox: Sandbox) -> None:
        daily = days(bed_minute=[-30] * N, wake_up_minute=[400] * N, valid_day=[False] * N)
        assert ask(sandbox, "sleep_regularity", daily).outcome == "answered"


def weekly(minutes: Sequence[int | None]) -> list[int | None]:
    """Active zone minutes a day for the 12 last weeks, each day of a week the same; LAST_DAY is a Sunday."""
    return [None] * (N - 84) + [daily for daily in minutes for _ in range(7)]


class TestActivityGuideline:
    def test_weeks_reached(self, sandbox: Sandbox) -> None:
        # 5 weeks of 7 * 20 = 140, 7 weeks of 7 * 30 = 210; the 6th and 7th of the sorted sums are 210.
        daily = days(active_zone_minutes=weekly([20] * 5 + [30] * 7))
        result = ask(sandbox, "activity_guideline", daily)
        assert values_of(result) == {
            "weeks": 12, "weeks_reached": 7, "median_week": 210, "guideline": 150, "short_weeks": 0,
        }  # fmt: skip
        assert statement_of(result) == (
            "Over the last 90 days, the guideline of 150 minutes of moderate activity a week was reached "
            "in 7 of the 12 weeks with enough data. A typical week had 210 minutes of active zone time, "
            "above the guideline."
        )

    def test_exactly_the_guideline_reaches_it(self, sandbox: Sandbox) -> None:
        minutes = weekly([0] * 12)
        for week in range(12):
            minutes[N - 84 + 7 * week] = 150
        result = ask(sandbox, "activity_guideline", days(active_zone_minutes=minutes))
        assert values_of(result)["weeks_reached"] == 12
        assert directions_of(result) == {"median_week": "within"}

    def test_a_missing_day_is_not_zero_minutes(self, sandbox: Sandbox) -> None:
        # Week 1 lacks one day and is judged by 6 * 30; week 2 lacks two and is not judged.
        minutes = replaced(weekly([30] * 12), {N - 84: None, N - 77: None, N - 76: None})
        result = ask(sandbox, "activity_guideline", days(active_zone_minutes=minutes))
        assert (values_of(result)["weeks"], values_of(result)["weeks_reached"]) == (11, 11)
        assert values_of(result)["short_weeks"] == 1

    @pytest.mark.parametrize(("weeks", "outcome"), [(9, "answered"), (8, "insufficient")])
    def test_weeks_needed(self, sandbox: Sandbox, weeks: int, outcome: str) -> None:
        minutes = weekly([None] * (12 - weeks) + [30] * weeks)
        result = ask(sandbox, "activity_guideline", days(active_zone_minutes=minutes))
        assert (result.outcome, values_of(result)["weeks"]) == (outcome, weeks)

    @pytest.mark.parametrize("days_back", range(7))
    def test_twelve_whole_weeks_whatever_the_weekday(self, sandbox: Sandbox, days_back: int) -> None:
        through = participants(data_through=LAST_DAY - timedelta(days_back))
        result = ask(sandbox, "activity_guideline", days(active_zone_minutes=[10] * N), person=through)
        assert values_of(result) == {
            "weeks": 12, "weeks_reached": 0, "median_week": 70, "guideline": 150, "short_weeks": 0,
        }  # fmt: skip


FULL: dict[str, float | None] = {
    "5": 50.0,
    "10": 52.0,
    "25": 57.0,
    "50": 62.0,
    "75": 66.0,
    "90": 70.0,
    "95": 72.0,
}


class TestRestingHeartRatePeers:
    def at(self, sandbox: Sandbox, rate: float, population: pl.DataFrame, **person: Any) -> ProgramResult:
        daily = days(resting_heart_rate=[rate] * N)
        return ask(sandbox, "resting_heart_rate_peers", daily, population, participants(**person))

    def test_between_two_percentiles(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, 59.0, percentiles(FULL, n=20))
        assert statement_of(result) == (
            "Over the last 30 days, resting heart rate was 59.0 bpm on a typical day, below that of peers, "
            "62.0 bpm. It lies between the 25th percentile and the 50th percentile of at least 15 people "
            "of this study (women, aged 35 to 44 years)."
        )

    def test_what_looks_equal_is_told_as_equal(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, 62.04, percentiles(FULL))
        assert "62.0 bpm on a typical day, the same as that of peers, 62.0 bpm." in statement_of(result)

    @pytest.mark.parametrize(
        ("rate", "place", "direction"),
        [
            (49.9, "stays short of the 5th percentile", "below"),
            (50.0, "between the 5th percentile and the 10th percentile", "below"),
            (62.0, "between the 50th percentile and the 75th percentile", "within"),
            (71.0, "between the 90th percentile and the 95th percentile", "above"),
            (72.0, "reaches the 95th percentile", "above"),
        ],
    )
    def test_places(self, sandbox: Sandbox, rate: float, place: str, direction: str) -> None:
        result = self.at(sandbox, rate, percentiles(FULL))
        assert place in statement_of(result)
        assert directions_of(result) == {"own_median": direction}

    def test_the_median_of_valid_days_counts(self, sandbox: Sandbox) -> None:
        rates: list[Any] = [60.0] * (N - 30) + [50.0] * 14 + [58.0] + [66.0] * 15
        spoilt = replaced(rates, {5: 140.0})
        daily = days(resting_heart_rate=spoilt)
        result = ask(sandbox, "resting_heart_rate_peers", daily, percentiles(FULL))
        assert values_of(result)["own_median"] == 62.0  # between the 15th and 16th of 30 values: 58 and 66

    def test_eleven_others_are_needed(self, sandbox: Sandbox) -> None:
        narrow, wide = percentiles({"50": 61.0}, n=11), percentiles({"50": 65.0}, n=12, age_group="all")
        statement = statement_of(self.at(sandbox, 60.0, pl.concat([narrow, wide])))
        assert "65.0 bpm" in statement
        assert "at least 10 people of this study (women)" in statement
        enough = percentiles({"50": 61.0}, n=12)
        assert "61.0 bpm" in statement_of(self.at(sandbox, 60.0, pl.concat([enough, wide])))

    def test_the_reference_is_the_last_resort_and_is_named(self, sandbox: Sandbox) -> None:
        reference = percentiles({"50": 63.0}, n=300, edition="reference-ab12cd34", window="whole")
        small = percentiles({"50": 61.0}, n=3)
        statement = statement_of(self.at(sandbox, 60.0, pl.concat([small, reference])))
        assert "at least 300 people of the reference population (women, aged 35 to 44 years)" in statement

    def test_a_whole_period_of_the_study_is_no_window_of_30_days(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, 60.0, percentiles(FULL, window="whole"))
        assert (result.outcome, result.reason) == ("insufficient", "too_few_peers")

    def test_another_sex_is_no_peer(self, sandbox: Sandbox) -> None:
        assert self.at(sandbox, 60.0, percentiles(FULL, sex="male")).reason == "too_few_peers"

    def test_people_without_a_stratum_of_their_sex_are_compared_with_all(self, sandbox: Sandbox) -> None:
        population = percentiles(FULL, sex="all", age_group="all")
        result = self.at(sandbox, 60.0, population, sex="unknown", age_group=None)
        assert statement_of(result).endswith("of at least 15 people of this study (people).")

    def test_the_oldest_group_has_no_upper_end(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, 60.0, percentiles(FULL, age_group="65+"), age=70, age_group="65+")
        assert "(women, aged 65 years or older)" in statement_of(result)

    @pytest.mark.parametrize(("with_data", "outcome"), [(23, "answered"), (22, "insufficient")])
    def test_days_needed(self, sandbox: Sandbox, with_data: int, outcome: str) -> None:
        rates = replaced([60.0] * N, dict.fromkeys(range(N - 30, N - with_data)))
        result = ask(sandbox, "resting_heart_rate_peers", days(resting_heart_rate=rates), percentiles(FULL))
        assert result.outcome == outcome


def by_weekday(weekday: int, weekend: int, wave: int = 0) -> list[int]:
    return [(weekend if day >= 5 else weekday) + wave * (n % 5 - 2) for n, day in enumerate(WEEKDAYS)]


class TestWeekdayWeekend:
    def test_a_clear_difference(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "weekday_weekend", days(steps=by_weekday(5000, 9000)))
        values = values_of(result)
        assert (values["steps_weekend"], values["steps_weekday"]) == (9000, 5000)
        assert values["steps_apart"] == pytest.approx(4000)
        assert (values["steps_p"], values["limit"]) == (0.001, 0.004)
        assert [number.days for number in result.numbers] == [26, 64, None, 90, None, None]
        assert statement_of(result) == (
            "Over the last 90 days, there were more steps on weekends than on weekdays (typically 9,000 "
            "steps against 5,000 steps)."
        )

    def test_the_test_its_p_and_the_limit_are_in_the_details(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "weekday_weekend", days(steps=by_weekday(5000, 9000, wave=10)))
        shown = {number.label: rendered(number) for number in result.numbers}
        assert shown["Steps, p of the difference"] == "< 0.001"
        assert shown["Limit of p for a clear difference (two comparisons)"] == "0.004"

    def test_two_measures_are_told_in_one_sentence(self, sandbox: Sandbox) -> None:
        daily = days(steps=by_weekday(9000, 5000), sleep_minutes=by_weekday(420, 480))
        assert statement_of(ask(sandbox, "weekday_weekend", daily)) == (
            "Over the last 90 days, there were fewer steps on weekends than on weekdays (typically 5,000 "
            "steps against 9,000 steps); sleep was longer on weekends than on weekdays (typically 480 "
            "minutes against 420 minutes)."
        )

    def test_no_difference(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "weekday_weekend", days(sleep_minutes=by_weekday(420, 420, wave=10)))
        assert directions_of(result) == {}
        assert "sleep showed no clear difference between weekends and weekdays" in result.statement

    def test_equal_days_throughout(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "weekday_weekend", days(steps=[5000] * N))
        values = values_of(result)
        assert (values["steps_weekend"], values["steps_weekday"], values["steps_apart"]) == (5000, 5000, 0)
        assert values["steps_p"] == 1

    def test_less_on_weekends(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "weekday_weekend", days(sleep_minutes=by_weekday(480, 400, wave=10)))
        assert directions_of(result) == {"sleep_minutes_weekend": "below"}
        assert "sleep was shorter on weekends" in result.statement

    def test_weekend_days_needed(self, sandbox: Sandbox) -> None:
        weekends = [n for n in range(N) if WEEKDAYS[n] >= 5 and n >= 30]
        steps = by_weekday(5000, 9000, wave=10)
        enough = replaced(steps, dict.fromkeys(weekends[:7]))
        too_few = replaced(steps, dict.fromkeys(weekends[:8]))
        assert ask(sandbox, "weekday_weekend", days(steps=enough)).outcome == "answered"
        result = ask(sandbox, "weekday_weekend", days(steps=too_few))
        assert (result.outcome, result.reason) == ("insufficient", "too_few_days")
        assert statement_of(result) == "Not enough weekend days yet: 18 of 19 days."

    def test_steps_of_days_not_worn_do_not_count(self, sandbox: Sandbox) -> None:
        daily = days(steps=by_weekday(5000, 9000), valid_day=[n % 5 > 0 for n in range(N)])
        assert [number.days for number in ask(sandbox, "weekday_weekend", daily).numbers][3] == 72

    def test_too_little_since_a_break(self, sandbox: Sandbox) -> None:
        daily = days(steps=by_weekday(5000, 9000), break_before=replaced([False] * N, {N - 50: True}))
        assert ask(sandbox, "weekday_weekend", daily).reason == "break_in_window"


def test_the_made_days_are_what_the_tests_say() -> None:
    assert LAST_DAY.weekday() == 6
    assert days()["date"].min() == date(2025, 3, 2)
    assert sum(day >= 5 for day in WEEKDAYS[30:]) == 26
