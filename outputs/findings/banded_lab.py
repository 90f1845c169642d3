"""Rules that put the newest result of an analyte into the bands of a guideline."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from outputs.findings.bands import (
    Band,
    band_index,
    described,
    finding_of,
    possible_bands,
    range_words,
    units_of,
)
from outputs.findings.rule import Case, Finding, Guideline, Rule, age_gate, unchecked
from outputs.metrics import METRICS
from outputs.printed_result import PrintedResult
from outputs.rendering import rounded

OLDEST_AGE_PREGNANCY_ASKED = 55
_NOT_PREGNANT = " The limits are for people who are not pregnant."


def _never(case: Case) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class BandedLab:
    """Declaration of such a rule.

    bands: by sex (``female``, ``male``) or for all under ``any``.
    pregnancy_stops: the limits do not hold in pregnancy.
    derived_decimals: decimals a value computed by us is classed with, as laboratories report it (eGFR: 0).
    excluded: the reason why a person is outside the rule, beside the gates above; None where they are not.
    excluded_words: that gate in words. name: plain name, where it is not the analyte's own.
    """

    rule_id: str
    analyte: str
    bands: Mapping[str, Sequence[Band]]
    guideline: Guideline
    fasting: bool = False
    pregnancy_stops: bool = True
    derived_decimals: int | None = None
    excluded: Callable[[Case], str | None] = _never
    excluded_words: str | None = None
    name: str | None = None

    @property
    def title(self) -> str:
        """Plain name of what is checked."""
        return self.name or METRICS[self.analyte].label

    def rule(self) -> Rule:
        """The declared rule."""
        gates = ["age 18 or above"]
        gates += ["not pregnant"] if self.pregnancy_stops else []
        gates += ["registered sex female or male"] if "any" not in self.bands else []
        gates += ["fasting, as the report or the questionnaire of that day says"] if self.fasting else []
        gates += [self.excluded_words] if self.excluded_words else []
        return Rule(
            self.rule_id,
            self.title,
            "labs",
            (self.analyte,),
            "newest result",
            "one finished result in a unit the limits are given in",
            "; ".join(gates),
            tuple(
                f"{'' if sex == 'any' else sex + ', '}{line}"
                for sex, bands in self.bands.items()
                for line in described(bands)
            ),
            self.guideline,
            self.check,
        )

    def check(self, case: Case) -> list[Finding]:
        """One finding on the newest result."""
        result = case.results.get(self.analyte)
        if result is None:
            return [unchecked(self.title, self.analyte, case.last_day, "no_result")]
        return [self._gated(case, result) or self._classed(case, result)]

    def _gated(self, case: Case, result: PrintedResult) -> Finding | None:
        stopped = age_gate(case, self.title, self.analyte, result.collected)
        if stopped is not None:
            return stopped
        if self.pregnancy_stops and case.pregnant:
            return self._unchecked(result, "pregnancy", applicable=False)
        if "any" not in self.bands and case.sex not in self.bands:
            return self._unchecked(result, "sex_unknown", applicable=False)
        if self.fasting and result.fasting is not True:
            return self._unchecked(result, "fasting_unknown" if result.fasting is None else "not_fasting")
        reason = self.excluded(case)
        return self._unchecked(result, reason, applicable=False) if reason else None

    def _unchecked(self, result: PrintedResult, reason: str, applicable: bool = True) -> Finding:
        outcome = "insufficient" if applicable else "not_applicable"
        return unchecked(self.title, self.analyte, result.collected, reason, outcome)

    def _classed(self, case: Case, result: PrintedResult) -> Finding:
        bands = self.bands.get("any") or self.bands[case.sex]
        if not result.comparable or result.unit not in units_of(bands):
            return unchecked(self.title, self.analyte, result.collected, "unit", "not_comparable")
        places = self._places(result, bands)
        if len(places) > 1:
            return unchecked(self.title, self.analyte, result.collected, "censored", "not_comparable")
        return self._found(case, result, bands, places[0])

    def _places(self, result: PrintedResult, bands: Sequence[Band]) -> Sequence[int]:
        if result.comparator is not None:
            return possible_bands(result.comparator, result.value, result.unit, bands)
        value = result.value
        if result.derived and self.derived_decimals is not None:
            value = rounded(value, self.derived_decimals)
        return (band_index(value, result.unit, bands),)

    def _found(self, case: Case, result: PrintedResult, bands: Sequence[Band], place: int) -> Finding:
        band = bands[place]
        says = band.says or band.category
        statement = f"{self.title} {result.shown}: {says} ({range_words(place, result.unit, bands)})."
        if band.fires and self._pregnancy_open(case):
            statement += _NOT_PREGNANT
        return finding_of(
            bands,
            place,
            result.unit,
            statement,
            subject=self.analyte,
            window_end=result.collected,
            evidence=[lab_evidence(case, result)],
        )

    def _pregnancy_open(self, case: Case) -> bool:
        """Nobody said whether she is pregnant, and she might be."""
        young = case.age is not None and case.age <= OLDEST_AGE_PREGNANCY_ASKED
        return self.pregnancy_stops and case.sex != "male" and young and case.pregnant is None


def lab_evidence(case: Case, result: PrintedResult) -> dict[str, object]:
    """A laboratory input with the cell it came from, and that of the answer that said fasting."""
    told = case.fasting_cells.get(result.collected) if result.fasting_source == "questionnaire" else None
    return {
        **({"fasting_cell": told} if told else {}),
        "input": result.analyte,
        "value": result.value,
        "comparator": result.comparator,
        "unit": result.unit,
        "date": result.collected,
        "fasting": result.fasting,
        "fasting_source": result.fasting_source,
        "derived": result.derived,
        "table": "lab_results",
        "key": result.key(case.participant_id),
        "column": result.column,
    }
