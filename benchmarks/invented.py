"""How often a question tells an effect of people of whom nothing changes, however alike their days are.

Every daily measure is a stationary AR(1) series of its own (active zone minutes: many days with none), a
tenth of the days is missing, and two laboratory draws differ by the variation within a person. The reviewed
programs run as they are, without the sandbox's walls.

Run: python -m benchmarks.invented [--people 300]    (five minutes)
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from health_agents.data_science.library import reviewed_question
from schemas.settings import DEFAULT_QUESTIONS

DAYS, KNOWN, LAST_DAY = 180, 0.9, pd.Timestamp("2026-06-27")
KEPT = (0.3, 0.5, 0.8)
# Level and spread of each measure; whole numbers where a device gives them.
MEASURES = {
    "resting_heart_rate": (60, 2.5), "heart_rate_variability": (40, 6), "respiratory_rate": (15, 0.6),
    "skin_temperature_variation": (0, 0.3), "vo2max": (40, 0.6), "bed_minute": (-30, 40),
    "wake_up_minute": (430, 40), "sleep_minutes": (420, 45), "steps": (8000, 2600),
    "active_zone_minutes": (0, 45),
}  # fmt: skip
WHOLE = ("bed_minute", "wake_up_minute", "sleep_minutes", "steps", "active_zone_minutes")
LDL_CV = 0.095  # within a person, laboratory included: that of the program
# A question of each method that tests; other questions set its constants anew. Draws have a convention of
# their own: 19 of 20 differences are usual.
DRAWS = "ldl_and_activity"
TESTING = (
    "fitness_trend", "weekday_weekend", "resting_heart_rate_change", "active_zone_change",
    "sleep_regularity_change", DRAWS, "last_week_signals", "sleep_and_resting_heart_rate",
    "weekend_sleep_shift",
)  # fmt: skip
Program = Callable[..., dict[str, Any]]


def series(rng: np.random.Generator, kept: float) -> npt.NDArray[np.float64]:
    """Unit variance; a day keeps the share ``kept`` of the day before."""
    values = rng.normal(0, 1, DAYS)
    values[1:] *= np.sqrt(1 - kept**2)
    for day in range(1, DAYS):
        values[day] += kept * values[day - 1]
    return values


def person(number: int, kept: float) -> dict[str, pd.DataFrame]:
    """Frames of somebody of whom nothing changes."""
    rng = np.random.default_rng([7, number, int(10 * kept)])
    columns = {name: level + sd * series(rng, kept) for name, (level, sd) in MEASURES.items()}
    columns["active_zone_minutes"] = np.maximum(columns["active_zone_minutes"], 0)
    columns |= {name: np.round(columns[name]) for name in WHOLE}
    columns = {name: np.where(rng.random(DAYS) < KNOWN, values, np.nan) for name, values in columns.items()}
    days = pd.DataFrame(columns, index=pd.date_range(end=LAST_DAY, periods=DAYS))
    for name in ("valid_day", "break_before", "tz_change", "is_partial"):
        days[name] = pd.array([name == "valid_day"] * DAYS, dtype="boolean")
    draws = {
        "analyte_key": "ldl_cholesterol", "value_canonical": 100 * (1 + LDL_CV * rng.normal(0, 1, 2)),
        "canonical_unit": "mg/dL", "collected_date": [LAST_DAY - pd.Timedelta(days=n) for n in (120, 20)],
        "fasting": "yes",
    }  # fmt: skip
    profile = pd.DataFrame([{"data_through": LAST_DAY, "days_behind": 0}])
    names = ("activities_df", "population_df", "surveys_df")
    return dict.fromkeys(names, pd.DataFrame()) | {
        "summary_df": days, "profile_df": profile, "labs_df": pd.DataFrame(draws)
    }  # fmt: skip


def program(question_id: str) -> Program:
    """The function of a reviewed program."""
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(reviewed_question(question_id).program, question_id, "exec"), namespace)
    return namespace["analysis"]


def is_told(result: Mapping[str, Any]) -> bool:
    """Whether a result tells of a change, difference or link."""
    if result["outcome"] != "answered":
        return False
    ways = {number.get("direction") for number in result["numbers"]} - {None, "steady", "within"}
    return bool(ways) or " both went " in result["statement"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the share of people told of an effect, by question and by how alike days are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=300)
    people = parser.parse_args(arguments).people
    programs = {name: program(name) for name in TESTING}
    told = np.array(
        [[_told(programs, person(number, kept)) for number in range(people)] for kept in KEPT]
    ).astype(float)
    print(f"| question | {' | '.join(f'days keep {kept}' for kept in KEPT)} |")
    print("| --- |" + " --- |" * len(KEPT))
    for place, name in enumerate(TESTING):
        _print_row(f"`{name}`", told[:, :, place].mean(axis=1))
    asked = [place for place, name in enumerate(TESTING) if name in DEFAULT_QUESTIONS and name != DRAWS]
    _print_row(
        "any of those about days that are asked by default", told[:, :, asked].max(axis=2).mean(axis=1)
    )


def _told(programs: Mapping[str, Program], frames: Mapping[str, pd.DataFrame]) -> list[bool]:
    return [is_told(analysis(**frames)) for analysis in programs.values()]


def _print_row(label: str, shares: npt.NDArray[np.float64]) -> None:
    print(f"| {label} | {' | '.join(f'{share:.1%}' for share in shares)} |")


if __name__ == "__main__":
    main()
