"""The clinician's summary by templates: terse, with ranges, and what was and could not be checked."""

from collections.abc import Iterator

from health_agents.domain_expert.labs import PRINTED_RANGE_RULE, clinician_labs
from health_agents.domain_expert.phrases import counted, long_date, on_day, short_label, stated, window_words
from health_agents.domain_expert.sections import Section, Sentence, Source, section
from health_agents.domain_expert.view import Row, View

_PEOPLE = {"female": "Woman", "male": "Man", "intersex": "Intersex person"}
_MEASURED_TOPICS = ("heart", "activity", "sleep", "body")


def clinician_sections(view: View) -> list[Section]:
    """All sections but the sources."""
    return [
        section("overall", "clinician", _overall(view)),
        section("analysis.labs", "clinician", clinician_labs(view)),
        *(section(f"analysis.{topic}", "clinician", _measures(view, topic)) for topic in _MEASURED_TOPICS),
        section("analysis.surveys", "clinician", _surveys(view)),
        section("analysis.peers", "clinician", _other_peers(view)),
        section("analysis.checked", "clinician", _nothing_found(view)),
        section("missing", "clinician", _missing(view)),
        section("actions", "clinician", _actions(view)),
    ]


def cited_sources(view: View) -> list[Source]:
    """The guidelines behind the findings, in order of title: for the participant only of what fired."""
    used = view.with_outcome("fired", *(("normal",) if view.reader == "clinician" else ()))
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
        others = [other for other in others if other["window"] != "whole"]
        change = view.get(f"{metric}.change.{lead['window']}")
        peer = view.get(f"peer.{metric}.{lead['window']}")
        days = f" ({counted(lead['days'], noun)})" if lead["days"] is not None else ""
        text = f"{short_label(lead)}: median {lead['rendered']} over {window_words(lead['window'])}{days}"
        text += f"; {change['rendered']}" if change else ""
        text += f"; {peer['rendered']}" if peer else ""
        text += "".join(f"; {other['rendered']} over {window_words(other['window'])}" for other in others)
        yield stated(text, lead, *others, change, peer)


def _surveys(view: View) -> Iterator[Sentence]:
    for row in view.of_topic("surveys"):
        yield stated(f"{row['label']}: {row['rendered']}{on_day(row)}", row)


def _other_peers(view: View) -> Iterator[Sentence]:
    """Ranks of scores and of laboratory values that are not within their printed range."""
    for row in view.of_topic("peers"):
        metric = row["fact_id"].split(".")[1]
        value = view.get(f"lab.{metric}.value")
        if row["window"] == "newest" and (value is None or value["direction"] != "within"):
            yield stated(f"{row['label']}: {row['rendered']}", row)


def _nothing_found(view: View) -> Iterator[Sentence]:
    """Without results within their printed range, which the laboratory section lists."""
    for row in view.with_outcome("normal"):
        if row["rule_id"] != PRINTED_RANGE_RULE:
            yield stated(row["statement"], row)


def _missing(view: View) -> Iterator[Sentence]:
    """What could not be checked, because; rules that do not hold for this person come last, by name."""
    for row in view.with_outcome("insufficient", "not_comparable"):
        yield stated(row["statement"], row)
    beside = view.with_outcome("not_applicable")
    if beside:
        yield stated(f"Checks that do not apply to this person: {view.names(beside)}", *view.named(beside))


def _actions(view: View) -> Iterator[Sentence]:
    """The next step of each finding that fired; findings with the same step share a sentence."""
    fired = [row for row in view.with_outcome("fired") if row["next_step"]]
    for step in dict.fromkeys(row["next_step"] for row in fired):
        rows = [row for row in fired if row["next_step"] == step]
        yield stated(f"{view.names(rows)}: {step}", *view.named(rows))
