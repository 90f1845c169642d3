"""What a rule is, what it may see of a participant and what it answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

import polars as pl

from outputs.findings.told import Told
from outputs.findings.trend_tests import TrendTest
from outputs.printed_result import PrintedResult
from schemas.settings import ClinicalFact, FindingsSection

Outcome = Literal["fired", "normal", "insufficient", "not_applicable", "not_comparable"]
Severity = Literal["info", "low", "medium", "high", "critical"]

ADULT_AGE = 18

REASONS: Mapping[str, str] = {
    "no_result": "there is no result",
    "unit": "its unit is not one the limits are given in",
    "censored": "only a bound is known, and it does not decide",
    "fasting_unknown": "neither the report nor a questionnaire of that day tells whether they were fasting",
    "not_fasting": "the person was not fasting",
    "no_printed_range": "the report prints no interval for it",
    "age_unknown": "the age is not known",
    "under_age": "the rule is for adults",
    "pregnancy": "the limits do not hold in pregnancy",
    "sex_unknown": "the limits differ by sex and are given for women and men",
    "diabetes_range_glucose": "the fasting glucose of the draw is in the diabetes range",
    "other_draw": "no draw holds all it needs",
    "no_wearable": "no wearable data have arrived",
    "wear_unknown": "nobody knows on which days the device was worn",
    "data_old": "the newest wearable data are more than 14 days behind",
    "insufficient_days": "too few days have data",
    "few_weighings": "there are too few weighings",
    "break": "the device or its method changed within the window",
    "not_told": "what it needs was not asked, or not answered",
    "input_range": "an input is outside the range the equation holds for",
    "known_heart_disease": "it is for people without known heart disease",
    "severe_ldl": "it is not for people with LDL cholesterol in the severe range",
    "too_young": "it is not reliable at this age",
    "one_draw": "there is one result only, or they are too close together",
    "other_marker": "one of its markers was never measured",
    "not_low": "haemoglobin is not low",
    "unknown_interval": "the report prints no interval to compare it with",
    "not_taken": "the medicine is not taken",
    "acute_liver": "ALT is too high for it to mean anything",
    "taken": "the medicine makes the test say something else",
    "afternoon": "it was not drawn in the morning, or the time is not known",
    "no_limits": "its authors give no limits",
}


@dataclass(frozen=True, slots=True)
class Guideline:
    """Where the limits of a rule come from."""

    name: str
    year: int | None
    url: str | None = None

    @property
    def cited(self) -> str:
        """Name, with year where it has one."""
        return f"{self.name} ({self.year})" if self.year else self.name


@dataclass(frozen=True, slots=True)
class Case:
    """What rules may see of one participant: results and scores, what was told, and the days.

    told: answers by clinical fact, the newest first. results: the newest of each analyte; history: one of
    each day of a draw, the newest first. scores, earlier_scores: likewise by instrument. daily: rows of
    ``daily_summary`` in order of date. nights: rows of ``sleep_sessions``. critical: the newest critical
    result of each analyte that ever had one, in order of analyte. trends: the test of each metric that is
    tested for a trend, or the reason why there is none. fasting_cells: by day the answer that said fasting.
    item_9: answers to item 9 of the PHQ-9, the newest first.
    """

    participant_id: str
    sex: str
    age: int | None
    told: Mapping[ClinicalFact, tuple[Told, ...]]
    data_through: date | None
    as_of: date
    results: Mapping[str, PrintedResult]
    history: Mapping[str, tuple[PrintedResult, ...]]
    scores: Mapping[str, Mapping[str, Any]]
    earlier_scores: Mapping[str, tuple[Mapping[str, Any], ...]]
    daily: pl.DataFrame
    nights: pl.DataFrame
    critical: tuple[PrintedResult, ...]
    trends: Mapping[str, TrendTest | str]
    settings: FindingsSection
    fasting_cells: Mapping[date, Mapping[str, Any]] = field(default_factory=dict[date, Mapping[str, Any]])
    item_9: tuple[Mapping[str, Any], ...] = ()

    @property
    def last_day(self) -> date:
        """data_through; as-of where nothing arrived."""
        return self.data_through or self.as_of

    @property
    def pregnant(self) -> bool | None:
        """The newest answer; None where nobody said."""
        return self.says("pregnant")

    def newest(self, fact: ClinicalFact) -> Told | None:
        """The newest answer to a fact."""
        return next(iter(self.told.get(fact, ())), None)

    def says(self, fact: ClinicalFact) -> bool | None:
        """The newest answer to a yes-or-no fact; None where nobody said."""
        told = self.newest(fact)
        return None if told is None else told.value == 1


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule's answer on one subject.

    limits: low and high of the band with their unit, as far as the statement names them.
    evidence: inputs with value, unit, date and the table cell each came from.
    """

    subject: str
    window_end: date
    outcome: Outcome
    statement: str
    severity: Severity = "info"
    reason: str | None = None
    category: str | None = None
    next_step: str | None = None
    limits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    evidence: Iterable[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A declared check. All but ``check`` is text for docs/findings.md.

    topic: section of the dossier. sensitive: never on the participant's page (mood, alcohol ...).
    """

    rule_id: str
    title: str
    topic: str
    inputs: tuple[str, ...]
    window: str
    sufficiency: str
    gate: str
    bands: tuple[str, ...]
    guideline: Guideline
    check: Callable[[Case], list[Finding]]
    sensitive: bool = False


def unchecked(
    title: str, subject: str, window_end: date, reason: str, outcome: Outcome = "insufficient"
) -> Finding:
    """The answer of a rule that could not be checked, with the reason in words."""
    return Finding(
        subject, window_end, outcome, f"{title} was not checked: {REASONS[reason]}.", reason=reason
    )


def age_gate(case: Case, title: str, subject: str, window_end: date) -> Finding | None:
    """The answer where the participant's age forbids the rule, else None."""
    if case.age is None:
        return unchecked(title, subject, window_end, "age_unknown")
    if case.age < ADULT_AGE:
        return unchecked(title, subject, window_end, "under_age", "not_applicable")
    return None
