"""Made people with and without a planted effect, and the question that should find it.

A person's body and noise are the same in every casting, so a life with an effect and the one without differ
by the effect alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import polars as pl

from health_agents.data_science.frames import program_frames
from schemas.daily_summary import DailySummary
from schemas.lab_results import LabResults
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import conform, empty
from synthetic.labs.draws import reports_of
from synthetic.labs.truth import printed_rows
from synthetic.life.recording import record
from synthetic.people.casting import Casting
from synthetic.people.effects import EffectKind, Size, effect
from synthetic.people.persona import Person, make_person
from synthetic.truth.wearable import daily_summary

SEED = 11
DAYS = 150
RECENT_DAYS = 30
NOTHING = Casting(effect_free=True)


@dataclass(frozen=True, slots=True)
class Asked:
    """What should find an effect: a question, its number that tells, and the measure behind that number.

    rises: whether the number rises where the effect's amount is positive; None where the right answer is
    that a break leaves too few days. held: the effect is asked about this many days after it began; None on
    the last day.
    """

    question_id: str
    number: str
    measure: str
    rises: bool | None
    held: int | None = RECENT_DAYS


ASKED: dict[EffectKind, Asked] = {
    "resting_heart_rate_step": Asked(
        "resting_heart_rate_change", "resting_heart_rate_recent", "resting_heart_rate", True
    ),
    "resting_heart_rate_slope": Asked(
        "fitness_trend", "resting_heart_rate_rate", "resting_heart_rate", True, None
    ),
    "better_regularity": Asked("sleep_regularity_change", "bed_minute_recent", "bed_minute", False),
    "worse_regularity": Asked("sleep_regularity_change", "bed_minute_recent", "bed_minute", True),
    "ldl_rise": Asked("ldl_and_activity", "newest", "ldl_cholesterol", True, None),
    "fever_week": Asked("last_week_signals", "resting_heart_rate_recent", "resting_heart_rate", True, 7),
    "training_block": Asked("active_zone_change", "active_zone_minutes_recent", "active_zone_minutes", True),
    "new_watch": Asked("resting_heart_rate_change", "resting_heart_rate_recent", "resting_heart_rate", None),
}


@dataclass(frozen=True, slots=True)
class Life:
    """Rows of one made person by table; ``amount`` of the effect, 0 where none is carried."""

    tables: Mapping[str, pl.DataFrame]
    amount: float

    @property
    def row(self) -> dict[str, Any]:
        """participant_id and data_through."""
        return self.tables["participants"].select("participant_id", "data_through").row(0, named=True)

    @property
    def frames(self) -> dict[str, pl.DataFrame]:
        """What a program is given."""
        return program_frames(self.tables, empty(PopulationPercentiles))

    def expected(self, asked: Asked) -> int | None:
        """Which way the number goes, 1 or -1; 0 where nothing is carried, None where a break hides it."""
        if not self.amount:
            return 0
        return None if asked.rises is None else (1 if self.amount > 0 else -1) * (1 if asked.rises else -1)


def life_of(number: int, kind: EffectKind, size: Size | None) -> Life:
    """Person ``number`` on the day the effect shows best; size None: the same life without it."""
    person, rows, results = _lived(number, kind if size else None, size or "full")
    through = _asked_on(person, kind)
    told = {"participant_id": person.participant_id, "data_through": through, "days_behind": 0}
    tables = {
        "participants": conform(pl.LazyFrame([told]), Participants).collect(),
        "daily_summary": rows.filter(pl.col("date") <= through),
        "lab_results": results.filter(pl.col("collected_date") <= through),
    }
    return Life(tables, person.planted.amount(kind))


def _asked_on(person: Person, kind: EffectKind) -> date:
    held = ASKED[kind].held
    if held is None:
        return person.last_day - timedelta(1)
    return person.first_day + timedelta(effect(kind).first_day(DAYS) + held - 1)


@lru_cache(maxsize=256)
def _lived(number: int, kind: EffectKind | None, size: Size) -> tuple[Person, pl.DataFrame, pl.DataFrame]:
    person = make_person(number, DAYS, SEED, Casting(effect=kind, size=size) if kind else NOTHING)
    rows = conform(daily_summary(record(person, SEED)).lazy(), DailySummary).collect()
    return person, rows, _results(person)


def _results(person: Person) -> pl.DataFrame:
    """LDL cholesterol as printed, in the study's unit."""
    rows = pl.concat([printed_rows(report) for report in reports_of(person, DAYS, SEED)])
    ldl = rows.filter(pl.col("analyte_key") == "ldl_cholesterol", pl.col("raw_unit").str.starts_with("mg/dL"))
    own = ldl.with_columns(value_canonical="value_num", canonical_unit=pl.lit("mg/dL"))
    return conform(own.lazy(), LabResults).collect()
