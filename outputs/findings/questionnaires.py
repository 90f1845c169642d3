"""Questionnaires: newest scores in their published bands; all sensitive, never on a participant's page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from outputs.findings.bands import Band, band_index, described, finding_of, range_words
from outputs.findings.rule import Case, Finding, Guideline, Rule, age_gate, unchecked
from outputs.metrics import METRICS
from outputs.rendering import rounded

_TALK = "Talk about it; a score is a prompt, grief and physical illness can raise it too."


@dataclass(frozen=True, slots=True)
class BandedScore:
    """A scored instrument with its published bands, by sex or for ``any``.

    cut_off: its authors give one cut-off, where the second band begins; statements name that, not the band.
    """

    rule_id: str
    instrument: str
    bands: Mapping[str, Sequence[Band]]
    guideline: Guideline
    cut_off: bool = False

    @property
    def metric(self) -> str:
        """The score's metric."""
        return f"{self.instrument}_score"

    @property
    def title(self) -> str:
        """The score's plain name."""
        return METRICS[self.metric].label

    def rule(self) -> Rule:
        """The declared rule."""
        return Rule(
            self.rule_id,
            self.title,
            "surveys",
            (self.metric,),
            "newest score",
            "one score that the missing rule of the instrument allows",
            "age 18 or above" + ("" if "any" in self.bands else "; registered sex female or male"),
            tuple(
                f"{'' if sex == 'any' else sex + ', '}{line}"
                for sex, bands in self.bands.items()
                for line in described(bands)
            ),
            self.guideline,
            self.check,
            sensitive=True,
        )

    def check(self, case: Case) -> list[Finding]:
        """One finding on the newest score."""
        row = case.scores.get(self.instrument)
        if row is None or row["score"] is None:
            return [unchecked(self.title, self.metric, case.last_day, "no_result")]
        return [self._gated(case, row) or self._classed(case, row)]

    def _gated(self, case: Case, row: Mapping[str, Any]) -> Finding | None:
        if "any" not in self.bands and case.sex not in self.bands:
            return unchecked(self.title, self.metric, score_day(case, row), "sex_unknown", "not_applicable")
        return age_gate(case, self.title, self.metric, score_day(case, row))

    def _classed(self, case: Case, row: Mapping[str, Any]) -> Finding:
        bands = self.bands.get("any") or self.bands[case.sex]
        score = rounded(row["score"], 0)
        place = band_index(score, "points", bands)
        band = bands[place]
        says = band.says or band.category
        limits = (
            f"cut-off {bands[1].lower['points']:g}" if self.cut_off else range_words(place, "points", bands)
        )
        statement = f"{self.title} score {score:.0f}: {says} ({limits})."
        return finding_of(
            bands,
            place,
            "points",
            statement,
            subject=self.metric,
            window_end=score_day(case, row),
            evidence=[score_evidence(case, row)],
        )


def score_day(case: Case, row: Mapping[str, Any]) -> date:
    """The day of a score; the case's last day where nobody knows it."""
    return row["answered_on"] or case.last_day


def score_evidence(case: Case, row: Mapping[str, Any]) -> dict[str, object]:
    """A score with the cell it came from."""
    key = {"participant_id": case.participant_id}
    return {
        "input": row["instrument"],
        "value": row["score"],
        "unit": METRICS[f"{row['instrument']}_score"].unit,
        "date": row["answered_on"],
        "table": "survey_scores",
        "key": {**key, **{name: row[name] for name in ("instrument", "event", "instance")}},
        "column": "score",
    }


def _depression() -> tuple[Band, ...]:
    return (
        Band("minimal band", says="in the minimal band"),
        Band("mild band", {"points": 5}, says="in the mild band"),
        Band("moderate band", {"points": 10}, "medium", True, "in the moderate band", _TALK),
        Band("moderately severe band", {"points": 15}, "high", True, "in the moderately severe band", _TALK),
        Band("severe band", {"points": 20}, "high", True, "in the severe band", _TALK),
    )


def _alcohol(limit: int) -> tuple[Band, ...]:
    step = "Talk about drinking; where all points come from how often, it may be within limits."
    return (
        Band("below the cut-off", says="below the cut-off"),
        Band("positive", {"points": limit}, "low", True, "at or above the cut-off", step),
        Band("positive, high", {"points": 8}, "medium", True, "far above the cut-off", step),
    )


PHQ9 = BandedScore(
    "phq9_bands",
    "phq9",
    {"any": _depression()},
    Guideline(
        "Kroenke et al., J Gen Intern Med 16:606",
        2001,
        "https://doi.org/10.1046/j.1525-1497.2001.016009606.x",
    ),
)
PHQ8 = BandedScore(
    "phq8_bands",
    "phq8",
    {"any": _depression()},
    Guideline("Kroenke et al., J Affect Disord 114:163", 2009, "https://doi.org/10.1016/j.jad.2008.06.026"),
)
GAD7 = BandedScore(
    "gad7_bands",
    "gad7",
    {
        "any": (
            Band("minimal band", says="in the minimal band"),
            Band("mild band", {"points": 5}, says="in the mild band"),
            Band("moderate band", {"points": 10}, "medium", True, "in the moderate band", _TALK),
            Band("severe band", {"points": 15}, "high", True, "in the severe band", _TALK),
        )
    },
    Guideline(
        "Spitzer et al., Arch Intern Med 166:1092", 2006, "https://doi.org/10.1001/archinte.166.10.1092"
    ),
)
AUDITC = BandedScore(
    "auditc_cutoff",
    "auditc",
    {"female": _alcohol(3), "male": _alcohol(4)},
    Guideline("Bush et al., Arch Intern Med 158:1789", 1998, "https://doi.org/10.1001/archinte.158.16.1789"),
    cut_off=True,
)
WHO5 = BandedScore(
    "who5_cutoff",
    "who5",
    {
        "any": (
            Band(
                "low well-being",
                severity="low",
                fires=True,
                says="at or below the cut-off",
                next_step="Look further with PHQ-9 or PHQ-8.",
            ),
            Band("above the cut-off", {"points": 50}, says="above the cut-off", strictly=True),
        )
    },
    Guideline("Topp et al., Psychother Psychosom 84:167", 2015, "https://doi.org/10.1159/000376585"),
)

RULES = (PHQ9.rule(), PHQ8.rule(), GAD7.rule(), AUDITC.rule(), WHO5.rule())
