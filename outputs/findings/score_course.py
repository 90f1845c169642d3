"""Questionnaires beyond bands: PHQ-9 against the score before, Berlin, IPAQ's low category, and PSS-10."""

from collections.abc import Callable, Mapping
from typing import Any

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, Measured, UncheckedError, banded, verdict
from outputs.findings.questionnaires import score_day, score_evidence
from outputs.findings.rule import Case, Finding, Guideline, Rule
from outputs.metrics import METRICS
from outputs.rendering import rounded

_LOEWE = Guideline(
    "Loewe et al., Med Care 42:1194 (least change of PHQ-9 that matters)",
    2004,
    "https://pubmed.ncbi.nlm.nih.gov/15550799/",
)
_IPAQ = Guideline(
    "IPAQ research committee, scoring protocol of the short form", 2005, "https://sites.google.com/view/ipaq"
)
_COHEN = Guideline("Cohen and Williamson, Perceived Stress Scale; its authors give no limits", 1988)
_NETZER = Guideline(
    "Netzer et al., Ann Intern Med 131:485",
    1999,
    "https://doi.org/10.7326/0003-4819-131-7-199910050-00002",
)
OLDEST_AGE_OF_IPAQ = 69
BERLIN_HIGH_FROM, BERLIN_CATEGORIES = 2, 3


def _newest(case: Case, instrument: str) -> Mapping[str, Any]:
    row = case.scores.get(instrument)
    if row is None or row["score"] is None:
        raise UncheckedError("no_result")
    return row


def _change(instrument: str) -> Callable[[Case], Measured]:
    """Points between the newest score and the one before."""

    def measured(case: Case) -> Measured:
        newest = _newest(case, instrument)
        day = score_day(case, newest)
        before = [
            row
            for row in case.earlier_scores.get(instrument, ())
            if row["score"] is not None and row["answered_on"] is not None and row["answered_on"] < day
        ]
        if not before:
            raise UncheckedError("one_draw", day=day)
        old, new = rounded(before[0]["score"], 0), rounded(newest["score"], 0)
        evidence = [score_evidence(case, newest), score_evidence(case, before[0])]
        return Measured(new - old, f"from {old:.0f} to {new:.0f} points", day, evidence)

    return measured


def _ipaq(rule: Checked, case: Case) -> Finding:
    row = _newest(case, "ipaq")
    if case.age is not None and case.age > OLDEST_AGE_OF_IPAQ:
        raise UncheckedError("input_range", "not_applicable", score_day(case, row))
    is_low = row["category"] == "low"
    band = Band(
        "low" if is_low else str(row["category"]),
        severity="info",
        fires=is_low,
        next_step="Ask what movement is possible and liked; people tend to tell more than devices see.",
    )
    statement = (
        f"Self-reported activity: {rounded(row['score'], 0):,.0f} MET-minutes a week, in the protocol's"
    )
    statement += f" {band.category} category."
    return verdict(rule, score_day(case, row), statement, band, [score_evidence(case, row)])


def _berlin(rule: Checked, case: Case) -> Finding:
    row = _newest(case, "berlin")
    positive = rounded(row["score"], 0)
    is_high = positive >= BERLIN_HIGH_FROM
    band = Band(
        "high risk" if is_high else "low risk",
        severity="low",
        fires=is_high,
        next_step="A hint, no diagnosis: ask about snoring, pauses in breathing and sleepiness by day, "
        "also at the wheel; consider a sleep study.",
    )
    statement = (
        f"{rule.title}: {positive:.0f} of {BERLIN_CATEGORIES} categories positive, {band.category} of sleep"
        f" apnoea by its authors' rule ({BERLIN_HIGH_FROM} or more are high)."
    )
    return verdict(rule, score_day(case, row), statement, band, [score_evidence(case, row)])


def _pss10(rule: Checked, case: Case) -> Finding:
    row = _newest(case, "pss10")
    raise UncheckedError("no_limits", "not_comparable", score_day(case, row))


def _course(rule_id: str, instrument: str, least: int, guideline: Guideline) -> Rule:
    label = METRICS[f"{instrument}_score"].label
    return Checked(
        rule_id,
        f"{label}, course",
        "surveys",
        (f"{instrument}_score",),
        "newest score against the one before",
        "two scores on two days",
        guideline,
        banded(_change(instrument), "points"),
        {
            "any": (
                Band("no clear rise", says="no rise beyond what the test varies by"),
                Band("clear rise", {"points": least}, "medium", True, "a rise beyond what the test varies by",
                     "Talk about what changed since then."),
            )
        },
        pregnancy_stops=False,
        sensitive=True,
    ).rule()  # fmt: skip


def _told(rule_id: str, title: str, instrument: str, guideline: Guideline, answer: Any, *lines: str) -> Rule:
    return Checked(
        rule_id,
        title,
        "surveys",
        (f"{instrument}_score",),
        "newest score",
        "one score that the missing rule of the instrument allows",
        guideline,
        answer,
        {},
        lines=lines,
        pregnancy_stops=False,
        sensitive=instrument != "ipaq",
    ).rule()


RULES = (
    _course("phq9_course", "phq9", 5, _LOEWE),
    _told(
        "ipaq_category",
        "Self-reported activity (IPAQ)",
        "ipaq",
        _IPAQ,
        _ipaq,
        "low by the protocol (info)",
        "moderate or high (nothing found)",
    ),
    _told(
        "berlin_high_risk",
        "Berlin questionnaire (sleep apnoea risk)",
        "berlin",
        _NETZER,
        _berlin,
        f"{BERLIN_HIGH_FROM} or {BERLIN_CATEGORIES} of {BERLIN_CATEGORIES} categories positive (low)",
        "fewer (nothing found)",
    ),
    _told("pss10_score", "PSS-10 (stress)", "pss10", _COHEN, _pss10, "never classed: there are no limits"),
)
