"""Rules on a number worked out of several inputs, put into bands; and the checked inputs themselves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from outputs.findings.banded_lab import lab_evidence
from outputs.findings.bands import Band, band_index, described, finding_of, range_words
from outputs.findings.rule import Case, Finding, Guideline, Outcome, Rule, age_gate, unchecked
from outputs.findings.told import Told
from outputs.printed_result import PrintedResult
from outputs.windows import data_is_old
from schemas.settings import ClinicalFact


@dataclass(frozen=True, slots=True)
class Measured:
    """A number in the unit of the bands, the day it holds for, what it rests on, and words to add."""

    value: float
    shown: str
    day: date
    evidence: Sequence[Mapping[str, object]]
    note: str = ""


class UncheckedError(Exception):
    """An input does not allow the check; the wrapper of the rule turns it into its answer."""

    def __init__(self, reason: str, outcome: Outcome = "insufficient", day: date | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.outcome: Outcome = outcome
        self.day = day


@dataclass(frozen=True, slots=True)
class Checked:
    """A rule whose answer is worked out by ``answer``, behind the gates that all such rules share.

    answer: raises UncheckedError where an input is missing. pregnancy_stops: the limits do not hold in
    pregnancy. bands: by sex, or for all under ``any``. recent: it needs wearable data that are not old.
    lines: what can be found, for the list of rules; else of the bands.
    """

    rule_id: str
    title: str
    topic: str
    inputs: tuple[str, ...]
    window: str
    sufficiency: str
    guideline: Guideline
    answer: Callable[["Checked", Case], Finding]
    bands: Mapping[str, Sequence[Band]]
    lines: tuple[str, ...] = ()
    gate: str = ""
    subject: str = ""
    pregnancy_stops: bool = True
    recent: bool = False
    sensitive: bool = False

    @property
    def about(self) -> str:
        """The subject of its findings: the rule's own id, unless it speaks of one metric."""
        return self.subject or self.rule_id

    def rule(self) -> Rule:
        """The declared rule."""
        gates = ["age 18 or above"]
        gates += ["not pregnant"] if self.pregnancy_stops else []
        gates += ["registered sex female or male"] if self._by_sex else []
        gates += ["data at most 14 days behind"] if self.recent else []
        gates += [self.gate] if self.gate else []
        lines = self.lines or tuple(
            f"{'' if sex == 'any' else sex + ', '}{line}"
            for sex, bands in self.bands.items()
            for line in described(bands)
        )
        return Rule(
            self.rule_id,
            self.title,
            self.topic,
            self.inputs,
            self.window,
            self.sufficiency,
            "; ".join(gates),
            lines,
            self.guideline,
            self.check,
            self.sensitive,
        )

    def check(self, case: Case) -> list[Finding]:
        """One finding."""
        stopped = self._gated(case)
        if stopped is not None:
            return [stopped]
        try:
            return [self.answer(self, case)]
        except UncheckedError as why:
            day = why.day or case.last_day
            return [unchecked(self.title, self.about, day, why.reason, why.outcome)]

    @property
    def _by_sex(self) -> bool:
        return bool(self.bands) and "any" not in self.bands

    def _gated(self, case: Case) -> Finding | None:
        if self.recent and case.data_through is None:
            return unchecked(self.title, self.about, case.last_day, "no_wearable")
        if self.recent and data_is_old(case.data_through, case.as_of):
            return unchecked(self.title, self.about, case.last_day, "data_old")
        if self.pregnancy_stops and case.pregnant:
            return unchecked(self.title, self.about, case.last_day, "pregnancy", "not_applicable")
        if self._by_sex and case.sex not in self.bands:
            return unchecked(self.title, self.about, case.last_day, "sex_unknown", "not_applicable")
        return age_gate(case, self.title, self.about, case.last_day)


def banded(
    measure: Callable[[Case], Measured], unit: str, name: str = ""
) -> Callable[[Checked, Case], Finding]:
    """The answer of a rule that puts a measured number into its bands. name: of what, if not the title."""

    def answer(rule: Checked, case: Case) -> Finding:
        found = measure(case)
        bands = rule.bands.get("any") or rule.bands[case.sex]
        place = band_index(found.value, unit, bands)
        says = bands[place].says or bands[place].category
        statement = (
            f"{name or rule.title} {found.shown}: {says} ({range_words(place, unit, bands)}).{found.note}"
        )
        return finding_of(
            bands, place, unit, statement, subject=rule.about, window_end=found.day, evidence=found.evidence
        )

    return answer


def verdict(
    rule: Checked,
    day: date,
    statement: str,
    band: Band,
    evidence: Sequence[Mapping[str, object]],
) -> Finding:
    """A finding in words, with the category, severity and next step of a band without limits."""
    return Finding(
        rule.about,
        day,
        "fired" if band.fires else "normal",
        statement,
        band.severity if band.fires else "info",
        category=band.category,
        next_step=band.next_step if band.fires else None,
        evidence=evidence,
    )


def lab(case: Case, analyte: str, day: date | None = None) -> PrintedResult:
    """The newest result of an analyte (of a day) that is a number in a known unit; else UncheckedError."""
    draws = case.history.get(analyte, ())
    result = next((each for each in draws if day is None or each.collected == day), None)
    if result is None:
        raise UncheckedError("no_result" if not draws else "other_draw")
    if result.comparator is not None:
        raise UncheckedError("censored", "not_comparable", result.collected)
    if result.canonical is None:
        raise UncheckedError("unit", "not_comparable", result.collected)
    return result


def one_draw(case: Case, *analytes: str) -> tuple[PrintedResult, ...]:
    """Results of the newest day on which all of these were drawn and are numbers; else UncheckedError."""
    days = [{each.collected for each in case.history.get(name, ())} for name in analytes]
    missing: UncheckedError | None = None
    for day in sorted(set.intersection(*days), reverse=True):
        try:
            return tuple(lab(case, name, day) for name in analytes)
        except UncheckedError as why:
            missing = missing or why
    raise missing or UncheckedError("other_draw" if all(days) else "no_result")


def canonical(result: PrintedResult) -> float:
    """The value in the analyte's canonical unit, of a result that ``lab`` gave."""
    if result.canonical is None:
        raise UncheckedError("unit", "not_comparable", result.collected)
    return result.canonical


def reaches(result: PrintedResult, limits: Mapping[str, float]) -> bool:
    """Whether a result is at or above the limit given for the unit it was reported in."""
    if result.unit not in limits:
        raise UncheckedError("unit", "not_comparable", result.collected)
    return result.value >= limits[result.unit]


def lab_inputs(case: Case, *results: PrintedResult) -> list[dict[str, object]]:
    """Laboratory inputs with their cells."""
    return [lab_evidence(case, result) for result in results]


def told(case: Case, fact: ClinicalFact) -> Told:
    """The newest answer to a fact, with its day; else UncheckedError."""
    found = case.newest(fact)
    if found is None or found.day is None:
        raise UncheckedError("not_told")
    return found


def says(case: Case, fact: ClinicalFact) -> bool:
    """The newest answer to a yes-or-no fact; UncheckedError where nobody said."""
    answer = case.says(fact)
    if answer is None:
        raise UncheckedError("not_told")
    return answer
