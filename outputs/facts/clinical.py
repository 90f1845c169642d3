"""Facts of laboratory results as printed, and of questionnaire scores."""

from collections.abc import Mapping
from typing import Any

from outputs.facts.fact import Cell, Direction, Fact
from outputs.findings.rule import Case
from outputs.metrics import METRICS, WINDOW_NEWEST
from outputs.printed_result import PrintedResult, decimals_needed
from outputs.rendering import rounded, shown_quantity

_DIRECTIONS: Mapping[str, Direction] = {"L": "below", "H": "above", "N": "within"}


def lab_facts(case: Case) -> list[Fact]:
    """Newest result of each analyte and the limits its report prints."""
    return [fact for result in case.results.values() for fact in _lab(case, result)]


def _lab(case: Case, result: PrintedResult) -> list[Fact]:
    value = _lab_fact(case, result, "value", result.label, result.value, result.decimals, result.column)
    limits = [
        _lab_fact(case, result, end, f"{result.label}, {words}", limit, decimals_needed(limit), f"ref_{end}")
        for end, words, limit in (
            ("low", "lower printed limit", result.low),
            ("high", "upper printed limit", result.high),
        )
        if limit is not None
    ]
    return [value, *limits]


def _lab_fact(
    case: Case, result: PrintedResult, end: str, label: str, value: float, decimals: int, column: str
) -> Fact:
    own = end == "value"
    return Fact(
        f"lab.{result.analyte}.{end}",
        "labs",
        label,
        result.shown if own else shown_quantity(value, decimals, result.unit),
        Cell("lab_results", result.key(case.participant_id), column),
        value_num=rounded(value, decimals),
        comparator=result.comparator if own else None,
        unit=result.shown_unit,
        decimals=decimals,
        direction=_DIRECTIONS.get(result.flag_computed or "") if own else None,
        window=WINDOW_NEWEST,
        window_end=result.collected,
    )


def score_facts(case: Case) -> list[Fact]:
    """Newest score of each instrument; mood, alcohol and all we do not know stay off participants' pages."""
    return [_score(case, row) for row in case.scores.values() if row["score"] is not None]


def _score(case: Case, row: Mapping[str, Any]) -> Fact:
    instrument = str(row["instrument"])
    declared = METRICS.get(f"{instrument}_score")
    decimals = decimals_needed(row["score"])
    keys = {name: row[name] for name in ("instrument", "event", "instance")}
    return Fact(
        f"survey.{instrument}.score",
        "surveys",
        declared.label if declared else instrument,
        shown_quantity(row["score"], decimals, "points"),
        Cell("survey_scores", {"participant_id": case.participant_id, **keys}, "score"),
        value_num=rounded(row["score"], decimals),
        unit="points",
        decimals=decimals,
        window=WINDOW_NEWEST,
        window_end=row["answered_on"],
        for_participant=False,
    )
