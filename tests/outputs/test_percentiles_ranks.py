"""Ranks: over the others only, in the first stratum with at least 11 others."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_person import table

from outputs.ranks import ranks
from outputs.reference import read_reference, reference_edition
from schemas.errors import PhaError
from schemas.participant_percentiles import ParticipantPercentiles


def value(person: str, number: float | None, **fields: Any) -> dict[str, Any]:
    return {
        "participant_id": person,
        "metric": "steps",
        "window": "last_30_days",
        "value": number,
        "unit": "steps",
        "days": 30,
        "sex": "female",
        "age_group": "35-44",
    } | fields


def values(*rows: dict[str, Any]) -> pl.DataFrame:
    return table("person_values", rows)


def women(count: int, **fields: Any) -> list[dict[str, Any]]:
    """Other people with values 1, 2, ... count."""
    return [value(f"W{n}", float(n), **fields) for n in range(1, count + 1)]


def ranked(
    own: dict[str, Any], pool: list[dict[str, Any]], reference: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    frame = ranks(
        values(own),
        values(*pool),
        None if reference is None else values(*reference),
        "2026-06",
        "reference-1",
    )
    _, failure = ParticipantPercentiles.filter(frame)
    assert failure.counts() == {}
    assert frame.height == 1
    return frame.row(0, named=True)


def test_a_rank_has_the_score_interval_of_a_share() -> None:
    row = ranked(value("P1", 10.0), women(20))
    # 9.5 of 20 (nine less, one equal), by the formula.
    assert row["rank"] == 47.5
    assert (row["rank_low"], row["rank_high"]) == pytest.approx((27.9, 68.0), abs=0.1)
    lowest = ranked(value("P1", -1.0), women(20))
    assert (lowest["rank"], lowest["rank_low"]) == (0, 0)
    assert lowest["rank_high"] == pytest.approx(16.1, abs=0.1)
    none = ranked(value("P1", 8.0), [])
    assert (none["rank_low"], none["rank_high"]) == (None, None)


def test_rank_by_hand() -> None:
    # Of 20 others 7 are less and 1 is equal: (7 + 0.5) / 20 = 37.5.
    row = ranked(value("P1", 8.0), women(20))
    assert (row["rank"], row["others"], row["stratum"]) == (37.5, 20, "cell")
    assert (row["stratum_sex"], row["stratum_age_group"], row["edition"]) == ("female", "35-44", "2026-06")
    assert row["no_rank_reason"] is None


def test_ones_own_row_is_never_among_the_others() -> None:
    row = ranked(value("P1", 8.0), [*women(20), value("P1", 8.0)])
    assert (row["rank"], row["others"]) == (37.5, 20)


def test_the_own_row_of_an_older_edition_is_left_out_whatever_it_said() -> None:
    for pinned in (1.0, 8.0, 500.0):
        row = ranked(value("P1", 8.0), [*women(20), value("P1", pinned)])
        assert (row["rank"], row["others"]) == (37.5, 20)


def test_after_a_birthday_the_new_age_group_counts() -> None:
    pool = [*women(20, age_group="45-54"), value("P1", 8.0)]
    row = ranked(value("P1", 8.0, age_group="45-54"), pool)
    assert (row["rank"], row["others"], row["stratum_age_group"]) == (37.5, 20, "45-54")


@pytest.mark.parametrize(("others", "stratum"), [(10, None), (11, "cell")])
def test_a_stratum_needs_11_others(others: int, stratum: str | None) -> None:
    row = ranked(value("P1", 5.0), [*women(others), value("P1", 5.0)])
    assert row["stratum"] == stratum
    assert row["no_rank_reason"] == (None if stratum else "too_few_others")


def test_cell_then_sex_then_all() -> None:
    cell = women(10)
    same_sex = [value("S1", 100.0, age_group="25-34")]
    men = [value("M1", 100.0, sex="male")]
    assert ranked(value("P1", 5.0), [*cell, *same_sex])["stratum"] == "sex"
    row = ranked(value("P1", 5.0), [*cell, *men])
    assert (row["stratum"], row["stratum_sex"], row["stratum_age_group"]) == ("all", "all", "all")


def test_then_the_reference_by_cell_sex_and_all_with_its_own_edition() -> None:
    reference = [value(f"R{n}", float(n), window="whole") for n in range(11)]
    row = ranked(value("P1", 5.0), women(4), reference)
    assert (row["stratum"], row["stratum_sex"], row["stratum_age_group"]) == ("reference", "female", "35-44")
    assert (row["others"], row["edition"]) == (11, "reference-1")
    assert row["rank"] == 50.0  # 0..4 less, 5 equal
    older = [{**person, "age_group": "65+"} for person in reference]
    assert ranked(value("P1", 5.0), [], older)["stratum_age_group"] == "all"
    men = [{**person, "sex": "male"} for person in reference]
    assert ranked(value("P1", 5.0), [], men)["stratum_sex"] == "all"


def test_a_person_of_the_reference_with_the_same_id_is_somebody_else() -> None:
    reference = [value("P1", 5.0, window="whole"), *(value(f"R{n}", 1.0, window="whole") for n in range(10))]
    assert ranked(value("P1", 5.0), [], reference)["others"] == 11


def test_draws_meet_the_newest_values_of_the_reference() -> None:
    lab = {"metric": "hba1c", "window": "newest", "unit": "%"}
    reference = [value(f"R{n}", float(n), **lab) for n in range(20)]
    assert ranked(value("P1", 30.0, **lab), [], reference)["rank"] == 100.0


def test_other_units_are_never_compared() -> None:
    assert ranked(value("P1", 5.0), women(20, unit="km"))["no_rank_reason"] == "too_few_others"


def test_other_windows_are_never_compared() -> None:
    assert ranked(value("P1", 5.0), women(20, window="last_7_days"))["no_rank_reason"] == "too_few_others"


def test_other_registered_sexes_are_ranked_among_all() -> None:
    assert ranked(value("P1", 5.0, sex="unknown"), women(20))["stratum"] == "all"


def test_without_age_group_the_sex_is_used() -> None:
    assert ranked(value("P1", 5.0, age_group=None), women(20))["stratum"] == "sex"


@pytest.mark.parametrize("reason", ["insufficient_days", "no_value", "data_old", "censored"])
def test_no_value_no_rank_with_its_reason(reason: str) -> None:
    row = ranked(value("P1", None, no_value_reason=reason), women(20))
    assert (row["rank"], row["others"], row["no_rank_reason"]) == (None, None, reason)


def test_old_data_have_no_rank_in_any_window_of_days_but_labs_do() -> None:
    own = values(
        value("P1", None, no_value_reason="data_old"),
        value("P1", 5.0, window="whole"),
        value("P1", 5.0, metric="hba1c", window="newest", unit="%"),
    )
    pool = [*women(20, window="whole"), *women(20, metric="hba1c", window="newest", unit="%")]
    found = {
        (row["metric"], row["window"]): row
        for row in ranks(own, values(*pool), None, "e").iter_rows(named=True)
    }
    assert found["steps", "whole"]["no_rank_reason"] == "data_old"
    assert found["steps", "whole"]["value"] == 5.0
    assert found["hba1c", "newest"]["rank"] == 22.5


def test_a_value_equals_its_stored_copy() -> None:
    third = 1 / 3
    pool = [value(f"W{n}", 0.333333) for n in range(11)]
    assert ranked(value("P1", third), pool)["rank"] == 50.0


people = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from(["female", "male", "unknown"])), min_size=12, max_size=40
)


def expected(own: int, pool: list[tuple[int, str]]) -> tuple[float | None, int | None]:
    """The definition, by counting."""
    number, sex = pool[own]
    others = [other for place, other in enumerate(pool) if place != own]
    same = [other for other in others if other[1] == sex and sex != "unknown"]
    group = same if len(same) >= 11 else others
    if len(group) < 11:
        return None, None
    less = sum(other[0] < number for other in group)
    equal = sum(other[0] == number for other in group)
    return round(100 * (less + equal / 2) / len(group), 6), len(group)


@settings(max_examples=20, deadline=None)
@given(people, st.randoms())
def test_all_at_once_equals_one_by_one_equals_counting(pool: list[tuple[int, str]], random: Any) -> None:
    rows = [value(f"P{n:02}", float(number), sex=sex) for n, (number, sex) in enumerate(pool)]
    shuffled = random.sample(rows, len(rows))
    found = ranks(values(*shuffled), values(*rows), None, "e")
    alone = pl.concat([ranks(values(row), values(*shuffled), None, "e") for row in rows[:3]])
    assert found.head(3).equals(alone)
    for place, row in enumerate(found.iter_rows(named=True)):
        rank, others = expected(place, pool)
        assert row["others"] == others
        assert row["rank"] == (None if rank is None else pytest.approx(rank, abs=0.05 + 1e-9))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=12, max_size=40))
def test_ranks_of_mirrored_values_mirror(numbers: list[int]) -> None:
    def of(sign: int) -> list[float]:
        rows = [value(f"P{n:02}", float(sign * number)) for n, number in enumerate(numbers)]
        return ranks(values(*rows), values(*rows), None, "e")["rank"].to_list()

    for rank, mirrored in zip(of(1), of(-1), strict=True):
        assert rank + mirrored == pytest.approx(100, abs=0.11)


def reference_file(folder: Path, **columns: list[Any]) -> Path:
    path = folder / "reference.parquet"
    base = {"person_id": ["R1", "R2"], "sex": ["female", "male"], "age_group": ["35-44", "65+"]}
    pl.DataFrame({**base, **columns}).write_parquet(path)
    return path


def test_the_reference_becomes_person_values(tmp_path: Path) -> None:
    path = reference_file(tmp_path, steps=[7000, None], hba1c=[5.4, float("nan")], shoe_size=[38, 44])
    frame = read_reference(path)
    assert frame.select("participant_id", "metric", "window", "value", "unit", "sex", "age_group").rows() == [
        ("R1", "hba1c", "newest", 5.4, "%", "female", "35-44"),
        ("R1", "steps", "whole", 7000.0, "steps", "female", "35-44"),
    ]


def test_the_reference_edition_follows_the_content(tmp_path: Path) -> None:
    first = reference_edition(reference_file(tmp_path, steps=[1, 2]))
    second = reference_edition(reference_file(tmp_path, steps=[1, 3]))
    assert first != second
    assert first.startswith("reference-")
    assert len(first) == len("reference-") + 8


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"person_id": ["R1", "R1"]}, "person_id is empty or stands twice"),
        ({"person_id": ["R1", None]}, "person_id is empty or stands twice"),
        ({"sex": ["f", "m"]}, "sex has other words"),
        ({"steps": ["many", "few"]}, "steps holds no numbers"),
    ],
)
def test_an_unfit_reference_is_refused(tmp_path: Path, columns: dict[str, list[Any]], problem: str) -> None:
    with pytest.raises(PhaError, match=problem):
        read_reference(reference_file(tmp_path, **columns))


def test_a_reference_that_is_no_parquet_or_lacks_a_column_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_text("no")
    with pytest.raises(PhaError, match="no readable Parquet"):
        read_reference(broken)
    with pytest.raises(PhaError, match="no readable Parquet"):
        read_reference(tmp_path / "missing.parquet")
    pl.DataFrame({"person_id": ["R1"], "sex": ["female"]}).write_parquet(broken)
    with pytest.raises(PhaError, match="no column age_group"):
        read_reference(broken)
