"""Disclosure control: what can be computed of published groups is never about fewer than 11 people."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outputs.disclosure import EVERYBODY, Group, Told, atom_of, fewest_told, safe_groups
from outputs.strata import ALL

AGES = ("18-24", "25-34", "35-44")
SEXES = ("female", "male", "intersex")
CELLS = [(sex, age) for sex in SEXES for age in (*AGES, None)]
FEMALE, MALE = Group("female", ALL), Group("male", ALL)

Counts = dict[tuple[str, str | None], int]
counts = st.fixed_dictionaries({cell: st.integers(0, 25) for cell in CELLS})


def inside(group: Group, sex: str, age: str | None) -> bool:
    return group.sex in (ALL, sex) and group.age_group in (ALL, age)


def test_small_groups_are_not_told() -> None:
    assert safe_groups({("female", "18-24"): 10}) == []
    assert safe_groups({("female", "18-24"): 11}) == [EVERYBODY, FEMALE, Group("female", "18-24")]


def test_a_small_rest_takes_the_smallest_group_with_it() -> None:
    # 40 women and 5 men: women alone would tell of the 5 men.
    assert safe_groups({("female", "18-24"): 40, ("male", "18-24"): 5}) == [EVERYBODY]
    # Of the ages of women one is too small, so the next smallest goes too; men are whole.
    people: Counts = {("female", age): n for age, n in zip(AGES, (30, 20, 4), strict=True)}
    found = safe_groups(people | {("male", "18-24"): 12})
    assert found == [EVERYBODY, FEMALE, Group("female", "18-24"), MALE, Group("male", "18-24")]


def test_people_of_another_sex_are_protected_too() -> None:
    people: Counts = {("female", "18-24"): 30, ("male", "18-24"): 20, ("intersex", "18-24"): 2}
    assert safe_groups(people) == [EVERYBODY, FEMALE, Group("female", "18-24")]


def test_a_rest_that_is_large_enough_protects_nobody_else() -> None:
    people: Counts = {("female", "18-24"): 30, ("female", None): 11}
    assert Group("female", "18-24") in safe_groups(people)


def matrix(people: Counts) -> tuple[np.ndarray, np.ndarray]:
    """Rows: published groups over the elementary cells that hold somebody; and how many each holds."""
    held = [cell for cell in CELLS if people[cell]]
    rows = [[inside(group, *cell) for cell in held] for group in safe_groups(people)]
    sizes = np.array([people[cell] for cell in held], dtype=int)
    return np.array(rows, dtype=float).reshape(len(rows), len(held)), sizes


@settings(deadline=None, max_examples=50)
@given(counts)
def test_no_combination_of_groups_is_about_fewer_than_11(people: Counts) -> None:
    """Every factor in -2..2 for every group: who is left with a factor other than zero?"""
    rows, sizes = matrix(people)
    used = min(len(rows), 5)
    factors = np.array(list(product((-2, -1, 0, 1, 2), repeat=used)), dtype=float).reshape(5**used, used)
    told = ((factors @ rows[:used]) != 0) @ sizes
    assert set(told[told < 11]) <= {0}


@settings(deadline=None, max_examples=50)
@given(counts)
def test_no_small_set_of_cells_lies_in_the_span(people: Counts) -> None:
    """Whatever real factors: the count of a small set of cells does not follow from what is told."""
    rows, sizes = matrix(people)
    if not len(rows):
        return
    rank = np.linalg.matrix_rank(rows)
    small = [
        chosen
        for width in (1, 2, 3)
        for chosen in combinations(range(len(sizes)), width)
        if sizes[list(chosen)].sum() < 11
    ]
    for chosen in small[:60]:
        asked = np.isin(np.arange(len(sizes)), chosen).astype(float)
        assert np.linalg.matrix_rank(np.vstack([rows, asked])) > rank


def test_an_atom_is_the_smallest_group_told() -> None:
    groups = [EVERYBODY, FEMALE, Group("female", "18-24")]
    assert atom_of(groups, "female", "18-24") == Group("female", "18-24")
    assert atom_of(groups, "female", "25-34") == FEMALE
    assert atom_of(groups, "female", None) == FEMALE
    assert atom_of(groups, "male", "18-24") == EVERYBODY


# ---- between two versions ----


def test_one_more_person_is_told_by_the_difference() -> None:
    assert fewest_told([Told(FEMALE, FEMALE, True, 30), Told(None, FEMALE, False, 1)]) == 1


def test_three_changed_values_are_told_by_the_difference() -> None:
    assert fewest_told([Told(FEMALE, FEMALE, True, 30), Told(FEMALE, FEMALE, False, 3)]) == 3


def test_all_values_changed_tells_whole_groups_only() -> None:
    assert fewest_told([Told(FEMALE, FEMALE, False, 14), Told(MALE, MALE, False, 12)]) == 12


def test_a_change_of_group_is_told_too() -> None:
    young, older = Group("female", "18-24"), Group("female", "25-34")
    moved = [Told(young, young, True, 20), Told(older, older, True, 20), Told(young, older, True, 1)]
    assert fewest_told(moved) == 1


def test_nothing_changed_tells_what_one_version_does() -> None:
    assert fewest_told([Told(FEMALE, FEMALE, True, 14), Told(MALE, MALE, True, 30)]) == 14


def test_nobody_in_any_group() -> None:
    assert fewest_told([Told(None, None, False, 9)]) == 0


ATOMS = (EVERYBODY, FEMALE)
atoms = st.sampled_from((*ATOMS, None))
kinds = st.lists(st.builds(Told, atoms, atoms, st.booleans(), st.integers(1, 30)), min_size=1, max_size=9)


def told_by(told: list[Told]) -> Iterator[int]:
    """The people each combination with factors -2..2 of the atoms singles out, where there are any."""
    for old_factors, new_factors in product(product(range(-2, 3), repeat=2), repeat=2):
        old = dict(zip(ATOMS, old_factors, strict=True)) | {None: 0}
        new = dict(zip(ATOMS, new_factors, strict=True)) | {None: 0}
        left = 0
        for kind in told:
            gave = [old[kind.old] + new[kind.new]] if kind.same else [old[kind.old], new[kind.new]]
            left += kind.people if any(gave) else 0
        if left:
            yield left


@settings(deadline=None, max_examples=50)
@given(kinds)
def test_the_cut_is_the_best_an_attacker_can_do(told: list[Told]) -> None:
    told = [kind._replace(same=kind.same and kind.old is not None and kind.new is not None) for kind in told]
    assert fewest_told(told) == min(told_by(told), default=0)


@pytest.mark.parametrize("people", [10, 11])
def test_a_chain_of_moves_is_cut_at_its_weakest_link(people: int) -> None:
    groups = [Group("female", age) for age in AGES]
    chain = [Told(group, group, True, 40) for group in groups]
    chain += [Told(groups[0], groups[1], True, people), Told(groups[1], groups[2], True, 15)]
    assert fewest_told(chain) == people
