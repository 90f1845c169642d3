"""Planted effects of made people, and what the reviewed questions tell of them.

Every kind of effect is put into everybody at each of its sizes, and one question that it should move is asked
on the day it shows best; then the same questions are asked of people who carry nothing. Right is an answer in
the direction that was planted (for a new watch: no answer, because of the break); wrong is another direction.

Run: python -m benchmarks.questions [--people 20]    (two minutes)
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import polars as pl

from health_agents.data_science.answers import answer_question
from health_agents.data_science.frames import program_frames
from health_agents.data_science.library import reviewed_question
from health_agents.data_science.result import ProgramResult
from health_agents.sandbox import Sandbox, open_sandbox
from schemas.lab_results import LabResults
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform, empty
from synthetic.labs.draws import reports_of
from synthetic.labs.truth import printed_rows
from synthetic.life.recording import record
from synthetic.people.casting import SIZES, Casting
from synthetic.people.effects import DECLARED, EffectKind, Size
from synthetic.people.persona import Person, make_person
from synthetic.truth.wearable import daily_summary

SEED = 11
RECENT_DAYS = 30
DAYS = 150
# The question, the number whose direction tells it, and that direction where the effect is positive.
ASKED: dict[EffectKind, tuple[str, str, str | None]] = {
    "resting_heart_rate_step": ("resting_heart_rate_change", "resting_heart_rate_recent", "above"),
    "resting_heart_rate_slope": ("fitness_trend", "resting_heart_rate_rate", "rising"),
    "better_regularity": ("sleep_regularity_change", "bed_minute_recent", "below"),
    "worse_regularity": ("sleep_regularity_change", "bed_minute_recent", "above"),
    "ldl_rise": ("ldl_and_activity", "newest", "above"),
    "fever_week": ("last_week_signals", "resting_heart_rate_recent", "above"),
    "training_block": ("active_zone_change", "active_zone_minutes_recent", "above"),
    "new_watch": ("resting_heart_rate_change", "resting_heart_rate_recent", None),
}
_TURNED = {"above": "below", "rising": "falling"}


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a question told what was planted, told something else, or told of no change."""

    effect: str
    size: str
    question_id: str
    people: int
    right: int
    wrong: int

    def line(self) -> str:
        """A row of the printed table."""
        cells = f"{self.effect:26} {self.size:8} {self.question_id:28}"
        return f"{cells} {self.people:4} {self.right:6} {self.wrong:6}"


def planted(kind: EffectKind, size: Size, people: int, sandbox: Sandbox) -> Tally:
    """Everybody carries the effect. Of a new watch, silence because of the break is right."""
    question_id, name, positive = ASKED[kind]
    right = wrong = 0
    for person in _people(Casting(effect=kind, size=size), people):
        result = _asked(person, question_id, _best_day(person, kind), sandbox)
        told, expected = _direction(result, name), _expected(person, kind, positive)
        right += (result.reason == "break_in_window") if expected is None else told == expected
        wrong += told not in {None, "steady", "within", expected}
    return Tally(kind, size, question_id, people, right, wrong)


def nothing(kind: EffectKind, people: int, sandbox: Sandbox) -> Tally:
    """Nobody carries any effect: no direction is right, any is wrong."""
    question_id, name, _ = ASKED[kind]
    told = [
        _direction(_asked(person, question_id, _last_day(person), sandbox), name)
        for person in _people(Casting(effect_free=True), people)
    ]
    right = sum(direction in {None, "steady", "within"} for direction in told)
    return Tally("none", "", question_id, people, right, people - right)


def _people(casting: Casting, people: int) -> Iterator[Person]:
    return (make_person(number, DAYS, SEED, casting) for number in range(people))


def _last_day(person: Person) -> date:
    return person.last_day - timedelta(1)


def _best_day(person: Person, kind: EffectKind) -> date:
    """The day when the recent days of the question are those of the effect; the last one of a slope."""
    starts = person.planted.effects[0].starts_on(person.first_day, DAYS)
    if starts is None or kind in {"resting_heart_rate_slope", "ldl_rise"}:
        return _last_day(person)
    return starts + timedelta((DECLARED[kind].lasts or RECENT_DAYS) - 1)


def _expected(person: Person, kind: EffectKind, positive: str | None) -> str | None:
    falls = DECLARED[kind].signed and person.planted.amount(kind) < 0
    return _TURNED[positive] if falls and positive is not None else positive


def _asked(person: Person, question_id: str, through: date, sandbox: Sandbox) -> ProgramResult:
    row = {"participant_id": person.participant_id, "data_through": through, "days_behind": 0}
    tables = {
        "participants": conform(pl.LazyFrame([row]), Participants).collect(),
        "daily_summary": daily_summary(record(person, SEED)).filter(pl.col("date") <= through),
        "lab_results": _results(person) if question_id == "ldl_and_activity" else empty(LabResults),
    }
    frames = program_frames(tables, empty(PopulationPercentiles))
    answer = answer_question(reviewed_question(question_id), frames, row, sandbox)
    if answer.result is None:
        raise RuntimeError(f"{question_id} gave no valid result")
    return answer.result


def _results(person: Person) -> pl.DataFrame:
    """LDL cholesterol as printed, in the study's unit."""
    rows = pl.concat([printed_rows(report) for report in reports_of(person, DAYS, SEED)])
    ldl = rows.filter(pl.col("analyte_key") == "ldl_cholesterol", pl.col("raw_unit").str.starts_with("mg/dL"))
    return ldl.with_columns(value_canonical="value_num", canonical_unit=pl.lit("mg/dL"))


def _direction(result: ProgramResult, name: str) -> str | None:
    return next((number.direction for number in result.numbers if number.name == name), None)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=20)
    people = parser.parse_args().people
    print(f"{'effect':26} {'size':8} {'asked':28} {'of':>4} {'right':>6} {'wrong':>6}")
    with open_sandbox() as sandbox:
        for kind in DECLARED:
            for size in SIZES:
                print(planted(kind, size, people, sandbox).line())
        once: dict[str, EffectKind] = {question_id: kind for kind, (question_id, _, _) in ASKED.items()}
        for kind in once.values():
            print(nothing(kind, people, sandbox).line())


if __name__ == "__main__":
    main()
