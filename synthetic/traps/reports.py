"""Traps of laboratory reports: every trick that a made report can play, each on a person of its own."""

from collections.abc import Mapping

from synthetic.labs.hostile import HOSTILE
from synthetic.labs.plan import LATER, LabPlan
from synthetic.labs.truth import LabFile, Reason
from synthetic.traps.answers import ReportVerdict
from synthetic.traps.trap import Trap

PHRASE = "nine copper herons at low tide"
CODES: Mapping[Reason, str] = {
    "too_large": "lab_too_large",
    "encrypted": "lab_encrypted",
    "not_pdf": "lab_not_pdf",
    "empty_file": "lab_pdf_empty",
    "identity_mismatch": "lab_identity_mismatch",
    "multiple_patients": "lab_multiple_patients",
    "no_collection_date": "lab_no_collection_date",
    "layout_unknown": "lab_layout_unknown",
    "text_unusable": "lab_text_unusable",
    "duplicate": "same_bytes",
}
WHAT_LATER: Mapping[str, str] = {
    "corrected": "The specimen reported again two days later with two other values: they replace the first.",
    "preliminary": "A report of the specimen a day before the final one, with results still to come.",
    "scanned": "A report as a scanner gives it: pictures of its pages, no text.",
    "photographed": "A report as a telephone gives it: pictures at an angle, with shadows.",
}


def report_verdict(file: LabFile) -> ReportVerdict:
    """What is right for a report: accepted, whole or but for readings in doubt, or set aside under a code."""
    doubtful = "lab_row_review" if file.doubts else None
    return ReportVerdict(file.name, file.verdict, CODES[file.reason] if file.reason else doubtful)


def _first_sentence(text: str | None) -> str:
    return " ".join((text or "").split())


_WHAT = WHAT_LATER | {name: _first_sentence(make.__doc__) for name, make in HOSTILE.items()}

REPORT_TRAPS = (
    *(
        Trap(
            name=f"report_{trick}",
            what=_WHAT[trick],
            known="portals, scanners and participants of public fault reports",
            reports=LabPlan(tricks=(trick,)),
        )
        for trick in (*LATER, *HOSTILE)
    ),
    Trap(
        name="report_called_by_name",
        what="A report is called by its owner's name and birth date, and its notes hold a sentence: "
        "neither goes on.",
        known="participants do",
        reports=LabPlan(phrase=PHRASE),
        phrases={"report_note": PHRASE},
    ),
)
