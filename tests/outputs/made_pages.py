"""A small release folder made by hand, for the tests of pages and boards: no study stands behind it."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from math import sin
from pathlib import Path
from typing import Any

import polars as pl

from outputs.parquet import write_table
from outputs.release_tables import place_of
from schemas.settings import Settings
from schemas.tables import TABLES

LAST = date(2026, 6, 28)
DAYS = 120
PEOPLE = ("P001", "P002", "P003", "P004")
Rows = Sequence[Mapping[str, Any]]


def settings(**reports: Any) -> Settings:
    return Settings.model_validate(
        {"study": {"name": "Heart & Sleep", "time_zone": "America/New_York", "made_up": True}}
        | {"reports": reports}
    )


def frame(table: str, rows: Rows) -> pl.DataFrame:
    """Rows in the form of a table; columns that are left out are null."""
    schema = TABLES[table].columns()
    full = [{name: row.get(name) for name in schema} for row in rows]
    return pl.DataFrame(full, schema={name: column.dtype for name, column in schema.items()})


def write_release(folder: Path, tables: Mapping[str, Rows], kind: str = "full") -> Path:
    for name, rows in tables.items():
        write_table(frame(name, rows), TABLES[name], place_of(folder, name))
    run = {
        "name": f"{LAST}-{kind}-0123456789ab",
        "kind": kind,
        "as_of": LAST.isoformat(),
        "edition": "2026-06",
        "published_at": "2026-06-29T06:10:00+00:00",
    }
    (folder / "run.json").write_text(json.dumps(run))
    return folder


def made_tables(hostile: str = "") -> dict[str, list[dict[str, Any]]]:
    """Tables of four people. ``hostile`` is put into every text that files, people or models could bring."""
    tables: dict[str, list[dict[str, Any]]] = {
        "participants": [_person(name, number, hostile) for number, name in enumerate(PEOPLE)],
        "daily_summary": [day for number, name in enumerate(PEOPLE[:3]) for day in _days(name, number)],
        "metrics": METRICS,
        "population_percentiles": _population(),
    }
    for name in PEOPLE[:3]:
        for table, rows in _of_person(name, hostile).items():
            tables.setdefault(table, []).extend(rows)
    tables["attention"] = _attention(hostile)
    return tables


METRICS = [
    {
        "metric": metric,
        "label": label,
        "definition": label,
        "unit": unit,
        "direction": "none",
        "measured": measured,
        "decimals": decimals,
    }
    for metric, label, unit, measured, decimals in (
        ("resting_heart_rate", "Resting heart rate", "bpm", "day", 1),
        ("heart_rate_variability", "Heart rate variability", "ms", "night", 1),
        ("steps", "Steps", "steps", "day", 0),
        ("active_zone_minutes", "Active zone minutes", "minutes", "day", 0),
        ("sleep_minutes", "Time asleep", "minutes", "night", 0),
        ("deep_sleep_minutes", "Deep sleep", "minutes", "night", 0),
        ("hba1c", "HbA1c", "%", "draw", 1),
        ("phq9_score", "PHQ-9 score", "score", "survey", 0),
    )
]
RANKS = (
    ("resting_heart_rate", "last_30_days", 61.3, "bpm", 63.0),
    ("heart_rate_variability", "last_30_days", 44.2, "ms", 48.0),
    ("steps", "last_30_days", 8412, "steps", 71.0),
    ("active_zone_minutes", "last_30_days", 31, "minutes", 12.0),
    ("sleep_minutes", "last_30_days", 431, "minutes", 55.0),
    ("deep_sleep_minutes", "last_30_days", 74, "minutes", 91.0),
    ("hba1c", "newest", 5.9, "%", 82.0),
    ("phq9_score", "newest", 11, "score", 88.0),
)


def _person(name: str, number: int, hostile: str) -> dict[str, Any]:
    arrived = name != "P004"
    return {
        "participant_id": name,
        "sex": ("female", "male", "female", "male")[number],
        "age": 41 + number * 7,
        "age_approximate": number == 1,
        "age_group": "35-44",
        "site": f"North{hostile}",
        "group": f"A{hostile}",
        "gender": hostile or None,
        "status": "active",
        "time_zone": "America/New_York",
        "data_through": LAST - timedelta(days=20 if number == 2 else 0) if arrived else None,
        "days_behind": (20 if number == 2 else 0) if arrived else None,
        "has_wearable": arrived,
        "has_labs": arrived,
        "has_surveys": arrived,
        "days_observed": DAYS if arrived else 0,
        "valid_days": 101 if arrived else 0,
        "adherence": 0.8417 if arrived else None,
    }


def _days(name: str, number: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for index in range(DAYS):
        day = LAST - timedelta(days=DAYS - 1 - index)
        state = "not_worn" if 52 <= index < 60 else "partly_worn" if index % 17 == 3 else "worn"
        late = number == 2 and index > DAYS - 21
        state = "not_arrived" if late else state
        worn = state == "worn"
        rows.append(
            {
                "participant_id": name,
                "date": day,
                "day_state": state,
                "valid_day": None if late else worn,
                "wear_from_steps": False,
                "break_before": index == 75 and number == 0,
                "tz_change": False,
                "is_partial": False,
                "resting_heart_rate": 61 + 3 * sin(index / 9) + index % 3 if worn else None,
                "heart_rate_variability": 44 + 6 * sin(index / 5) - index % 4 if worn else None,
                "steps": int(8400 + 2600 * sin(index * 2.1)) if worn else 310,
                "sleep_minutes": int(431 + 50 * sin(index * 1.3)) if worn and index % 11 else None,
            }
        )
    return rows


def _population() -> list[dict[str, Any]]:
    middles = {
        "resting_heart_rate": (57.91, 62.35, 68.07),
        "heart_rate_variability": (33.1, 42.7, 55.3),
        "steps": (5412.0, 7388.0, 9977.0),
        "sleep_minutes": (388.0, 421.0, 452.0),
    }
    return [
        {
            "edition": "reference-0a1b2c3d",
            "metric": metric,
            "definition": "person",
            "window": "whole",
            "sex": "female",
            "age_group": "35-44",
            "percentile": percentile,
            "value": value,
            "n": 214,
            "unit": "unit",
            "quantile_type": 8,
        }
        for metric, values in middles.items()
        for percentile, value in zip(("25", "50", "75"), values, strict=True)
    ]


def _of_person(name: str, hostile: str) -> dict[str, list[dict[str, Any]]]:
    own = {
        "participant_percentiles": [
            {
                "metric": metric,
                "window": window,
                "window_start": LAST - timedelta(days=29),
                "window_end": LAST,
                "value": value,
                "unit": unit,
                "days": 27 if window != "newest" else None,
                "rank": rank,
                "others": 214,
                "stratum": "reference",
                "stratum_sex": "female",
                "stratum_age_group": "35-44",
                "edition": "reference-0a1b2c3d",
            }
            for metric, window, value, unit, rank in RANKS
        ],
        "facts": _facts(hostile),
        "findings": _findings(hostile),
        "insights": [
            {
                "question_id": "sleep_regularity",
                "title": f"Regularity of sleep{hostile}",
                "question": f"How regular is the sleep?{hostile}",
                "plan": f"1. Take the main sleeps of the last 30 days.\n2. Spread of bed times.{hostile}",
                "outcome": "answered",
                "statement": f"Bed times of the last 30 days spread by 41 min.{hostile}",
                "isolation": "bubblewrap",
                "written_by": "rules",
                "for_participant": True,
                "data_through": LAST,
            },
            {
                "question_id": "weekday_weekend",
                "title": f"Weekdays and weekends{hostile}",
                "question": f"Do weekdays and weekends differ?{hostile}",
                "plan": f"1. Compare.{hostile}",
                "outcome": "insufficient",
                "statement": f"Not enough days yet: 65 of 68 days.{hostile}",
                "isolation": "bubblewrap",
                "written_by": "rules",
                "for_participant": True,
                "data_through": LAST,
            },
            {
                "question_id": "ldl_and_activity",
                "title": f"LDL cholesterol and activity{hostile}",
                "question": f"Did both change?{hostile}",
                "plan": f"1. Compare draws.{hostile}",
                "outcome": "answered",
                "statement": f"Only the clinician reads of LDL between draws.{hostile}",
                "isolation": "bubblewrap",
                "written_by": "rules",
                "for_participant": False,
                "data_through": LAST,
            },
        ],
        "summaries": [_summary(reader, hostile) for reader in ("clinician", "participant")],
        "lab_results": _labs(hostile),
        "survey_scores": [
            {
                "instrument": "phq9",
                "event": "",
                "instance": 1,
                "score": 11.0,
                "category": f"moderate{hostile}",
                "items_missing": 0,
                "rule": f"Sum of 9 items (Kroenke 2001).{hostile}",
                "answered_on": date(2026, 6, 2),
            }
        ],
        "source_files": [
            {
                "file_id": f"{name}-f1",
                "source": "fitbit",
                "form": f"takeout_zip{hostile}",
                "bytes": 1000,
                "content_digest": f"{name}-c1",
                "identity": "matched",
                "first_day": LAST - timedelta(days=DAYS - 1),
                "last_day": LAST,
                "rows_read": 172_800,
                "rows_staged": 171_000,
                "rows_merged": 1_500,
                "rows_rejected": 12,
                "rows_ignored": 288,
            }
        ],
        "quality_checks": [
            {
                "check": "steps",
                "outcome": "differs",
                "checked": 101,
                "differing": 2,
                "detail": f"Sum of minutes against the day's total.{hostile}",
            }
        ],
    }
    return {table: [{"participant_id": name} | row for row in rows] for table, rows in own.items()}


def _fact(fact_id: str, topic: str, label: str, rendered: str, **more: Any) -> dict[str, Any]:
    return {
        "fact_id": fact_id,
        "topic": topic,
        "label": label,
        "rendered": rendered,
        "source_table": "participant_percentiles",
        "source_key_json": '{"window":"last_30_days"}',
        "source_column": "value",
        "for_participant": topic != "surveys",
        "window": "last_30_days",
        "window_start": LAST - timedelta(days=29),
        "window_end": LAST,
        "days": 27,
    } | more


def _facts(hostile: str) -> list[dict[str, Any]]:
    medians = {
        "resting_heart_rate": "61.3 bpm",
        "heart_rate_variability": "44.2 ms",
        "steps": "8,412",
        "sleep_minutes": "7 h 11 min",
    }
    labels = {metric["metric"]: metric["label"] for metric in METRICS}
    among = "of 214 women aged 35-44, reference population"
    return [
        *(_fact(f"{m}.median.last_30_days", "heart", labels[m] + hostile, r) for m, r in medians.items()),
        _fact("resting_heart_rate.change.last_30_days", "heart", "Change", "2.1 bpm more than before"),
        *(
            _fact(
                f"peer.{metric}.{window}",
                "surveys" if metric == "phq9_score" else "peers",
                f"{labels[metric]} among peers",
                f"{rank:.0f}th percentile {among}",
                window=window,
            )
            for metric, window, _, _, rank in RANKS
        ),
        _fact("lab.hba1c.value", "labs", "HbA1c", "5.9 %", window="newest", days=None),
        _fact("lab.potassium.value", "labs", "Potassium", "6.8 mmol/L", window="newest", days=None),
        _fact("insight.sleep_regularity.bedtime_mad", "insights", "Bedtime, spread" + hostile, "39 minutes")
        | {"for_participant": False},
        _fact("survey.phq9.score", "surveys", "PHQ-9", "11", window="newest", days=None),
    ]


def _findings(hostile: str) -> list[dict[str, Any]]:
    made = (
        (
            "hba1c_band",
            "hba1c",
            "fired",
            "medium",
            "HbA1c was 5.9 %, in the band 5.7–6.4 % of the guideline.",
        ),
        ("lab_range", "potassium", "fired", "critical", "Potassium was 6.8 mmol/L, above the printed range."),
        ("sleep_duration", "sleep_duration", "normal", "info", "Median sleep was 7 h 11 min, at least 7 h."),
        ("ldl_band", "ldl", "insufficient", "info", "LDL cholesterol could not be checked: no result."),
        ("pregnancy_range", "tsh", "not_applicable", "info", "Does not apply."),
    )
    return [
        {
            "rule_id": rule,
            "subject": subject,
            "window_end": date(2026, 6, 11) if subject in ("hba1c", "potassium") else LAST,
            "outcome": outcome,
            "severity": severity,
            "statement": statement + hostile,
            "next_step": f"Repeat the test.{hostile}" if outcome == "fired" else None,
            "evidence_json": "[]",
            "guideline": f"ADA Standards of Care 2026{hostile}",
            "guideline_url": f"https://example.org/{hostile}",
        }
        for rule, subject, outcome, severity, statement in made
    ]


def _summary(reader: str, hostile: str) -> dict[str, Any]:
    heart = (
        "Resting heart rate over the last 30 days was 61.3 bpm, "
        "the 63th percentile of 214 women aged 35-44, reference population."
    )
    cited = ["resting_heart_rate.median.last_30_days", "peer.resting_heart_rate.last_30_days"]
    sections = [
        {
            "id": "overall",
            "title": f"Overall summary{hostile}",
            "sentences": [
                {"text": heart + hostile, "fact_ids": cited},
                {
                    "text": "Time asleep was 7 h 11 min a night.",
                    "fact_ids": ["sleep_minutes.median.last_30_days"],
                },
            ],
        },
        {
            "id": "actions",
            "title": "Actionable steps",
            "sentences": [
                {"text": "Discuss the HbA1c of 5.9 % at the next visit.", "fact_ids": ["lab.hba1c.value"]}
            ],
        },
        {
            "id": "sources",
            "title": "Sources",
            "sentences": [{"text": f"The notice.{hostile}", "fact_ids": []}],
            "sources": [
                {"title": f"WHO 2020{hostile}", "url": "https://example.org/who"},
                {"title": "No link", "url": f"javascript:alert(1){hostile}"},
            ],
        },
    ]
    return {
        "reader": reader,
        "status": "verified",
        "sections_json": json.dumps(sections),
        "text_sha256": "ab" * 16,
        "written_by": f"rules{hostile}" if hostile else "rules",
        "data_through": LAST,
        "edition": "2026-06",
    }


def _labs(hostile: str) -> list[dict[str, Any]]:
    made: tuple[tuple[Any, ...], ...] = (
        ("f2", 1, "HEMOGLOBIN A1c", "5.9", 5.9, "%", "<5.7", None, 5.7, "H", "hba1c", date(2026, 6, 11)),
        (
            "f2",
            2,
            "POTASSIUM",
            "6.8",
            6.8,
            "mmol/L",
            "3.5-5.3",
            3.5,
            5.3,
            "H",
            "potassium",
            date(2026, 6, 11),
        ),
        (
            "f2",
            3,
            "SODIUM",
            "139",
            139.0,
            "mmol/L",
            "135-146",
            135.0,
            146.0,
            "N",
            "sodium",
            date(2026, 6, 11),
        ),
        (
            "f2",
            4,
            "eGFR",
            ">90",
            None,
            "mL/min/1.73m2",
            "> OR = 60",
            60.0,
            None,
            "N",
            "egfr",
            date(2026, 6, 11),
        ),
        ("f1", 1, "HEMOGLOBIN A1c", "5.8", 5.8, "%", "<5.7", None, 5.7, "H", "hba1c", date(2026, 3, 2)),
    )
    return [
        {
            "file_id": file_id,
            "row_no": number,
            "page": 1,
            "reader_version": 1,
            "source_kind": "text",
            "panel": f"Panel{hostile}",
            "raw_name": name + hostile,
            "raw_value": value + hostile,
            "value_num": amount,
            "raw_unit": unit + hostile,
            "raw_reference": reference + hostile,
            "ref_low": low,
            "ref_high": high,
            "flag_computed": flag,
            "flag_mismatch": False,
            "analyte_key": key,
            "collected_date": day,
            "derived": False,
            "value_canonical": amount,
            "canonical_unit": unit,
        }
        for file_id, number, name, value, amount, unit, reference, low, high, flag, key, day in made
    ]


def attention_row(number: int, **row: Any) -> dict[str, Any]:
    return {
        "attention_id": f"{number:032x}",
        "kind": "input",
        "severity": "medium",
        "role": "coordinator",
        "next_step": "Ask for the export again.",
        "first_seen": LAST,
        "state": "open",
    } | row


def _attention(hostile: str) -> list[dict[str, Any]]:
    return [
        attention_row(
            1,
            participant_id="P001",
            kind="alert",
            code="lab_critical_value",
            severity="critical",
            role="clinician",
            what=f"A laboratory value is beyond the study's critical limits (potassium).{hostile}",
            next_step="Open the participant's clinician page now and follow the study's safety plan.",
            state="new",
        ),
        attention_row(
            2,
            participant_id="P002",
            code="zip_truncated",
            severity="high",
            what=f"The archive is cut off.{hostile}",
            message=f"Please send it again.{hostile}",
        ),
        attention_row(
            3,
            participant_id="P003",
            kind="data_gap",
            code="data_old",
            what="The newest data are 20 days behind.",
            message="Could you sync your device?",
        ),
        attention_row(
            4,
            participant_id="P004",
            kind="data_gap",
            code="folder_missing",
            what="An active participant has no fitbit folder.",
        ),
        attention_row(
            5,
            participant_id=None,
            kind="study",
            code="survey_no_dictionary",
            what="A survey file has no data dictionary beside it.",
        ),
        attention_row(
            6,
            participant_id="P002",
            code="identity_unchecked",
            severity="low",
            what="Not checked.",
            state="acknowledged",
        ),
    ]
