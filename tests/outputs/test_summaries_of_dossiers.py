"""The templates over dossiers that the dossier stage itself makes: nothing they write is unverified."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from made_person import END, SETTINGS, days, labs, result, score, scores, table, tables_of, values_of

from health_agents.domain_expert import RulesWriter, write_summaries
from outputs.dossier import Dossier, make_dossier, read_dossier
from outputs.ranks import ranks

Tables = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class Case:
    tables: Tables
    behind: int = 0


def wearable(**columns: Any) -> pl.DataFrame:
    """120 days whose last 30 differ from those before in every direction."""
    made: dict[str, Any] = {
        "resting_heart_rate": lambda n: 62.0 if n < 90 else 66.1,
        "heart_rate_variability": lambda n: 41.26 - (n >= 90) * 5,
        "steps": lambda n: 7000 + n % 3 - (n >= 90) * 2500,
        "sleep_minutes": lambda n: 412 - (n >= 90) * 60,
        "deep_sleep_minutes": 71,
        "active_zone_minutes": lambda n: 30 + (n >= 90) * 9,
        "bed_minute": lambda n: -75 + (n >= 90) * 50,
        "wake_up_minute": lambda n: 380 - (n >= 90) * 20,
        "vo2max": 41.2,
        "spo2_avg": 96.4,
        **columns,
    }
    return days(120, **made)


EARLIER = END - timedelta(50)
RESULTS = labs(
    result("potassium", 6.7, "mmol/L", ref_low=3.5, ref_high=5.2, flag_printed="critical", raw_value="6.7")
    | {"collected_date": EARLIER},
    result("potassium", 4.1, "mmol/L", ref_low=3.5, ref_high=5.2, flag_computed="N", raw_value="4.1"),
    result("hba1c", 5.9, "%", ref_high=5.7, ref_high_incl=False, flag_computed="H", raw_value="5.9"),
    result("ferritin", 9.0, "ng/mL", ref_low=15.0, ref_high=150.0, flag_computed="L", raw_value="9"),
    result("hs_crp", None, "mg/L", comparator="<", bound_num=5.0, raw_value="<5", ref_high=3.0),
    result("sodium", 140.0, "mmol/L", ref_low=135.0, ref_high=145.0, flag_computed="N", raw_value="140"),
    result("albumin", 4.4, "g/dL", flag_printed="A", raw_value="4.4"),
    result("homa_ir", 2.9, "1", raw_value="2.9"),
)
SCORES = scores(score("phq9", 12), score("gad7", 3), score("auditc", 5))
CASES = {
    "everything": Case(tables_of(wearable(), RESULTS, SCORES)),
    "data of three weeks ago": Case(tables_of(wearable(), RESULTS, SCORES), behind=21),
    "without labs": Case(tables_of(wearable(), None, SCORES)),
    "labs only": Case(tables_of(None, RESULTS)),
    "surveys only": Case(tables_of(None, None, SCORES)),
    "nothing at all": Case(tables_of()),
    "a few days": Case(tables_of(days(9, steps=4000, resting_heart_rate=60.0))),
    "a man of unknown age": Case(
        tables_of(wearable(), RESULTS, SCORES, sex="male", age=None, age_group=None)
    ),
    "a child": Case(tables_of(wearable(), RESULTS, sex="female", age=12, age_group=None)),
    "a change of device": Case(tables_of(wearable(break_before=lambda n: n == 100), RESULTS)),
}


def reference() -> pl.DataFrame:
    """63 women of the same age: 30 of them have less of everything."""
    metrics = ("resting_heart_rate", "steps", "sleep_minutes", "bed_minute", "hba1c", "sodium")
    people = [
        {"participant_id": f"R{n}", "sex": "female", "age_group": "35-44", "metric": metric}
        | {"window": window, "value": 0.0 if n < 30 else 1e6, "days": 100}
        for n in range(63)
        for metric in metrics
        for window in ("whole", "newest")
    ]
    return table("person_values", people)


def dossier(case: Case) -> Dossier:
    as_of = END + timedelta(case.behind)
    empty = table("person_values", [])
    own = ranks(values_of(case.tables, as_of), empty, reference(), "2026-06", "reference-1")
    shareable = table("shareable_percentiles", [])
    made: Mapping[str, Any] = make_dossier(case.tables, own, shareable, as_of, SETTINGS).tables
    person = case.tables["participants"].row(0, named=True)
    return read_dossier(made["facts"], made["findings"], person, "2026-06")


@pytest.mark.parametrize("name", CASES)
def test_every_claim_of_both_texts_is_verified(name: str) -> None:
    written = write_summaries(dossier(CASES[name]), RulesWriter())
    claims = written.tables["claims"].lazy().collect()
    unverified = claims.filter(pl.col("verdict") != "verified").select("sentence", "quoted", "verdict")
    assert unverified.to_dicts() == []
    assert "needs_review" not in written.tables["summaries"].lazy().collect()["status"].to_list()
    assert written.document == {"problems": []}


def sections(name: str, reader: str) -> str:
    written = write_summaries(dossier(CASES[name]), RulesWriter()).tables["summaries"].lazy().collect()
    return str(written.filter(pl.col("reader") == reader)["sections_json"].item())


def test_a_critical_result_of_an_earlier_draw_stands_first() -> None:
    text = sections("everything", "clinician")
    assert text.index("Potassium 6.7 mmol/L on ") < text.index("PHQ-9")
    assert "marked as critical by the laboratory (printed interval 3.5 to 5.2 mmol/L)" in text


@pytest.mark.parametrize("name", CASES)
def test_nothing_on_mood_alcohol_or_of_alarm_reaches_the_participant(name: str) -> None:
    parts = json.loads(sections(name, "participant"))
    said = [s["text"] for part in parts for s in part["sentences"]]
    text = "\n".join([*said, *(source["title"] for part in parts for source in part["sources"])]).lower()
    text = text.replace("american diabetes association, standards of care in diabetes", "the ADA")
    for word in ("phq", "gad", "audit", "mood", "worry", "alcohol", "critical", "pregnan", "diabetes"):
        assert word not in text
