"""Composed layouts print what their truth says where it says. Pages are read by plain words."""

import json
import re
from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import Any

import pdfplumber
import polars as pl
import pytest
from printed_words import Word, inside, squeezed

from schemas.lab_results import LabResults
from synthetic.labs.composed import COMPOSED, composed_reports
from synthetic.labs.composed.draws import draws_of
from synthetic.labs.composed.flowsheet import CELL_X, STYLE, TOP
from synthetic.labs.composed.ruled_grid import EDGES
from synthetic.labs.truth import LabFile
from synthetic.people.persona import make_person

SEED = 31
PEOPLE = [make_person(number, 400, SEED) for number in range(4)]
SHOWN = 1
BIRTH = {
    "flowsheet": "{0:%d-%b-%Y}",
    "ruled_grid": "{0:%Y-%m-%d}",
    "range_cards": "Born {0.month}/{0.day}/{0.year}",
    "side_by_side": "{0:%m/%d/%Y}",
}


@cache
def files(layout: str) -> tuple[LabFile, ...]:
    return tuple(composed_reports(layout, PEOPLE, SEED))


@cache
def pages(layout: str) -> list[list[Word]]:
    with pdfplumber.open(BytesIO(files(layout)[SHOWN].content)) as document:
        return [page.extract_words(extra_attrs=["size"]) for page in document.pages]


def true_rows(layout: str) -> list[dict[str, Any]]:
    return files(layout)[SHOWN].rows.to_dicts()


def test_each_cell_of_the_flowsheet_stands_below_its_draw_and_beside_its_line() -> None:
    rows = true_rows("flowsheet")
    for row in rows:
        words = pages("flowsheet")[row["page"] - 1]
        x0, top, x1, bottom = json.loads(row["bbox_json"])
        cell = inside(words, x0, top, x1, bottom)
        assert re.fullmatch(
            re.escape(squeezed(row["raw_value"] + (row["raw_flag"] or ""))) + "(f1|f2)?", cell
        )
        head = inside(words, x0, 115, x1, 145)
        assert head == f"{row['collected_at']:%d-%b-%Y%H:%M}"
        line = "".join(squeezed(row[name]) for name in ("raw_name", "raw_unit", "raw_reference"))
        assert inside(words, 36, top, CELL_X, bottom) == line
    assert len({row["collected_at"] for row in rows}) == 4
    marked = [word for page in pages("flowsheet") for word in page if word["text"] in {"f1", "f2"}]
    assert any(word["size"] < 6 for word in marked)


def test_what_was_not_ordered_is_a_dash_and_no_result() -> None:
    every = [word for page in pages("flowsheet") for word in page]
    dashes = sum(word["text"] == "-" and word["x0"] > CELL_X and word["top"] > TOP for word in every)
    lines = len(draws_of(PEOPLE[SHOWN], SEED, "us_flowsheet", STYLE, 1)[0].results)
    assert dashes > 20
    assert len(true_rows("flowsheet")) + dashes == 4 * lines


def test_each_row_of_the_grid_holds_its_columns() -> None:
    for row in true_rows("ruled_grid"):
        _, top, _, bottom = json.loads(row["bbox_json"])
        words = pages("ruled_grid")[row["page"] - 1]
        code, name, unit, result, reference, lab = (
            inside(words, x0, top, x1, bottom) for x0, x1 in pairwise(EDGES)
        )
        assert re.fullmatch(r"\d{4}", code)
        assert re.fullmatch(r"NF\d", lab)
        assert name == squeezed(row["raw_name"])
        assert unit == squeezed(row["raw_unit"])
        assert result == squeezed((row["raw_flag"] or "") + row["raw_value"])
        assert reference == squeezed(row["raw_reference"])


def test_each_card_holds_name_word_value_unit_interval_and_the_value_once_more() -> None:
    bars = 0
    for row in true_rows("range_cards"):
        x0, top, x1, _ = json.loads(row["bbox_json"])
        words = pages("range_cards")[row["page"] - 1]
        assert inside(words, x0, top, x1 - 60, top + 30) == squeezed(row["raw_name"])
        assert inside(words, x1 - 60, top, x1, top + 30) == squeezed(row["raw_flag"])
        unit = "" if row["missing_reason"] else squeezed(row["raw_unit"])
        assert inside(words, x0, top + 31, x1, top + 53) == squeezed(row["raw_value"]) + unit
        assert inside(words, x0, top + 53, x1, top + 65) == f"Referencerange:{squeezed(row['raw_reference'])}"
        again = inside(words, x0, top + 66, x1, top + 76)
        assert again == (squeezed(row["raw_value"]) if row["value_num"] is not None else "")
        bars += bool(again)
    assert bars > 25


def test_each_line_of_the_panels_is_its_result_and_dots() -> None:
    for row in true_rows("side_by_side"):
        printed = inside(pages("side_by_side")[row["page"] - 1], *json.loads(row["bbox_json"]))
        rest = "".join(squeezed(row[name]) for name in ("raw_value", "raw_flag", "raw_unit", "raw_reference"))
        assert re.fullmatch(re.escape(squeezed(row["raw_name"])) + r"\.*:" + re.escape(rest), printed)
    assert {row["page"] for row in true_rows("side_by_side")} == {1, 2}
    assert any("(cont.)" in word["text"] for page in pages("side_by_side") for word in page)


@pytest.mark.parametrize("layout", COMPOSED)
def test_every_page_names_the_person_their_birth_date_and_that_it_is_made_up(layout: str) -> None:
    person = PEOPLE[SHOWN]
    for page in pages(layout):
        text = " ".join(word["text"] for word in page)
        assert all(part.casefold() in text.casefold() for part in person.name.split())
        assert BIRTH[layout].format(person.birth_date) in text
        assert person.participant_id in text
        assert "MADE-UP PERSON" in text


@pytest.mark.parametrize("layout", COMPOSED)
def test_truth_has_the_form_of_the_table_and_exactly_one_answer_a_row(layout: str) -> None:
    rows = pl.concat([file.rows for file in files(layout)])
    _, failures = LabResults.filter(rows.with_columns(reader_version=pl.lit(1, dtype=pl.Int64)))
    assert failures.counts() == {}
    one = pl.sum_horizontal(
        pl.col(name).is_not_null() for name in ("value_num", "bound_num", "value_text", "missing_reason")
    )
    assert rows.select((one == 1).all()).item()
    sided = rows.filter(pl.col("flag_printed").is_in(["L", "N", "H"]))
    assert (sided["flag_printed"] == sided["flag_computed"]).all()
    assert rows.filter(pl.col("flag_computed").is_in(["L", "H"]))["flag_printed"].null_count() == 0
    for file in files(layout):
        assert file.rows["row_no"].to_list() == list(range(1, file.rows.height + 1))
        words = file.rows.filter(pl.col("analyte_key").is_null())["row_no"].to_list()
        assert file.doubts == dict.fromkeys(words, "analyte_unknown")


def test_truth_says_only_what_a_page_says() -> None:
    def stated(layout: str) -> set[str]:
        names = ("collected_at", "received_at", "reported_at")
        row = true_rows(layout)[0]
        words = {row["report_status"], row["fasting"]} - {"unknown"}
        return {name for name in names if row[name] is not None} | words

    assert stated("flowsheet") == {"collected_at"}
    assert stated("ruled_grid") == {"collected_at", "received_at", "reported_at", "final"}
    assert stated("range_cards") > {"collected_at", "reported_at", "final"}
    assert stated("side_by_side") & {"yes", "no"}
    for row in true_rows("ruled_grid"):
        assert row["collected_at"] < row["received_at"] < row["reported_at"]


def test_the_four_hold_the_vocabulary_of_results() -> None:
    rows = pl.concat([file.rows for layout in COMPOSED for file in files(layout)])
    assert {"<", ">"} <= set(rows["comparator"].drop_nulls())
    assert {"haemolysed", "insufficient", "pending", "cancelled"} <= set(rows["missing_reason"].drop_nulls())
    assert {"L", "N", "H", "A"} == set(rows["flag_printed"].drop_nulls())
    assert {"x10^9/L", "10^9/l", "x10(3)/mcL", "Thousand/uL"} <= set(rows["raw_unit"].drop_nulls())
    assert {"3.9 to 5.5", "4.2 to 6.0"} & set(rows["raw_reference"].drop_nulls())
    assert rows["raw_value"].str.contains(r"^\d,\d{3}$").any()


@pytest.mark.parametrize("layout", COMPOSED)
def test_a_report_depends_on_its_person_and_the_seed_alone(layout: str) -> None:
    (alone,) = composed_reports(layout, PEOPLE[2:3], SEED)
    (other,) = composed_reports(layout, PEOPLE[2:3], SEED + 1)
    assert alone.content == files(layout)[2].content
    assert alone.rows.equals(files(layout)[2].rows)
    assert alone.content != other.content
    assert len({file.name for file in files(layout)}) == len(PEOPLE)
