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
    value = Fact(
        f"lab.{result.analyte}.value",
        "labs",
        result.label,
        result.shown,
        Cell("lab_results", result.key(case.participant_id), result.column),
        value_num=rounded(result.value, result.decimals),
        comparator=result.comparator,
        unit=result.shown_unit,
        decimals=result.decimals,
        direction=_DIRECTIONS.get(result.flag_computed or ""),
        window=WINDOW_NEWEST,
        window_end=result.collected,
    )
    ends = (("low", "lower", result.low), ("high", "upper", result.high))
    limits = [_limit(case, result, end, word, limit) for end, word, limit in ends if limit is not None]
    return [value, *limits]


def _limit(case: Case, result: PrintedResult, end: str, word: str, limit: float) -> Fact:
    return Fact(
        f"lab.{result.analyte}.{end}",
        "labs",
        f"{result.label}, {word} printed limit",
        result.shown_limit(limit),
        Cell("lab_results", result.key(case.participant_id), f"ref_{end}"),
        value_num=limit,
        unit=result.shown_unit,
        decimals=result.limit_decimals(limit),
        window=WINDOW_NEWEST,
        window_end=result.collected,
    )


def score_facts(case: Case) -> list[Fact]:
    """Newest score of each instrument; mood, alcohol and all we do not know stay off participants' pages."""
    return [_score(case, row) for row in case.scores.values() if row["score"] is not None]


def _score(case: Case, row: Mapping[str, Any]) -> Fact:
    instrument = str(row["instrument"])
    declared = METRICS.get(f"{instrument}_score")
    unit = declared.unit if declared else "points"
    decimals = decimals_needed(row["score"])
    keys = {name: row[name] for name in ("instrument", "event", "instance")}
    return Fact(
        f"survey.{instrument}.score",
        "surveys",
        declared.label if declared else instrument,
        shown_quantity(row["score"], decimals, unit),
        Cell("survey_scores", {"participant_id": case.participant_id, **keys}, "score"),
        value_num=rounded(row["score"], decimals),
        unit=unit,
        decimals=decimals,
        window=WINDOW_NEWEST,
        window_end=row["answered_on"],
        for_participant=False,
    )
