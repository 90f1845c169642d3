"""Facts of earlier draws and answers: what stood there before, how far it is from the newest, and a trend."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from outputs.facts.fact import Cell, Direction, Fact
from outputs.findings.rule import Case
from outputs.metrics import METRICS
from outputs.person_values import newest_scores
from outputs.printed_result import PrintedResult, decimals_needed
from outputs.rendering import rounded, shown_quantity

# A trend of fewer draws is none: six in one order have a chance of 1 in 360, either way.
TREND_P_BELOW = 0.01
FEWEST_OF_A_TREND = 3


def lab_history_facts(case: Case) -> list[Fact]:
    """Of each analyte with an earlier draw: its value, the change since, and from three draws the trend.

    A change and a trend are of results without comparator in one unit, that of the newest. A change has no
    direction: nobody has judged whether it is more than the person's own variation.
    """
    return [fact for draws in case.history.values() if len(draws) > 1 for fact in _history(case, draws)]


def _history(case: Case, draws: Sequence[PrintedResult]) -> list[Fact]:
    newest, before = draws[0], draws[1]
    previous = Fact(
        f"lab.{before.analyte}.previous",
        "labs",
        f"{before.label}, the draw before the newest",
        before.shown,
        Cell("lab_results", before.key(case.participant_id), before.column),
        value_num=rounded(before.value, before.decimals),
        comparator=before.comparator,
        unit=before.shown_unit,
        decimals=before.decimals,
        window_end=before.collected,
    )
    comparable = [draw for draw in draws if _is_like(draw, newest)]
    facts = [previous]
    if newest.comparator is None and _is_like(before, newest):
        facts.append(_change(case, newest, before))
    if len(comparable) >= FEWEST_OF_A_TREND and comparable[0] is newest:
        facts.append(_trend(case, comparable[::-1]))
    return facts


def _is_like(draw: PrintedResult, newest: PrintedResult) -> bool:
    """A number, not a bound, in the unit of the newest, and printed or computed as it is."""
    return draw.comparator is None and (draw.unit, draw.derived) == (newest.unit, newest.derived)


def _change(case: Case, newest: PrintedResult, before: PrintedResult) -> Fact:
    decimals = max(newest.decimals, before.decimals)
    change = rounded(newest.value - before.value, decimals)
    size = shown_quantity(abs(change), decimals, newest.unit)
    ago = f"the draw {shown_quantity((newest.collected - before.collected).days, 0, 'days')} before"
    more = f"{size} {'higher' if change > 0 else 'lower'} than"
    return Fact(
        f"lab.{newest.analyte}.change",
        "labs",
        f"{newest.label}, change since the draw before",
        f"{more if change else 'the same as'} at {ago}",
        _cell(case, newest.analyte, before, newest),
        value_num=change,
        unit=newest.shown_unit,
        decimals=decimals,
        window_start=before.collected,
        window_end=newest.collected,
    )


def _trend(case: Case, draws: Sequence[PrintedResult]) -> Fact:
    """Draws in the order of time: Kendall's tau-b of value against order, two-sided."""
    first, newest = draws[0], draws[-1]
    days = shown_quantity((newest.collected - first.collected).days, 0, "days")
    direction = trend_direction([draw.value for draw in draws])
    verb = {"rising": "rose", "falling": "fell"}.get(direction, "no clear trend")
    return Fact(
        f"lab.{newest.analyte}.trend",
        "labs",
        f"{newest.label}, trend over all draws",
        f"{verb} over {len(draws)} draws in {days}, from {first.shown} to {newest.shown}",
        _cell(case, newest.analyte, first, newest),
        direction=direction,
        window_start=first.collected,
        window_end=newest.collected,
    )


def trend_direction(values: Sequence[float]) -> Direction:
    """rising or falling where the order of values is no chance (p < 0.01), else steady."""
    from scipy.stats import kendalltau  # slow to import

    if len(set(values)) == 1:
        return "steady"
    # The stubs know nothing of the result's fields.
    test: Any = kendalltau(range(len(values)), values)
    if not test.pvalue < TREND_P_BELOW:
        return "steady"
    return "rising" if test.statistic > 0 else "falling"


def _cell(case: Case, analyte: str, first: PrintedResult, last: PrintedResult) -> Cell:
    """The results of an analyte from one draw to another."""
    key = {"participant_id": case.participant_id, "analyte_key": analyte}
    return Cell("lab_results", key | {"from": first.collected, "to": last.collected}, "value_num")


def score_history_facts(case: Case, scores: pl.DataFrame) -> list[Fact]:
    """The score before the newest one of each instrument. scores: rows of ``survey_scores``."""
    newest = pl.DataFrame(
        [{name: row[name] for name in _SCORE} for row in case.scores.values()],
        schema={name: scores.schema[name] for name in _SCORE},
    )
    earlier = scores.join(newest, on=_SCORE, how="anti", nulls_equal=True).drop_nulls(
        ["score", "answered_on"]
    )
    before = newest_scores(earlier.lazy(), case.as_of).collect()
    return [_earlier_score(case, row) for row in before.iter_rows(named=True)]


_SCORE = ("instrument", "event", "instance")


def _earlier_score(case: Case, row: Mapping[str, Any]) -> Fact:
    instrument = str(row["instrument"])
    declared = METRICS.get(f"{instrument}_score")
    unit = declared.unit if declared else "points"
    decimals = decimals_needed(row["score"])
    key = {"participant_id": case.participant_id, **{name: row[name] for name in _SCORE}}
    return Fact(
        f"survey.{instrument}.previous",
        "surveys",
        f"{declared.label if declared else instrument}, the time before the newest",
        shown_quantity(row["score"], decimals, unit),
        Cell("survey_scores", key, "score"),
        value_num=rounded(row["score"], decimals),
        unit=unit,
        decimals=decimals,
        window_end=row["answered_on"],
        for_participant=False,
    )
