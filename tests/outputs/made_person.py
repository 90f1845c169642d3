"""Made tables of one participant for tests of values, ranks, findings and the dossier."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import polars as pl

from outputs.findings.case import case_of
from outputs.findings.check import RULES, check_case
from outputs.person_values import Person, person_values
from schemas.settings import Settings, StudySection
from schemas.table import conform
from schemas.tables import TABLES

END = date(2026, 6, 28)
SETTINGS = Settings(study=StudySection(name="Walk", time_zone="UTC"))


def table(name: str, rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    return conform(pl.LazyFrame(list(rows), infer_schema_length=None), TABLES[name]).collect()


def days(count: int, end: date = END, **columns: Any) -> pl.DataFrame:
    """``count`` worn days up to ``end``; a column is one value for all or a function of the day's number.

    Day 0 is the oldest. None leaves the value out.
    """
    rows = []
    for number in range(count):
        row: dict[str, Any] = {
            "participant_id": "P1",
            "date": end - timedelta(count - 1 - number),
            "day_state": "worn",
            "valid_day": True,
            "is_partial": False,
            "break_before": False,
            "tz_change": False,
            "wear_from_steps": False,
        }
        row |= {name: value(number) if callable(value) else value for name, value in columns.items()}
        rows.append(row)
    return table("daily_summary", rows)


def result(analyte: str, value: float | None, unit: str | None, **fields: Any) -> dict[str, Any]:
    """A row of lab_results: a final, printed result of 1 June with the value in the canonical unit too."""
    collected = fields.get("collected_date", date(2026, 6, 1))
    row = {
        "participant_id": "P1",
        "file_id": "f1",
        "row_no": 1,
        "page": 1,
        "reader_version": 1,
        "source_kind": "text",
        "analyte_key": analyte,
        "raw_value": None if value is None else f"{value:g}",
        "raw_unit": unit,
        "unit_ucum": unit,
        "value_num": value,
        "value_canonical": value,
        "canonical_unit": unit,
        "collected_date": collected,
        "collected_at": datetime.combine(collected, time(8)),
        "report_status": "final",
        "fasting": "yes",
        "derived": False,
    }
    return row | fields


def labs(*rows: Mapping[str, Any]) -> pl.DataFrame:
    numbered = [{**row, "row_no": number} for number, row in enumerate(rows, 1)]
    return table("lab_results", numbered)


def score(instrument: str, value: float | None, **fields: Any) -> dict[str, Any]:
    return {
        "participant_id": "P1",
        "instrument": instrument,
        "event": "",
        "instance": 1,
        "score": value,
        "items_missing": 0,
        "rule": "published",
        "answered_on": date(2026, 6, 2),
    } | fields


def scores(*rows: Mapping[str, Any]) -> pl.DataFrame:
    return table("survey_scores", rows)


def person_row(**fields: Any) -> pl.DataFrame:
    row = {
        "participant_id": "P1",
        "sex": "female",
        "age": 40,
        "age_approximate": False,
        "age_group": "35-44",
        "status": "active",
        "time_zone": "UTC",
        "observed_from": END - timedelta(119),
        "observed_to": END,
        "data_through": END,
        "days_behind": 0,
        "has_wearable": True,
        "has_labs": True,
        "has_surveys": True,
        "days_observed": 120,
        "valid_days": 120,
    }
    return table("participants", [row | fields])


def tables_of(
    daily: pl.DataFrame | None = None,
    lab_results: pl.DataFrame | None = None,
    survey_scores: pl.DataFrame | None = None,
    **person: Any,
) -> dict[str, pl.DataFrame]:
    """Core tables, as the stage ``dossier`` gets them."""
    if daily is None:
        person = {"data_through": None, "days_behind": None, **person}
    given = {"daily_summary": daily, "lab_results": lab_results, "survey_scores": survey_scores}
    return {
        **{name: table(name, []) if frame is None else frame for name, frame in given.items()},
        "participants": person_row(**person),
        "survey_answers": table("survey_answers", []),
    }


def values_of(tables: Mapping[str, pl.DataFrame], as_of: date = END) -> pl.DataFrame:
    """person_values of the core tables."""
    row = tables["participants"].row(0, named=True)
    who = Person(row["participant_id"], row["sex"], row["age_group"], row["data_through"], as_of)
    daily, lab_results, survey_scores = (
        tables[name].lazy() for name in ("daily_summary", "lab_results", "survey_scores")
    )
    return person_values(daily, lab_results, survey_scores, who, SETTINGS.windows.days).collect()


def findings_of(
    tables: Mapping[str, pl.DataFrame], as_of: date = END, rule_id: str | None = None
) -> dict[tuple[str, str], dict[str, Any]]:
    """Findings by rule and subject; of one rule alone where it is named."""
    rules = [rule for rule in RULES if rule_id in (None, rule.rule_id)]
    found = check_case(case_of(tables, as_of), rules)
    return {(row["rule_id"], row["subject"]): row for row in found.iter_rows(named=True)}


def lab_finding(rule_id: str, row: Mapping[str, Any], **person: Any) -> dict[str, Any]:
    """The finding of a rule on one result."""
    tables = tables_of(lab_results=labs(row), **person)
    return findings_of(tables, rule_id=rule_id)[rule_id, str(row["analyte_key"])]
