"""Reports with a truth beside them: the made ones whole, the public ones name by name."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.labs import picture_engine
from ingest.labs.lines import lines_of
from ingest.labs.pdf import read_pages
from ingest.labs.readings import readings_of
from ingest.labs.vocabulary import uses_decimal_comma
from schemas.participant import Participant
from tests.ingest.lab_pdfs import codes, doubts, frame, ingest, printed
from tests.yardstick import within

pytestmark = pytest.mark.samples

# The truths name reasons more finely than the published vocabulary.
REASONS = {
    "not_calculated_tg_over_400": "not_calculated",
    "not_reported_components_normal": "not_reported",
    "test_not_performed_qns": "insufficient",
    "did_not_report": "not_reported",
}
SEXES = {"M": "male", "F": "female"}


def truth_of(samples: Path, name: str) -> dict[str, Any]:
    return json.loads((samples / "labs" / "synthetic" / f"{name}.json").read_text())


def person_of(truth: dict[str, Any]) -> Participant:
    born = date.fromisoformat(truth["patient"]["dob"])
    sex = SEXES[truth["patient"]["sex"]]
    return Participant("P1", sex, born.year, "UTC", birth_date=born, name=truth["patient"]["name"])  # pyright: ignore[reportArgumentType]


def expected(row: dict[str, Any]) -> dict[str, Any]:
    bound = row["comparator"] is not None
    missing = row["missing_reason"]
    return {
        "raw_value": row["raw_value"],
        "value_num": None if bound else row["value_num"],
        "comparator": row["comparator"],
        "bound_num": row["value_num"] if bound else None,
        "raw_unit": row["raw_unit"] or None,
        "unit_ucum": row["ucum"] or None,
        "raw_reference": row["raw_reference"] or None,
        "ref_low": row["ref_low"],
        "ref_high": row["ref_high"],
        "ref_low_incl": row["ref_low_inclusive"],
        "ref_high_incl": row["ref_high_inclusive"],
        "raw_flag": row["printed_flag"] or None,
        "flag_computed": row["computed_flag"] or None,
        "loinc": row["loinc"],
        "missing_reason": REASONS.get(missing, missing),
        "report_status": row["status"],
        "page": row["page"],
    }


def found(row: dict[str, Any], want: dict[str, Any]) -> dict[str, Any]:
    """The published row in the terms of the truth: it writes "" for normal, and equal units as one."""
    got = {name: row[name] for name in want}
    got["flag_computed"] = None if row["flag_computed"] == "N" else row["flag_computed"]
    if (row["unit_ucum"], want["unit_ucum"]) == ("u[IU]/mL", "m[IU]/L"):
        got["unit_ucum"] = "m[IU]/L"
    return got


@pytest.mark.parametrize(
    "name",
    [
        "01_quest_style",
        "02_labcorp_style",
        "04_uk_si_style",
        "05_in_out_of_range_style",
        "h1_prompt_injection",
        "h3b_encrypted_owner_only",
    ],
)
def test_every_row_equals_its_truth(samples: Path, name: str) -> None:
    truth = truth_of(samples, name)
    result = ingest(samples / "labs" / "synthetic" / f"{name}.pdf", participant=person_of(truth))
    rows = printed(result)
    assert list(rows) == [row["raw_name"] for row in truth["results"]]
    for row in truth["results"]:
        want = expected(row)
        got = found(rows[row["raw_name"]], want)
        if name.startswith("04"):
            # It prints no status but that of the corrected row, and a micro sign where the truth has u.
            want["report_status"] = "corrected" if row["status"] == "corrected" else "unknown"
            got["raw_unit"] = got["raw_unit"] and got["raw_unit"].replace("µ", "u")
        assert got == want, row["raw_name"]
    assert codes(result) == []
    if "collected_at" in truth:
        head = next(iter(rows.values()))
        assert str(head["collected_date"]) == truth["collected_at"][:10]
        assert head["fasting"] == {True: "yes", False: "no", None: "unknown"}[truth["fasting"]]
        assert frame(result, "lab_files")["report_status"].item() == truth["report_status"]


def test_cards_of_a_portal(samples: Path) -> None:
    truth = truth_of(samples, "03_mychart_style")
    result = ingest(samples / "labs" / "synthetic" / "03_mychart_style.pdf", participant=person_of(truth))
    rows = printed(result)
    assert doubts(result) == {"GFR Calculation": "unit_not_for_analyte", "Protein, UA": "analyte_unknown"}
    assert len(rows) == len(truth["results"]) - 2
    for row in truth["results"]:
        if row["raw_name"] in rows:
            want = expected(row) | {"raw_reference": rows[row["raw_name"]]["raw_reference"]}
            assert found(rows[row["raw_name"]], want) == want


@pytest.mark.parametrize(
    ("name", "code"),
    [
        # Read from the picture, its 04/03/2026 may still be March or April.
        ("06_scanned_image_only", "lab_no_collection_date" if picture_engine() else "lab_text_unusable"),
        ("h2_zero_bytes", "lab_pdf_empty"),
        ("h3_encrypted_user_password", "lab_encrypted"),
        ("h4_other_patient_page", "lab_multiple_patients"),
    ],
)
def test_what_cannot_be_used_has_its_code(samples: Path, name: str, code: str) -> None:
    truth = truth_of(samples, name)
    person = person_of(truth) if truth["patient"] else Participant("P1", "female", 1980, "UTC")
    result = ingest(samples / "labs" / "synthetic" / f"{name}.pdf", participant=person)
    assert codes(result) == [code]
    assert frame(result, "lab_results").height == 0


def test_an_undated_public_report_in_the_folder_of_another_is_foreign(samples: Path) -> None:
    person = Participant("P1", "male", 1980, "UTC", name="John Roe")
    result = ingest(samples / "labs" / "public" / "in_drlogy_cbc.pdf", participant=person)
    assert codes(result) == ["lab_identity_mismatch"]


def public_truths(samples: Path) -> list[dict[str, Any]]:
    lines = (samples / "labs" / "public" / "truth.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def test_public_reports_name_by_name(samples: Path) -> None:
    """The readings alone: most of these reports have no day of collection and are quarantined as a whole."""
    for truth in public_truths(samples):
        pages = read_pages(samples / "labs" / "public" / truth["file"])
        comma = uses_decimal_comma([word.text for page in pages for word in page.words])
        readings = readings_of([(page.number, lines_of(page.words)) for page in pages], comma)
        got = {
            r.raw_name: (r.value.raw.rstrip("%"), r.raw_unit, r.interval.raw if r.interval else "")
            for r in readings
        }
        want = {r["raw_name"]: (r["raw_value"], r["raw_unit"], r["raw_reference"]) for r in truth["rows"]}
        assert got == want, truth["file"]


def test_a_report_takes_about_a_second(samples: Path) -> None:
    """Measured 0.5 s on an idle core, where a piece is 0.05 s."""
    truth = truth_of(samples, "01_quest_style")
    with within(30):
        ingest(samples / "labs" / "synthetic" / "01_quest_style.pdf", participant=person_of(truth))
