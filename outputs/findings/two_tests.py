"""HbA1c and fasting glucose of one draw, read together: ADA counts two such results as confirmation."""

from outputs.findings.glucose import FASTING_GLUCOSE, HBA1C
from outputs.findings.rule import Case, Finding, Rule, Severity, unchecked

RULE_ID = "two_glucose_tests_ada"
TITLE = "Joint reading of HbA1c and fasting glucose"
_DIABETES_RANGE = ("diabetes range", "diabetes range, far above")


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
        ("both in the diabetes range", "both results are in the diabetes range of the guideline"),
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

RULES = (
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
