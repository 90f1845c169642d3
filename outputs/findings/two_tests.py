"""HbA1c and fasting glucose, each alone and of one draw read together.

ADA counts two results in the diabetes range of one sample as confirmation. Where the joint reading fires, the
findings on each alone refer to it: they must not ask for a confirmation that is there already.
"""

from collections.abc import Callable
from dataclasses import replace

from outputs.findings.banded_lab import BandedLab
from outputs.findings.glucose import CRITERION, FASTING_GLUCOSE, HBA1C, HBA1C_CAUTION
from outputs.findings.rule import Case, Finding, Rule, Severity, unchecked

RULE_ID = "two_glucose_tests_ada"
TITLE = "HbA1c and fasting glucose together"
_FAR_ABOVE = "diabetes range, far above"
_DIABETES_RANGE = ("diabetes range", _FAR_ABOVE)
_BOTH = "both in the diabetes range"
_CONFIRMED = "meets the numeric criterion of diabetes, as the other test of this draw does"
_REFERRED = "See the joint finding on HbA1c and fasting glucose of this draw."


def check(case: Case) -> list[Finding]:
    """One finding under the rule's own id."""
    hba1c, glucose = HBA1C.check(case)[0], FASTING_GLUCOSE.check(case)[0]
    for part in (hba1c, glucose):
        if part.reason is not None:
            return [unchecked(TITLE, RULE_ID, part.window_end, part.reason, part.outcome)]
    if hba1c.window_end != glucose.window_end:
        return [unchecked(TITLE, RULE_ID, max(hba1c.window_end, glucose.window_end), "other_draw")]
    return [_together(hba1c, glucose)]


def _together(hba1c: Finding, glucose: Finding) -> Finding:
    in_range = sum(part.category in _DIABETES_RANGE for part in (hba1c, glucose))
    category, says = (
        ("neither in the diabetes range", "neither result is in the diabetes range of the guideline"),
        ("one in the diabetes range", "one result is in the diabetes range of the guideline, unconfirmed"),
        (_BOTH, "both results are in the diabetes range of the guideline"),
    )[in_range]
    return Finding(
        RULE_ID,
        hba1c.window_end,
        "fired" if in_range else "normal",
        f"HbA1c and fasting glucose of one draw: {says}.",
        _SEVERITIES[in_range],
        category=category,
        next_step=_NEXT_STEPS[in_range],
        evidence=[*hba1c.evidence, *glucose.evidence],
    )


# One result alone is on the board by its own rule.
_SEVERITIES: tuple[Severity, ...] = ("info", "medium", "high")
_NEXT_STEPS = (
    None,
    "Repeat the test that is in the range.",
    "The guideline counts two such results of one sample as confirmation; the clinician decides.",
)


def _beside(test: BandedLab) -> Callable[[Case], list[Finding]]:
    """The check of one test alone, with the step of the joint reading where that fires."""

    def checked(case: Case) -> list[Finding]:
        joint = check(case)[0]
        return [_referred(own, joint) if own.outcome == "fired" else own for own in test.check(case)]

    return checked


def _referred(own: Finding, joint: Finding) -> Finding:
    if joint.outcome != "fired":
        return own
    steps = [
        *(["Review promptly."] if own.category == _FAR_ABOVE else []),
        _REFERRED,
        *([HBA1C_CAUTION] if own.subject == HBA1C.analyte else []),
    ]
    statement = own.statement
    if joint.category == _BOTH:
        statement = statement.replace(CRITERION, _CONFIRMED)
    return replace(own, statement=statement, next_step=" ".join(steps))


RULES = (
    *(replace(test.rule(), check=_beside(test)) for test in (HBA1C, FASTING_GLUCOSE)),
    Rule(
        RULE_ID,
        TITLE,
        "labs",
        ("hba1c", "glucose"),
        "newest results",
        "both results, of one day",
        "age 18 or above; not pregnant; fasting, as the report or the questionnaire of that day says",
        (
            "both in the diabetes range of `hba1c_ada` and `fasting_glucose_ada` (high)",
            "one in the diabetes range (medium)",
            "neither (nothing found)",
        ),
        HBA1C.guideline,
        check,
    ),
)
