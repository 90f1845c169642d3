"""Trend rules: the tests of ``trend_tests`` as findings, with their size, interval and days."""

from dataclasses import dataclass

from outputs.findings.rule import Case, Finding, Guideline, Rule, Severity, age_gate, unchecked
from outputs.findings.trend_tests import NEEDED_SHARE, SHORTEST_DAYS, TESTED, Tested, TrendTest
from outputs.metrics import METRICS
from outputs.rendering import rounded, shown_difference
from outputs.windows import data_is_old

_BY_METRIC = {each.metric: each for each in TESTED}


@dataclass(frozen=True, slots=True)
class TrendRule:
    """Declaration of a trend rule. medium_from: the change from which it is of severity medium."""

    rule_id: str
    metric: str
    medium_from: float
    guideline: Guideline
    next_step: str

    @property
    def tested(self) -> Tested:
        """What is tested, and which side is a finding."""
        return _BY_METRIC[self.metric]

    @property
    def title(self) -> str:
        """The metric's plain name with trend."""
        return f"Trend of {_in_sentence(METRICS[self.metric].label)}"

    def rule(self) -> Rule:
        """The declared rule."""
        least, effect, medium = (
            self._shown(size) for size in (self.tested.at_least, self.tested.effect, self.medium_from)
        )
        return Rule(
            self.rule_id,
            self.title,
            METRICS[self.metric].topic,
            (self.metric,),
            "later half against earlier half of the last days, at most `[findings] trend_days` and since the"
            " newest change of device or method",
            f"{SHORTEST_DAYS} days since the first value and that change; of each half"
            f" {NEEDED_SHARE:.0%} of the days",
            "age 18 or above; not pregnant; data at most 14 days behind",
            (
                f"{self.tested.worse}: sure at the level of all trends together"
                f" (`[findings] trend_false_share`), and by {least} or more (low; medium from {medium})",
                "else rising, falling or steady (nothing found)",
                f"made to find {effect}, which has held over the later half of the longest window",
            ),
            self.guideline,
            self.check,
        )

    def check(self, case: Case) -> list[Finding]:
        """One finding on the metric."""
        return [self._gated(case) or self._answered(case, case.trends[self.metric])]

    def _gated(self, case: Case) -> Finding | None:
        if case.data_through is None:
            return unchecked(self.title, self.metric, case.last_day, "no_wearable")
        if data_is_old(case.data_through, case.as_of):
            return unchecked(self.title, self.metric, case.last_day, "data_old")
        if case.pregnant:
            return unchecked(self.title, self.metric, case.last_day, "pregnancy", "not_applicable")
        return age_gate(case, self.title, self.metric, case.last_day)

    def _answered(self, case: Case, test: TrendTest | str) -> Finding:
        if isinstance(test, str):
            outcome = "not_comparable" if test == "break" else "insufficient"
            return unchecked(self.title, self.metric, case.last_day, test, outcome)
        return Finding(
            self.metric,
            case.last_day,
            "fired" if test.is_finding else "normal",
            self._statement(test),
            self._severity(test),
            category=test.side or "steady",
            next_step=self.next_step if test.is_finding else None,
            evidence=[self._evidence(case, test)],
        )

    def _severity(self, test: TrendTest) -> Severity:
        if not test.is_finding:
            return "info"
        return "medium" if abs(test.change) >= self.medium_from else "low"

    def _statement(self, test: TrendTest) -> str:
        label = METRICS[self.metric].label
        interval = f"95 % interval {self._signed(test.low)} to {self._signed(test.high)}"
        halves = f"the last {test.half} days than in the {test.half} days before"
        if test.side is None:
            known = f"the last {test.half} days and the {test.half} days before"
            seems = " Not sure once all trends of the person are weighed together." if _seems(test) else ""
            return (
                f"{label}: no clear change between {known}, {self._signed(test.change)} ({interval}).{seems}"
            )
        word = "higher" if test.side == "rising" else "lower"
        return f"{label}: {self._shown(abs(test.change))} {word} in {halves} ({interval})."

    def _shown(self, value: float) -> str:
        """The size of a change: in per cent, or in the metric's unit with its decimals."""
        metric = METRICS[self.metric]
        if self.tested.relative:
            return f"{rounded(abs(value), 0):.0f} %"
        return shown_difference(self.metric, value, metric.decimals, metric.unit)

    def _signed(self, value: float) -> str:
        decimals = 0 if self.tested.relative else METRICS[self.metric].decimals
        size = rounded(value, decimals)
        return f"{'+' if size > 0 else '-' if size < 0 else ''}{self._shown(value)}"

    def _evidence(self, case: Case, test: TrendTest) -> dict[str, object]:
        return {
            "input": self.metric,
            "unit": "%" if self.tested.relative else METRICS[self.metric].unit,
            "change": rounded(test.change, 4),
            "change_low": rounded(test.low, 4),
            "change_high": rounded(test.high, 4),
            "p_value": rounded(test.p_worse, 6),
            "days_before": test.days[0],
            "days": test.days[1],
            "table": "daily_summary",
            "key": {
                "participant_id": case.participant_id,
                "from": test.window.start,
                "to": test.window.end,
            },
            "column": self.metric,
        }


def _seems(test: TrendTest) -> bool:
    """Its own interval lies on one side, though the change is not sure."""
    return test.low > 0 or test.high < 0


def _in_sentence(label: str) -> str:
    return label[:1].lower() + label[1:]
