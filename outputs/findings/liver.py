"""Liver: FIB-4 (fibrosis score), and transaminases with bilirubin against their printed upper limits."""

from collections.abc import Mapping, Sequence

from outputs.findings.bands import Band
from outputs.findings.measured import (
    Checked,
    Measured,
    UncheckedError,
    banded,
    canonical,
    lab,
    lab_inputs,
    one_draw,
    verdict,
)
from outputs.findings.rule import Case, Finding, Guideline
from outputs.printed_result import PrintedResult
from outputs.rendering import shown_number

YOUNGEST_AGE, OLDER_AGE = 35, 65
_LOWER, _LOWER_OLDER, _UPPER = 1.3, 2.0, 2.67
_AASLD = Guideline(
    "AASLD practice guidance on nonalcoholic fatty liver disease (FIB-4)",
    2023,
    "https://doi.org/10.1097/HEP.0000000000000323",
)
_FDA = Guideline(
    "FDA guidance on drug-induced liver injury (Hy's law)",
    2009,
    "https://www.fda.gov/media/116737/download",
)
_STEP = "A second test such as elastography is what the guidance describes; useful with metabolic risk only."


def _fib4_bands(lower: float) -> tuple[Band, ...]:
    return (
        Band("low", says="in the range where advanced fibrosis is unlikely"),
        Band("indeterminate", {"1": lower}, "low", True, "in the indeterminate range", _STEP),
        Band(
            "higher",
            {"1": _UPPER},
            "medium",
            True,
            "in the range where advanced fibrosis is more likely",
            _STEP,
            strictly=True,
        ),
    )


_BANDS, _BANDS_OLDER = _fib4_bands(_LOWER), _fib4_bands(_LOWER_OLDER)


def fib4(age: int, ast: float, alt: float, platelets: float) -> float:
    """Age x AST / (platelets x sqrt(ALT)); years, U/L, 10^9/L (Sterling et al., Hepatology 2006;43:1317)."""
    return age * ast / (platelets * alt**0.5)


def _measured(case: Case) -> Measured:
    ast, alt, platelets = one_draw(case, "ast", "alt", "platelets")
    age = case.age or 0
    if age < YOUNGEST_AGE:
        raise UncheckedError("too_young", "not_applicable", ast.collected)
    if alt.high is not None and alt.value > 5 * alt.high:
        raise UncheckedError("acute_liver", "not_applicable", ast.collected)
    value = fib4(age, *(canonical(each) for each in (ast, alt, platelets)))
    return Measured(value, shown_number(value, 2), ast.collected, lab_inputs(case, ast, alt, platelets))


def _fib4_answer(rule: Checked, case: Case) -> Finding:
    """From 65 the lower limit is 2.0: age itself raises the score."""
    older = case.age is not None and case.age >= OLDER_AGE
    return banded(_measured, "1")(rule if not older else _FIB4_OLDER, case)


def _fib4_rule(bands: Sequence[Band]) -> Checked:
    return Checked(
        "fib4_aasld",
        "FIB-4",
        "labs",
        ("age", "ast", "alt", "platelets"),
        "newest draw",
        "AST, ALT and platelets of one draw",
        _AASLD,
        _fib4_answer,
        {"any": bands},
        lines=(
            f"indeterminate: {_LOWER} to {_UPPER}; from age {OLDER_AGE} {_LOWER_OLDER} to {_UPPER} (low)",
            f"higher: above {_UPPER} (medium)",
            "low: below these (nothing found)",
        ),
        gate=f"age {YOUNGEST_AGE} or above; ALT at most 5 times its printed upper limit",
    )


FIB4, _FIB4_OLDER = _fib4_rule(_BANDS), _fib4_rule(_BANDS_OLDER)

_WITHIN = Band("below both multiples")
_RAISED = Band(
    "transaminase above 3 times the limit",
    severity="medium",
    fires=True,
    next_step="Repeat soon with bilirubin; ask about alcohol, medicines, supplements and exercise.",
)
_INJURY = Band(
    "with bilirubin above 2 times the limit",
    severity="critical",
    fires=True,
    next_step="Reach the participant today; review medicines and symptoms, and repeat the tests.",
)


def _times(result: PrintedResult) -> float:
    if result.high is None or result.high <= 0:
        raise UncheckedError("unknown_interval", day=result.collected)
    return result.value / result.high


def _liver_injury(rule: Checked, case: Case) -> Finding:
    alt = lab(case, "alt")
    day, used = alt.collected, [alt]
    multiples: dict[str, float] = {"ALT": _times(alt)}
    for name, analyte in (("AST", "ast"), ("bilirubin", "bilirubin_total"), ("ALP", "alkaline_phosphatase")):
        other = next((each for each in case.history.get(analyte, ()) if each.collected == day), None)
        if other is not None and other.comparator is None and other.high:
            multiples[name] = _times(other)
            used.append(other)
    band = _liver_band(multiples)
    shown = ", ".join(f"{name} {shown_number(times, 1)}" for name, times in multiples.items())
    statement = f"Liver tests as multiples of their printed upper limits: {shown}; {band.category}."
    return verdict(rule, day, statement, band, lab_inputs(case, *used))


def _liver_band(multiples: Mapping[str, float]) -> Band:
    """Raised transaminases alone; or the pattern: with bilirubin, without alkaline phosphatase."""
    if max(multiples["ALT"], multiples.get("AST", 0)) <= 3:
        return _WITHIN
    hepatocellular = multiples.get("ALP", 0) < 2
    return _INJURY if multiples.get("bilirubin", 0) > 2 and hepatocellular else _RAISED


LIVER_INJURY = Checked(
    "liver_injury_fda",
    "Liver tests read together",
    "labs",
    ("alt", "ast", "bilirubin_total", "alkaline_phosphatase"),
    "newest draw",
    "ALT with its printed upper limit; AST, bilirubin and alkaline phosphatase of that draw where they are",
    _FDA,
    _liver_injury,
    {},
    lines=(
        "ALT or AST above 3 and bilirubin above 2 times the limit, alkaline phosphatase below 2 (critical)",
        "ALT or AST above 3 times the limit (medium)",
        "neither (nothing found)",
    ),
    pregnancy_stops=False,
)

RULES = (FIB4.rule(), LIVER_INJURY.rule())
