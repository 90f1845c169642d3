"""Critical laboratory results of any draw."""

from datetime import date

import pytest
from made_person import END, findings_of, labs, result, tables_of

from outputs.findings.case import case_of
from outputs.findings.check import check_case
from outputs.findings.critical import NEXT_STEP, RULE_ID
from schemas.settings import CriticalLimit

EARLIER, LATER = date(2026, 4, 30), date(2026, 5, 30)


def potassium(value: float, **fields: object) -> dict[str, object]:
    interval = {"raw_reference": "3.5-5.2", "ref_low": 3.5, "ref_high": 5.2}
    return result("potassium", value, "mmol/L", **{**interval, **fields})


def found(*rows: dict[str, object]) -> dict[str, object]:
    return findings_of(tables_of(lab_results=labs(*rows)))[RULE_ID, "potassium"]


def test_a_mark_of_the_laboratory_fires_with_its_interval_and_step() -> None:
    finding = found(potassium(6.7, flag_printed="critical", collected_date=EARLIER))
    assert (finding["outcome"], finding["severity"]) == ("fired", "critical")
    assert finding["statement"] == (
        "Potassium 6.7 mmol/L on 30 April 2026: marked as critical by the laboratory "
        "(printed interval 3.5 to 5.2 mmol/L)."
    )
    assert finding["next_step"] == NEXT_STEP
    assert finding["window_end"] == EARLIER


def test_a_newer_calm_result_does_not_hide_it_but_is_told() -> None:
    finding = found(
        potassium(6.7, flag_printed="critical", collected_date=EARLIER),
        potassium(4.1, flag_computed="N", collected_date=LATER),
    )
    assert finding["outcome"] == "fired"
    assert str(finding["statement"]).endswith(" The newest result, of 30 May 2026, is 4.1 mmol/L.")


@pytest.mark.parametrize(("value", "fires"), [(6.4, False), (6.5, True), (2.5, True), (2.6, False)])
def test_the_studys_limits_are_inclusive(value: float, fires: bool) -> None:
    case = findings_of(tables_of(lab_results=labs(potassium(value))))
    assert ((RULE_ID, "potassium") in case) == fires
    if not fires:
        assert case[RULE_ID, RULE_ID]["outcome"] == "normal"
    else:
        statement = str(case[RULE_ID, "potassium"]["statement"])
        assert "at or beyond the study's critical limits (printed interval" in statement


def test_the_limits_are_those_of_the_study() -> None:
    case = case_of(
        tables_of(lab_results=labs(potassium(6.0))),
        END,
        {"potassium": CriticalLimit(low=None, high=6.0)},
    )
    assert [critical.analyte for critical in case.critical] == ["potassium"]
    assert "critical" in check_case(case)["severity"].to_list()


@pytest.mark.parametrize(("flag", "fires"), [("LL", True), ("HH", True), ("H", False), (None, False)])
def test_marks(flag: str | None, fires: bool) -> None:
    case = findings_of(tables_of(lab_results=labs(potassium(5.9, flag_printed=flag))))
    assert ((RULE_ID, "potassium") in case) == fires


def test_two_critical_draws_are_one_finding_on_the_newest() -> None:
    finding = found(
        potassium(6.9, flag_printed="HH", collected_date=EARLIER),
        potassium(6.6, flag_printed="HH", collected_date=LATER),
    )
    assert str(finding["statement"]).startswith("Potassium 6.6 mmol/L on 30 May 2026")
    assert "newest result" not in str(finding["statement"])


def test_without_results_it_was_not_checked() -> None:
    assert findings_of(tables_of())[RULE_ID, RULE_ID]["outcome"] == "insufficient"
