"""The clinician's page of a participant: everything, with what each number rests on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from markupsafe import Markup

from outputs.rendering import shown_number
from outputs.reports import words
from outputs.reports.bound_text import BoundFact, bound_facts, sections, source
from outputs.reports.lab_rows import draws
from outputs.reports.measures import Figure, figures, main_ranks, peers, trends
from outputs.reports.pages import render
from outputs.reports.publication import held_words, summary_of
from outputs.reports.release_rows import ReleaseRows, Row
from outputs.reports.small_plots import wear_calendar
from outputs.reports.window_table import window_table
from schemas.settings import StudySection

ANALYSIS = "analysis."
APART = ("analysis.checked",)
WAITING = ("new", "open")
_OPEN_PAGE = "Open the participant's clinician page"
INSTRUMENT_WORDS = {
    "phq9": "PHQ-9",
    "phq8": "PHQ-8",
    "gad7": "GAD-7",
    "pss10": "PSS-10",
    "ipaq": "IPAQ, MET-minutes a week",
    "auditc": "AUDIT-C",
    "who5": "WHO-5",
    "berlin": "Berlin questionnaire",
}
OUTCOME_GROUPS = (
    ("fired", "Fired", True),
    ("insufficient", "Could not be checked", False),
    ("not_comparable", "Not comparable", False),
    ("normal", "Checked, nothing found", False),
    ("not_applicable", "Does not apply", False),
)


@dataclass(frozen=True, slots=True)
class About:
    """What pages say of the release they belong to."""

    study: StudySection
    as_of: date
    edition: str | None
    main_days: int


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one outcome."""

    title: str
    open: bool
    rows: list[Row]


def clinician_page(rows: ReleaseRows, person: Row, about: About, held: str | None = None) -> str:
    """The page as HTML. held: why the participant's own page is not published (publication.py), or None."""
    owner = person["participant_id"]
    facts = bound_facts(rows.of(owner, "facts"))
    findings = rows.of(owner, "findings")
    summary = summary_of(rows, owner, "clinician")
    parts = sections(summary["sections_json"], facts, _severities(findings)) if summary else []
    theirs = summary_of(rows, owner, "participant")
    key_figures = figures(facts, about.main_days)
    ranks = rows.of(owner, "participant_percentiles")
    daily = rows.of(owner, "daily_summary")
    attention = _waiting(rows.of(owner, "attention"))
    return render(
        "clinician.html",
        study=about.study,
        as_of=about.as_of,
        edition=about.edition,
        person=person,
        who=_who(person),
        attention=attention,
        urgent=any(row["severity"] == "critical" for row in attention),
        figures=key_figures,
        summary=summary,
        sections=_grouped(parts),
        theirs=theirs,
        their_sections=sections(theirs["sections_json"], {}) if theirs else [],
        held=held_words(held) if held else "",
        written_by=written_by(summary),
        findings=_finding_groups(findings),
        draws=draws(rows.of(owner, "lab_results")),
        trends=list(trends(rows, daily, ranks, about.main_days, public=False)),
        windows=window_table(rows.metrics, ranks, facts, about.main_days),
        peers=peers(rows, main_ranks(ranks, about.main_days), public=False),
        insights=_insights(rows.of(owner, "insights"), facts),
        scores=[_score(score) for score in rows.of(owner, "survey_scores")],
        calendar=calendar_of(daily),
        wear=_wear(person),
        files=rows.of(owner, "source_files"),
        checks=rows.of(owner, "quality_checks"),
        sources=cited(findings, parts),
        facts=_linked_facts(facts, parts, key_figures),
    )


def _severities(findings: Iterable[Row]) -> dict[str, str]:
    """fact_id of a finding that fired -> its severity."""
    fired = (row for row in findings if row["outcome"] == "fired")
    return {f"finding.{row['rule_id']}.{row['subject']}": row["severity"] for row in fired}


def _grouped(parts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The sections in their order, the topics of the analysis together under the first of them."""
    grouped: list[dict[str, Any]] = []
    topics: list[dict[str, Any]] = []
    for part in parts:
        if part["id"] == "sources" or not part["sentences"]:
            continue
        if not part["id"].startswith(ANALYSIS) or part["id"] in APART:
            grouped.append(part | {"topics": []})
            continue
        if not topics:
            grouped.append({"id": "analysis", "title": "Detailed analysis", "topics": topics})
        topics.append(part)
    return grouped


def written_by(summary: Row | None) -> str:
    """Which language model wrote the text; a text from templates says so itself, under its sources."""
    if summary is None or summary["written_by"] == "rules":
        return ""
    return f"Written by the language model {summary['written_by']}; every number was checked by code."


def calendar_of(daily: Sequence[Row]) -> Markup | None:
    """The wear calendar of a participant's days."""
    return wear_calendar([(day["date"], day["day_state"]) for day in daily])


def cited(findings: Iterable[Row], parts: Iterable[dict[str, Any]]) -> list[dict[str, str | None]]:
    """Sources of the text, then guidelines of fired findings, each once."""
    listed = [item for part in parts for item in part["sources"]]
    listed += [
        source({"title": row["guideline"], "url": row["guideline_url"]})
        for row in findings
        if row["outcome"] == "fired"
    ]
    return list({item["title"]: item for item in reversed(listed)}.values())[::-1]


def _linked_facts(
    facts: Mapping[str, BoundFact], parts: Iterable[dict[str, Any]], key_figures: Iterable[Figure]
) -> list[BoundFact]:
    """The facts that something on the page leads to; all others are in the table facts of the release."""
    anchors = {figure.anchor for figure in key_figures}
    named = {name for part in parts for name in part["fact_ids"]}
    return [fact for name, fact in facts.items() if name in named or fact.anchor in anchors]


def _insights(insights: Sequence[Row], facts: Mapping[str, BoundFact]) -> list[dict[str, Any]]:
    """Each insight with all numbers behind it: those of its statement and the technical detail."""
    return [
        dict(row)
        | {"numbers": [f.row for n, f in facts.items() if n.startswith(f"insight.{row['question_id']}.")]}
        for row in insights
    ]


def _who(person: Row) -> str:
    age = person["age"]
    years = "" if age is None else "90 or older" if age >= 90 else f"{age} years"
    parts = [years + (" (approximate)" if years and person["age_approximate"] else "")]
    parts.append(words.SEX_OF_ONE.get(person["sex"], ""))
    parts += [f"{name} {person[name]}" for name in ("gender", "site", "group") if person[name]]
    parts += [person["status"]] if person["status"] != "active" else []
    return " · ".join(part for part in parts if part)


def step_on_page(step: str | None) -> str:
    """A next step as it is read on the clinician's page: without the request to open that page."""
    rest = (step or "").removeprefix(_OPEN_PAGE).removeprefix(".").strip().removeprefix("now and ")
    return rest[:1].upper() + rest[1:] if (step or "").startswith(_OPEN_PAGE) else step or ""


def _waiting(attention: Sequence[Row]) -> list[Row]:
    rows = [
        {**row, "next_step": step_on_page(row["next_step"])} for row in attention if row["state"] in WAITING
    ]
    return sorted(rows, key=lambda row: (words.SEVERITIES.index(row["severity"]), row["what"]))


def _severity(row: Row) -> int:
    return words.SEVERITIES.index(row["severity"] or "info")


def _finding_groups(findings: Sequence[Row]) -> list[FindingGroup]:
    groups: list[FindingGroup] = []
    for outcome, title, is_open in OUTCOME_GROUPS:
        rows = [row for row in findings if row["outcome"] == outcome]
        rows.sort(key=lambda row: (_severity(row), row["rule_id"], row["subject"]))
        if rows:
            groups.append(FindingGroup(title, is_open, rows))
    return groups


def _score(score: Row) -> dict[str, Any]:
    value = score["score"]
    shown = words.NO_VALUE if value is None else shown_number(value, 0 if value == int(value) else 2)
    name = INSTRUMENT_WORDS.get(score["instrument"], words.plain(score["instrument"]))
    event = f", {words.plain(score['event'])}" if score["event"] else ""
    missing = f" ({words.counted(score['items_missing'], 'item')} missing)" if score["items_missing"] else ""
    return {
        "name": name + event,
        "answered_on": score["answered_on"],
        "score": shown,
        "category": (score["category"] or "") + missing,
        "rule": score["rule"],
    }


def _wear(person: Row) -> str:
    share = "" if person["adherence"] is None else f" ({person['adherence'] * 100:.0f} %)"
    return (
        f"Worn on {person['valid_days']} of {words.counted(person['days_observed'], 'day')}{share} "
        f"up to {words.day(person['data_through'])}."
    )
