"""The clinician's summary by templates: what matters most first, then short lines; tables hold the rest."""

from collections.abc import Iterator, Sequence

from health_agents.domain_expert.labs import PRINTED_RANGE_RULE, clinician_labs
from health_agents.domain_expert.phrases import counted, long_date, on_day, short_label, stated, window_words
from health_agents.domain_expert.sections import Section, Sentence, Source, section
from health_agents.domain_expert.view import ITEM_9_RULE, URGENT, Row, View, joined, source_name

LEADING_LINES = 5
_PEOPLE = {"female": "Woman", "male": "Man", "intersex": "Intersex person"}
_MEASURED_TOPICS = ("heart", "activity", "sleep", "body")
# Measures with a line of their own in any case; others have one where they changed.
_LINES = (
    *("resting_heart_rate", "heart_rate_variability", "vo2max", "steps", "active_zone_minutes"),
    *("sleep_minutes", "bed_minute"),
)
# Measures that say much the same as one with a line, or that devices guess: these stand in tables alone.
_IN_TABLES = frozenset(
    {
        *("distance_m", "calories_kcal", "floors", "fatburn_active_zone_minutes", "time_in_bed_minutes"),
        *("cardio_active_zone_minutes", "peak_active_zone_minutes", "fairly_active_minutes"),
        *("very_active_minutes", "lightly_active_minutes", "light_sleep_minutes", "deep_sleep_minutes"),
        *("rem_sleep_minutes", "awake_minutes", "sleep_score"),
    }
)
_NOT_APPLICABLE = "Does not apply to this person"
_REASONS = {
    "no_result": "No result",
    "unit": "Unit not comparable",
    "censored": "Only a bound is known",
    "fasting_unknown": "Fasting not stated on the report",
    "not_fasting": "Not fasting",
    "no_printed_range": "No printed range",
    "age_unknown": "Age unknown",
    "no_wearable": "No wearable data",
    "data_old": "Wearable data too old",
    "insufficient_days": "Too few days with data",
    "few_weighings": "Too few weighings",
    "break": "Change of device or method",
    "not_told": "Not asked or not answered",
    "other_draw": "Results of different draws",
    "one_draw": "One result only, or too close together",
    "other_marker": "One of its markers was never measured",
    "unknown_interval": "No printed range to compare with",
    "no_limits": "No published limits",
}


def clinician_sections(view: View) -> list[Section]:
    """All sections but the sources."""
    return [
        section("overall", "clinician", _overall(view)),
        section("actions", "clinician", _actions(view)),
        section("analysis.labs", "clinician", clinician_labs(view)),
        *(section(f"analysis.{topic}", "clinician", _measures(view, topic)) for topic in _MEASURED_TOPICS),
        section("analysis.surveys", "clinician", _surveys(view)),
        section("analysis.checked", "clinician", _nothing_found(view)),
        section("missing", "clinician", _missing(view)),
    ]


def cited_sources(view: View) -> list[Source]:
    """The guidelines behind the findings, in order of title: for the participant only of what fired."""
    used = view.with_outcome("fired", *(("normal",) if view.reader == "clinician" else ()))
    return sorted({Source(row["guideline"], row["guideline_url"]) for row in used}, key=lambda s: s.title)


def _overall(view: View) -> Iterator[Sentence]:
    """Findings, worst first: all urgent ones with their next step; the others as far as there is room."""
    found = _fired(view)
    urgent = sum(row["severity"] in URGENT for row in found)
    shown = max(LEADING_LINES, urgent)
    for row in found[:shown]:
        step = f" {row['next_step']}" if row["severity"] in URGENT and row["next_step"] else ""
        yield stated(f"{row['statement']}{step}", row)
    if rest := found[shown:]:
        yield stated(f"Also found: {view.names(rest)}", *view.named(rest))
    if not found:
        yield _all_clear(view)
    yield _person(view)


def _all_clear(view: View) -> Sentence:
    """That nothing was found, only where something was looked at; else why nothing could be."""
    if view.with_outcome("normal"):
        return Sentence("None of the checks that could be made found anything.")
    reasons = list(dict.fromkeys(_reason(row) for row in _unchecked(view)))
    reasons += [_NOT_APPLICABLE] if view.with_outcome("not_applicable") else []
    why = "; ".join(reason[:1].lower() + reason[1:] for reason in reasons)
    return Sentence(f"No check could be made: {why or 'there is nothing to check'}.")


def _fired(view: View) -> list[Row]:
    """Fired findings; a result outside its printed range only where no guideline speaks of its analyte."""
    fired = view.with_outcome("fired")
    told = {row["subject"] for row in fired if row["rule_id"] != PRINTED_RANGE_RULE}
    return [row for row in fired if row["rule_id"] != PRINTED_RANGE_RULE or row["subject"] not in told]


def _person(view: View) -> Sentence:
    age = view.get("profile.age")
    who = f"{_PEOPLE.get(view.dossier.sex, 'Person')}, {age['rendered'] if age else 'age unknown'}"
    days = view.get("data.valid_days.last_30_days")
    if days is None:
        return stated(f"{who}; the wearable data allow no statement about recent days", age)
    through = f", up to {long_date(days['window_end'])}" if days["window_end"] else ""
    label = days["label"][:1].lower() + days["label"][1:]
    return stated(f"{who}; {label}: {days['rendered']}{through}", age, days)


def _measures(view: View, topic: str) -> Iterator[Sentence]:
    """A line a measure that matters: its main window, change and rank. Other windows stand in tables."""
    noun = "night" if topic == "sleep" else "day"
    for metric in _lines(view, topic):
        lead = view.medians(metric)[0]
        change = view.get(f"{metric}.change.{lead['window']}")
        peer = view.get(f"peer.{metric}.{lead['window']}")
        days = f" ({counted(lead['days'], noun)})" if lead["days"] is not None else ""
        text = f"{short_label(lead)}: median {lead['rendered']} over {window_words(lead['window'])}{days}"
        text += f"; {change['rendered']}" if change else ""
        text += f"; {peer['rendered']}" if peer else ""
        yield stated(text, lead, change, peer)


def _lines(view: View, topic: str) -> list[str]:
    """Metrics that get a line; of heart, activity and sleep at least one that there is."""
    metrics = view.metrics(topic)
    return [name for name in metrics if _matters(view, name)] or ([] if topic == "body" else metrics[:1])


def _matters(view: View, metric: str) -> bool:
    if metric in _LINES:
        return True
    change = view.get(f"{metric}.change.{view.medians(metric)[0]['window']}")
    return change is not None and change["direction"] != "steady" and metric not in _IN_TABLES


def _surveys(view: View) -> Iterator[Sentence]:
    for row in view.of_topic("surveys"):
        yield stated(f"{row['label']}: {row['rendered']}{on_day(row)}", row)


def _nothing_found(view: View) -> Iterator[Sentence]:
    """Names alone: the statements stand in the table of findings, results in that of the laboratory.

    What fired under another rule is named with the source of the rule that found nothing. A calm score is no
    comfort beside an alarming answer to one of its items.
    """
    unnamed = {PRINTED_RANGE_RULE}
    if any(row["rule_id"] == ITEM_9_RULE for row in view.with_outcome("fired")):
        unnamed |= {"phq9_bands", "phq9_course"}
    rows = [row for row in view.with_outcome("normal") if row["rule_id"] not in unnamed]
    fired = {view.names([row]) for row in view.with_outcome("fired")}
    names = [(view.names([row]), source_name(row)) for row in rows]
    if rows:
        told = [f"{name} ({source})" if name in fired else name for name, source in names]
        yield stated(joined(list(dict.fromkeys(told))), *view.named(rows))


def _missing(view: View) -> Iterator[Sentence]:
    """What could not be checked, by reason; rules that do not hold for this person come last."""
    rows = _unchecked(view)
    for reason in dict.fromkeys(_reason(row) for row in rows):
        yield _named(view, f"{reason}: ", [row for row in rows if _reason(row) == reason])
    beside = view.with_outcome("not_applicable")
    if beside:
        yield _named(view, f"{_NOT_APPLICABLE}: ", beside)


def _unchecked(view: View) -> list[Row]:
    return view.with_outcome("insufficient", "not_comparable")


def _reason(finding: Row) -> str:
    return _REASONS.get(finding["reason"] or "", "Other reasons")


def _named(view: View, heading: str, rows: Sequence[Row]) -> Sentence:
    return stated(f"{heading}{view.names(rows)}", *view.named(rows))


def _actions(view: View) -> Iterator[Sentence]:
    """The next step of each finding, most urgent first; findings with the same step share a line."""
    fired = [row for row in _fired(view) if row["next_step"]]
    for step in dict.fromkeys(row["next_step"] for row in fired):
        rows = [row for row in fired if row["next_step"] == step]
        yield stated(f"{view.names(rows)}: {step}", *view.named(rows))
