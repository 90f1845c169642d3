"""What is planted shows where it says, at its size, and nowhere else: the same life with and without it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from synthetic.life.recording import Recording, record
from synthetic.people.casting import Casting
from synthetic.people.effects import (
    DECLARED,
    RATIOS,
    SHARES,
    EffectKind,
    Planted,
    Size,
    effect,
)
from synthetic.people.persona import Person, make_person
from synthetic.truth.effects import planted_truth
from synthetic.truth.wearable import daily_summary

SEED, DAYS = 23, 100
OF_THE_WEARABLE = [kind for kind in DECLARED if kind != "ldl_rise"]
NIGHTLY_ONLY = ("skin_temperature_variation", "readiness_score")
# Which way a metric goes when the effect's amount is positive; the others that move may go either way.
DIRECTION = {
    "resting_heart_rate_step": {"resting_heart_rate": 1, "heart_rate_variability": -1, "vo2max": -1},
    "fever_week": {
        "resting_heart_rate": 1, "respiratory_rate": 1, "skin_temperature_variation": 1, "steps": -1,
        "sleep_minutes": 1, "heart_rate_variability": -1, "readiness_score": -1,
    },
    "training_block": {
        "active_zone_minutes": 1, "very_active_minutes": 1, "steps": 1, "calories_kcal": 1,
        "resting_heart_rate": -1,
    },
    "new_watch": {"resting_heart_rate": 1, "heart_rate_variability": -1, "steps": 1},
}  # fmt: skip


def without(number: int = 25) -> Person:
    return make_person(number, DAYS, SEED, Casting(effect_free=True))


def with_effect(kind: EffectKind, size: Size = "full", number: int = 25) -> Person:
    person = make_person(number, DAYS, SEED, Casting(effect=kind, size=size))
    return replace(person, planted=Planted((effect(kind, size),)))


def days_of(recording: Recording) -> pl.DataFrame:
    return daily_summary(recording).drop(*NIGHTLY_ONLY).join(
        recording.nightly.select("date", *NIGHTLY_ONLY), on="date"
    )  # fmt: skip


@pytest.fixture(scope="module")
def plain() -> pl.DataFrame:
    return days_of(record(without(), SEED))


@pytest.fixture(scope="module")
def planted() -> dict[EffectKind, pl.DataFrame]:
    return {kind: days_of(record(with_effect(kind), SEED)) for kind in OF_THE_WEARABLE}


def differences(one: pl.DataFrame, other: pl.DataFrame, metric: str, days: slice) -> np.ndarray:
    pair = one.select("date", metric).join(other.select("date", metric), on="date")[days]
    return pair.drop_nulls().select(pl.col(metric) - pl.col(f"{metric}_right")).to_series().to_numpy()


@pytest.mark.parametrize("kind", OF_THE_WEARABLE)
def test_before_it_begins_nothing_differs(
    plain: pl.DataFrame, planted: dict[EffectKind, pl.DataFrame], kind: EffectKind
) -> None:
    before = slice(0, max(effect(kind).first_day(DAYS) - 1, 0))
    for metric in set(DECLARED[kind].moves + DECLARED[kind].leaves):
        assert np.abs(differences(planted[kind], plain, metric, before)).max(initial=0) == 0, metric


@pytest.mark.parametrize("kind", OF_THE_WEARABLE)
def test_what_must_not_move_does_not(
    plain: pl.DataFrame, planted: dict[EffectKind, pl.DataFrame], kind: EffectKind
) -> None:
    for metric in DECLARED[kind].leaves:
        found = differences(planted[kind], plain, metric, slice(effect(kind).first_day(DAYS), None))
        # Bed times that move push a morning's run out of a day or two: the mean may feel it, the middle not.
        assert abs(np.median(found)) <= 0.05 * plain[metric].std(), metric
        assert abs(found.mean()) <= 0.15 * plain[metric].std(), metric


@pytest.mark.parametrize(
    ("kind", "metric"), [(kind, metric) for kind, metrics in DIRECTION.items() for metric in metrics]
)
def test_what_moves_goes_the_right_way(
    plain: pl.DataFrame, planted: dict[EffectKind, pl.DataFrame], kind: EffectKind, metric: str
) -> None:
    shown = slice(effect(kind).first_day(DAYS), effect(kind).stop_day(DAYS))
    found = differences(planted[kind], plain, metric, shown)
    assert DIRECTION[kind][metric] * found.mean() > 0.15 * plain[metric].std()


@pytest.mark.parametrize("size", ["full", "half", "quarter"])
def test_a_step_of_the_resting_heart_rate_has_its_stated_size(plain: pl.DataFrame, size: Size) -> None:
    found = days_of(record(with_effect("resting_heart_rate_step", size), SEED))
    later = differences(found, plain, "resting_heart_rate", slice(DAYS // 2, None))
    assert later == pytest.approx(np.full(len(later), 3.0 * SHARES[size]), abs=0.01)


def test_a_slope_of_the_resting_heart_rate_has_its_stated_size(
    plain: pl.DataFrame, planted: dict[EffectKind, pl.DataFrame]
) -> None:
    found = differences(planted["resting_heart_rate_slope"], plain, "resting_heart_rate", slice(None))
    assert found[-1] - found[0] == pytest.approx(6.0, abs=0.15)


@pytest.mark.parametrize(("kind", "factor"), [("better_regularity", 0.3), ("worse_regularity", 3.0)])
def test_bed_times_spread_by_the_stated_factor(kind: EffectKind, factor: float) -> None:
    ratios = []
    for number in (25, 27, 31, 33):
        later, usual = (
            days_of(record(person, SEED)).filter(pl.col("date").dt.weekday() <= 5)
            for person in (with_effect(kind, number=number), without(number))
        )
        begins = later["date"][0] + timedelta(days=DAYS // 2)
        spread = [frame.filter(pl.col("date") >= begins)["bed_minute"].std() for frame in (later, usual)]
        ratios.append(spread[0] / spread[1])
    assert np.median(ratios) == pytest.approx(factor, rel=0.15)


def test_a_new_watch_breaks_the_series_and_names_both_devices() -> None:
    person = with_effect("new_watch")
    frame = daily_summary(record(person, SEED))
    began = person.first_day + timedelta(days=effect("new_watch").first_day(DAYS))
    assert frame.filter("break_before")["date"].to_list() == [began]
    assert frame.filter(pl.col("date") < began)["device"].unique().to_list() == [person.watches[0].name]
    assert frame.filter(pl.col("date") >= began)["device"].unique().to_list() == [person.watches[1].name]
    assert person.watches[0].tracker_id != person.watches[1].tracker_id


@pytest.mark.parametrize("kind", list(DECLARED))
def test_sizes_are_shares_of_the_amount_or_of_the_doublings(kind: EffectKind) -> None:
    full, half, quarter = (effect(kind, size).amount for size in SHARES)
    if kind in RATIOS:
        assert half**2 == pytest.approx(full)
        assert quarter**4 == pytest.approx(full)
    else:
        assert (half, quarter) == pytest.approx((full / 2, full / 4))


def test_only_heart_rate_effects_come_in_both_directions() -> None:
    assert effect("resting_heart_rate_step", "half", -1).amount == -1.5
    with pytest.raises(ValueError, match="one direction"):
        effect("fever_week", "full", -1)


def test_truth_says_what_from_when_in_which_metrics() -> None:
    person = with_effect("fever_week", "half")
    (entry,) = planted_truth(person)["effects"]
    assert (entry["effect"], entry["size"], entry["amount"]) == ("fever_week", "half", 0.5)
    assert entry["first_day"] == (person.first_day + timedelta(days=60)).isoformat()
    assert entry["last_day"] == (person.first_day + timedelta(days=66)).isoformat()
    assert entry["is_change"]
    assert set(entry["moves"]).isdisjoint(entry["must_not_move"])


def test_truth_is_silent_on_people_without_effects_and_on_what_comes_too_late() -> None:
    assert planted_truth(without())["effects"] == []
    late = replace(effect("resting_heart_rate_step"), begins=1.0)
    assert planted_truth(replace(without(), planted=Planted((late,))))["effects"] == []


@pytest.mark.parametrize("days", [1, 2, 8])
@pytest.mark.parametrize("kind", OF_THE_WEARABLE)
def test_short_studies_can_carry_it_too(kind: EffectKind, days: int) -> None:
    recording = record(make_person(14, days, SEED, Casting(effect=kind)), SEED)
    assert daily_summary(recording).height == days


def test_the_page_on_the_model_tells_each_effect_as_it_is_declared() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "made_model.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in page.splitlines()
        if line.startswith("| `")
    ]
    told = {row[0].strip("`"): (float(row[1].split()[0]), float(row[2].split("%")[0]) / 100) for row in rows}
    assert told == {kind: (each.full, pytest.approx(each.begins)) for kind, each in DECLARED.items()}
