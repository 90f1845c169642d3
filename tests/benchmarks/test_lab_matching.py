"""Counting right and wrong readings: each row of a report counts once, and no difference is forgiven."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.lab_layouts import line_of, most_wrong
from benchmarks.lab_matching import Score, add_report

DAY = date(2026, 3, 4)


def row(name: str = "Sodium", value: str = "140", **other: Any) -> Mapping[str, Any]:
    number = float(value) if value.replace(".", "").isdigit() else None
    return {
        "raw_name": name, "raw_value": value, "value_num": number, "comparator": None, "bound_num": None,
        "value_text": None, "missing_reason": None, "unit_ucum": "mmol/L", "analyte_key": name.lower(),
        "loinc": None, "collected_date": DAY, "collected_at": None, "ref_low": None, "ref_high": None,
        "ref_text": None, "raw_unit": "mmol/L", "flag_printed": None, "reasons": "unit_unknown",
    } | other  # fmt: skip


def score(truth: list[Any], accepted: list[Any], review: list[Any]) -> Score:
    counted = Score()
    add_report(counted, truth, accepted, review)
    return counted


def test_a_row_as_printed_is_right_whatever_blanks_and_raised_digits() -> None:
    true = row("Red  cells", "4.5", raw_unit="10^12/L")
    found = score([true], [row("Redcells", "4.5", raw_unit="10 12/L", analyte_key="red  cells")], [])
    assert (found.right, found.missed, found.wrong.total(), found.unlike.total()) == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("value", {"value_num": 14.0}), ("value", {"comparator": ">", "value_num": None, "bound_num": 140}),
        ("value", {"missing_reason": "pending", "value_num": None}), ("unit_ucum", {"unit_ucum": "meq/L"}),
        ("analyte_key", {"analyte_key": "potassium"}),
        ("collected_date", {"collected_date": date(2026, 4, 3)}),
        ("loinc", {"loinc": "2823-3"}),
    ],
)  # fmt: skip
def test_an_accepted_row_with_another_meaning_is_wrong_and_its_result_is_missed(
    kind: str, change: Any
) -> None:
    found = score([row(loinc="2951-2")], [row(**change)], [])
    assert dict(found.wrong) == {kind: 1}
    assert (found.right, found.missed) == (0, 1)


def test_a_code_or_time_that_only_one_side_knows_is_no_fault() -> None:
    assert score([row(loinc="2951-2")], [row()], []).right == 1
    unlike = score([row()], [row(loinc="2951-2", collected_at="08:00")], []).unlike
    assert set(unlike) == {"loinc", "collected_at"}


def test_what_is_no_printed_result_is_wrong() -> None:
    found = score([row()], [row(), row("Biological age", "41")], [])
    assert (found.right, dict(found.wrong)) == (1, {"no such name": 1})
    assert dict(score([], [row()], []).wrong) == {"no such name": 1}


def test_a_result_taken_for_that_of_another_day_is_wrong() -> None:
    truth = [row(), row(value="138", collected_date=date(2025, 12, 4))]
    found = score(truth, [row(), row(value="138")], [])
    assert found.right == found.missed == found.wrong.total() == 1


def test_a_row_accepted_twice_is_repeated_and_a_truth_is_used_once() -> None:
    assert score([row()], [row(), row()], []).repeated == 1
    twice = score([row(), row()], [row(), row()], [])
    assert (twice.right, twice.repeated, twice.missed) == (2, 0, 0)


def test_a_doubtful_row_is_in_review_by_name_and_value_and_else_noise() -> None:
    found = score([row(), row("Urea", "5")], [], [row(), row("Urea", "7")])
    assert (found.in_review, found.noise, found.missed) == (1, 1, 1)
    assert found.reasons["unit_unknown"] == 2
    twice = score([row()], [], [row(), row()])
    assert (twice.in_review, twice.noise) == (1, 1)


def test_another_interval_or_flag_is_told_and_is_no_wrong_value() -> None:
    found = score([row(ref_high=146.0, flag_printed="H")], [row(ref_high=145.0)], [])
    assert found.right == 1
    assert set(found.unlike) == {"ref_high", "flag_printed"}


@given(st.lists(st.sampled_from(["Sodium", "Urea"])), st.lists(st.sampled_from(["Sodium", "Chloride"])),
       st.lists(st.sampled_from(["Urea", "Iron"])))  # fmt: skip
def test_every_row_is_counted_once(truth: list[str], accepted: list[str], review: list[str]) -> None:
    found = score(*([row(name) for name in names] for names in (truth, accepted, review)))
    assert found.right + found.in_review + found.missed == found.printed == len(truth)
    assert found.right + found.repeated + found.wrong.total() == found.accepted == len(accepted)
    assert found.in_review + found.noise == len(review)


def test_the_bound_is_that_of_clopper_and_pearson() -> None:
    assert most_wrong(Score(accepted=2000)) == pytest.approx(1 - 0.05 ** (1 / 2000))
    some = Score(accepted=10)
    some.wrong["value"] = 1
    assert most_wrong(some) == pytest.approx(0.3942, abs=1e-4)
    some.wrong["value"] = 10
    assert most_wrong(some) == most_wrong(Score()) == 1.0


def test_a_line_of_the_table_holds_counts_and_shares() -> None:
    line = line_of("made", Score(reports=2, printed=4, right=3, in_review=1, accepted=3))
    assert line == "| made | 2 | 4 | 3 (75.00%) | 1 (25.00%) | 0 (0.00%) | 0 | 63.160% | 0 |"
    assert "| 0 | none accepted | 0 |" in line_of("made", Score(reports=1, printed=4, missed=4))
