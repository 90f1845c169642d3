"""Held-out layouts print what their truth says, where it says, and stay as they were frozen."""

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

import pdfplumber
import polars as pl
import pytest

from schemas.lab_results import LabResults
from synthetic.labs.catalogue import lines_of
from synthetic.labs.held_out import held_out_reports
from synthetic.labs.held_out.draws import draws_of
from synthetic.labs.held_out.markers import markers, verdict_of
from synthetic.labs.held_out.wellness import STYLE
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.truth import LabFile
from synthetic.people.persona import make_person

SEED = 29
PEOPLE = [make_person(number, 400, SEED) for number in range(3)]
Word = dict[str, Any]
FROZEN = {
    "cumulative_columns": "415bbf194d0acff0",
    "wellness_blocks": "46387b1ec975e5c1",
}
DAYS = {"cumulative_columns": "%d/%m/%Y", "wellness_blocks": "%b %d, %Y"}


@cache
def files(layout: str) -> tuple[LabFile, ...]:
    return tuple(held_out_reports(layout, PEOPLE, SEED))


@cache
def pages(layout: str, number: int) -> list[list[Word]]:
    with pdfplumber.open(BytesIO(files(layout)[number].content)) as document:
        return [page.extract_words(extra_attrs=["size"]) for page in document.pages]


def text_of(words: Sequence[Word]) -> str:
    return " ".join(word["text"] for word in words)


def squeezed(text: str | None) -> str:
    return re.sub(r"[\s^]", "", text or "")


def in_box(words: Sequence[Word], left: float, right: float, top: float, bottom: float) -> str:
    """Words whose middle lies in a box, without blanks, in the order of reading."""
    inside = [
        word
        for word in words
        if left <= (word["x0"] + word["x1"]) / 2 < right
        and top <= (word["top"] + word["bottom"]) / 2 < bottom
    ]
    return squeezed("".join(word["text"] for word in inside))


def named_lines(words: Sequence[Word], name: str, size: float, right: float) -> tuple[float, float]:
    """Top and bottom of a name in print of its size, on one line or on two; no other row has that name."""
    column = [word for word in words if word["x0"] < right and abs(word["size"] - size) < 0.1]
    lines: list[list[Word]] = []
    for word in sorted(column, key=lambda word: (float(word["bottom"]), float(word["x0"]))):
        if not lines or word["bottom"] - lines[-1][-1]["bottom"] > 1:
            lines.append([])
        lines[-1].append(word)
    pairs = (
        [*first, *second] for first, second in pairwise(lines) if second[0]["top"] - first[0]["top"] < 11
    )
    (only,) = (each for each in (*lines, *pairs) if text_of(each) == name)
    return min(word["top"] for word in only), max(word["bottom"] for word in only)


@pytest.mark.parametrize("number", range(len(PEOPLE)))
def test_each_cell_of_the_cumulative_table_stands_below_its_date_and_beside_its_name(number: int) -> None:
    truth = files("cumulative_columns")[number].rows
    for (page, name), rows in truth.group_by("page", "raw_name"):
        words = pages("cumulative_columns", number)[int(page) - 1]  # type: ignore[arg-type]
        top, bottom = named_lines(words, str(name), 8, 165)
        assert in_box(words, 44, 169, top - 1, bottom + 1) == squeezed(str(name))
        right_of = in_box(words, 436, 560, top - 1, bottom + 1)
        assert squeezed(rows["raw_unit"][0]) in right_of
        assert right_of.endswith(squeezed(rows["raw_reference"][0]))
        cells = {row["collected_at"]: row for row in rows.to_dicts()}
        for moment, (left, right) in date_columns(words).items():
            row = cells.pop(moment, None)
            printed = in_box(words, left, right, top - 1, bottom + 1)
            assert printed == (squeezed(row["raw_value"] + (row["raw_flag"] or "")) if row else "")
        assert not cells


def date_columns(words: Sequence[Word]) -> dict[datetime, tuple[float, float]]:
    """Edges of the columns by their printed date and time, halfway between dates."""
    dates = [
        word for word in words if re.fullmatch(r"\d\d/\d\d/\d{4}", word["text"]) and 120 < word["top"] < 135
    ]
    times = [word for word in words if re.fullmatch(r"\d\d:\d\d", word["text"]) and 132 < word["top"] < 146]
    moments = [
        datetime.strptime(f"{day['text']} {time['text']}", "%d/%m/%Y %H:%M")  # noqa: DTZ007 local to the laboratory
        for day, time in zip(dates, times, strict=True)
    ]
    assert moments == sorted(moments)
    middles = [(day["x0"] + day["x1"]) / 2 for day in dates]
    half = (middles[1] - middles[0]) / 2
    return {moment: (middle - half, middle + half) for moment, middle in zip(moments, middles, strict=True)}


def test_the_cumulative_print_has_empty_cells_wrapped_names_words_and_several_draws() -> None:
    for file in files("cumulative_columns"):
        rows = file.rows
        assert rows["collected_at"].n_unique() == 4
        assert 1 < rows.height / rows["raw_name"].n_unique() < 4
        assert rows.height >= 100
        assert {"analyte_unknown"} == set(file.doubts.values())
        assert set(rows.filter(pl.col("row_no").is_in([*file.doubts]))["panel"]) == {"Virology"}
    every = pl.concat([file.rows for file in files("cumulative_columns")])
    assert {"haemolysed", "insufficient"} == set(every["missing_reason"].drop_nulls())
    assert ">90" in every["raw_value"]
    assert {"H", "L"} == set(every["raw_flag"].drop_nulls())
    one = pages("cumulative_columns", 0)[0]
    top, bottom = named_lines(one, "Estimated glomerular filtration rate", 8, 165)
    assert bottom - top > 14


@pytest.mark.parametrize("number", range(len(PEOPLE)))
def test_each_block_of_the_wellness_report_holds_its_own_result(number: int) -> None:
    file = files("wellness_blocks")[number]
    for row in file.rows.to_dicts():
        words = pages("wellness_blocks", number)[row["page"] - 1]
        top, bottom = named_lines(words, row["raw_name"], 10.5, 400)
        assert in_box(words, 42, 200, bottom, top + 40) == squeezed(row["raw_value"])
        below = "" if row["missing_reason"] else squeezed(row["raw_unit"])
        assert in_box(words, 42, 200, top + 40, top + 53) == below
        assert in_box(words, 405, 560, bottom + 3, top + 29) == squeezed(f"Lab range: {row['raw_reference']}")
        pill = in_box(words, 405, 495, top - 2, bottom + 2)
        if row["raw_flag"] is None:
            assert pill in {"Optimal", "Inrange", "Noresult"}
            assert (pill == "Noresult") == (row["missing_reason"] is not None)
        else:
            assert pill == squeezed(row["raw_flag"])
            assert row["flag_printed"] == row["flag_computed"]


def test_the_wellness_report_has_what_is_no_result() -> None:
    text = " ".join(text_of(page) for page in pages("wellness_blocks", 0))
    names = [line.name for line in lines_of("wellness")]
    assert text.count("Optimal: ") == len(names) == files("wellness_blocks")[0].rows.height
    for phrase in ("Last test: ", "biological age, years", "in range", "since ", "Look at these first"):
        assert phrase in text
    shown = {word["text"] for page in pages("wellness_blocks", 0) for word in page if word["size"] < 6.5}
    assert sum(bool(re.fullmatch(r"[\d.,]+", text)) for text in shown) > 40


def test_every_marker_has_its_words_and_an_optimal_range_that_meets_the_lab_range() -> None:
    assert set(markers()) == {line.key for line in lines_of("wellness")}
    for line in lines_of("wellness"):
        optimal, lab = markers()[str(line.key)].optimal, line.interval
        assert lab is not None
        assert optimal.high is None or lab.low is None or lab.low < optimal.high
        assert optimal.low is None or lab.high is None or optimal.low < lab.high


def test_the_pill_says_optimal_only_inside_the_optimal_range() -> None:
    for person in PEOPLE:
        for result in draws_of(person, SEED, "wellness", STYLE, 1)[0].results:
            inside = (
                result.value is not None
                and markers()[str(result.line.key)].optimal.judge(result.value) == "N"
            )
            assert (verdict_of(result) == "Optimal") == (inside and result.flag is None)


@pytest.mark.parametrize("layout", FROZEN)
def test_every_page_names_the_person_their_birth_date_and_that_it_is_made_up(layout: str) -> None:
    for number, person in enumerate(PEOPLE):
        assert files(layout)[number].participant_id == person.participant_id
        for page in pages(layout, number):
            text = text_of(page).casefold()
            assert all(part.casefold() in text for part in person.name.split())
            assert f"{person.birth_date:{DAYS[layout]}}".casefold() in text
            assert "made-up person" in text


@pytest.mark.parametrize("layout", FROZEN)
def test_truth_has_the_form_of_the_table_and_exactly_one_answer_a_row(layout: str) -> None:
    rows = pl.concat([file.rows for file in files(layout)])
    _, failures = LabResults.filter(rows.with_columns(reader_version=pl.lit(1, dtype=pl.Int64)))
    assert failures.counts() == {}
    one = pl.sum_horizontal(
        pl.col(name).is_not_null() for name in ("value_num", "bound_num", "value_text", "missing_reason")
    )
    assert rows.select((one == 1).all()).item()
    for file in files(layout):
        assert file.rows["row_no"].to_list() == list(range(1, file.rows.height + 1))
        assert all(later >= earlier for earlier, later in pairwise(file.rows["page"]))


@pytest.mark.parametrize("layout", FROZEN)
def test_a_report_depends_on_its_person_and_the_seed_alone(layout: str) -> None:
    assert layout not in LAYOUTS
    (alone,) = held_out_reports(layout, PEOPLE[1:2], SEED)
    (other,) = held_out_reports(layout, PEOPLE[1:2], SEED + 1)
    assert alone.content == files(layout)[1].content
    assert alone.rows.equals(files(layout)[1].rows)
    assert alone.content != other.content


@pytest.mark.parametrize("layout", FROZEN)
def test_the_layout_is_as_it_was_frozen_before_the_reader_saw_it(layout: str) -> None:
    printed = "\n".join(
        f"{word['text']} {word['x0']:.0f} {word['top']:.0f}" for page in pages(layout, 0) for word in page
    )
    assert hashlib.sha256(printed.encode()).hexdigest()[:16] == FROZEN[layout]
