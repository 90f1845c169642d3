"""Sentences on laboratory results: one for each outside its printed range; the table on the page has all."""

from collections.abc import Iterator, Sequence

from health_agents.domain_expert.phrases import on_day, printed_range, stated
from health_agents.domain_expert.sections import Sentence
from health_agents.domain_expert.view import Row, View, joined

PRINTED_RANGE_RULE = "lab_printed_range"
CRITICAL_RULE = "lab_critical"
_OUTSIDE = ("above", "below")


def clinician_labs(view: View) -> Iterator[Sentence]:
    """Results outside their range, worst first; flagged ones without a range; the others in a line each."""
    values = _values(view)
    outside = _outside(view, values)
    for value in outside:
        text = f"{value['label']} {value['rendered']}{on_day(value)}, {_where(view, value, 'printed range')}"
        yield stated(text, value, *_limits(view, value))
    for finding in _flagged(view):
        yield stated(finding["statement"], finding)
    undecided = _undecided(view, values)
    if undecided:
        yield stated(f"The printed range does not decide on: {_labels(undecided)}", *undecided)
    within = _within(values)
    if within:
        which = "Every other newest result" if outside or undecided else "Every newest result"
        yield stated(f"{which} with a printed range lies within it; see the laboratory table", *within)
    bare = _bare(view, values)
    if bare:
        yield stated(f"Without a printed range: {_labels(bare)}", *bare)


def participant_labs(view: View) -> Iterator[Sentence]:
    """What is outside its printed range, calmly; what that means is for a clinician to say."""
    values = _values(view)
    outside = _outside(view, values)
    for value in outside:
        where = _where(view, value, "range on your report")
        text = f"Your result for {value['label']} was {value['rendered']}{on_day(value)}, {where}"
        yield stated(text, value, *_limits(view, value))
    if outside:
        yield Sentence(
            "A result outside its range does not by itself mean that something is wrong: "
            "talk to your clinician about what it means for you."
        )
    for finding in _earlier_critical(view):
        yield _earlier(view, finding)
    undecided = _undecided(view, values)
    if undecided:
        yield stated(f"The range on your report does not decide on: {_labels(undecided)}", *undecided)
    within = _within(values)
    if within:
        which = "Your other newest results" if outside or undecided else "Your newest results"
        yield stated(f"{which} that have a range on your report are within it", *within)


def _earlier(view: View, finding: Row) -> Sentence:
    """The earlier draw by its day alone; a newest result that is not within has a line of its own."""
    value = view.facts[f"lab.{finding['subject']}.value"]
    is_within = value["direction"] == "within"
    newest = "; the newest one is within the range on your report" if is_within else ""
    label, day = value["label"], on_day(finding)
    return stated(
        f"Please also talk to your clinician about your result for {label}{day}{newest}",
        view.facts[finding["fact_id"]],
        value,
    )


def _earlier_critical(view: View) -> list[Row]:
    """Critical findings on a draw before the newest of their analyte: lines on newest results lack them."""
    return [
        row
        for row in view.with_outcome("fired")
        if row["rule_id"] == CRITICAL_RULE
        and (value := view.get(f"lab.{row['subject']}.value")) is not None
        and row["window_end"] < value["window_end"]
    ]


def _values(view: View) -> list[Row]:
    return [row for row in view.of_topic("labs") if row["fact_id"].endswith(".value")]


def _within(values: Sequence[Row]) -> list[Row]:
    return [value for value in values if value["direction"] == "within"]


def _undecided(view: View, values: Sequence[Row]) -> list[Row]:
    """Results with a range that does not tell where they lie: only a bound is known."""
    return [value for value in values if value["direction"] is None and any(_limits(view, value))]


def _bare(view: View, values: Sequence[Row]) -> list[Row]:
    return [value for value in values if value["direction"] is None and not any(_limits(view, value))]


def _labels(values: Sequence[Row]) -> str:
    return joined([value["label"] for value in values])


def _outside(view: View, values: Sequence[Row]) -> list[Row]:
    """In the order of the findings on them: worst first."""
    place = {f"lab.{row['subject']}.value": n for n, row in enumerate(reversed(view.with_outcome("fired")))}
    outside = [value for value in values if value["direction"] in _OUTSIDE]
    return sorted(outside, key=lambda value: (-place.get(value["fact_id"], -1), value["label"]))


def _flagged(view: View) -> list[Row]:
    """Findings on results that the laboratory flagged, though no range says on which side they lie."""
    return [
        row
        for row in view.with_outcome("fired")
        if row["rule_id"] == PRINTED_RANGE_RULE
        and (value := view.get(f"lab.{row['subject']}.value")) is not None
        and value["direction"] not in _OUTSIDE
    ]


def _where(view: View, value: Row, words: str) -> str:
    return f"{value['direction']} the {words}{printed_range(*_limits(view, value))}"


def _limits(view: View, value: Row) -> tuple[Row | None, Row | None]:
    stem = value["fact_id"].removesuffix(".value")
    return view.get(f"{stem}.low"), view.get(f"{stem}.high")
