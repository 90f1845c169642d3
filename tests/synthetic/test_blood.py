"""Laboratory values agree with each other and with the profile."""

import numpy as np
import polars as pl
import pytest

from synthetic.labs.blood import draw_blood, egfr_ckd_epi_2021
from synthetic.labs.later_draw import WITHIN_PERSON, drawn_again
from synthetic.people.body import draw_bodies
from synthetic.people.profiles import PROFILES

NAMES = [profile.name for profile in PROFILES]


def blood(profile: str, people: int = 400) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    female = (rng.random(people) < 0.5).astype(float)
    age = rng.integers(30, 70, people).astype(float)
    index = np.full(people, NAMES.index(profile))
    return draw_blood(rng, draw_bodies(rng, female, age, index), female, age, index)


@pytest.mark.parametrize(
    ("creatinine", "female", "age", "expected"),
    [(1.0, 0, 50, 91.7), (0.72, 1, 35, 111.8), (1.4, 0, 65, 55.8), (0.9, 1, 45, 80.3)],
)
def test_egfr_by_the_equation_of_2021(creatinine: float, female: int, age: int, expected: float) -> None:
    found = egfr_ckd_epi_2021(np.array([creatinine]), np.array([float(female)]), np.array([float(age)]))
    assert float(found[0]) == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize("profile", NAMES)
def test_values_are_consistent_as_printed(profile: str) -> None:
    values = blood(profile)
    apart = values.select(
        mcv=(pl.col("mcv") / (10 * pl.col("hematocrit") / pl.col("erythrocytes")) - 1).abs().max(),
        mchc=(pl.col("mchc") / (100 * pl.col("hemoglobin") / pl.col("hematocrit")) - 1).abs().max(),
        lipids=(
            pl.col("total_cholesterol")
            - pl.col("hdl_cholesterol")
            - pl.col("ldl_cholesterol")
            - pl.col("triglycerides") / 5
        )
        .abs()
        .max(),
        non_hdl=(pl.col("total_cholesterol") - pl.col("hdl_cholesterol") - pl.col("non_hdl_cholesterol"))
        .abs()
        .max(),
        globulin=(pl.col("total_protein") - pl.col("albumin") - pl.col("globulin")).abs().max(),
    ).row(0, named=True)
    assert apart["mcv"] < 0.01
    assert apart["mchc"] < 0.01
    assert apart["lipids"] <= 0.51
    assert apart["non_hdl"] == 0
    assert apart["globulin"] < 0.051


@pytest.mark.parametrize("profile", NAMES)
def test_nobody_has_a_critical_value_by_chance(profile: str) -> None:
    values = blood(profile)
    assert values["potassium"].is_between(3.0, 6.0).all()
    assert values["sodium"].is_between(130, 150).all()
    assert values["glucose"].is_between(60, 400).all()
    assert values["hemoglobin"].min() > 9
    assert values["platelets"].min() > 100


def test_profiles_show_in_their_values() -> None:
    healthy, diabetes = blood("healthy_training"), blood("type_2_diabetes")
    assert _median(healthy, "hba1c") < 5.7 <= _median(blood("prediabetes"), "hba1c") < 6.5
    assert _median(diabetes, "hba1c") >= 6.5
    assert _median(diabetes, "glucose") > 126 > 100 > _median(healthy, "glucose")
    assert _median(blood("dyslipidaemia"), "ldl_cholesterol") > 130 > _median(healthy, "ldl_cholesterol")
    assert _median(blood("hypothyroidism"), "tsh") > 4.5 > _median(healthy, "tsh")


def everyone(people: int = 6000) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = np.random.default_rng(5)
    female, age = (rng.random(people) < 0.55).astype(float), rng.integers(21, 80, people).astype(float)
    index = rng.integers(0, len(PROFILES), people)
    bodies = draw_bodies(rng, female, age, index)
    return bodies, draw_blood(rng, bodies, female, age, index)


def test_insulin_resistance_follows_weight_and_activity_with_published_percentiles() -> None:
    bodies, values = everyone()
    homa = values["glucose"] * values["insulin"] / 405
    quantiles = [homa.quantile(share) for share in (0.05, 0.5, 0.95)]
    # NHANES by sex and decade: p5 0.6-1.0, medians 1.8-3.0, p95 6.6-12.5
    assert [low <= (q or 0) <= high for q, (low, high) in zip(
        quantiles, [(0.5, 1.0), (1.8, 3.0), (6.6, 12.5)], strict=True
    )] == [True, True, True]  # fmt: skip
    together = pl.DataFrame({"homa": homa.log(), "bmi": bodies["bmi"], "steps": bodies["steps"].log()})
    assert together.select(pl.corr("homa", "bmi")).item() > 0.4
    assert together.select(pl.corr("homa", "steps")).item() < -0.3


def test_hba1c_follows_mean_glucose_by_adag() -> None:
    _, values = everyone()
    apart = 28.7 * values["hba1c"] - 46.7 - values["glucose"]
    assert apart.mean() == pytest.approx(12.5, abs=0.5)
    assert apart.std() < 6
    assert (values["estimated_average_glucose"] - (28.7 * values["hba1c"] - 46.7)).abs().max() <= 0.5


def test_cells_sum_to_a_hundred_and_counts_are_their_share() -> None:
    _, values = everyone(500)
    assert (
        values.select(pl.sum_horizontal(pl.col("^.*cytes_percent$|^.*phils_percent$")))
        .to_series()
        .eq(100)
        .all()
    )
    apart = values["neutrophils_absolute"] - values["leukocytes"] * values["neutrophils_percent"] / 100
    assert apart.abs().max() <= 0.0051


def test_a_later_draw_moves_as_much_as_within_a_person_and_stays_consistent() -> None:
    people = 2000
    rng = np.random.default_rng(9)
    female, age = (rng.random(people) < 0.5).astype(float), rng.integers(30, 70, people).astype(float)
    index = np.zeros(people, dtype=np.int64)
    first = draw_blood(rng, draw_bodies(rng, female, age, index), female, age, index)
    second = drawn_again(rng, {key: first[key].to_numpy() for key in first.columns}, female, age)
    assert list(second) == first.columns
    for key in ("glucose", "ldl_cholesterol", "insulin", "platelets"):
        ratio = second[key] / first[key].to_numpy()
        assert float(np.std(ratio)) == pytest.approx(0.88 * WITHIN_PERSON[key] / 100, rel=0.12)
        assert float(np.mean(ratio)) == pytest.approx(1, abs=0.02)
    indices = 10 * second["hematocrit"] / second["erythrocytes"]
    assert np.abs(second["mcv"] / indices - 1).max() < 0.01
    parts = second["hdl_cholesterol"] + second["ldl_cholesterol"] + second["triglycerides"] / 5
    assert np.abs(second["total_cholesterol"] - parts).max() <= 0.51
    assert second["potassium"].min() > 3.0
    assert second["potassium"].max() < 6.0


def _median(values: pl.DataFrame, key: str) -> float:
    median = values[key].median()
    assert isinstance(median, float)
    return median
