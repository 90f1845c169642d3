"""Cautions where a medicine that was told and a result meet. Nobody is ever told to stop a medicine."""

from collections.abc import Callable

from outputs.findings.bands import Band, band_index
from outputs.findings.iron import B12
from outputs.findings.measured import Checked, UncheckedError, lab, lab_inputs, says, verdict
from outputs.findings.rule import Case, Finding, Guideline, Rule
from outputs.printed_result import PrintedResult
from outputs.rendering import rounded
from schemas.settings import ClinicalFact

_FDA_METFORMIN = Guideline(
    "FDA safety communication on metformin and kidney function",
    2016,
    "https://www.fda.gov/drugs/drug-safety-podcasts/fda-drug-safety-podcast-fda-revises-warnings-regarding-use-diabetes-medicine-metformin-certain",
)
_MHRA = Guideline(
    "MHRA Drug Safety Update on metformin and vitamin B12",
    2022,
    "https://www.gov.uk/drug-safety-update/metformin-and-reduced-vitamin-b12-levels-new-advice-for-monitoring-patients-at-risk",
)
_KDIGO = Guideline(
    "KDIGO guideline on chronic kidney disease (medicines that harm the kidney)",
    2024,
    "https://kdigo.org/guidelines/ckd-evaluation-and-management/",
)
_ACC = Guideline(
    "ACC/AHA guideline on blood cholesterol (safety of statins)",
    2018,
    "https://doi.org/10.1161/CIR.0000000000000625",
)
_FDA_BIOTIN = Guideline(
    "FDA safety communication on biotin and laboratory tests",
    2019,
    "https://cm.healio.com/news/cardiology/20191105/fda-risk-for-biotin-interference-with-lab-tests-troponin-remains-a-concern",
)
_FDA_STATIN = Guideline(
    "FDA safety communication on statins in pregnancy", 2021, "https://www.fda.gov/media/150774/download"
)
DISTORTED_BY_BIOTIN = (
    "tsh", "free_t4", "free_t3", "vitamin_d_25oh", "vitamin_b12", "folate", "ferritin", "insulin",
    "testosterone_total", "estradiol", "cortisol", "lh", "fsh",
)  # fmt: skip
_FINE = Band("no conflict found")


def _caution(category: str, severity: str, step: str) -> Band:
    return Band(category, severity="high" if severity == "high" else "medium", fires=True, next_step=step)


def _taken(case: Case, fact: ClinicalFact) -> dict[str, object]:
    """The answer that says the medicine is taken; UncheckedError where it is not, or nobody said."""
    if not says(case, fact):
        raise UncheckedError("not_taken", "not_applicable")
    newest = case.newest(fact)
    return {} if newest is None else newest.evidence(case.participant_id, "yes or no")


def _with_result(
    fact: ClinicalFact, name: str, analyte: str, judge: Callable[[PrintedResult], Band]
) -> Callable[[Checked, Case], Finding]:
    """The answer of a rule on one medicine and one result."""

    def answer(rule: Checked, case: Case) -> Finding:
        taken = _taken(case, fact)
        found = lab(case, analyte)
        band = judge(found)
        statement = f"{name} is taken; {found.label} {found.shown}: {band.category}."
        return verdict(rule, found.collected, statement, band, [taken, *lab_inputs(case, found)])

    return answer


def _metformin_kidney(egfr: PrintedResult) -> Band:
    value = rounded(egfr.value, 0)
    if value < 30:
        return _caution("below 30, where the label forbids it", "high", "The prescriber reviews it now.")
    if value < 45:
        return _caution("below 45, where it is weighed again", "medium", "The prescriber reviews the dose.")
    return _FINE


def _painkiller_kidney(egfr: PrintedResult) -> Band:
    value, step = rounded(egfr.value, 0), "Review the painkiller; check potassium and blood pressure."
    if value < 60:
        severity = "high" if value < 30 else "medium"
        return _caution("low, with a medicine that can harm the kidney", severity, step)
    return _FINE


def _statin_liver(alt: PrintedResult) -> Band:
    if alt.high is None:
        raise UncheckedError("unknown_interval", day=alt.collected)
    step = "Repeat with bilirubin and creatine kinase; the prescriber weighs the statin."
    too_high = alt.value > 3 * alt.high
    return _caution("above 3 times its printed limit", "medium", step) if too_high else _FINE


def _metformin_b12(b12: PrintedResult) -> Band:
    bands = B12.bands["any"]
    if b12.unit not in bands[-1].lower:
        raise UncheckedError("unit", "not_comparable", b12.collected)
    low = bands[band_index(b12.value, b12.unit, bands)].fires
    step = "Treat a deficiency, and go on checking it; ask about numb feet."
    return _caution("not surely enough, a known effect of metformin", "medium", step) if low else _FINE


def _biotin(rule: Checked, case: Case) -> Finding:
    """Newest results of tests that biotin can distort, whatever they say."""
    taken = _taken(case, "biotin")
    found = [case.results[name] for name in DISTORTED_BY_BIOTIN if name in case.results]
    if not found:
        raise UncheckedError("no_result")
    names = ", ".join(result.label for result in found)
    band = Band(
        "may be distorted",
        severity="low",
        fires=True,
        next_step="Ask the laboratory whether its tests are affected; repeat without biotin where they are.",
    )
    statement = f"Biotin is taken, which can distort some tests of these: {names}."
    day = max(result.collected for result in found)
    return verdict(rule, day, statement, band, [taken, *lab_inputs(case, *found)])


def _statin_pregnancy(rule: Checked, case: Case) -> Finding:
    taken = _taken(case, "statin")
    pregnant = case.newest("pregnant")
    if pregnant is None or pregnant.day is None:
        raise UncheckedError("not_told")
    step = "The prescriber reviews it the same day; nobody is told to stop it by this."
    band = _caution("told together", "high", step) if pregnant.value == 1 else _FINE
    statement = f"A statin is taken; pregnancy was {'told' if band.fires else 'denied'}: {band.category}."
    evidence = [taken, pregnant.evidence(case.participant_id, "yes or no")]
    return verdict(rule, pregnant.day, statement, band, evidence)


def _rule(
    rule_id: str,
    title: str,
    inputs: tuple[str, ...],
    guideline: Guideline,
    answer: Callable[[Checked, Case], Finding],
    lines: tuple[str, ...],
    sensitive: bool = True,
) -> Rule:
    """A caution. Whether a medicine is to be changed is told by a clinician, never by a page."""
    return Checked(
        rule_id,
        title,
        "labs",
        inputs,
        "newest answers and results",
        "the medicine was asked about, and the result is there",
        guideline,
        answer,
        {},
        lines=(*lines, "else (nothing found)"),
        gate="the medicine is taken",
        pregnancy_stops=False,
        sensitive=sensitive,
    ).rule()


RULES = (
    _rule(
        "metformin_kidney_fda",
        "Metformin and kidney function",
        ("metformin", "egfr"),
        _FDA_METFORMIN,
        _with_result("metformin", "Metformin", "egfr", _metformin_kidney),
        ("eGFR below 30 (high)", "eGFR 30 to 44 (medium)"),
    ),
    _rule(
        "metformin_b12_mhra",
        "Metformin and vitamin B12",
        ("metformin", "vitamin_b12"),
        _MHRA,
        _with_result("metformin", "Metformin", "vitamin_b12", _metformin_b12),
        ("vitamin B12 in the deficiency or indeterminate range of `vitamin_b12_nice` (medium)",),
    ),
    _rule(
        "painkiller_kidney_kdigo",
        "Anti-inflammatory painkiller and kidney function",
        ("nsaid", "egfr"),
        _KDIGO,
        _with_result("nsaid", "An anti-inflammatory painkiller", "egfr", _painkiller_kidney),
        ("eGFR below 30 (high)", "eGFR 30 to 59 (medium)"),
    ),
    _rule(
        "statin_liver_acc_aha",
        "Statin and liver tests",
        ("statin", "alt"),
        _ACC,
        _with_result("statin", "A statin", "alt", _statin_liver),
        ("ALT above 3 times its printed upper limit (medium)",),
    ),
    _rule(
        "statin_pregnancy_fda",
        "Statin and pregnancy",
        ("statin", "pregnant"),
        _FDA_STATIN,
        _statin_pregnancy,
        ("pregnancy told (high)",),
    ),
    _rule(
        "biotin_tests_fda",
        "Biotin and laboratory tests",
        ("biotin", *DISTORTED_BY_BIOTIN),
        _FDA_BIOTIN,
        _biotin,
        ("results of tests it can distort (low)",),
        sensitive=False,
    ),
)
