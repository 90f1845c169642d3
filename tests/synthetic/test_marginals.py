"""Settled values of some thousands of people against published figures, with the distance that we accept.

Sources: resting heart rate: a vendor's users of 2016-17 by sex and decade. Steps: All of Us, wearers of such
devices. Sleep: the same vendor's nights. RMSSD: bands by age, of low quality. HOMA-IR: NHANES by sex and age.
"""

import numpy as np
import polars as pl
import pytest

from synthetic.labs.blood import draw_blood
from synthetic.people.body import (
    DECADES,
    RESTING_FEMALE,
    RESTING_MALE,
    Floats,
    apart_from_peers,
    draw_bodies,
    profile_shares,
)
from synthetic.people.profiles import PROFILES
from synthetic.people.reference import daily_medians

PEOPLE = 12_000
RNG = np.random.default_rng(20)


def _ages(profile: np.ndarray) -> Floats:
    """As participants have them: evenly within the profile's range."""
    low, high = np.array([each.ages for each in PROFILES]).T
    return np.floor(RNG.uniform(low[profile], high[profile] + 1))


PROFILE = np.arange(PEOPLE) % len(PROFILES)
AGE = _ages(PROFILE)
FEMALE = (RNG.random(PEOPLE) < 0.55).astype(float)
BODIES = draw_bodies(RNG, FEMALE, AGE, PROFILE)
MEDIANS = daily_medians(RNG, BODIES, FEMALE, AGE)
BLOOD = draw_blood(RNG, BODIES, FEMALE, AGE, PROFILE)
HOMA_IR = (BLOOD["glucose"] * BLOOD["insulin"] / 405).to_numpy()


def of(values: pl.Series, female: int | None, ages: tuple[int, int]) -> Floats:
    """Values of the people of a sex (None: all) and of ages from, up to and with."""
    chosen = (ages[0] <= AGE) & (ages[1] >= AGE)
    if female is not None:
        chosen &= female == FEMALE
    return values.to_numpy()[chosen]


@pytest.mark.parametrize("decade", range(6))
@pytest.mark.parametrize(("female", "published"), [(0, RESTING_MALE), (1, RESTING_FEMALE)])
def test_mean_resting_heart_rate_by_sex_and_decade_within_one_bpm(
    female: int, published: Floats, decade: int
) -> None:
    middle = int(DECADES[decade])
    found = of(MEDIANS["resting_heart_rate"], female, (middle - 5, middle + 4))
    assert float(found.mean()) == pytest.approx(float(published[decade]), abs=1.0)


def test_resting_heart_rates_stay_within_the_published_range() -> None:
    low, high = np.percentile(MEDIANS["resting_heart_rate"].to_numpy(), [0.05, 99.95])
    assert 40 <= low < 50
    assert 80 < high <= 109


@pytest.mark.parametrize(("percentile", "published"), [(25, 5_867), (50, 7_731), (75, 9_827)])
def test_steps_within_a_tenth(percentile: int, published: int) -> None:
    found = float(np.percentile(MEDIANS["steps"].to_numpy(), percentile))
    assert found == pytest.approx(published, rel=0.1)


@pytest.mark.parametrize(
    ("female", "ages", "published"), [(1, (0, 99), 410), (0, (0, 99), 386), (None, (52, 99), 393)]
)
def test_mean_minutes_asleep_within_ten(female: int | None, ages: tuple[int, int], published: int) -> None:
    assert float(of(MEDIANS["sleep_minutes"], female, ages).mean()) == pytest.approx(published, abs=10)


@pytest.mark.parametrize(
    ("ages", "tenth", "mean", "ninetieth"),
    [
        ((21, 25), 25, (55, 65), 100),
        ((26, 35), 22, (45, 55), 90),
        ((36, 45), 18, (35, 45), 75),
        ((46, 55), 15, (28, 38), 60),
        ((56, 65), 12, (22, 30), 50),
        ((66, 79), 10, (18, 25), 40),
    ],
)
def test_rmssd_by_age_within_its_band_and_a_third_of_its_spread(
    ages: tuple[int, int], tenth: int, mean: tuple[int, int], ninetieth: int
) -> None:
    found = of(MEDIANS["heart_rate_variability"], None, ages)
    assert 0.95 * mean[0] <= float(found.mean()) <= 1.05 * mean[1]
    low, high = np.percentile(found, [10, 90])
    assert low == pytest.approx(tenth, rel=0.35)
    assert high == pytest.approx(ninetieth, rel=0.25)


@pytest.mark.parametrize(
    ("female", "decade", "low", "middle", "high"),
    [
        (0, 20, 0.7, 1.8, 8.1), (0, 30, 0.7, 2.3, 11.2), (0, 40, 0.8, 2.4, 12.1), (0, 50, 0.8, 2.7, 12.5),
        (0, 60, 1.0, 3.0, 11.7), (0, 70, 1.0, 3.0, 11.3), (1, 20, 0.7, 2.5, 8.7), (1, 30, 0.8, 2.1, 9.1),
        (1, 40, 0.8, 2.2, 11.2), (1, 50, 0.6, 2.3, 7.1), (1, 60, 0.9, 2.6, 11.2), (1, 70, 0.9, 2.5, 6.6),
    ],
)  # fmt: skip
def test_homa_ir_by_sex_and_decade_within_the_same_order(
    female: int, decade: int, low: float, middle: float, high: float
) -> None:
    """Medians within 45 % (published ones jump as much between decades), the ends within a factor of 2.2."""
    fifth, median, ninety_fifth = np.percentile(
        of(pl.Series(HOMA_IR), female, (decade, decade + 9)), [5, 50, 95]
    )
    assert median == pytest.approx(middle, rel=0.45)
    assert 1 / 2.2 < fifth / low < 2.2
    assert 1 / 2.2 < ninety_fifth / high < 2.2


def test_fasting_insulin_within_a_fifth_in_its_middle_half() -> None:
    found = np.percentile(BLOOD["insulin"].to_numpy(), [25, 50, 75])
    assert found == pytest.approx([6.7, 9.3, 13.3], rel=0.2)


def test_insulin_resistance_rises_with_weight_and_falls_with_activity() -> None:
    log_homa = np.log(HOMA_IR)
    assert np.corrcoef(log_homa, BODIES["bmi"].to_numpy())[0, 1] > 0.4
    peers = np.abs(BODIES["bmi"].to_numpy() - 27) < 2
    assert np.corrcoef(log_homa[peers], np.log(BODIES["steps"].to_numpy()[peers]))[0, 1] < -0.1


def test_what_profiles_shift_cancels_out_among_people_of_the_same_age() -> None:
    for field, middle in (("resting_heart_rate", 0.0), ("sleep_minutes", 0.0), ("steps_factor", 1.0)):
        apart = apart_from_peers(AGE, PROFILE, field)
        value = np.exp(np.log(apart).mean()) if middle else apart.mean()
        assert float(value) == pytest.approx(middle, abs=0.35)


def test_shares_of_profiles_add_up_and_respect_their_ages() -> None:
    shares = profile_shares(np.array([24.0, 50.0, 79.0, 17.0]))
    assert shares.sum(axis=1) == pytest.approx(np.ones(4))
    for row, age in enumerate((24, 50, 79)):
        for share, profile in zip(shares[row], PROFILES, strict=True):
            assert (share > 0) == (profile.ages[0] <= age <= profile.ages[1])
    assert shares[3] == pytest.approx(np.full(10, 0.1))
