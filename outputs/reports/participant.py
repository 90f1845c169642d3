"""The participant's own page: plain words, only what may stand there, nothing that gives others away."""

from collections.abc import Mapping, Sequence
from typing import Any

from outputs.reports.bound_text import BoundFact, bound_facts, sections
from outputs.reports.clinician import About, calendar_of, cited, summary_of, written_by
from outputs.reports.lab_rows import draws
from outputs.reports.measures import figures, main_ranks, peers, trends
from outputs.reports.pages import render
from outputs.reports.release_rows import ReleaseRows, Row


def has_participant_page(
    rows: ReleaseRows, person: Row, results_to: Mapping[str, str], *, require_sign_off: bool
) -> bool:
    """Whether the page is published: results go to the participant, the text is not withheld, and signed
    where the study requires it."""
    owner = person["participant_id"]
    summary = summary_of(rows, owner, "participant")
    if results_to.get(owner) != "participant" or summary is None or summary["status"] == "withheld":
        return False
    return summary["signed_by"] is not None or not require_sign_off


def participant_page(rows: ReleaseRows, person: Row, about: About) -> str:
    """The page as HTML.

    Ranks, laboratory results and key figures appear only where their fact is for the participant: that
    keeps mood, self-harm, alcohol and reproductive content off whatever else the release holds.
    """
    owner = person["participant_id"]
    facts = bound_facts([fact for fact in rows.of(owner, "facts") if fact["for_participant"]])
    summary = summary_of(rows, owner, "participant")
    if summary is None:
        raise ValueError("a participant's page needs a summary")
    parts = sections(summary["sections_json"], {})
    ranks = [rank for rank in rows.of(owner, "participant_percentiles") if _shown(rank, facts)]
    daily = rows.of(owner, "daily_summary")
    return render(
        "participant.html",
        study=about.study,
        person=person,
        summary=summary,
        sections=parts,
        written_by=written_by(summary),
        figures=figures(facts, about.main_days, linked=False),
        trends=list(trends(rows, daily, ranks, about.main_days, public=True)),
        peers=peers(rows, main_ranks(ranks, about.main_days), public=True),
        labs=_newest_labs(rows.of(owner, "lab_results"), facts),
        calendar=calendar_of(daily),
        insights=[row for row in rows.of(owner, "insights") if row["outcome"] == "answered"],
        sources=cited([], parts),
    )


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
            "name": lab.name,
            "value": lab.value,
            "unit": lab.unit,
            "reference": lab.reference,
            "bar": lab.bar,
            "day": draw.day,
        }
        for draw in draws(kept)
        for _, panel in draw.panels
        for lab in panel
    ]
