"""Thyroid: TSH and free T4 read together, each against the interval of its own report."""

from typing import Literal

from outputs.findings.bands import Band
from outputs.findings.measured import Checked, UncheckedError, lab_inputs, one_draw, verdict
from outputs.findings.rule import Case, Finding, Guideline
from outputs.printed_result import PrintedResult

Place = Literal["low", "within", "high"]

_NICE = Guideline("NICE guideline NG145 on thyroid disease", 2019, "https://www.nice.org.uk/guidance/ng145")
_REPEAT = "Repeat both after three months, with TPO antibodies once; ask about biotin, illness and medicines."
_SOON = "Repeat soon and examine; ask about biotin, pregnancy and medicines."
_TREATED = "On thyroid hormone: a reason to look at the dose, six weeks or more after its last change."
PATTERNS: dict[tuple[Place, Place], Band] = {
    ("high", "low"): Band("high TSH with low free T4", severity="high", fires=True, next_step=_SOON),
    ("high", "within"): Band("high TSH with free T4 within", severity="low", fires=True, next_step=_REPEAT),
    ("high", "high"): Band("high TSH with high free T4", severity="medium", fires=True, next_step=_SOON),
    ("within", "low"): Band("low free T4 without a high TSH", severity="high", fires=True, next_step=_SOON),
    ("within", "within"): Band("both within"),
    ("within", "high"): Band("high free T4 alone", severity="low", fires=True, next_step=_REPEAT),
    ("low", "low"): Band("low free T4 without a high TSH", severity="high", fires=True, next_step=_SOON),
    ("low", "within"): Band("low TSH with free T4 within", severity="low", fires=True, next_step=_REPEAT),
    ("low", "high"): Band("low TSH with high free T4", severity="high", fires=True, next_step=_SOON),
}


def place(result: PrintedResult) -> Place:
    """Where a result lies in its printed interval; UncheckedError where that has not both ends."""
    if result.low is None or result.high is None:
        raise UncheckedError("unknown_interval", day=result.collected)
    return "low" if result.value < result.low else "high" if result.value > result.high else "within"


def _together(rule: Checked, case: Case) -> Finding:
    tsh, free_t4 = one_draw(case, "tsh", "free_t4")
    band = PATTERNS[place(tsh), place(free_t4)]
    statement = (
        f"TSH {tsh.shown} (printed {tsh.interval}) and free T4 {free_t4.shown} (printed {free_t4.interval}):"
        f" {band.category}."
    )
    if band.fires and case.says("biotin"):
        statement += " Biotin is taken, which can distort both tests: ask the laboratory before reading them."
    if band.fires and case.says("thyroid_hormone"):
        statement += f" {_TREATED}"
    return verdict(rule, tsh.collected, statement, band, lab_inputs(case, tsh, free_t4))


THYROID = Checked(
    "thyroid_pattern_nice",
    "TSH and free T4 together",
    "labs",
    ("tsh", "free_t4"),
    "newest draw",
    "both of one draw, with both ends of their printed intervals",
    _NICE,
    _together,
    {},
    lines=(
        "high TSH with low free T4, low TSH with high free T4, low free T4 without a high TSH (high)",
        "high TSH with high free T4 (medium)",
        "high or low TSH with free T4 within, high free T4 alone (low)",
        "both within (nothing found)",
    ),
    gate="thyroid hormone and biotin, where told, are named",
)
RULES = (THYROID.rule(),)
