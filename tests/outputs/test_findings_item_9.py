"""Item 9 of the PHQ-9: every answer above 0 is for a clinician today, whatever else was answered."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest
from made_person import END, SETTINGS, findings_of, score, scores, table, tables_of

from health_agents.domain_expert.clinician import clinician_sections
from health_agents.domain_expert.participant import participant_sections
from health_agents.domain_expert.view import View
from outputs.dossier import make_dossier, read_dossier
from outputs.findings.item_9 import NEXT_STEP, RULE_ID
from outputs.matters import ALERTING_RULES

DAY = date(2026, 6, 2)


def answers(*given: tuple[float | None, date | None]) -> pl.DataFrame:
    rows = [
        {
            "participant_id": "P1", "instrument": "phq9", "event": "", "instance": number, "item": "phq9_9",
            "value": None if value is None else f"{value:g}", "value_num": value, "answered_on": day,
            "file_id": "f",
        }
        for number, (value, day) in enumerate(given, 1)
    ]  # fmt: skip
    return table("survey_answers", rows)


def tables(
    *given: tuple[float | None, date | None], total: float = 4, **person: Any
) -> dict[str, pl.DataFrame]:
    made = tables_of(survey_scores=scores(score("phq9", total)), **person)
    return made | {"survey_answers": answers(*given)}


def found(*given: tuple[float | None, date | None], **person: Any) -> dict[str, Any]:
    return findings_of(tables(*given, **person), rule_id=RULE_ID)[RULE_ID, RULE_ID]


@pytest.mark.parametrize(
    ("value", "outcome", "severity"),
    [(0, "normal", "info"), (1, "fired", "critical"), (3, "fired", "critical")],
)
def test_any_answer_above_0_is_critical(value: float, outcome: str, severity: str) -> None:
    row = found((value, DAY))
    assert (row["outcome"], row["severity"], row["window_end"]) == (outcome, severity, DAY)


@pytest.mark.parametrize("age", [17, None])
def test_it_holds_at_every_age(age: int | None) -> None:
    assert found((1, DAY), age=age)["severity"] == "critical"


def test_a_newer_calmer_answer_is_told_and_hides_nothing() -> None:
    row = found((2, DAY), (0, DAY + timedelta(9)))
    assert row["window_end"] == DAY
    assert "answered above 0 on 2 June 2026" in row["statement"]
    assert row["statement"].endswith("The newest answer on 11 June 2026 is 0.")


def test_answers_without_a_day_count_and_those_after_as_of_do_not() -> None:
    assert found((1, None))["outcome"] == "fired"
    assert found((1, END + timedelta(1)))["reason"] == "not_told"
    assert found((None, DAY))["reason"] == "not_told"


def test_it_is_an_alert_and_no_second_matter() -> None:
    assert RULE_ID in ALERTING_RULES


def test_it_leads_the_clinicians_text_and_is_not_in_the_participants() -> None:
    made = tables((1, DAY))
    ranks, told = table("participant_percentiles", []), table("shareable_percentiles", [])
    result = make_dossier(made, ranks, told, END, SETTINGS)
    facts, findings = (result.tables[name].lazy().collect() for name in ("facts", "findings"))
    dossier = read_dossier(facts, findings, made["participants"].row(0, named=True), "e")
    parts = {
        part.id: [line.text for line in part.sentences]
        for part in clinician_sections(View(dossier, "clinician"))
    }
    assert parts["overall"][0].startswith("PHQ-9, item 9")
    assert parts["overall"][0].endswith(NEXT_STEP)
    assert parts["actions"][0].endswith(NEXT_STEP)
    assert not any("PHQ-9 (low mood)" in line for line in parts["analysis.checked"])
    own = participant_sections(View(dossier, "participant"))
    assert not any("PHQ" in line.text for part in own for line in part.sentences)
