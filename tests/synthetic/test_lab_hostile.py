"""Reports that try a reader: what is in the file is what its verdict says. Read by plain words only."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO

import numpy as np
import pdfplumber
import polars as pl
import pytest
from pdfplumber.page import Page
from pdfplumber.utils.exceptions import PdfminerException

from schemas.lab_results import LabResults
from synthetic.labs.draws import reports_of
from synthetic.labs.files import lab_file
from synthetic.labs.hostile import HOSTILE
from synthetic.labs.hostile.pages import FALSE_LINES, INSTRUCTIONS
from synthetic.labs.hostile.wrappings import PASSWORD
from synthetic.labs.report import Report
from synthetic.labs.scans import photographed, scanned
from synthetic.labs.truth import LabFile, published_rows
from synthetic.people.persona import make_person

OWNER, STRANGER = make_person(1, 60, 7), make_person(3, 60, 7)
ROWS = 14
SET_ASIDE = {
    "many_pages": "too_large", "encrypted": "encrypted", "truncated": "not_pdf", "empty": "empty_file",
    "web_page": "not_pdf", "copy": "duplicate", "other_person": "identity_mismatch",
    "other_person_page": "multiple_patients", "no_collection_date": "no_collection_date",
    "prose": "layout_unknown",
}  # fmt: skip


@cache
def report() -> Report:
    made = reports_of(OWNER, 60, 7)[0]
    return replace(made, results=made.results[:ROWS])


@cache
def hostile(name: str) -> LabFile:
    return HOSTILE[name](report(), STRANGER)


def texts(file: LabFile, password: str | None = None) -> list[str]:
    with pdfplumber.open(BytesIO(file.content), password=password) as document:
        return [page.extract_text() for page in document.pages]


def first_page(file: LabFile) -> Page:
    return pdfplumber.open(BytesIO(file.content)).pages[0]


@pytest.mark.parametrize("name", HOSTILE)
def test_every_switch_has_its_verdict_and_a_name_of_its_own(name: str) -> None:
    file = hostile(name)
    assert (file.verdict, file.reason) == (
        ("set_aside", SET_ASIDE[name]) if name in SET_ASIDE else ("accepted", None)
    )
    assert file.name != report().file_name
    assert sum(other.name == file.name for other in map(hostile, HOSTILE)) == 1
    _, failures = LabResults.filter(file.rows.with_columns(reader_version=pl.lit(1, dtype=pl.Int64)))
    assert failures.counts() == {}
    assert file.described["reason"] == file.reason


@pytest.mark.parametrize("name", HOSTILE)
def test_the_same_bytes_each_time(name: str) -> None:
    assert HOSTILE[name](report(), STRANGER).content == hostile(name).content


def test_only_accepted_rows_without_doubt_are_published() -> None:
    kept = published_rows(map(hostile, HOSTILE))
    assert set(kept["file_id"]) == {hostile(name).name for name in HOSTILE if name not in SET_ASIDE}
    absurd = hostile("absurd_values")
    of_absurd = kept.filter(pl.col("file_id") == absurd.name)
    assert of_absurd.height == absurd.rows.height - 3
    assert not set(of_absurd["analyte_key"]) & {"glucose", "creatinine", "sodium"}


def test_hidden_text_is_there_and_not_to_be_seen() -> None:
    page = first_page(hostile("hidden_text"))
    white = [char for char in page.chars if set(char["non_stroking_color"]) == {1}]
    text = "".join(char["text"] for char in white)
    assert all(line in text for line in FALSE_LINES)
    assert any(char["size"] < 2 for char in white)
    assert len(page.chars) > len(white)


def test_a_watermark_has_huge_letters_between_the_rows() -> None:
    huge = [char for char in first_page(hostile("watermark")).chars if char["size"] > 40]
    straight = [char["matrix"][1] == 0 for char in huge]
    assert "".join(char["text"] for char, is_so in zip(huge, straight, strict=True) if is_so) == "DUPLICATE"
    assert straight.count(False) == len("DUPLICATE")


def test_overprint_doubles_every_glyph() -> None:
    counts = [
        Counter((char["text"], char["size"], round(char["top"], 1)) for char in first_page(file).chars)
        for file in (hostile("doubled_glyphs"), lab_file(report()))
    ]
    assert counts[0] == Counter({glyph: 4 * count for glyph, count in counts[1].items()})


def test_instructions_stand_in_comments() -> None:
    text = " ".join(texts(hostile("instructions"))[0].split())
    for line in INSTRUCTIONS:
        assert line in text


def test_a_program_is_in_the_file_only() -> None:
    file = hostile("program_inside")
    assert b"/JavaScript" in file.content
    assert texts(file) == texts(lab_file(report()))


def test_too_many_pages() -> None:
    with pdfplumber.open(BytesIO(hostile("many_pages").content)) as document:
        assert len(document.pages) > 60


def test_a_locked_report_opens_with_its_password_only() -> None:
    file = hostile("encrypted")
    with pytest.raises(PdfminerException):
        texts(file)
    plain = texts(lab_file(report()))
    assert texts(file, PASSWORD) == plain
    assert texts(hostile("owner_password")) == plain
    assert b"/Encrypt" in hostile("owner_password").content


@pytest.mark.parametrize("name", ["truncated", "empty", "web_page"])
def test_what_is_no_whole_pdf(name: str) -> None:
    with pytest.raises(PdfminerException):
        texts(hostile(name))


def test_a_copy_has_the_bytes_of_the_report_and_sorts_behind_it() -> None:
    assert hostile("copy").content == lab_file(report()).content
    assert hostile("copy").name > report().file_name


def test_whose_pages_they_are() -> None:
    own, other = OWNER.name.split()[-1].upper(), STRANGER.name.split()[-1].upper()
    named = [[name in text for name in (own, other)] for text in texts(hostile("other_person_page"))]
    assert named[0] == [True, False]
    assert len(named) > 1
    assert all(pair == [False, True] for pair in named[1:])
    assert all(other in text and own not in text for text in texts(hostile("other_person")))
    anonymous = texts(hostile("nobody"))[0]
    for part in (own, f"{OWNER.birth_date:%m/%d/%Y}", "DOB", "Gender", " AGE:", OWNER.participant_id):
        assert part not in anonymous
    assert hostile("nobody").identity == "unchecked"
    assert hostile("nobody").verdict == "accepted"


def test_an_undated_report_says_when_it_came_but_not_when_it_was_taken() -> None:
    text = texts(hostile("no_collection_date"))[0]
    assert "Collected" not in text
    assert "Received: " in text
    assert hostile("no_collection_date").rows["collected_date"].null_count() == ROWS


def test_a_letter_tells_its_results_in_sentences() -> None:
    file = hostile("prose")
    text = texts(file)[0]
    for row in file.rows.to_dicts():
        assert f"came back as {row['raw_value']}" in text
    assert "Analyte" not in text


def test_absurd_values_are_printed_as_they_stand_in_the_truth() -> None:
    file = hostile("absurd_values")
    doubtful = file.rows.filter(pl.col("row_no").is_in(list(file.doubts)))
    assert doubtful["analyte_key"].to_list() == ["glucose", "creatinine", "sodium"]
    text = texts(file)[0]
    for row in doubtful.to_dicts():
        assert re.search(rf"{row['raw_name']} {re.escape(row['raw_value'])} H ", text)
    assert set(file.doubts.values()) == {"implausible"}


@pytest.mark.parametrize("picture", [scanned, photographed])
def test_a_picture_has_no_text_and_shows_the_page(
    picture: Callable[[Report, np.random.Generator], LabFile],
) -> None:
    file = picture(report(), np.random.default_rng(5))
    assert picture(report(), np.random.default_rng(5)).content == file.content
    assert (file.verdict, file.reason) == ("set_aside", "text_unusable")
    assert set(file.rows["source_kind"]) == {"ocr"}
    with pdfplumber.open(BytesIO(file.content)) as document:
        for page in document.pages:
            assert page.chars == []
            (image,) = page.images
            assert image["width"] == pytest.approx(page.width)
        shown = document.pages[0].to_image(resolution=36).original.convert("L")
    grey = np.asarray(shown, dtype=np.float64)
    middle = grey[20:-20, 20:-20]
    if picture is photographed:
        assert grey[:3].mean() < 120
        assert middle[:40, :40].mean() - middle[-40:, -40:].mean() > 40
    else:
        assert middle.mean() > 235
        assert 2 < float(np.std(middle)) < 60
