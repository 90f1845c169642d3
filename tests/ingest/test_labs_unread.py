"""What looks like a result and is not read is told, never lost in silence."""

from pathlib import Path

from tests.ingest.lab_pdfs import Sheet, codes, doubts, draw, ingest, printed

GLUCOSE = ("Glucose", "91", "mg/dL", "65-99")


def test_a_value_below_its_name_without_a_range_is_told(tmp_path: Path) -> None:
    rows = [GLUCOSE, ("",), ("Sodium",), ("140",), ("",), ("Potassium",), ("Serum",), ("4.2",)]
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    assert set(printed(result)) == {"Glucose"}
    assert codes(result) == ["lab_lines_unread"]
    assert result.document["problems"][0]["what"].endswith("were not read: 2.")


def test_a_row_without_unit_interval_and_header_is_told(tmp_path: Path) -> None:
    result = ingest(draw(tmp_path / "a.pdf", Sheet([GLUCOSE, ("Ferritin", "85")])))
    assert codes(result) == ["lab_lines_unread"]


def test_what_is_read_or_in_doubt_and_titles_and_prose_are_not(tmp_path: Path) -> None:
    rows = [
        ("Iron",), ("Ferritin", "85", "ng/mL", "30-400"), ("Sodium", "1390", "mmol/L", "135-146"),
        ("LDL Cholesterol of 70 mg/dL or less is the goal.",), ("Glucose",), GLUCOSE,
    ]  # fmt: skip
    result = ingest(draw(tmp_path / "a.pdf", Sheet(rows)))
    assert doubts(result) == {"Sodium": "implausible"}
    assert codes(result) == ["lab_row_review"]
