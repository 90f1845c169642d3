"""Reports that are pictures: what was surely read is accepted, all else goes to a person."""

from decimal import Decimal
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.labs import ingest_labs, picture_engine
from ingest.labs import ocr as reading
from ingest.labs.intervals import Interval
from ingest.labs.ocr_doubts import doubted
from ingest.labs.pdf import Box, Page
from ingest.labs.reading import Reading
from ingest.labs.row import LabRow
from ingest.labs.second_opinion import tesseract_version
from ingest.labs.vocabulary import Value
from outputs.store import Result
from schemas.participant import Participant
from synthetic.labs.draws import reports_of
from synthetic.labs.files import write_file
from synthetic.labs.scans import scanned
from synthetic.labs.truth import LabFile
from synthetic.people.persona import make_person
from tests.ingest.lab_pdfs import SECRET, frame, source

OWNER = make_person(1, 60, 7)
NUMBERS = [
    "value_num",
    "comparator",
    "bound_num",
    "unit_ucum",
    "ref_low",
    "ref_high",
    "loinc",
    "collected_date",
]

needs_engine = pytest.mark.skipif(picture_engine() is None, reason="the extra ocr is not installed")


def scan() -> LabFile:
    return scanned(reports_of(OWNER, 60, 7, ("analyte_value",))[0], np.random.default_rng(1))


def read(file: LabFile, folder: Path) -> Result:
    write_file(file, folder)
    person = Participant(
        OWNER.participant_id, OWNER.sex, OWNER.birth_date.year, "UTC", OWNER.birth_date, name=OWNER.name
    )
    return ingest_labs(person, [source(path) for path in folder.rglob("*.pdf")], SECRET)


@pytest.fixture(scope="module")
def truth() -> pl.DataFrame:
    return pl.DataFrame(scan().rows, infer_schema_length=None)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return read(scan(), tmp_path_factory.mktemp("scan"))


@needs_engine
@pytest.mark.slow
class TestAScan:
    def test_nearly_all_is_accepted_and_nothing_wrong(self, result: Result, truth: pl.DataFrame) -> None:
        accepted = frame(result, "lab_results").filter(~pl.col("derived"))
        # Two engines must agree where there are two: fewer are accepted.
        share = 0.8 if tesseract_version() else 0.9
        assert len(accepted) >= share * len(truth)
        assert set(accepted["source_kind"]) == {"ocr"}
        right = truth.select("analyte_key", *NUMBERS).cast({"collected_date": pl.Date})
        columns = ["analyte_key", *NUMBERS]
        found = accepted.select(columns).join(right, on=columns, nulls_equal=True)
        assert len(found) == len(accepted)

    def test_every_row_of_the_page_is_somewhere(self, result: Result, truth: pl.DataFrame) -> None:
        accepted = frame(result, "lab_results").filter(~pl.col("derived"))
        assert len(accepted) + len(frame(result, "lab_review")) == len(truth)

    def test_a_person_is_asked_to_compare(self, result: Result) -> None:
        problems = [p for p in result.document["problems"] if p["code"] == "lab_read_from_picture"]
        assert len(problems) == 1
        assert "results accepted" in problems[0]["what"]


def test_without_the_extra_a_scan_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "version", _not_installed)
    result = read(scan(), tmp_path)
    assert [problem["code"] for problem in result.document["problems"]] == ["lab_text_unusable"]
    assert frame(result, "lab_results").is_empty()


def _not_installed(name: str) -> str:
    raise reading.PackageNotFoundError(name)


BOX = (50.0, 100.0, 300.0, 110.0)
INTERVAL = Interval("3.5-5.1", Decimal("3.5"), Decimal("5.1"), True, True)


def row(value: str, interval: Interval | None = INTERVAL, flag: str | None = None) -> LabRow:
    read_value = Value(value, number=Decimal(value))
    made = Reading(1, BOX, None, "table", "Potassium", read_value, flag, False, "mmol/L", interval)
    nothing = dict.fromkeys(
        ("vendor", "collected", "collected_at", "collected_date", "received_at", "reported_at",
         "reported_date", "specimen_id")
    )  # fmt: skip
    return LabRow("f", 1, made, **nothing, report_status="final", fasting="no", flag_printed=flag)


def doubts(row: LabRow, *unsure: Box) -> tuple[str, ...]:
    return doubted(row, [Page(1, (), "ocr", unsure)]).doubts


def test_a_sure_value_like_its_interval_is_accepted() -> None:
    assert doubts(row("4.1")) == ()
    assert doubted(row("4.1"), [Page(1, (), "ocr")]).source_kind == "ocr"


@pytest.mark.parametrize("value", ["41", "410", "0.04", "4.125", "98.1"])
def test_a_lost_or_moved_point_is_in_doubt(value: str) -> None:
    assert doubts(row(value)) == ("ocr_unconfirmed",)


@pytest.mark.parametrize("value", ["4", "4.12", "12.9"])
def test_a_decimal_more_or_less_near_the_interval_is_no_lost_point(value: str) -> None:
    assert doubts(row(value)) == ()


def test_without_an_interval_nothing_confirms_a_value() -> None:
    assert doubts(row("4.1", None)) == ("ocr_unconfirmed",)


def test_a_critical_mark_is_never_accepted() -> None:
    assert doubts(row("4.1", flag="critical")) == ("ocr_critical",)


def test_an_unsure_number_in_the_row_puts_it_in_doubt_and_one_elsewhere_does_not() -> None:
    assert doubts(row("4.1"), (120.0, 101.0, 140.0, 109.0)) == ("ocr_unsure",)
    assert doubts(row("4.1"), (120.0, 121.0, 140.0, 129.0)) == ()


def test_a_page_with_text_raises_none_of_these() -> None:
    assert doubted(row("410", None), [Page(1, ())]) == row("410", None)


@given(st.floats(-0.2, 0.2), st.floats(0, 1500), st.floats(0, 2000))
def test_a_slanted_page_is_turned_straight(angle: float, x: float, y: float) -> None:
    """Two words of one line stand on one line again, whatever the slant."""

    def slanted(left: float, right: float) -> list[tuple[float, float]]:
        corners = ((left, y), (right, y), (right, y + 30), (left, y + 30))
        return [(a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle)) for a, b in corners]

    one, other = (slanted(x + start, x + start + 80) for start in (0.0, 600.0))
    found = reading._slant([one, other])
    first, second = (reading._word("7", corners, found) for corners in (one, other))
    assert found == pytest.approx(angle, abs=1e-9)
    assert first.bottom == pytest.approx(second.bottom, abs=1e-6)
    assert first.size == pytest.approx(30 * reading.POINTS_A_DOT, abs=1e-6)


def test_no_words_no_slant() -> None:
    assert reading._slant(None) == 0.0
    line = [(0.0, 0.0), (cos(radians(1)), sin(radians(1))), (0.0, 0.0), (0.0, 0.0)]
    assert reading._slant([line]) == pytest.approx(radians(1))


def test_units_are_mended_from_a_closed_list_and_digits_never() -> None:
    corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)]
    assert reading._word("mmol/1", corners, 0.0).text == "mmol/l"
    assert reading._word("1O.2", corners, 0.0).text == "1O.2"
