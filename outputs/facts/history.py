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

FEWEST_OF_A_TREND = 3
# Fewer are not tested: five in one order have a chance of 1 in 60, six of 1 in 360, either way.
FEWEST_TESTED = 6
# Stricter than that of a wearable's changes: the test takes draws as independent, and those of what moves
# slowly are not.
TREND_FALSE_SHARE = 0.01


def lab_history_facts(case: Case) -> list[Fact]:
    """Of each analyte with an earlier draw: its value, the change since, and from three draws the trend.

    A change and a trend are of results without comparator in one unit, that of the newest. A change has no
    direction: nobody has judged whether it is more than the person's own variation.
    """
    histories = [draws for draws in case.history.values() if len(draws) > 1]
    facts = [fact for draws in histories for fact in _history(case, draws)]
    return facts + _trends(case, [series for draws in histories if (series := _comparable(draws))])


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
    if newest.comparator is None and _is_like(before, newest):
        return [previous, _change(case, newest, before)]
    return [previous]


def _comparable(draws: Sequence[PrintedResult]) -> Sequence[PrintedResult]:
    """The draws that make a trend, in the order of time; none where too few, or the newest is a bound."""
    newest = draws[0]
    alike = [draw for draw in draws if _is_like(draw, newest)]
    return alike[::-1] if len(alike) >= FEWEST_OF_A_TREND and alike[0] is newest else ()


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


def _trends(case: Case, series: Sequence[Sequence[PrintedResult]]) -> list[Fact]:
    directions = trend_directions([[draw.value for draw in draws] for draws in series])
    return [_trend(case, draws, direction) for draws, direction in zip(series, directions, strict=True)]


def _trend(case: Case, draws: Sequence[PrintedResult], direction: Direction) -> Fact:
    first, newest = draws[0], draws[-1]
    days = shown_quantity((newest.collected - first.collected).days, 0, "days")
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


def trend_directions(series: Sequence[Sequence[float]]) -> list[Direction]:
    """rising or falling where the order of an analyte's values is no chance, else steady.

    series: the values of each analyte of a person in the order of time. Kendall's tau-b, two-sided, then
    Benjamini and Hochberg over the analytes with six draws or more.
    """
    from scipy.stats import false_discovery_control  # slow to import

    tested = [_order(values) if len(values) >= FEWEST_TESTED else None for values in series]
    p_values = [test[1] for test in tested if test]
    adjusted = iter(false_discovery_control(p_values) if p_values else ())
    return [
        _direction(test[0]) if test and next(adjusted) <= TREND_FALSE_SHARE else "steady" for test in tested
    ]


def _order(values: Sequence[float]) -> tuple[float, float]:
    """Kendall's tau-b of values against their order, and its p-value."""
    from scipy.stats import kendalltau  # slow to import

    if len(set(values)) == 1:
        return 0.0, 1.0
    # The stubs know nothing of the result's fields.
    test: Any = kendalltau(range(len(values)), values)
    return test.statistic, test.pvalue


def _direction(tau: float) -> Direction:
    return "rising" if tau > 0 else "falling"


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
