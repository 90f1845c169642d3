"""How surely a trend of resting heart rate is found, how often chance makes one, and what more could be had.

Made series: within-person SD 2.5 bpm, a day keeps half of the day before (AR(1) 0.5), 60 % of the days have a
value. Three tables: power by size of the step and days of the window, beside the bound of a test that is told
rho and the variance; power by how long the step has held; people without any change who carry a trend, in a
release and over 26 weekly releases. Then the same of the resting heart rate of made people.

Run: python -m benchmarks.trends [--series 4000]    (two minutes)
"""

import argparse
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import false_discovery_control, norm

from outputs.findings.case import DEFAULT_SETTINGS
from outputs.findings.level_change import level_changes
from outputs.findings.trend_tests import SHORTEST_DAYS, TESTED
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


def made_series(
    rng: np.random.Generator, series: int, days: int, sd: float = SD, kept: float = KEPT
) -> Floats:
    """Stationary AR(1) series about 0, with 60 % of the days known."""
    values = rng.normal(0, sd, (series, days))
    values[:, 1:] *= math.sqrt(1 - kept**2)
    for day in range(1, days):
        values[:, day] += kept * values[:, day - 1]
    return np.where(rng.random(values.shape) < WORN, values, np.nan)


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


if __name__ == "__main__":
    main()
