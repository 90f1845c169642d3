"""Drafts in, checked texts out: the tables summaries, claims and model_calls of one participant."""

from dataclasses import dataclass, field, replace

import polars as pl

from health_agents.claims import Claim, check_sentence, claims_table, is_verified
from health_agents.domain_expert.clinician import cited_sources
from health_agents.domain_expert.output_checks import says_something, sentence_faults
from health_agents.domain_expert.sections import (
    Section,
    Sentence,
    filled,
    section,
    sections_json,
    text_sha256,
)
from health_agents.domain_expert.view import READERS, Reader, View
from health_agents.domain_expert.writers import Writer
from health_agents.model import MOST_REQUESTS_EACH, asking_all, calls_table
from outputs.dossier import Dossier
from outputs.store import Result
from schemas.errors import PhaError
from schemas.summaries import Summaries
from schemas.table import conform

RESULT_VERSION = 6
# Requests of one participant: a draft for each reader; each may be mended once.
LIKELY_REQUESTS = len(READERS)
MOST_REQUESTS = LIKELY_REQUESTS * 2 * MOST_REQUESTS_EACH


@dataclass(frozen=True, slots=True)
class Checked:
    """A text after its check: what may stand, all claims, and the sentences that failed with their claims."""

    sections: tuple[Section, ...]
    claims: list[Claim]
    failed: list[tuple[Sentence, list[Claim]]] = field(default_factory=list[tuple[Sentence, list[Claim]]])


def write_summaries(dossier: Dossier, writer: Writer) -> Result:
    """Both readers' texts of a participant.

    Tables summaries, claims (of published and removed sentences) and model_calls; the document has
    ``problems`` (summary_needs_review with the number of removed sentences). Raises what the model door
    raises: budget_reached, model_rate_limited, model_unavailable, model_waiting, model_failed.
    """
    texts = _write_all(dossier, writer)
    rows = [_row(dossier, reader, text, writer) for reader, text in texts.items()]
    removed = sum(len(text.failed) for text in texts.values())
    return Result(
        tables={
            "summaries": conform(pl.LazyFrame(rows, infer_schema_length=None), Summaries).collect(),
            "claims": pl.concat(
                claims_table(dossier.participant_id, f"summary:{reader}", text.claims)
                for reader, text in texts.items()
            ),
            "model_calls": calls_table(writer.calls(dossier.participant_id)),
        },
        document={"problems": _problems(dossier.participant_id, removed)},
    )


def _write_all(dossier: Dossier, writer: Writer) -> dict[Reader, Checked]:
    """Every reader's text."""
    texts: dict[Reader, Checked] = {}
    with asking_all() as each:
        for reader in READERS:
            with each():
                texts[reader] = _write(View(dossier, reader), writer)
    return texts


def _write(view: View, writer: Writer) -> Checked:
    """Draft, check, send back once what failed, check again; what fails then is removed."""
    checked = check_text(view, writer.draft(view), writer)
    if checked.failed:
        mended = writer.mend(view, checked.sections, checked.failed)
        if mended is not None:
            checked = check_text(view, mended, writer)
    sections = filled(
        [*checked.sections, section("sources", view.reader, [Sentence(writer.notice)], cited_sources(view))]
    )
    return replace(checked, sections=sections)


def check_text(view: View, sections: list[Section], writer: Writer) -> Checked:
    """Check every sentence; those that fail are left out of the sections."""
    kept: list[Section] = []
    claims: list[Claim] = []
    failed: list[tuple[Sentence, list[Claim]]] = []
    for part in sections:
        good: list[Sentence] = []
        for sentence in part.sentences:
            found = sentence_claims(view, sentence, writer)
            claims += found
            if is_verified(found):
                good.append(sentence)
            else:
                failed.append((sentence, found))
        kept.append(replace(part, sentences=tuple(good)))
    return Checked(filled(kept), claims, failed)


def sentence_claims(view: View, sentence: Sentence, writer: Writer) -> list[Claim]:
    """The claims of a sentence, and its faults. A model's sentence must claim something."""
    claims = check_sentence(sentence.text, sentence.fact_ids, view.quotable)
    claims += sentence_faults(sentence, view.reader, writer.instructions)
    if not claims and writer.must_cite:
        claims.append(Claim(sentence.text, sentence.text, None, "unbound_statement"))
    return claims


def _row(dossier: Dossier, reader: str, text: Checked, writer: Writer) -> dict[str, object]:
    withheld = not says_something(text.sections)
    sections = () if withheld else text.sections
    return {
        "participant_id": dossier.participant_id,
        "reader": reader,
        "status": "withheld" if withheld else "needs_review" if text.failed else "verified",
        "sections_json": sections_json(sections),
        "text_sha256": text_sha256(sections),
        "written_by": writer.name,
        "prompt_digest": writer.prompt_digest,
        "result_version": RESULT_VERSION,
        "data_through": dossier.data_through,
        "edition": dossier.edition,
    }


def _problems(participant_id: str, removed: int) -> list[dict[str, str]]:
    if not removed:
        return []
    error = PhaError("summary_needs_review", count=removed)
    return [{"code": error.code.name, "subject": participant_id, "what": error.what}]
