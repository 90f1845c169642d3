"""Lately and before, and two measures together: hand-worked answers and independent computations."""

import math

import numpy as np
import polars as pl
import pytest
from asking import ask, days_of, directions_of, replaced, statement_of, values_of
from program_tables import days
from scipy import stats

from health_agents.sandbox import Sandbox

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

N = 120
WAVE = [(0, 1, 0, -1)[n % 4] for n in range(N)]


def stepped(level: float, step: float, last: int = 30) -> list[float]:
    """A small wave about a level that moves by ``step`` for the last days."""
    return [level + wave + (step if n >= N - last else 0) for n, wave in enumerate(WAVE)]


class TestRecentChange:
    def test_a_step_up_in_full(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "resting_heart_rate_change", days(resting_heart_rate=stepped(60, 4)))
        values = values_of(result)
        assert (values["resting_heart_rate_recent"], values["resting_heart_rate_earlier"]) == (64, 60)
        assert values["resting_heart_rate_shift"] == pytest.approx(4, abs=0.1)
        assert (
            days_of(result, "resting_heart_rate_recent"),
            days_of(result, "resting_heart_rate_earlier"),
        ) == (30, 60)
        assert statement_of(result) == (
            "Over the last 30 days, resting heart rate was higher than before (typically 64.0 bpm against "
            "60.0 bpm)."
        )

    def test_a_step_down_and_none(self, sandbox: Sandbox) -> None:
        fallen = ask(
            sandbox, "sleep_duration_change", days(sleep_minutes=[round(x) for x in stepped(420, -40)])
        )
        assert directions_of(fallen) == {"sleep_minutes_recent": "below"}
        assert "time asleep was shorter than before (typically 380 minutes against 420" in statement_of(
            fallen
        )
        same = ask(sandbox, "sleep_duration_change", days(sleep_minutes=[round(x) for x in stepped(420, 0)]))
        assert directions_of(same) == {}
        assert "showed no clear change (typically 420 minutes against 420 minutes)" in statement_of(same)

    def test_a_constant_has_no_change(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "resting_heart_rate_change", days(resting_heart_rate=[60.0] * N))
        for end in ("low", "high", "shift"):
            assert values_of(result)[f"resting_heart_rate_{end}"] == pytest.approx(0, abs=1e-4)
        assert directions_of(result) == {}

    def test_what_looks_equal_is_no_change(self, sandbox: Sandbox) -> None:
        rates = [60.0] * (N - 30) + [60.01] * 30
        assert directions_of(ask(sandbox, "resting_heart_rate_change", days(resting_heart_rate=rates))) == {}

    def test_days_that_are_alike_make_it_wider(self, sandbox: Sandbox) -> None:
        # The same values, once in turn and once sorted into runs of ten equal days.
        runs = [60 + (1 if n // 10 % 2 else -1) for n in range(N)]
        turns = [60 + (1 if n % 2 else -1) for n in range(N)]
        wide, narrow = (
            values_of(ask(sandbox, "resting_heart_rate_change", days(resting_heart_rate=rates)))
            for rates in (runs, turns)
        )
        assert narrow["resting_heart_rate_lag"] < 0.02
        assert wide["resting_heart_rate_lag"] > 0.7
        assert wide["resting_heart_rate_high"] > 2 * narrow["resting_heart_rate_high"]

    def test_one_wild_day_makes_no_change(self, sandbox: Sandbox) -> None:
        rates = replaced(stepped(60, 0), {N - 3: 140})
        result = ask(sandbox, "resting_heart_rate_change", days(resting_heart_rate=rates))
        assert directions_of(result) == {}
        assert abs(values_of(result)["resting_heart_rate_shift"]) < 0.2

    @pytest.mark.parametrize(
        ("late", "early", "outcome"),
        [(23, 45, "answered"), (22, 60, "insufficient"), (30, 44, "insufficient")],
    )
    def test_days_needed_in_both_times(self, sandbox: Sandbox, late: int, early: int, outcome: str) -> None:
        missing = dict.fromkeys([*range(30, 90 - early), *range(90, N - late)])
        result = ask(
            sandbox, "resting_heart_rate_change", days(resting_heart_rate=replaced(stepped(60, 4), missing))
        )
        assert result.outcome == outcome
        if outcome == "insufficient":
            assert statement_of(result) == "Not enough days yet: 67 of 68 days."

    def test_a_break_is_the_cause(self, sandbox: Sandbox) -> None:
        daily = days(resting_heart_rate=stepped(60, 4), break_before=replaced([False] * N, {N - 30: True}))
        result = ask(sandbox, "resting_heart_rate_change", daily)
        assert (result.reason, values_of(result)["days"]) == ("break_in_window", 23)

    def test_an_earlier_break_that_leaves_enough(self, sandbox: Sandbox) -> None:
        rates = [90.0] * 45 + stepped(60, 4)[45:]
        daily = days(resting_heart_rate=rates, break_before=replaced([False] * N, {45: True}))
        result = ask(sandbox, "resting_heart_rate_change", daily)
        assert values_of(result)["resting_heart_rate_earlier"] == 60
        assert days_of(result, "resting_heart_rate_earlier") == 45

    def test_a_fever_week_stands_out_in_the_signals_it_moves(self, sandbox: Sandbox) -> None:
        daily = days(
            resting_heart_rate=stepped(60, 10, last=7),
            heart_rate_variability=stepped(40, -12, last=7),
            respiratory_rate=stepped(15, 0),
        )
        result = ask(sandbox, "last_week_signals", daily)
        assert directions_of(result) == {
            "resting_heart_rate_recent": "above", "heart_rate_variability_recent": "below"
        }  # fmt: skip
        assert "breathing rate asleep stayed in its usual variation" in statement_of(result)

    def test_nights_that_vary_more(self, sandbox: Sandbox) -> None:
        bedtimes = [-30 + (1, -2, 2, -1)[n % 4] * (10 if n < N - 30 else 60) for n in range(N)]
        result = ask(sandbox, "sleep_regularity_change", days(bed_minute=bedtimes, wake_up_minute=[400] * N))
        # The usual time is -30; half of the nights lie one step from it and half lie two.
        values = values_of(result)
        assert (values["bed_minute_recent"], values["bed_minute_earlier"]) == (90, 15)
        told = "bedtime varied more than before (typically 90 minutes against 15 minutes)"
        assert told in statement_of(result)

    def test_a_moved_bedtime_is_not_irregular(self, sandbox: Sandbox) -> None:
        bedtimes = [-30 + 10 * WAVE[n] + (90 if n >= N - 30 else 0) for n in range(N)]
        result = ask(sandbox, "sleep_regularity_change", days(bed_minute=bedtimes))
        assert directions_of(result) == {}

    def test_chance_makes_few_changes(self, sandbox: Sandbox) -> None:
        """30 people without a change, whose days keep half of the day before; 1 % of answers may err."""
        rng = np.random.default_rng(1)
        told = 0
        names = (
            "resting_heart_rate",
            "heart_rate_variability",
            "respiratory_rate",
            "skin_temperature_variation",
        )
        for _ in range(30):
            noise = rng.normal(0, 1, (len(names), N))
            for day in range(1, N):
                noise[:, day] = 0.5 * noise[:, day - 1] + math.sqrt(0.75) * noise[:, day]
            levels = zip(names, (60, 40, 15, 0), noise, strict=True)
            daily = days(N, **{name: list(level + one) for name, level, one in levels})
            told += bool(directions_of(ask(sandbox, "last_week_signals", daily)))
        assert told <= 2  # P(3 or more of 30 at 1 %) = 0.3 %


class TestTwoTogether:
    def frame(self, first: list[float], second: list[float]) -> pl.DataFrame:
        return days(sleep_minutes=[round(x) for x in first], resting_heart_rate=second)

    def chance(self, seed: int) -> tuple[list[float], list[float]]:
        rng = np.random.default_rng(seed)
        return [round(x) for x in rng.normal(420, 40, N)], list(rng.normal(60, 2, N))

    def test_sleep_that_goes_against_the_heart_rate(self, sandbox: Sandbox) -> None:
        sleep, noise = self.chance(3)
        rates = [60 - (s - 420) / 20 + (n - 60) / 4 for s, n in zip(sleep, noise, strict=True)]
        result = ask(sandbox, "sleep_and_resting_heart_rate", self.frame(sleep, rates))
        values = values_of(result)
        assert values["rho"] < -0.9
        assert values["low"] < values["rho"] < values["high"] < 0
        assert values["much"] < values["little"]
        assert statement_of(result).endswith("; both went against each other. A link does not tell a cause.")

    def test_the_correlation_by_an_independent_computation(self, sandbox: Sandbox) -> None:
        sleep, noise = self.chance(4)
        rates = [x + (s - 420) / 40 for s, x in zip(sleep, noise, strict=True)]
        daily = self.frame(sleep, rates)
        values = values_of(ask(sandbox, "sleep_and_resting_heart_rate", daily))
        own = daily.tail(90)
        time, weekend = np.arange(90.0), (own["date"].dt.weekday() >= 6).to_numpy().astype(float)
        ranks = [stats.rankdata(own[name]) for name in ("sleep_minutes", "resting_heart_rate")]
        # Partial correlation from the inverse of the correlation matrix of all four.
        inverse = np.linalg.inv(np.corrcoef([*ranks, time, weekend]))
        partial = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
        assert values["rho"] == pytest.approx(partial, abs=1e-9)
        middle = (math.atanh(values["low"]) + math.atanh(values["high"])) / 2
        assert middle == pytest.approx(math.atanh(partial))

    def test_no_link(self, sandbox: Sandbox) -> None:
        result = ask(sandbox, "sleep_and_resting_heart_rate", self.frame(*self.chance(5)))
        assert statement_of(result).endswith("this is no clear link.")
        assert values_of(result)["low"] < 0 < values_of(result)["high"]

    def test_a_course_that_both_share_is_no_link(self, sandbox: Sandbox) -> None:
        sleep, noise = self.chance(6)
        drifting = [s + 3 * n for n, s in enumerate(sleep)], [x + 0.2 * n for n, x in enumerate(noise)]
        result = ask(sandbox, "sleep_and_resting_heart_rate", self.frame(*drifting))
        assert values_of(result)["much"] > values_of(result)["little"]
        assert statement_of(result).endswith("this is no clear link.")

    def test_the_night_after_is_the_next_row(self, sandbox: Sandbox) -> None:
        steps = [round(x) for x in np.random.default_rng(7).normal(8000, 1500, N)]
        sleep = [400] + [350 + before // 100 for before in steps[:-1]]
        result = ask(sandbox, "steps_and_sleep", days(steps=steps, sleep_minutes=sleep))
        assert values_of(result)["rho"] > 0.95
        assert days_of(result, "rho") == 89  # the first night has its day outside the window
        assert "both went together." in statement_of(result)

    @pytest.mark.parametrize(("pairs", "outcome"), [(68, "answered"), (67, "insufficient")])
    def test_pairs_needed(self, sandbox: Sandbox, pairs: int, outcome: str) -> None:
        sleep, rates = self.chance(8)
        gaps = replaced(list(rates), dict.fromkeys(range(30, N - pairs)))
        result = ask(sandbox, "sleep_and_resting_heart_rate", self.frame(sleep, gaps))
        assert result.outcome == outcome
        if outcome == "insufficient":
            assert statement_of(result) == "Not enough days with both yet: 67 of 68 days."

    def test_one_value_all_along_is_no_answer(self, sandbox: Sandbox) -> None:
        sleep, rates = self.chance(9)
        same = ask(sandbox, "sleep_and_resting_heart_rate", self.frame([420] * N, rates))
        assert (same.outcome, same.reason) == ("insufficient", "no_variation")
        flat = ask(sandbox, "sleep_and_resting_heart_rate", self.frame(sleep, [60.0] * N))
        assert statement_of(flat).endswith("this is no clear link.")

    def test_a_break(self, sandbox: Sandbox) -> None:
        cut = self.frame(*self.chance(10)).with_columns(
            break_before=pl.Series(replaced([False] * N, {N - 40: True}))
        )
        assert ask(sandbox, "sleep_and_resting_heart_rate", cut).reason == "break_in_window"
