"""Tables nobody described: columns told by their cells, labelled cells, blocks, intervals in words."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.labs.column_content import form_of
from ingest.labs.intervals import parse_interval
from ingest.labs.titles import role_of_title
from tests.ingest.lab_pdfs import Mark, Sheet, doubts, draw, ingest, printed

TESTS = [
    ("Glucose", "91", "mg/dL", "65-99"),
    ("Sodium", "140", "mmol/L", "135-146"),
    ("Potassium", "4.2", "mmol/L", "3.5-5.1"),
    ("Creatinine", "0.9", "mg/dL", "0.6-1.2"),
]
VALUES = {"Glucose": 91, "Sodium": 140, "Potassium": 4.2, "Creatinine": 0.9}
EDGES = (40, 250, 360, 480)
ORDERS = ["nvur", "rvun", "unvr", "vrun", "nruv"]


def values(path: Path) -> dict[str, object]:
    return {name: row["value_num"] for name, row in printed(ingest(path)).items()}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("titled", [True, False])
def test_columns_in_any_order(tmp_path: Path, order: str, titled: bool) -> None:
    titles = dict(zip("nvur", ("Item", "Outcome", "Measured in", "Usual range"), strict=True))
    cells = [titles, *(dict(zip("nvur", row, strict=True)) for row in TESTS)][0 if titled else 1 :]
    rows = [tuple(row[column] for column in order) for row in cells]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    got = printed(result)
    assert {name: row["value_num"] for name, row in got.items()} == VALUES
    assert (got["Glucose"]["unit_ucum"], got["Glucose"]["ref_high"]) == ("mg/dL", 99)


@pytest.mark.parametrize("former", ["Previous result", "Last time", "Earlier value", "Former"])
@pytest.mark.parametrize("place", [1, 2, 4])
def test_a_former_result_is_never_the_result(tmp_path: Path, former: str, place: int) -> None:
    titles = ["Test", "Result", "Units", "Reference"]
    rows = [[*row] for row in (titles, *TESTS)]
    for row, cell in zip(rows, (former, "77", "133", "5.9", "2.2"), strict=True):
        row.insert(place, cell)
    assert values(draw(tmp_path / "a.pdf", Sheet(rows, columns=(40, 180, 260, 340, 440)))) == VALUES


def test_two_numbers_in_untitled_columns_are_in_doubt_wherever_they_stand(tmp_path: Path) -> None:
    rows = [(name, unit, interval, "77", value) for name, value, unit, interval in TESTS]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=(40, 180, 260, 340, 440))))
    assert printed(result) == {}
    assert all("value_column_unclear" in reasons for reasons in doubts(result).values())


def test_a_limit_beside_a_reason_is_no_value(tmp_path: Path) -> None:
    rows = [*((n, "1", "200", v, u) for n, v, u, _ in TESTS), ("Urea", "", "7.8", "Haemolysed", "mmol/L")]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=(40, 180, 260, 340, 440))))
    assert printed(result) == {}


def test_limits_in_columns_of_their_own(tmp_path: Path) -> None:
    rows = [("Test", "Lower limit", "Upper limit", "Result", "Units")]
    rows += [(n, *r.split("-"), v, u) for n, v, u, r in TESTS]
    got = printed(ingest(draw(tmp_path / "a.pdf", Sheet(rows, columns=(40, 180, 260, 340, 440)))))
    assert {name: row["value_num"] for name, row in got.items()} == VALUES
    assert (got["Sodium"]["ref_low"], got["Sodium"]["ref_high"]) == (135, 146)


def test_values_at_the_right_edge_of_their_column(tmp_path: Path) -> None:
    marks = [
        *(
            Mark(text, x, 140)
            for text, x in (("Analysis", 40), ("Result", 250), ("Range", 360), ("Unit", 480))
        ),
        *(
            Mark(text, x, 156 + 14 * n)
            for n, (name, value, unit, interval) in enumerate(TESTS)
            for text, x in ((name, 40), (value, 340), (interval, 362), (unit, 480))
        ),
    ]
    assert values(draw(tmp_path / "a.pdf", Sheet(marks=marks))) == VALUES


@pytest.mark.parametrize("label", ["Typical values", "Expected", "Reference interval", "Healthy range"])
def test_labelled_cells_in_lines_and_below_each_other(tmp_path: Path, label: str) -> None:
    rows = [(f"Marker: {n}", f"Reading: {v} {u}", f"{label}: {r}") for n, v, u, r in TESTS]
    assert values(draw(tmp_path / "a.pdf", Sheet(rows, columns=(40, 200, 380)))) == VALUES
    blocks = [
        (cell,)
        for n, v, u, r in TESTS
        for cell in (f"Test: {n}", f"Result: {v}", f"Previous: {77}", f"Unit: {u}", f"{label}: {r}")
    ]
    assert values(draw(tmp_path / "b.pdf", Sheet(blocks))) == VALUES


def test_cards_side_by_side_at_other_heights(tmp_path: Path) -> None:
    marks = [
        Mark(text, x, 140 + 40 * n + 23 * m + 12 * k)
        for n, m in ((0, 0), (1, 0), (0, 1), (1, 1))
        for x, (name, value, unit, interval) in [((40, 330)[m], TESTS[n + 2 * m])]
        for k, text in enumerate((name, f"{value} {unit}", f"Range: {interval}"))
    ]
    assert values(draw(tmp_path / "a.pdf", Sheet(marks=marks))) == VALUES


def test_a_name_that_ends_like_a_title_keeps_its_last_word(tmp_path: Path) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([("Sodium Level: 140 mmol/L (135-146)",)])))
    assert list(printed(result)) == ["Sodium Level"]


@pytest.mark.parametrize(
    ("printed_as", "low", "high", "ends"),
    [
        ("between 4 and 5", 4, 5, (True, True)), ("from 4 to 5", 4, 5, (True, True)),
        ("4..5", 4, 5, (True, True)), ("no more than 5", None, 5, (None, True)),
        ("5 or less", None, 5, (None, True)), ("max. 5", None, 5, (None, True)),
        ("less than or equal to 5", None, 5, (None, True)), ("at least 4", 4, None, (True, None)),
        ("4 or more", 4, None, (True, None)), ("min 4", 4, None, (True, None)),
        ("more than 4", 4, None, (False, None)), ("under 5", None, 5, (None, False)),
    ],
)  # fmt: skip
def test_intervals_in_words(
    printed_as: str, low: int | None, high: int | None, ends: tuple[bool | None, bool | None]
) -> None:
    interval = parse_interval(printed_as)
    assert interval is not None
    assert (interval.low, interval.high, interval.low_incl, interval.high_incl) == (low, high, *ends)


@given(st.decimals(0, 999, places=1), st.decimals(0, 999, places=1))
def test_both_ends_of_an_interval_stay_apart(low: Decimal, high: Decimal) -> None:
    for words in (f"{low} to {high}", f"between {low} and {high}", f"{low} … {high}"):
        interval = parse_interval(words)
        assert interval is not None
        assert (interval.low, interval.high) == (low, high)


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("Your last result", "previous"), ("Result", "value"), ("What we measured", "name"),
        ("Lower limit", "low"), ("Reference value", "reference"), ("Optimal range", "other"),
        ("Measured in", "unit"), ("Abn", "flag"),
        ("Result (mg/dL)", "value"), ("Test code", "other"), ("Laboratory test", "name"), ("Glucose", None),
    ],
)  # fmt: skip
def test_titles_by_their_words(title: str, role: str | None) -> None:
    assert role_of_title(title) == role


@pytest.mark.parametrize(
    ("cell", "form"),
    [
        ("Glucose", "name"),
        ("mg/dL", "unit"),
        ("5.4", "value"),
        ("5.4 H", "value"),
        ("H", "flag"),
        ("Jane", None),
    ],
)
def test_forms_of_cells(cell: str, form: str | None) -> None:
    assert form_of(cell, comma=False) == form
