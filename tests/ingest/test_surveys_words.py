"""Days, times, boxes and choices of other survey systems, as a raw export writes them."""

from datetime import date, datetime, time
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.surveys.cells import NO_FIT
from ingest.surveys.dictionary import Field
from ingest.surveys.words import Order, box, clock, iso_day, raw_cells, ticks


@given(st.dates(date(1900, 1, 1)), st.sampled_from("/.-"))
def test_a_day_is_read_in_the_order_that_was_told(day: date, joint: str) -> None:
    orders: dict[Order, tuple[int, int, int]] = {
        "ymd": (day.year, day.month, day.day),
        "mdy": (day.month, day.day, day.year),
        "dmy": (day.day, day.month, day.year),
    }
    for order, parts in orders.items():
        assert iso_day(joint.join(map(str, parts)), order) == day.isoformat()
        assert iso_day(day.isoformat(), order) == day.isoformat()


@given(st.times())
def test_a_time_of_twelve_hours_is_that_of_twenty_four(moment: time) -> None:
    moment = moment.replace(microsecond=0)
    assert clock(f"{moment:%I:%M:%S %p}") == clock(f"{moment:%H:%M:%S}") == moment.isoformat()


@given(st.dates(date(1900, 1, 1)), st.times())
def test_a_moment_keeps_its_time(day: date, time_of_day: time) -> None:
    moment = datetime.combine(day, time_of_day.replace(microsecond=0))
    said = f"{moment.month}/{moment.day}/{moment.year} {moment:%H:%M:%S}"
    assert iso_day(said, "mdy") == moment.isoformat(" ")


@pytest.mark.parametrize(
    ("cell", "order"),
    [("13/1/2026", "mdy"), ("1/13/2026", "dmy"), ("1/2/26", "mdy"), ("2026-02-30", "ymd"), ("soon", "ymd"),
     ("1/2/2026 25:00", "mdy"), ("1/2/2026 later", "mdy"), ("14.3.2026", "ymd")],
)  # fmt: skip
def test_what_is_no_day_in_that_order_is_none(cell: str, order: Order) -> None:
    assert iso_day(cell, order) is None


@pytest.mark.parametrize(
    ("cell", "right"),
    [("12:00:00 AM", "00:00:00"), ("12:30 PM", "12:30:00"), ("1:05 p.m.", "13:05:00"), ("24:00", None),
     ("13:00 PM", None), ("0:30 AM", None), ("9", None)],
)  # fmt: skip
def test_clocks(cell: str, right: str | None) -> None:
    assert clock(cell) == right


CHOICES = (("1", "Tea"), ("2", "Tea, black"), ("3", "Black coffee, strong"), ("-9", "None"))
BOXES = Field("drinks", "form", "checkbox", CHOICES)


@pytest.mark.parametrize("picked", [p for n in range(5) for p in combinations(CHOICES, n)])
def test_all_sets_of_boxes_are_read_back(picked: tuple[tuple[str, str], ...]) -> None:
    said = {code for code, _ in picked}
    for cell in (", ".join(label for _, label in picked), ",".join(code for code, _ in picked)):
        found = ticks(BOXES, [cell], None)
        assert {code for code, cells in found.items() if cells == ("1",)} == said
        assert all(cells in (("0",), ("1",)) for cells in found.values())


def test_a_code_for_missing_data_stays_in_each_box() -> None:
    assert set(ticks(BOXES, ["-99"], None).values()) == {("-99",)}


@pytest.mark.parametrize(
    ("code", "cells", "right"),
    [
        ("2", ("", "2", "Tea"), ("0", "1", "1")),
        ("2", ("", "1", "0"), ("", "1", "0")),
        ("0", ("", "0", "1"), ("", NO_FIT, "1")),
        ("2", ("yes", "NI"), (NO_FIT, "NI")),
    ],
)
def test_a_column_of_one_box(code: str, cells: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert box(code, "Tea", cells) == right


def test_a_label_comes_before_a_code_for_missing_data() -> None:
    field = Field("x", "form", "choice", (("1", "Yes"), ("2", "NA")))
    assert raw_cells(field, ("Yes", "NA", "UNK", "", "No"), "ymd", "labels") == ("1", "2", "UNK", "", NO_FIT)
