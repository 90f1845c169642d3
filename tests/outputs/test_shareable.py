"""shareable/: what of an edition may be passed on, over one edition and over many."""

from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import SETTINGS, table

from outputs.editions import make_edition
from outputs.metrics import METRICS
from outputs.parquet import write_table
from outputs.quantiles import rank_interval
from outputs.release_tables import place_of
from outputs.shareable import renewed, shareable_percentiles, step_of
from outputs.shareable_checks import changed_within_edition, disclosure_faults
from schemas.shareable_percentiles import ShareablePercentiles
from schemas.shared_values import SharedValues
from schemas.table import empty
from schemas.tables import TABLES

NOTHING = empty(SharedValues)


def value(
    number: int, given_value: float | None, sex: str = "female", age: str | None = "35-44", **fields: Any
) -> dict[str, Any]:
    return {
        "participant_id": f"P{number:03}", "metric": "glucose", "window": "newest", "value": given_value,
        "unit": "mg/dL", "sex": sex, "age_group": age, **fields,
    }  # fmt: skip


def people(n: int, first: int = 0, **fields: Any) -> list[dict[str, Any]]:
    return [value(first + number, 80.0 + (first + number) * 7 % 40, **fields) for number in range(n)]


def share(rows: list[dict[str, Any]], edition: str, before: pl.DataFrame = NOTHING) -> pl.DataFrame:
    """shared_values after an edition."""
    return renewed(table("person_values", rows), before, SETTINGS, edition)


def told(shared: pl.DataFrame, edition: str = "2026-06") -> pl.DataFrame:
    frame = shareable_percentiles(shared, edition).collect()
    _, failure = ShareablePercentiles.filter(frame)
    assert failure.counts() == {}
    return frame


def groups(frame: pl.DataFrame) -> set[tuple[str, str, int]]:
    return set(frame.select("sex", "age_group", "n").iter_rows())


def at(frame: pl.DataFrame, percentile: str, sex: str = "all", age: str = "all") -> dict[str, Any]:
    return frame.row(
        by_predicate=(pl.col("percentile") == percentile)
        & (pl.col("sex") == sex)
        & (pl.col("age_group") == age),
        named=True,
    )


# ---- one edition ----


def test_groups_that_may_be_told() -> None:
    rows = [
        *people(23),
        *people(14, 23, sex="male"),
        *people(12, 37, age="45-54"),
        *people(3, 49, age="18-24"),
    ]
    assert groups(told(share(rows, "2026-06"))) == {
        ("all", "all", 50), ("female", "all", 35), ("male", "all", 10),
        ("male", "35-44", 10), ("female", "35-44", 20),
    }  # fmt: skip


def test_fewer_than_11_give_no_row_at_all() -> None:
    assert told(share(people(10), "2026-06")).is_empty()
    assert not told(share(people(11), "2026-06")).is_empty()


@pytest.mark.parametrize(
    ("p", "least"),
    [
        (0.5, 9),
        (0.25, 18),
        (0.75, 18),
        (0.1, 46),
        (0.9, 46),
        (0.05, 93),
        (0.95, 93),
        (0.025, 188),
        (0.99, 473),
    ],
)
def test_neither_the_smallest_nor_the_largest_value_is_reached(p: float, least: int) -> None:
    assert rank_interval(least - 1, p, 2) is None
    interval = rank_interval(least, p, 2)
    assert interval is not None
    assert 2 <= interval.low < interval.high <= least - 1


def test_values_are_rounded_and_a_percentile_that_n_does_not_carry_is_empty() -> None:
    steps = [
        value(n, 5003.0 + 17 * n, metric="steps", window="last_30_days", unit="steps") for n in range(19)
    ]
    frame = told(share(steps, "2026-06"))
    middle = at(frame, "50")
    assert (middle["value"], middle["n"]) == (round((5003 + 17 * 9) / 10) * 10, 15)
    assert middle["interval_low"] % 10 == middle["interval_high"] % 10 == 0
    assert at(frame, "25")["value"] is not None
    assert at(frame, "10")["value"] is None
    assert (middle["window"], middle["edition"]) == ("last_30_days", "2026-06")


def test_one_window_a_metric() -> None:
    rows = [
        value(n, 5000.0, metric="steps", window=window, unit="steps")
        for n in range(20)
        for window in ("last_7_days", "last_30_days", "whole")
    ]
    assert set(told(share(rows, "2026-06"))["window"]) == {"last_30_days"}


def test_a_bound_stays_a_bound() -> None:
    rows = [value(n, None, comparator="<", bound=50.0) for n in range(12)] + people(8, 12)
    middle = at(told(share(rows, "2026-06")), "50")
    assert (middle["value"], middle["comparator"], middle["interval_low"]) == (50.0, "<", None)


def test_every_metric_has_a_step() -> None:
    assert all(step_of(metric) > 0 for metric in METRICS.values())


@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from(["female", "male", "intersex"]), st.sampled_from(["18-24", "35-44", None])),
        min_size=5, max_size=70,
    )
)  # fmt: skip
def test_margins_never_tell_of_few_people(who: list[tuple[str, str | None]]) -> None:
    """Subtract any groups that are told from any other: nobody is left, or at least 11 people."""
    rows = [value(n, float(n), sex, age) for n, (sex, age) in enumerate(who)]
    found = [
        {n for n, (sex, age) in enumerate(who) if group[0] in ("all", sex) and group[1] in ("all", age)}
        for group in {row[:2] for row in groups(told(share(rows, "2026-06")))}
    ]
    for whole in found:
        for width in (1, 2, 3):
            for parts in combinations(found, width):
                rest = whole.difference(*parts)
                assert not rest or len(rest) >= 11


# ---- editions ----


def test_a_metric_is_renewed_where_nobody_is_singled_out() -> None:
    first = share(people(40), "2026-05")
    all_new = [row | {"value": row["value"] + 1} for row in people(40)]
    assert set(told(share(all_new, "2026-06", first))["edition"]) == {"2026-06"}


@pytest.mark.parametrize(("new", "edition"), [(1, "2026-05"), (10, "2026-05"), (11, "2026-06")])
def test_few_new_people_are_not_told(new: int, edition: str) -> None:
    first = share(people(40), "2026-05")
    assert set(told(share(people(40 + new), "2026-06", first))["edition"]) == {edition}


def test_what_stays_is_the_same_to_the_last_digit() -> None:
    first = share(people(40), "2026-05")
    assert told(share(people(41), "2026-06", first)).equals(told(first, "2026-05"))


def test_each_metric_by_itself() -> None:
    sodium = [row | {"metric": "sodium", "unit": "mmol/L"} for row in people(30)]
    first = share([*people(40), *sodium], "2026-05")
    later = share([*people(41), *(row | {"value": 1.0 + row["value"]} for row in sodium)], "2026-06", first)
    shown = told(later).select("metric", "edition").unique()
    assert set(shown.iter_rows()) == {("glucose", "2026-05"), ("sodium", "2026-06")}


def test_small_steps_do_not_add_up_to_a_leak() -> None:
    """Eleven leave, then ten of them come back: against the first edition one person would be missing."""
    first = share(people(40), "2026-04")
    second = share(people(29), "2026-05", first)
    assert set(told(second)["edition"]) == {"2026-05"}
    third = share(people(39), "2026-06", second)
    assert set(told(third)["edition"]) == {"2026-05"}


def test_an_edition_is_shared_once() -> None:
    first = share(people(40), "2026-06")
    again = [row | {"value": row["value"] + 5} for row in people(40)]
    assert share(again, "2026-06", first).equals(first)


def test_an_earlier_edition_made_later_tells_nothing_of_its_future() -> None:
    later = share(people(40), "2026-06")
    assert told(share(people(41), "2026-05", later), "2026-05").is_empty()


def test_nothing_new_is_shared_of_a_partial_edition() -> None:
    first = share(people(40), "2026-05")
    values = table("person_values", [row | {"value": row["value"] + 1} for row in people(40)])
    made = make_edition(values, [table("daily_summary", []).lazy()], SETTINGS, "partial-00000000", first)
    shared = made.tables["shareable_percentiles"]
    assert isinstance(shared, pl.DataFrame)
    assert shared.equals(told(first, "2026-05"))


def test_the_order_of_people_and_versions_changes_nothing() -> None:
    first = share(people(40), "2026-05")
    rows = [row | {"value": row["value"] + 1} for row in people(40)]
    forwards, backwards = share(rows, "2026-06", first), share(rows[::-1], "2026-06", first[::-1])
    assert told(forwards).equals(told(backwards))


changes = st.lists(st.sampled_from(["stay", "stay", "change", "leave", "age"]), min_size=30, max_size=45)


@settings(deadline=None, max_examples=12)
@given(st.lists(changes, min_size=1, max_size=3))
def test_versions_never_tell_of_few_people(history: list[list[str]]) -> None:
    """Whatever two versions are subtracted, group by group: nobody is left, or at least 11 people."""
    now = {n: [float(n), "35-44" if n % 2 else "45-54"] for n in range(45)}
    shared = share([value(n, v, age=age) for n, (v, age) in now.items()], "2026-00")
    for month, change in enumerate(history, 1):
        for n, kind in enumerate(change):
            if kind == "leave":
                now.pop(n, None)
            elif n in now:
                now[n][0] += 1000 if kind == "change" else 0
                now[n][1] = "45-54" if kind == "age" else now[n][1]
        shared = share([value(n, v, age=age) for n, (v, age) in now.items()], f"2026-0{month}", shared)
    versions = [version for _, version in shared.partition_by("edition", as_dict=True).items()]
    for old, new in combinations(versions, 2):
        assert fewest_of(old, new) >= 11


def fewest_of(old: pl.DataFrame, new: pl.DataFrame) -> int:
    """The fewest people that factors -1, 0, 1 of the groups told of two versions leave."""
    ids = sorted({*old["participant_id"], *new["participant_id"]})
    items = sorted({(row["participant_id"], row["value"]) for row in [*old.to_dicts(), *new.to_dicts()]})
    rows = [
        [
            any(
                row["participant_id"] == person and row["value"] == given_value
                and sex in ("all", row["sex"]) and age in ("all", row["age_group"])
                for row in people
            )
            for person, given_value in items
        ]
        for version, people in ((old, old.to_dicts()), (new, new.to_dicts()))
        for sex, age, _ in sorted(groups(told(version, version["edition"][0])))
        if sex == "all" or age != "all"
    ]  # fmt: skip
    owner = np.array([ids.index(person) for person, _ in items])
    factors = np.array(list(product((-1, 0, 1), repeat=len(rows))))
    left = (factors @ np.array(rows, dtype=int)) != 0
    persons = np.stack([left[:, owner == n].any(axis=1) for n in range(len(ids))], axis=1).sum(axis=1)
    return int(persons[persons > 0].min())


# ---- the gate's own judgement ----


def written(folder: Path, shared: pl.DataFrame, rows: list[dict[str, Any]], **put: Any) -> Path:
    """A release folder with its two percentile tables; ``put`` overwrites columns of the shareable one."""
    no_days = [table("daily_summary", []).lazy()]
    made = make_edition(table("person_values", rows), no_days, SETTINGS, "2026-06", NOTHING)
    write_table(
        made.tables["population_percentiles"], TABLES["population_percentiles"],
        place_of(folder, "population_percentiles"),
    )  # fmt: skip
    frame = shareable_percentiles(shared, "2026-06").with_columns(**put).collect()
    write_table(frame, TABLES["shareable_percentiles"], place_of(folder, "shareable_percentiles"))
    return folder


MIXED = [*people(40), *people(15, 40, sex="male")]
FAULTS: dict[str, dict[str, Any]] = {
    "n_not_rounded": {"n": pl.col("n") + 1},
    "small_group": {"n": pl.lit(5, pl.Int64)},
    "crossing_group": {"age_group": pl.lit("35-44")},
    "value_not_rounded": {"value": pl.col("value") + 0.3},
    "reaches_an_end": {"percentile": pl.lit("5")},
}


def test_what_is_made_passes(tmp_path: Path) -> None:
    faults = disclosure_faults(written(tmp_path, share(MIXED, "2026-06"), MIXED))
    assert set(faults.values()) == {0}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_gate_sees(fault: str, tmp_path: Path) -> None:
    assert disclosure_faults(written(tmp_path, share(MIXED, "2026-06"), MIXED, **FAULTS[fault]))[fault] > 0


def test_the_gate_sees_a_rest_that_is_too_small(tmp_path: Path) -> None:
    """Five more men than the shareable table was made of: women alone now tell of few men."""
    everybody = [*people(40), *people(5, 60, sex="male")]
    shared = share(people(40), "2026-06")
    faults = disclosure_faults(written(tmp_path, shared, everybody))
    assert faults["small_rest"] > 0


def test_the_gate_sees_rows_that_change_within_an_edition(tmp_path: Path) -> None:
    before = written(tmp_path / "before", share(MIXED, "2026-06"), MIXED)
    same = written(tmp_path / "same", share(MIXED, "2026-06"), MIXED)
    other = written(tmp_path / "other", share(MIXED[1:], "2026-06"), MIXED[1:])
    assert changed_within_edition(same, before) == 0
    assert changed_within_edition(other, before) > 0


def test_a_release_without_the_table_has_nothing_to_judge(tmp_path: Path) -> None:
    assert disclosure_faults(tmp_path) == {}
