"""The held-out summary of care and patient's copy print what their truth says, and stay as frozen."""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from io import BytesIO

import pdfplumber
import polars as pl
import pytest
from printed_words import Word, inside, squeezed

from schemas.lab_results import LabResults
from synthetic.labs.held_out import held_out_reports
from synthetic.labs.held_out.encounter import EDGES, RIGHT
from synthetic.labs.truth import LabFile
from synthetic.people.persona import make_person

SEED = 29
PEOPLE = [make_person(number, 400, SEED) for number in range(3)]
LAYOUTS = ("encounter_tables", "labelled_lines")
FROZEN = {"encounter_tables": "0429061aff74c948", "labelled_lines": "287b214c2c257dab"}


@cache
def files(layout: str) -> tuple[LabFile, ...]:
    return tuple(held_out_reports(layout, PEOPLE, SEED))


@cache
def pages(layout: str) -> list[list[Word]]:
    with pdfplumber.open(BytesIO(files(layout)[0].content)) as document:
        return [page.extract_words(extra_attrs=["size"]) for page in document.pages]


def text_of(words: Sequence[Word]) -> str:
    return " ".join(word["text"] for word in words)


def test_each_component_stands_in_the_columns_of_its_order() -> None:
    edges = (*EDGES, RIGHT)
    for row in files("encounter_tables")[0].rows.to_dicts():
        _, top, _, bottom = json.loads(row["bbox_json"])
        words = pages("encounter_tables")[row["page"] - 1]
        name, value, limits = (inside(words, edges[n], top, edges[n + 1], bottom) for n in range(3))
        assert name == squeezed(row["raw_name"])
        assert value == squeezed(row["raw_value"] + (row["raw_flag"] or ""))
        assert limits == squeezed((row["raw_reference"] or "") + (row["raw_unit"] or ""))


def test_the_last_title_above_a_component_has_its_panel_and_its_time() -> None:
    title, by_row = (
        re.compile(r"(.+)\((\d\d/\d\d/\d{4})(\d+:\d\d)([AP]M)E[SD]T\)"),
        list[tuple[int, float, str]](),
    )
    for number, words in enumerate(pages("encounter_tables"), start=1):
        for word in (word for word in words if word["size"] > 9.2 and word["x0"] < 45 and word["top"] > 100):
            line = inside(words, 40, word["top"], 572, word["bottom"])
            by_row.append((number, float(word["top"]), line))
    for row in files("encounter_tables")[0].rows.to_dicts():
        top = json.loads(row["bbox_json"])[1]
        above = [line for page, y, line in by_row if (page, y) < (row["page"], top)]
        match = title.fullmatch(above[-1])
        assert match
        assert match[1] == squeezed(row["panel"])
        printed = datetime.strptime(f"{match[2]} {match[3]} {match[4]}", "%m/%d/%Y %I:%M %p")  # noqa: DTZ007
        assert printed == row["collected_at"]


def test_each_test_has_its_labelled_lines() -> None:
    for row in files("labelled_lines")[0].rows.to_dicts():
        printed = inside(pages("labelled_lines")[row["page"] - 1], *json.loads(row["bbox_json"]))
        unit, flag = (row["raw_unit"] if row["missing_reason"] is None else ""), row["raw_flag"]
        result = f"{row['raw_name']}Result:{row['raw_value']}{unit}{f'({flag})' if flag else ''}"
        limits = f"Expected range:{row['raw_reference']}{row['raw_unit']}" if row["raw_reference"] else ""
        assert re.fullmatch(re.escape(squeezed(result + limits)) + "(Comment:.+)?", printed)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_page_names_the_person_and_their_birth_date_but_not_the_time_of_collection(layout: str) -> None:
    person, newest = PEOPLE[0], files(layout)[0].rows["collected_at"].max()
    assert isinstance(newest, datetime)
    born = f"{person.birth_date:%b. %d, %Y}"
    if layout == "labelled_lines":
        born = f"{person.birth_date.day} {person.birth_date:%B %Y}"
    for words in pages(layout):
        head = text_of([word for word in words if word["top"] < 70])
        assert person.name in head
        assert born in head
        assert f"{newest:%H:%M}" not in head
        assert "MADE-UP PERSON" in text_of(words)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_truth_has_the_form_of_the_table_and_exactly_one_answer_a_row(layout: str) -> None:
    rows = pl.concat([file.rows for file in files(layout)])
    _, failures = LabResults.filter(rows.with_columns(reader_version=pl.lit(1, dtype=pl.Int64)))
    assert failures.counts() == {}
    one = pl.sum_horizontal(
        pl.col(name).is_not_null() for name in ("value_num", "bound_num", "value_text", "missing_reason")
    )
    assert rows.select((one == 1).all()).item()
    sided = rows.filter(pl.col("flag_computed").is_in(["L", "H"]))
    assert (sided["flag_printed"] == sided["flag_computed"]).all()
    draws = {file.rows["collected_at"].n_unique() for file in files(layout)}
    assert draws == ({2} if layout == "encounter_tables" else {1})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_is_as_it_was_frozen_before_the_reader_saw_it(layout: str) -> None:
    printed = "\n".join(
        f"{word['text']} {word['x0']:.0f} {word['top']:.0f}" for page in pages(layout) for word in page
    )
    assert hashlib.sha256(printed.encode()).hexdigest()[:16] == FROZEN[layout]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_report_depends_on_its_person_and_the_seed_alone(layout: str) -> None:
    (alone,) = held_out_reports(layout, PEOPLE[1:2], SEED)
    (other,) = held_out_reports(layout, PEOPLE[1:2], SEED + 1)
    assert alone.content == files(layout)[1].content
    assert alone.rows.equals(files(layout)[1].rows)
    assert alone.content != other.content
