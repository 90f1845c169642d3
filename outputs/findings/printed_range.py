"""The newest result of each analyte against the interval its own report prints.

The laboratory's interval wins, and what the laboratory flagged is never hidden: where its flag and our
reading differ (many laboratories flag before rounding), the flag decides and the evidence says so.
"""

from outputs.findings.banded_lab import lab_evidence
from outputs.findings.rule import Case, Finding, Guideline, Outcome, Rule, Severity, unchecked
from outputs.printed_result import PrintedResult

RULE_ID = "lab_printed_range"
TITLE = "Laboratory result against the printed interval"
_GUIDELINE = Guideline("Interval printed on the laboratory's report", None)

_CATEGORIES = {
    "L": "below",
    "LL": "below",
    "H": "above",
    "HH": "above",
    "N": "within",
    "A": "flagged abnormal",
    "critical": "flagged critical",
}
_SAYS = {
    "below": "below the printed interval",
    "above": "above the printed interval",
    "within": "within the printed interval",
    "flagged abnormal": "flagged as abnormal by the laboratory",
    "flagged critical": "flagged as critical by the laboratory",
}
_FLAGGED_URGENT = ("LL", "HH", "critical")


def check(case: Case) -> list[Finding]:
    """One finding per analyte with a printed result; one under the rule's own id where there is none."""
    printed = [result for result in case.results.values() if not result.derived]
    if not printed:
        return [unchecked(TITLE, RULE_ID, case.last_day, "no_result")]
    return [_against_interval(case, result) for result in sorted(printed, key=lambda r: r.analyte)]


def _against_interval(case: Case, result: PrintedResult) -> Finding:
    flag = _deciding_flag(result)
    if flag is None:
        return _undecided(result)
    category = _CATEGORIES[flag]
    fired = category != "within"
    interval = f" ({result.interval})" if result.interval else ""
    return Finding(
        result.analyte,
        result.collected,
        "fired" if fired else "normal",
        f"{result.label} {result.shown}: {_SAYS[category]}{interval}.",
        _severity(flag) if fired else "info",
        category=category,
        next_step="Read against the whole report and earlier results; repeat if unexpected."
        if fired
        else None,
        evidence=[{**lab_evidence(case, result), "low": result.low, "high": result.high}],
    )


def _deciding_flag(result: PrintedResult) -> str | None:
    """The printed flag where there is one that is not "normal", else our reading of the interval."""
    if result.flag_printed not in (None, "N"):
        return result.flag_printed
    if result.flag_computed in ("L", "H", "N"):
        return result.flag_computed
    return result.flag_printed


def _severity(flag: str) -> Severity:
    return "high" if flag in _FLAGGED_URGENT else "low"


def _undecided(result: PrintedResult) -> Finding:
    """A bound that does not decide, or no interval at all."""
    reason = "censored" if result.interval else "no_printed_range"
    outcome: Outcome = "not_comparable" if result.interval else "insufficient"
    return unchecked(result.label, result.analyte, result.collected, reason, outcome)


RULE = Rule(
    RULE_ID,
    TITLE,
    "labs",
    ("every printed analyte",),
    "newest result of each analyte",
    "one finished result with a printed interval or flag",
    "none: the interval is the laboratory's own for this person",
    (
        "below / above the interval (low)",
        "flagged LL, HH or critical by the laboratory (high)",
        "within (nothing found)",
    ),
    _GUIDELINE,
    check,
)
RULES = (RULE,)
