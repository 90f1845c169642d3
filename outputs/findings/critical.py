"""Critical laboratory results of any draw: a newer, calmer result does not make one unseen."""

from outputs.critical_results import CRITICAL_MARKS
from outputs.findings.banded_lab import lab_evidence
from outputs.findings.rule import Case, Finding, Guideline, Rule, unchecked
from outputs.printed_result import PrintedResult
from outputs.rendering import shown_day

RULE_ID = "lab_critical"
TITLE = "Critical laboratory results"
NEXT_STEP = (
    "Unless this was acted on already, reach the participant today by the study's safety plan "
    "and repeat the test."
)
_GUIDELINE = Guideline("Limits of the study and marks of the laboratory", None)


def check(case: Case) -> list[Finding]:
    """One finding per analyte that ever was critical; one under the rule's own id where none was."""
    if case.critical:
        return [_critical(case, result) for result in case.critical]
    if not case.results:
        return [unchecked(TITLE, RULE_ID, case.last_day, "no_result")]
    return [
        Finding(
            RULE_ID,
            max(result.collected for result in case.results.values()),
            "normal",
            "No laboratory result was marked as critical or reached the study's critical limits.",
            category="none",
        )
    ]


def _critical(case: Case, result: PrintedResult) -> Finding:
    marked = result.flag_printed in CRITICAL_MARKS
    says = "marked as critical by the laboratory" if marked else "at or beyond the study's critical limits"
    interval = f" (printed interval {result.interval})" if result.interval else ""
    return Finding(
        result.analyte,
        result.collected,
        "fired",
        f"{result.label} {result.shown} on {shown_day(result.collected)}: {says}{interval}."
        + _newer(case, result),
        "critical",
        category="marked" if marked else "beyond limits",
        next_step=NEXT_STEP,
        evidence=[{**lab_evidence(case, result), "low": result.low, "high": result.high}],
    )


def _newer(case: Case, result: PrintedResult) -> str:
    newest = case.results.get(result.analyte)
    if newest is None or newest.collected <= result.collected:
        return ""
    return f" The newest result, of {shown_day(newest.collected)}, is {newest.shown}."


RULE = Rule(
    RULE_ID,
    TITLE,
    "labs",
    ("every analyte",),
    "newest critical result of each analyte, of any draw",
    "one finished result",
    "none",
    (
        "marked LL, HH or critical by the laboratory (critical)",
        "at or beyond the limits of [alerts] critical in study.toml (critical)",
        "neither (nothing found)",
    ),
    _GUIDELINE,
    check,
)
RULES = (RULE,)
