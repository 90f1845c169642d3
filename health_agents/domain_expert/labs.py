"""Sentences on laboratory results: one for each outside its printed range, the others together by draw."""

from collections.abc import Iterator, Sequence

from health_agents.domain_expert.phrases import long_date, on_day, printed_range, stated
from health_agents.domain_expert.sections import Sentence
from health_agents.domain_expert.view import Row, View

PRINTED_RANGE_RULE = "lab_printed_range"
_OUTSIDE = ("above", "below")


def clinician_labs(view: View) -> Iterator[Sentence]:
    """Every result, with its limits."""
    values = _values(view)
    for value in values:
        if value["direction"] in _OUTSIDE:
            low, high = _limits(view, value)
            where = f"{value['direction']} the printed range{printed_range(low, high)}"
            yield stated(f"{value['label']} {value['rendered']}{on_day(value)}, {where}", value, low, high)
    yield from _together(view, "Within the printed range", _of(values, "within"), limits=True)
    yield from _together(view, "Without a printed range", _of(values, None), limits=True)


def participant_labs(view: View) -> Iterator[Sentence]:
    """Every result in plain words; what a value outside its range means is for a clinician to say."""
    values = _values(view)
    outside = [value for value in values if value["direction"] in _OUTSIDE]
    for value in outside:
        low, high = _limits(view, value)
        where = f"{value['direction']} the printed range{printed_range(low, high)}"
        text = f"Your result for {value['label']} was {value['rendered']}{on_day(value)}; this is {where}"
        yield stated(text, value, low, high)
    if outside:
        yield Sentence(
            "A value outside the printed range does not by itself mean that something is wrong; "
            "please go through it with a clinician."
        )
    yield from _together(view, "Within the range printed by the laboratory", _of(values, "within"))
    yield from _together(view, "Without a printed range", _of(values, None))


def _values(view: View) -> list[Row]:
    return [row for row in view.of_topic("labs") if row["fact_id"].endswith(".value")]


def _of(values: Sequence[Row], direction: str | None) -> list[Row]:
    return [value for value in values if value["direction"] == direction]


def _together(view: View, heading: str, values: Sequence[Row], *, limits: bool = False) -> Iterator[Sentence]:
    """One sentence a draw; with their limits in brackets if asked for."""
    for day in sorted({value["window_end"] for value in values}):
        drawn = [value for value in values if value["window_end"] == day]
        ends = [_limits(view, value) if limits else (None, None) for value in drawn]
        items = [f"{v['label']} {v['rendered']}{printed_range(*e)}" for v, e in zip(drawn, ends, strict=True)]
        cited = [fact for pair in ends for fact in pair]
        yield stated(f"{heading} on {long_date(day)}: {', '.join(items)}", *drawn, *cited)


def _limits(view: View, value: Row) -> tuple[Row | None, Row | None]:
    stem = value["fact_id"].removesuffix(".value")
    return view.get(f"{stem}.low"), view.get(f"{stem}.high")
