"""How surely a trend of resting heart rate is found, how often chance makes one, and what more could be had.

Made series: within-person SD 2.5 bpm, a day keeps half of the day before (AR(1) 0.5), 60 % of the days have a
value. Three tables: power by size of the step and days of the window, beside the bound of a test that is told
rho and the variance; power by how long the step has held; people without any change who carry a trend, in a
release and over 26 weekly releases. Then the same of the resting heart rate of made people. Last, the facts
of change, 30 days against the 30 before, with 90 % of the days known: power, and people who carry one though
nothing changed, beside a test that takes days as independent.

Run: python -m benchmarks.trends [--series 4000]    (four minutes)
"""

import argparse
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import false_discovery_control, mannwhitneyu, norm

from outputs.facts.recent_change import recent_changes
from outputs.findings.case import DEFAULT_SETTINGS
from outputs.findings.level_change import level_changes, mean_changes
from outputs.findings.trend_tests import SHORTEST_DAYS, TESTED
from outputs.metrics import DAILY_METRICS
from outputs.windows import sufficient_days
from synthetic.life.state import day_states
from synthetic.people.casting import SIZES, Casting
from synthetic.people.persona import make_person
from synthetic.randomness import generator

Floats = npt.NDArray[np.float64]

SD, KEPT, WORN = 2.5, 0.5, 0.6
EFFECT = TESTED[0].effect
LONGEST, FALSE_SHARE, TESTS = DEFAULT_SETTINGS.trend_days, DEFAULT_SETTINGS.trend_false_share, len(TESTED)
LEVEL = FALSE_SHARE / TESTS
RELEASES = 26
MONTH, CHANGE_SHARE = 30, DEFAULT_SETTINGS.change_false_share
MEASURES = [metric.metric for metric in DAILY_METRICS]
CHANGE_WORN = 0.9
# What a day keeps of the one before: little in steps, much in a smoothed heart rate.
MIXED_KEPT = np.linspace(0.2, 0.8, len(MEASURES))


def made_series(
    rng: np.random.Generator,
    series: int,
    days: int,
    sd: float = SD,
    kept: float = KEPT,
    worn: float = WORN,
) -> Floats:
    """Stationary AR(1) series about 0, with a share ``worn`` of the days known."""
    values = rng.normal(0, sd, (series, days))
    values[:, 1:] *= math.sqrt(1 - kept**2)
    for day in range(1, days):
        values[:, day] += kept * values[:, day - 1]
    return np.where(rng.random(values.shape) < worn, values, np.nan)


def found_share(values: Floats, level: float = LEVEL) -> float:
    """Share of the series that are a finding of the resting heart rate rule at its strictest level."""
    changes = level_changes(values)
    return float(np.mean((changes.p_rise <= level) & (changes.change >= EFFECT / 2)))


def bound(values: Floats, step: Floats, level: float = LEVEL) -> float:
    """Power of the best unbiased test of a step, told rho and the variance, averaged over the days known."""
    noncentral = float(step.max()) / np.array(list(_least_errors(values[:200], step > 0)))
    return float(np.mean(norm.sf(norm.isf(level) - noncentral)))


def _least_errors(values: Floats, later: npt.NDArray[np.bool_]) -> Iterator[float]:
    """The standard error of generalised least squares that knows rho and the variance, series by series."""
    for known in ~np.isnan(values):
        kept = np.concatenate([[0.0], KEPT ** np.diff(np.flatnonzero(known)).astype(float)])
        of_step = later[known].astype(float)
        scale = SD * np.sqrt(1 - kept**2)
        level = (1 - kept) / scale
        step = (of_step - kept * np.concatenate([[0.0], of_step[:-1]])) / scale
        left = step - level * (level @ step) / (level @ level)
        yield 1 / math.sqrt(left @ left)


def step_of(days: int, size: float, held: int) -> Floats:
    """A rise by ``size`` over the last ``held`` days."""
    return np.where(np.arange(days) >= days - held, size, 0.0)


def carried(rng: np.random.Generator, series: int) -> tuple[Floats, Floats]:
    """Findings of people without a change (tests, releases, people), and those that held in two releases.

    Each person has as many unrelated measures as there are trend rules, released every week.
    """
    days = LONGEST + 7 * (RELEASES - 1)
    measures = [made_series(rng, series, days) for _ in range(TESTS)]
    p_values = np.array(
        [
            [level_changes(m[:, 7 * week : 7 * week + LONGEST]).p_rise for week in range(RELEASES)]
            for m in measures
        ]
    )
    fired = false_discovery_control(p_values, axis=0) <= FALSE_SHARE
    return fired, fired[:, 1:] & fired[:, :-1]


def two_months(rng: np.random.Generator, series: int, kept: float = KEPT) -> Floats:
    """Series of 60 days, of which both months have days enough for a fact of change."""
    values = made_series(rng, 2 * series, 2 * MONTH, kept=kept, worn=CHANGE_WORN)
    days = np.sum(~np.isnan(values.reshape(2 * series, 2, MONTH)), axis=2).min(axis=1)
    return values[days >= sufficient_days(MONTH)][:series]


def changed(values: Floats) -> npt.NDArray[np.bool_]:
    """Which measures of a person are told to have changed. values: (measures, days)."""
    found = recent_changes(MEASURES, values, CHANGE_SHARE)
    return np.array([change.direction != "steady" for change in found])


def naive_p(values: Floats) -> float:
    """Mann-Whitney, two-sided: what a test says that knows nothing of neighbouring days."""
    before, recent = (half[~np.isnan(half)] for half in np.split(values, 2))
    return float(mannwhitneyu(recent, before, method="asymptotic").pvalue)


def made_people(people: int, days: int, casting: Casting) -> Floats:
    """Resting heart rate of made people, as the watch reads it, with 60 % of the days known."""
    rows: list[Floats] = []
    for number in range(people):
        states = day_states(make_person(number, days, 6, casting), days, generator(6, "states", number))
        known = generator(6, "known", number).random(days) < WORN
        rows.append(np.where(known, states.read_resting, np.nan))
    return np.array(rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--series", type=int, default=4000)
    series = parser.parse_args().series
    rng = np.random.default_rng(6)
    print(f"one-sided level {LEVEL:.4f}; {series} series a cell; in brackets the bound")
    _print_power(rng, series, (EFFECT, EFFECT / 2, EFFECT / 4))
    _print_held(rng, series)
    _print_carried(rng, series // 4)
    _print_made(series // 10)
    _print_changes(rng, series, series // 10)


def _print_power(rng: np.random.Generator, series: int, sizes: Sequence[float]) -> None:
    print("\nstep in the middle of the window      " + "".join(f"{size:>8} bpm      " for size in sizes))
    for days in sorted({SHORTEST_DAYS, 112, 140, 168, 182, 196, 210, LONGEST}):
        values = made_series(rng, series, days)
        steps = [step_of(days, size, days // 2) for size in sizes]
        cells = (f"{found_share(values + step):8.1%} ({bound(values, step):6.1%})" for step in steps)
        print(f"{days:4d} days" + " " * 22 + "  ".join(cells))


def _print_held(rng: np.random.Generator, series: int) -> None:
    print(f"\n{EFFECT} bpm within {LONGEST} days, by the days it has held")
    values = made_series(rng, series, LONGEST)
    for held in (28, 56, 84, 98, LONGEST // 2, 126, 140):
        print(f"{held:4d} days {found_share(values + step_of(LONGEST, EFFECT, held)):8.1%}")
    slope = np.linspace(0, 2 * EFFECT, LONGEST)
    print(f"a steady rise by {2 * EFFECT} bpm over the window {found_share(values + slope):8.1%}")


def _print_carried(rng: np.random.Generator, people: int) -> None:
    fired, held = carried(rng, people)
    print(f"\npeople without a change, {TESTS} unrelated measures, {people} people")
    print(f"any trend in a release          {fired.any(axis=0).mean():8.2%}   (at most 5 %)")
    print(f"a trend of a rule in a release  {fired.mean(axis=(1, 2)).max():8.2%}   (at most 1 %)")
    print(f"a new trend in {RELEASES} weekly releases {held.any(axis=(0, 1)).mean():7.2%}   (at most 10 %)")
    print(f"seen in one of them only or held {fired.any(axis=(0, 1)).mean():7.2%}")


def _print_made(people: int) -> None:
    """The made cohort: everybody with the same step in the middle (signs turned), and nobody with any."""
    print(f"\nmade people, resting heart rate alone, {people} people")
    for size in SIZES:
        casting = Casting(effect="resting_heart_rate_step", size=size)
        amounts = [
            make_person(n, LONGEST, 6, casting).planted.amount("resting_heart_rate_step")
            for n in range(people)
        ]
        turned = made_people(people, LONGEST, casting) * np.sign(amounts)[:, np.newaxis]
        print(f"step of {abs(amounts[0]):.2f} bpm found        {found_share(turned):8.1%}")
    values = made_people(people, LONGEST + 7 * (RELEASES - 1), Casting(effect_free=True))
    weeks = (values[:, 7 * week : 7 * week + LONGEST] for week in range(RELEASES))
    fired = np.array([level_changes(part).p_rise <= LEVEL for part in weeks])
    held = (fired[1:] & fired[:-1]).any(axis=0).mean()
    print(f"without a change: in a release {fired.mean():.2%}, new in {RELEASES} weekly releases {held:.2%}")


def _print_changes(rng: np.random.Generator, series: int, people: int) -> None:
    tests = len(MEASURES)
    print(f"\n{MONTH} days against {MONTH} before, {tests} measures, false share {CHANGE_SHARE}")
    values = two_months(rng, series)
    for size in (EFFECT, 5.0, 2 * EFFECT):
        step = step_of(2 * MONTH, size, MONTH)
        p_values = mean_changes(values + step).p_either
        for label, level in (("alone in moving", CHANGE_SHARE / tests), ("were it the only test", 0.05)):
            power, most = np.mean(p_values <= level), bound(values, step, level / 2)
            print(f"{size} bpm, {label:22s} {power:6.1%} ({most:6.1%})")
    for label, keeps in (("half", np.full(tests, KEPT)), ("0.2 to 0.8", MIXED_KEPT)):
        each = np.stack([two_months(rng, people, kept) for kept in keeps], axis=1)
        print(f"nothing changed, a day keeps {label}")
        _print_told("told", np.array([changed(values) for values in each]))
        naive = [[naive_p(row) < 0.01 for row in values] for values in each[:200]]
        _print_told("days taken as independent, p < 0.01", np.array(naive))


def _print_told(label: str, told: npt.NDArray[np.bool_]) -> None:
    print(f"  {label:36s} of a person {told.any(axis=1).mean():6.2%}, of a measure {told.mean():6.2%}")


if __name__ == "__main__":
    main()
