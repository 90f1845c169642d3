"""The clinician's summary by templates: terse, with ranges, and what was and could not be checked."""

from collections.abc import Iterator, Sequence

from health_agents.domain_expert.phrases import (
    counted,
    joined,
    long_date,
    printed_range,
    short_label,
    stated,
    window_words,
)
from health_agents.domain_expert.sections import Section, Sentence, Source, section
from health_agents.domain_expert.view import Row, View

_PEOPLE = {"female": "Woman", "male": "Man", "intersex": "Intersex person"}
_MEASURED_TOPICS = ("heart", "activity", "sleep", "body")
_UNCHECKED = ("insufficient", "not_comparable", "not_applicable")


def clinician_sections(view: View) -> list[Section]:
    """All sections but the sources."""
    return [
        section("overall", "clinician", _overall(view)),
        section("analysis.labs", "clinician", _labs(view)),
        *(section(f"analysis.{topic}", "clinician", _measures(view, topic)) for topic in _MEASURED_TOPICS),
        section("analysis.surveys", "clinician", _plain_list(view, "surveys")),
        section("analysis.peers", "clinician", _other_peers(view)),
        section("analysis.insights", "clinician", _plain_list(view, "insights")),
        section("analysis.checked", "clinician", _statements(view, "normal")),
        section("missing", "clinician", _missing(view)),
        section("actions", "clinician", _actions(view)),
    ]


def cited_sources(view: View) -> list[Source]:
    """The guidelines of all rules that came to a result, in order of title."""
    used = view.with_outcome("fired", "normal")
    return sorted({Source(row["guideline"], row["guideline_url"]) for row in used}, key=lambda s: s.title)


def _overall(view: View) -> Iterator[Sentence]:
    age = view.get("profile.age")
    person = _PEOPLE.get(view.dossier.sex, "Person")
    yield stated(f"{person}, {age['rendered']}" if age else f"{person}, age not known", age)
    days = view.get("data.valid_days.last_30_days")
    if days is not None:
        yield stated(f"{days['label']}: {days['rendered']}{_through(days)}", days)
    else:
        yield Sentence("The wearable data allow no statement about recent days.")
    fired = view.with_outcome("fired")
    if fired:
        yield from (stated(row["statement"], row) for row in fired)
    else:
        yield Sentence("None of the checks that could be made found anything.")


def _through(fact: Row) -> str:
    return f", up to {long_date(fact['window_end'])}" if fact["window_end"] else ""


def _measures(view: View, topic: str) -> Iterator[Sentence]:
    noun = "night" if topic == "sleep" else "day"
    for metric in view.metrics(topic):
        lead, *others = view.medians(metric)
        change = view.get(f"{metric}.change.{lead['window']}")
        peer = view.get(f"peer.{metric}.{lead['window']}")
        days = f" ({counted(lead['days'], noun)})" if lead["days"] is not None else ""
        text = f"{short_label(lead)}: median {lead['rendered']} over {window_words(lead['window'])}{days}"
        text += f"; {change['rendered']}" if change else ""
        text += f"; {peer['rendered']}" if peer else ""
        text += "".join(f"; {other['rendered']} over {window_words(other['window'])}" for other in others)
        yield stated(text, lead, *others, change, peer)


def _labs(view: View) -> Iterator[Sentence]:
    """Out of range first, one sentence each; then the rest, together for each draw."""
    values = [row for row in view.of_topic("labs") if row["fact_id"].endswith(".value")]
    for value in values:
        if value["direction"] in {"above", "below"}:
            low, high = _limits(view, value)
            where = f"{value['direction']} the printed {printed_range(low, high) or 'range'}"
            yield stated(f"{value['label']} {value['rendered']}{_on(value)}, {where}", value, low, high)
    yield from _together(view, "Within the printed range", [v for v in values if v["direction"] == "within"])
    yield from _together(view, "Without a printed range", [v for v in values if v["direction"] is None])


def _together(view: View, heading: str, values: Sequence[Row]) -> Iterator[Sentence]:
    """One sentence a draw, with the limits in brackets."""
    for day in sorted({value["window_end"] for value in values}):
        drawn = [value for value in values if value["window_end"] == day]
        limits = [_limits(view, value) for value in drawn]
        items = [_with_limits(value, *pair) for value, pair in zip(drawn, limits, strict=True)]
        cited = [fact for pair in limits for fact in pair]
        yield stated(f"{heading} on {long_date(day)}: {', '.join(items)}", *drawn, *cited)


def _on(value: Row) -> str:
    return f" on {long_date(value['window_end'])}" if value["window_end"] else ""


def _limits(view: View, value: Row) -> tuple[Row | None, Row | None]:
    stem = value["fact_id"].removesuffix(".value")
    return view.get(f"{stem}.low"), view.get(f"{stem}.high")


def _with_limits(value: Row, low: Row | None, high: Row | None) -> str:
    limits = printed_range(low, high).removeprefix("range of ").replace(" of ", " ")
    return f"{value['label']} {value['rendered']}" + (f" ({limits})" if limits else "")


def _plain_list(view: View, topic: str) -> Iterator[Sentence]:
    for row in view.of_topic(topic):
        yield stated(f"{row['label']}: {row['rendered']}{_on(row) if topic == 'surveys' else ''}", row)


def _other_peers(view: View) -> Iterator[Sentence]:
    """Ranks of values that have no sentence of their own among the measures."""
    told = {f"peer.{m}.{view.lead_window(m)}" for topic in _MEASURED_TOPICS for m in view.metrics(topic)}
    for row in view.of_topic("peers"):
        if row["fact_id"] not in told and row["window"] in {"newest", "last_30_days", "whole"}:
            yield stated(f"{row['label']}: {row['rendered']}", row)


def _statements(view: View, *outcomes: str) -> Iterator[Sentence]:
    for row in view.with_outcome(*outcomes):
        yield stated(view.facts[row["fact_id"]]["rendered"], row)


def _missing(view: View) -> Iterator[Sentence]:
    """What could not be checked, because; rules that do not hold for this person come last, by name."""
    yield from _statements(view, "insufficient", "not_comparable")
    beside = view.with_outcome("not_applicable")
    if beside:
        names = joined([row["label"] for row in beside])
        yield stated(f"Checks that do not apply to this person: {names}", *beside)


def _actions(view: View) -> Iterator[Sentence]:
    for row in view.with_outcome("fired"):
        if row["next_step"]:
            yield stated(f"{row['label']}: {row['next_step']}", row)
