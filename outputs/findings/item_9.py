"""Item 9 of the PHQ-9 (better off dead, hurting oneself): any answer above 0 is for a clinician today.

Its authors ask to follow up every such answer, whatever the total. As with critical results, a newer and
calmer answer does not make one unseen.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

import polars as pl

from outputs.findings.rule import Case, Finding, Guideline, Rule, unchecked
from outputs.rendering import shown_day

RULE_ID = "phq9_item_9"
TITLE = "PHQ-9, item 9 (better off dead, or hurting oneself)"
NEXT_STEP = (
    "Unless this was acted on already, reach the participant today by the study's safety plan "
    "and ask about the answer."
)
_INSTRUMENT, _ITEM = "phq9", "phq9_9"
_KEY = ("participant_id", "instrument", "event", "instance", "item")


def item_9_answers(survey_answers: pl.DataFrame, as_of: date) -> tuple[Mapping[str, Any], ...]:
    """Rows of ``survey_answers`` with a number for item 9, undated or up to as_of, the newest first."""
    rows = survey_answers.filter(
        pl.col("instrument") == _INSTRUMENT,
        pl.col("item") == _ITEM,
        pl.col("value_num").is_not_null(),
        pl.col("answered_on").is_null() | (pl.col("answered_on") <= as_of),
    ).sort("answered_on", "event", "instance", descending=True, nulls_last=True)
    return tuple(rows.iter_rows(named=True))


def check(case: Case) -> list[Finding]:
    """One finding, on the newest answer above 0; else on the newest answer. It holds at every age."""
    if not case.item_9:
        return [unchecked(TITLE, RULE_ID, case.last_day, "not_told")]
    above = next((row for row in case.item_9 if row["value_num"] > 0), None)
    return [_unmarked(case, case.item_9[0]) if above is None else _alarming(case, above)]


def _unmarked(case: Case, answer: Mapping[str, Any]) -> Finding:
    day = answer["answered_on"]
    statement = f"{TITLE} was answered 0{_on(day)}, and never above."
    evidence = [_evidence(answer)]
    return Finding(RULE_ID, day or case.last_day, "normal", statement, category="0", evidence=evidence)


def _alarming(case: Case, answer: Mapping[str, Any]) -> Finding:
    day = answer["answered_on"]
    return Finding(
        RULE_ID,
        day or case.last_day,
        "fired",
        f"{TITLE} was answered above 0{_on(day)}: for a clinician today, whatever the total."
        + _newer(case, answer),
        "critical",
        category="above 0",
        next_step=NEXT_STEP,
        evidence=[_evidence(answer)],
    )


def _newer(case: Case, answer: Mapping[str, Any]) -> str:
    newest = case.item_9[0]
    return "" if newest is answer else f" The newest answer{_on(newest['answered_on'])} is 0."


def _on(day: date | None) -> str:
    return f" on {shown_day(day)}" if day else ""


def _evidence(answer: Mapping[str, Any]) -> dict[str, object]:
    return {
        "input": _ITEM,
        "value": answer["value_num"],
        "unit": "points",
        "date": answer["answered_on"],
        "table": "survey_answers",
        "key": {name: answer[name] for name in _KEY},
        "column": "value_num",
    }


RULES = (
    Rule(
        RULE_ID,
        TITLE,
        "surveys",
        (_ITEM,),
        "newest answer above 0 ever given",
        "one answer",
        "none",
        ("above 0, whatever the total (critical)", "0 (nothing found)"),
        Guideline(
            "Kroenke et al., J Gen Intern Med 16:606",
            2001,
            "https://doi.org/10.1046/j.1525-1497.2001.016009606.x",
        ),
        check,
        sensitive=True,
    ),
)
