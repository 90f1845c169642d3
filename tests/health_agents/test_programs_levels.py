"""Records, exercise, levels against a limit, weekends and draws: hand-worked answers."""

from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from asking import ask, days_of, directions_of, replaced, statement_of, values_of
from program_tables import LAST_DAY, days, draws, exercises, percentiles

from health_agents.data_science.result import ProgramResult
from health_agents.sandbox import Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

N = 120
WEEKDAYS = [(LAST_DAY - timedelta(N - 1 - n)).weekday() for n in range(N)]


class TestRecords:
    def test_the_best_day_and_the_longest_run(self, sandbox: Sandbox) -> None:
        # 90 days: 40 of 5,000 steps, then 50 of 8,000 with one of 20,000 ten days before the last.
        steps = [9000] * 30 + [5000] * 40 + replaced([8000] * 50, {39: 20000})
        result = ask(sandbox, "steps_records", days(steps=steps))
        assert values_of(result) == {"best": 20000, "typical": 8000, "run": 50, "since_best": 10}
        assert statement_of(result) == (
            "Over the last 90 days, the day with the most steps had 20,000 steps, and a typical day 8,000 "
            "steps. The longest run of days that reached a typical day lasted 50 days."
        )

    def test_a_day_without_data_ends_a_run(self, sandbox: Sandbox) -> None:
        steps = [9000] * 30 + [5000] * 40 + replaced([8000] * 50, {39: 20000, 20: None})
        assert values_of(ask(sandbox, "steps_records", days(steps=steps)))["run"] == 29

    def test_days_that_are_all_alike(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "active_zone_records", days(active_zone_minutes=[25] * N))
        assert statement_of(result) == (
            "Over the last 90 days, all days were alike, with 25 minutes on a typical day."
        )

    def test_a_record_of_another_device_is_none(self, sandbox: Sandbox) -> None:
        steps = replaced([8000 + n for n in range(N)], {35: 30000})
        broken = days(steps=steps, break_before=replaced([False] * N, {40: True}))
        assert values_of(ask(sandbox, "steps_records", broken))["best"] == 8119
        late = days(steps=steps, break_before=replaced([False] * N, {60: True}))
        assert ask(sandbox, "steps_records", late).reason == "break_in_window"


class TestExercise:
    def test_weeks_and_what_they_held(self, sandbox: Sandbox) -> None:
        # LAST_DAY is a Sunday: 12 whole weeks begin at day 36. Two exercises in each of the last 8 weeks.
        done = [36 + 7 * week + day for week in range(4, 12) for day in (0, 3)]
        result = ask(sandbox, "exercise_weeks", days(), activities=exercises(done))
        assert values_of(result) == {"weeks": 12, "weeks_with": 8, "times": 2, "minutes": 60, "undated": 0}
        assert statement_of(result) == (
            "Over the last 90 days, exercise was recorded in 8 of the 12 weeks with enough data; a typical "
            "week had 2, with 60 minutes in all."
        )

    def test_a_typical_week_without_any(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "exercise_weeks", days(), activities=exercises([40]))
        assert statement_of(result).endswith(
            "recorded in 1 of the 12 weeks with enough data; a typical week had none."
        )

    def test_nothing_recorded_at_all_is_not_zero(self, sandbox: Sandbox) -> None:
        assert ask(sandbox, "exercise_weeks", days()).reason == "no_exercise_recorded"

    def test_pauses_count_where_nobody_knows_them(self, sandbox: Sandbox) -> None:
        every = exercises(range(36, N, 7), active_duration_minutes=None)
        assert values_of(ask(sandbox, "exercise_weeks", days(), activities=every))["minutes"] == 40

    def test_an_unknown_day_is_counted_apart(self, sandbox: Sandbox) -> None:
        some = pl.concat([exercises([40]), exercises([50], start_time=None, activity_id="B")])
        values = values_of(ask(sandbox, "exercise_weeks", days(), activities=some))
        assert (values["weeks_with"], values["undated"]) == (1, 1)

    @pytest.mark.parametrize(("weeks", "outcome"), [(9, "answered"), (8, "insufficient")])
    def test_weeks_needed(self, sandbox: Sandbox, weeks: int, outcome: str) -> None:
        worn = [n >= N - 7 * weeks for n in range(N)]
        result = ask(sandbox, "exercise_weeks", days(valid_day=worn), activities=exercises([N - 5]))
        assert result.outcome == outcome


class TestLevelAndLimit:
    @pytest.mark.parametrize(
        ("minutes", "direction", "place"),
        [(419, "below", "below"), (420, "within", "exactly at"), (430, "above", "above")],
    )
    def test_places(self, sandbox: Sandbox, minutes: int, direction: str, place: str) -> None:
        result = ask(sandbox, "sleep_duration_level", days(sleep_minutes=[minutes] * N))
        assert directions_of(result) == {"median": direction}
        assert f"had {minutes} minutes, {place} what is recommended for adults." in statement_of(result)

    def test_the_median_its_interval_and_the_nights(self, sandbox: Sandbox) -> None:
        # 30 nights, 400 to 458 by twos in a scattered order; 13 * 7 is 1 in steps of 30.
        nights = [400 + 2 * (7 * n % 30) for n in range(30)]
        values = values_of(ask(sandbox, "sleep_duration_level", days(sleep_minutes=[300] * 90 + nights)))
        assert (values["median"], values["reached"], values["nights"], values["limit"]) == (429, 20, 30, 420)
        assert values["lag"] == 0
        # Binomial: 15 -+ 1.96 sqrt(30 / 4) = 9.6 and 20.4, outwards to the 10th and 22nd of 30.
        assert (values["low"], values["high"]) == (418, 442)

    def test_efficiency(self, sandbox: Sandbox) -> None:
        daily = days(sleep_minutes=[400] * N, time_in_bed_minutes=[500] * N)
        assert statement_of(ask(sandbox, "sleep_efficiency_level", daily)) == (
            "Over the last 30 days, a typical night had 80 %, below what is called appropriate for adults. "
            "In 0 of 30 nights it was at least 85 %."
        )

    def test_no_time_in_bed_is_no_night(self, sandbox: Sandbox) -> None:
        daily = days(
            sleep_minutes=[400] * N, time_in_bed_minutes=replaced([500] * N, dict.fromkeys(range(98, N), 0))
        )
        result = ask(sandbox, "sleep_efficiency_level", daily)
        assert statement_of(result) == "Not enough nights yet: 8 of 23 nights."

    @pytest.mark.parametrize(("nights", "outcome"), [(23, "answered"), (22, "insufficient")])
    def test_nights_needed(self, sandbox: Sandbox, nights: int, outcome: str) -> None:
        minutes: list[Any] = [None] * (N - nights) + [400] * nights
        assert ask(sandbox, "sleep_duration_level", days(sleep_minutes=minutes)).outcome == outcome


def by_weekend(shift: int) -> pl.DataFrame:
    """Middle of sleep at 195 minutes, ``shift`` later on weekends, with a small wave."""
    later = [shift * (day >= 5) + (n % 3) for n, day in enumerate(WEEKDAYS)]
    return days(bed_minute=[-30 + x for x in later], wake_up_minute=[420 + x for x in later])


class TestWeekendShift:
    @pytest.mark.parametrize(
        ("shift", "told", "direction"), [(60, "later", "rising"), (-45, "earlier", "falling")]
    )
    def test_a_shift(self, sandbox: Sandbox, shift: int, told: str, direction: str) -> None:
        result = ask(sandbox, "weekend_sleep_shift", by_weekend(shift))
        values = values_of(result)
        assert values["shift"] == pytest.approx(abs(shift), abs=1)
        assert values["low"] <= shift <= values["high"]
        assert values["weeks"] == 12
        assert directions_of(result) == {"shift": direction}
        assert f"minutes {told} on weekends than on weekdays." in statement_of(result)

    def test_none(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "weekend_sleep_shift", by_weekend(0))
        assert directions_of(result) == {}
        assert statement_of(result).endswith("which is no clear shift.")

    def test_a_slow_drift_is_no_shift(self, sandbox: Sandbox) -> None:
        daily = days(bed_minute=[-60 + n for n in range(N)], wake_up_minute=[400 + n for n in range(N)])
        # Weekend nights come 3.5 days after the middle of the others: that much the drift makes.
        assert values_of(ask(sandbox, "weekend_sleep_shift", daily))["shift"] == 4

    def test_a_week_without_a_weekend_night_is_none(self, sandbox: Sandbox) -> None:
        saturdays = [n for n in range(36, N) if WEEKDAYS[n] == 5]
        daily = by_weekend(60).with_columns(
            bed_minute=pl.Series(
                replaced(by_weekend(60)["bed_minute"].to_list(), dict.fromkeys(saturdays[:3]))
            )
        )
        assert values_of(ask(sandbox, "weekend_sleep_shift", daily))["weeks"] == 9
        fewer = replaced(by_weekend(60)["bed_minute"].to_list(), dict.fromkeys(saturdays[:4]))
        result = ask(sandbox, "weekend_sleep_shift", daily.with_columns(bed_minute=pl.Series(fewer)))
        assert statement_of(result) == "Not enough weeks with data yet: 8 of 9 weeks."

    def test_a_break(self, sandbox: Sandbox) -> None:
        broken = by_weekend(60).with_columns(break_before=pl.Series(replaced([False] * N, {80: True})))
        assert ask(sandbox, "weekend_sleep_shift", broken).reason == "break_in_window"


class TestDraws:
    def at(
        self, sandbox: Sandbox, results: dict[int, float], question: str = "ldl_and_activity", **more: Any
    ) -> ProgramResult:
        daily = more.pop("daily", days(active_zone_minutes=[20] * 60 + [35] * 60))
        analyte = {"ldl_and_activity": "ldl_cholesterol"}.get(question, "triglycerides")
        return ask(sandbox, question, daily, lab_results=draws(analyte, results, **more))

    def test_a_rise_beyond_the_usual_in_full(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, {2: 160.0, 70: 120.0})
        assert statement_of(result) == (
            "LDL cholesterol was 160 mg/dL at the newest draw, higher than at the draw before, 120 mg/dL. "
            "In the days up to the newest draw active zone time was typically 35 minutes, and 20 minutes "
            "up to the draw before."
        )
        # 40 of 120 is 33.3 %; 1.96 * sqrt(2) * 9.5 is 26.3 %.
        assert values_of(result)["percent"] == pytest.approx(100 / 3)
        assert values_of(result)["usual"] == pytest.approx(26.33, abs=0.01)
        assert (values_of(result)["apart"], days_of(result, "days_newest")) == (68, 30)

    def test_a_difference_that_is_usual(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, {2: 140.0, 70: 120.0})
        assert directions_of(result) == {}
        assert (
            "140 mg/dL at the newest draw, and 120 mg/dL at the draw before, which is a usual difference."
            in (statement_of(result))
        )

    def test_a_fall(self, sandbox: Sandbox) -> None:
        assert directions_of(self.at(sandbox, {2: 80.0, 70: 120.0})) == {"newest": "below"}

    def test_the_two_newest_of_many(self, sandbox: Sandbox) -> None:
        values = values_of(self.at(sandbox, {2: 121.0, 70: 120.0, 100: 300.0}))
        assert (values["newest"], values["before"]) == (121, 120)

    @pytest.mark.parametrize(
        "daily",
        [
            days(active_zone_minutes=[None] * 60 + [35] * 60),
            days(active_zone_minutes=[20] * N, break_before=[n == 60 for n in range(N)]),
            days().clear(),
        ],
        ids=["no days before the older draw", "a break between", "no wearable"],
    )
    def test_days_that_can_not_be_compared(self, sandbox: Sandbox, daily: pl.DataFrame) -> None:
        result = self.at(sandbox, {2: 160.0, 70: 120.0}, daily=daily)
        assert result.outcome == "answered"
        assert statement_of(result).endswith("The days before each can not be compared.")
        assert "days_newest" not in values_of(result)

    def test_one_draw_is_no_answer(self, sandbox: Sandbox) -> None:
        assert statement_of(self.at(sandbox, {2: 160.0})) == "Not enough draws yet: 1 of 2 draws."

    def test_a_bound_is_no_value(self, sandbox: Sandbox) -> None:
        result = self.at(sandbox, {2: 160.0, 70: 120.0}, value_canonical=None)
        assert values_of(result)["draws"] == 0

    @pytest.mark.parametrize("fasting", ["no", "unknown", None])
    def test_only_fasting_draws_count_where_a_meal_matters(
        self, sandbox: Sandbox, fasting: str | None
    ) -> None:
        rose = {2: 300.0, 70: 120.0}
        assert self.at(sandbox, rose, "triglycerides_and_activity").outcome == "answered"
        assert self.at(sandbox, rose, "triglycerides_and_activity", fasting=fasting).reason == "too_few_draws"


class TestPeersOfOtherMeasures:
    def test_a_night_measure_counts_nights(self, sandbox: Sandbox) -> None:
        peers = percentiles({"25": 380.0, "50": 410.0, "75": 440.0}, metric="sleep_minutes", unit="minutes")
        daily = days(sleep_minutes=[430] * N, valid_day=[False] * N)
        assert statement_of(ask(sandbox, "sleep_duration_peers", daily, peers)) == (
            "Over the last 30 days, time asleep was 430 minutes on a typical night, above that of peers, 410 "
            "minutes. It lies between the 50th percentile and the 75th percentile of at least 15 people of "
            "this study (women, aged 35 to 44 years)."
        )
        few = daily.with_columns(sleep_minutes=pl.Series([None] * (N - 5) + [430] * 5, dtype=pl.Int64))
        result = ask(sandbox, "sleep_duration_peers", few, peers)
        assert (result.reason, statement_of(result)) == (
            "too_few_nights",
            "Not enough nights yet: 5 of 23 nights.",
        )

    def test_percentiles_of_another_measure_are_none(self, sandbox: Sandbox) -> None:
        peers = percentiles({"50": 62.0})
        assert ask(sandbox, "steps_peers", days(steps=[8000] * N), peers).reason == "too_few_peers"
