"""The participant's own page: plain words, only what may stand there, nothing that gives others away."""

from collections.abc import Mapping, Sequence
from typing import Any

from outputs.reports import words
from outputs.reports.bound_text import BoundFact, bound_facts, sections
from outputs.reports.clinician import About, calendar_of, cited, written_by
from outputs.reports.lab_rows import lab_rows
from outputs.reports.measures import Peer, Trend, main_ranks, peers, trends
from outputs.reports.pages import render
from outputs.reports.publication import summary_of
from outputs.reports.release_rows import ReleaseRows, Row

# Charts stand beside the text on their topic.
CHARTS = {
    "analysis.sleep": ("sleep_minutes",),
    "analysis.activity": ("steps",),
    "analysis.heart": ("resting_heart_rate", "heart_rate_variability"),
}
LABS, STEPS = "analysis.labs", "actions"
# Ranks that stand open, in this order, filled up from the others to FEWEST; the rest is folded.
FIRST_RANKS = (
    *("sleep_minutes", "deep_sleep_minutes", "steps", "active_zone_minutes", "resting_heart_rate"),
    *("heart_rate_variability", "vo2max"),
)
FEWEST_RANKS = 5


def participant_page(rows: ReleaseRows, person: Row, about: About) -> str:
    """The page as HTML.

    Ranks and laboratory results appear only where their fact is for the participant: that keeps mood,
    self-harm, alcohol and reproductive content off whatever else the release holds.
    """
    owner = person["participant_id"]
    facts = bound_facts([fact for fact in rows.of(owner, "facts") if fact["for_participant"]])
    summary = summary_of(rows, owner, "participant")
    if summary is None:
        raise ValueError("a participant's page needs a summary")
    parts = sections(summary["sections_json"], {})
    ranks = [rank for rank in rows.of(owner, "participant_percentiles") if _shown(rank, facts)]
    daily = rows.of(owner, "daily_summary")
    drawn = {chart.metric: chart for chart in trends(rows, daily, ranks, about.main_days, public=True)}
    texts = {part["id"]: part for part in parts if part["sentences"]}
    answers = [row for row in rows.of(owner, "insights") if row["for_participant"]]
    first, others = _first_ranks(peers(rows, main_ranks(ranks, about.main_days), public=True))
    return render(
        "participant.html",
        study=about.study,
        person=person,
        summary=summary,
        opening=[part for name, part in texts.items() if name not in (*CHARTS, LABS, STEPS, "sources")],
        topics=_topics(texts, drawn),
        lab_text=texts.get(LABS),
        steps=texts.get(STEPS),
        notice=texts.get("sources"),
        written_by=written_by(summary),
        peers=first,
        other_peers=others,
        labs=_newest_labs(rows.of(owner, "lab_results"), facts),
        calendar=calendar_of(daily),
        insights=[row for row in answers if row["outcome"] == "answered"],
        unanswered=[row for row in answers if row["outcome"] == "insufficient"],
        sources=cited([], parts),
    )


def _topics(
    texts: Mapping[str, dict[str, Any]], drawn: Mapping[str, Trend]
) -> list[tuple[dict[str, Any], list[Trend]]]:
    """Topics with their text and charts; charts whose topic has no text come last, under a title of ours."""
    topics: list[tuple[dict[str, Any], list[Trend]]] = []
    left: list[Trend] = []
    for name, metrics in CHARTS.items():
        charts = [drawn[metric] for metric in metrics if metric in drawn]
        if name in texts:
            topics.append((texts[name], charts))
        else:
            left += charts
    if left:
        topics.append(({"id": "days", "title": "Your days", "style": "text", "sentences": []}, left))
    return topics


def _first_ranks(ranked: Sequence[Peer]) -> tuple[list[Peer], list[Peer]]:
    """The ranks that stand open, and those that are folded."""
    by_metric = {peer.metric: peer for peer in ranked}
    first = [by_metric[metric] for metric in FIRST_RANKS if metric in by_metric]
    others = [peer for peer in ranked if peer.metric not in FIRST_RANKS]
    missing = max(FEWEST_RANKS - len(first), 0)
    return first + others[:missing], others[missing:]


def _shown(rank: Row, facts: Mapping[str, BoundFact]) -> bool:
    return rank["rank"] is not None and f"peer.{rank['metric']}.{rank['window']}" in facts


def _newest_labs(results: Sequence[Row], facts: Mapping[str, BoundFact]) -> list[dict[str, Any]]:
    """The newest printed result of each analyte that may be shown, in the order of the reports."""
    allowed = [
        row
        for row in results
        if not row["derived"] and row["collected_date"] and f"lab.{row['analyte_key']}.value" in facts
    ]
    newest: dict[str, Any] = {}
    for row in allowed:
        newest[row["analyte_key"]] = max(
            newest.get(row["analyte_key"], row["collected_date"]), row["collected_date"]
        )
    kept = [row for row in allowed if row["collected_date"] == newest[row["analyte_key"]]]
    return [
        {
            "name": facts[f"lab.{row['analyte_key']}.value"].row["label"],
            "printed": lab,
            "day": words.day(row["collected_date"]),
        }
        for row, lab in lab_rows(kept)
    ]
