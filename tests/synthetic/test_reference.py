"""The reference population is of the same model as the participants."""

import polars as pl
import pytest

from schemas.daily_summary import DailySummary
from synthetic.labs.blood import DECIMALS
from synthetic.life.recording import record
from synthetic.people.persona import make_person
from synthetic.people.reference import PEOPLE, reference_population
from synthetic.truth.wearable import daily_summary

# A whole reference population is simulated.
pytestmark = pytest.mark.slow

REFERENCE = reference_population(7)


def test_columns_are_strata_daily_metrics_and_analytes() -> None:
    assert REFERENCE.height == PEOPLE == 2_000
    assert REFERENCE.columns[:3] == ["person_id", "sex", "age_group"]
    assert set(REFERENCE.columns[3:]) <= set(DailySummary.columns()) | set(DECIMALS) | {"homa_ir"}
    assert REFERENCE["person_id"].n_unique() == PEOPLE
    assert REFERENCE.null_count().sum_horizontal().item() == 0


def test_every_stratum_is_large_enough_to_be_used() -> None:
    cells = REFERENCE.group_by("sex", "age_group").len()
    assert cells.height == 12
    assert cells["len"].min() >= 30


def test_it_depends_on_the_seed_alone() -> None:
    assert reference_population(7).equals(REFERENCE)
    assert not reference_population(8).equals(REFERENCE)


def test_values_are_possible_ones() -> None:
    for name, column in DailySummary.columns().items():
        if name in REFERENCE.columns and (low := getattr(column, "min", None)) is not None:
            assert REFERENCE[name].min() >= low, name
        if name in REFERENCE.columns and (high := getattr(column, "max", None)) is not None:
            assert REFERENCE[name].max() <= high, name


def test_plausible_marginals() -> None:
    middle = {name: float(REFERENCE[name].median()) for name in REFERENCE.columns[3:]}
    assert 63 < middle["resting_heart_rate"] < 69
    assert 6_000 < middle["steps"] < 9_000
    assert 375 < middle["sleep_minutes"] < 420
    assert 20 < middle["heart_rate_variability"] < 40
    assert 5.1 < middle["hba1c"] < 5.6


METRICS = (
    ("steps", 0.15),
    ("distance_m", 0.15),
    ("calories_kcal", 0.12),
    ("sedentary_minutes", 0.08),
    ("lightly_active_minutes", 0.25),
    ("active_zone_minutes", 0.45),
    ("resting_heart_rate", 0.06),
    ("heart_rate_variability", 0.25),
    ("sleep_minutes", 0.06),
    ("time_in_bed_minutes", 0.06),
    ("deep_sleep_minutes", 0.15),
    ("rem_sleep_minutes", 0.12),
    ("light_sleep_minutes", 0.1),
    ("awake_minutes", 0.2),
    ("spo2_avg", 0.01),
    ("respiratory_rate", 0.07),
    ("sleep_score", 0.06),
    ("stress_management_score", 0.08),
    ("vo2max", 0.15),
)


@pytest.fixture(scope="module")
def participants() -> pl.DataFrame:
    """Medians of valid days of forty people."""
    names = [name for name, _ in METRICS]
    medians = [
        daily_summary(record(make_person(number, 30, 7), 7)).filter("valid_day").select(pl.median(*names))
        for number in range(40)
    ]
    return pl.concat(medians)


@pytest.mark.parametrize(("metric", "tolerance"), METRICS)
def test_its_middle_is_that_of_simulated_participants(
    participants: pl.DataFrame, metric: str, tolerance: float
) -> None:
    simulated, referred = participants[metric].median(), REFERENCE[metric].median()
    assert simulated == pytest.approx(referred, rel=tolerance)
