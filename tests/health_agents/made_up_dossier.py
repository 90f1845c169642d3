"""A made-up participant's dossier, in the form the dossier stage writes."""

from datetime import date
from typing import Any

import polars as pl

from outputs.dossier import Dossier
from outputs.facts.fact import Cell, Fact, facts_table
from schemas.findings import Findings
from schemas.table import conform

PARTICIPANT = "QX-731"
END = date(2026, 3, 14)
MONTH: dict[str, Any] = {"window": "last_30_days", "window_start": date(2026, 2, 13), "window_end": END}
WEEK: dict[str, Any] = {"window": "last_7_days", "window_start": date(2026, 3, 8), "window_end": END}
NEWEST: dict[str, Any] = {"window": "newest", "window_end": date(2026, 3, 2)}


def fact(fact_id: str, topic: str, label: str, rendered: str, **more: Any) -> Fact:
    """A fact of the made-up participant."""
    return Fact(fact_id, topic, label, rendered, Cell("daily_summary", {"date": END}, "x"), **more)


def quantity(value: float, unit: str, decimals: int = 0, **more: Any) -> dict[str, Any]:
    return {"value_num": value, "unit": unit, "decimals": decimals, **more}


FACTS = [
    fact("profile.age", "profile", "Age", "43 years", **quantity(43, "years")),
    fact("profile.sex", "profile", "Sex", "female", value_text="female"),
    fact(
        "data.valid_days.last_30_days",
        "data",
        "Days with enough wear",
        "27 of the last 30 days",
        **quantity(27, "days", days=27, **MONTH),
    ),
    fact(
        "resting_heart_rate.median.last_30_days",
        "heart",
        "Resting heart rate",
        "62.5 bpm",
        **quantity(62.5, "bpm", 1, days=27, **MONTH),
    ),
    fact(
        "resting_heart_rate.median.last_7_days",
        "heart",
        "Resting heart rate",
        "61.0 bpm",
        **quantity(61.0, "bpm", 1, days=7, **WEEK),
    ),
    fact(
        "resting_heart_rate.change.last_30_days",
        "heart",
        "Resting heart rate, change",
        "3.0 bpm lower than in the 30 days before",
        **quantity(-3.0, "bpm", 1, days=27, direction="falling", **MONTH),
    ),
    fact(
        "peer.resting_heart_rate.last_30_days",
        "peers",
        "Resting heart rate, rank among peers",
        "63rd percentile of 214 women aged 35-44, reference population",
        **quantity(63, "percentile", days=27, direction="above", **MONTH),
    ),
    fact(
        "steps.median.last_30_days",
        "activity",
        "Steps",
        "8,432 steps",
        **quantity(8432, "steps", days=27, **MONTH),
    ),
    fact(
        "steps.change.last_30_days",
        "activity",
        "Steps, change",
        "no clear change from the 30 days before (120 steps higher)",
        **quantity(120, "steps", days=27, direction="steady", **MONTH),
    ),
    fact(
        "peer.steps.last_30_days",
        "peers",
        "Steps, rank among peers",
        "lower than all of at least 15 women, study cohort",
        **quantity(0, "percentile", days=27, direction="below", **MONTH),
    ),
    fact(
        "sleep_minutes.median.last_30_days",
        "sleep",
        "Sleep duration",
        "7 h 12 min",
        **quantity(432, "min", days=25, **MONTH),
    ),
    fact(
        "deep_sleep_minutes.median.last_30_days",
        "sleep",
        "Deep sleep",
        "62 min",
        **quantity(62, "min", days=25, **MONTH),
    ),
    fact(
        "bed_minute.median.last_30_days",
        "sleep",
        "Bedtime, in minutes from midnight",
        "22:45",
        **quantity(-75, "min", days=25, **MONTH),
    ),
    fact(
        "lab.ldl_cholesterol.value",
        "labs",
        "LDL cholesterol",
        "142 mg/dL",
        **quantity(142, "mg/dL", direction="above", **NEWEST),
    ),
    fact(
        "lab.ldl_cholesterol.high",
        "labs",
        "LDL cholesterol, upper printed limit",
        "130 mg/dL",
        **quantity(130, "mg/dL", **NEWEST),
    ),
    fact("lab.hba1c.value", "labs", "HbA1c", "5.2 %", **quantity(5.2, "%", 1, direction="within", **NEWEST)),
    fact("lab.hba1c.low", "labs", "HbA1c, lower printed limit", "4.0 %", **quantity(4.0, "%", 1, **NEWEST)),
    fact("lab.hba1c.high", "labs", "HbA1c, upper printed limit", "5.6 %", **quantity(5.6, "%", 1, **NEWEST)),
    fact(
        "lab.platelets.value",
        "labs",
        "Platelets",
        "251 10³/µL",
        **quantity(251, "10³/µL", direction="within", **NEWEST),
    ),
    fact(
        "lab.crp.value",
        "labs",
        "C-reactive protein",
        "<0.3 mg/L",
        **quantity(0.3, "mg/L", 1, comparator="<", **NEWEST),
    ),
    fact(
        "survey.phq9.score",
        "surveys",
        "PHQ-9 (low mood)",
        "4 points",
        **quantity(4, "points", for_participant=False, **NEWEST),
    ),
    fact(
        "finding.ldl_cholesterol_acc.ldl_cholesterol",
        "findings",
        "LDL cholesterol",
        "LDL cholesterol 142 mg/dL: above the guideline's goal range (130 to below 160 mg/dL).",
        value_text="above goal",
        window_end=date(2026, 3, 2),
    ),
    fact(
        "finding.hba1c_ada.hba1c",
        "findings",
        "HbA1c",
        "HbA1c 5.2 %: below the guideline's prediabetes range (below 5.7 %).",
        value_text="below prediabetes range",
    ),
    fact(
        "finding.ferritin_who.ferritin",
        "findings",
        "Ferritin",
        "Ferritin was not checked: there is no result.",
        value_text="insufficient",
    ),
    fact(
        "finding.pregnancy.haemoglobin",
        "findings",
        "Haemoglobin in pregnancy",
        "Haemoglobin in pregnancy was not checked: the limits do not hold.",
        value_text="not_applicable",
    ),
]


def _finding(rule: str, subject: str, outcome: str, statement: str, **more: Any) -> dict[str, Any]:
    return {
        "participant_id": PARTICIPANT,
        "rule_id": rule,
        "subject": subject,
        "window_end": date(2026, 3, 2),
        "outcome": outcome,
        "severity": "info",
        "statement": statement,
        "evidence_json": "{}",
        "guideline": "A guideline (2026)",
        "guideline_url": "https://example.org/guideline",
        **more,
    }


_STATEMENTS = {row.fact_id: row.rendered for row in FACTS}
FINDINGS = [
    _finding(
        "ldl_cholesterol_acc",
        "ldl_cholesterol",
        "fired",
        _STATEMENTS["finding.ldl_cholesterol_acc.ldl_cholesterol"],
        severity="low",
        next_step="Repeat within 3 months; review diet and family history.",
        guideline="A lipid guideline (2026)",
    ),
    _finding("hba1c_ada", "hba1c", "normal", _STATEMENTS["finding.hba1c_ada.hba1c"]),
    _finding(
        "ferritin_who",
        "ferritin",
        "insufficient",
        _STATEMENTS["finding.ferritin_who.ferritin"],
        reason="no_result",
    ),
    _finding(
        "pregnancy",
        "haemoglobin",
        "not_applicable",
        _STATEMENTS["finding.pregnancy.haemoglobin"],
        reason="age",
    ),
]


def dossier(facts: list[Fact] | None = None, findings: list[dict[str, Any]] | None = None) -> Dossier:
    """The made-up dossier; parts can be given."""
    rows = FINDINGS if findings is None else findings
    frame = pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame({"participant_id": []})
    return Dossier(
        participant_id=PARTICIPANT,
        sex="female",
        age=43,
        data_through=END,
        edition="2026-03",
        facts=facts_table(PARTICIPANT, FACTS if facts is None else facts),
        findings=conform(frame.lazy(), Findings).collect(),
    )
