"""Nights and days: regularity, social jetlag, efficiency, oxygen, signs, steps, sitting; scores over time."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_person import END, days, findings_of, score, scores, table, tables_of

from outputs.findings.case import case_of
from outputs.findings.check import RULES
from outputs.findings.heart_signs import z_score
from outputs.findings.nights import circular_difference, circular_mean, minutes_asleep, regularity_index
from outputs.windows import last_days

Night = tuple[int, int] | None


def found(rule: str, daily: Any = None, **tables: Any) -> dict[str, Any]:
    given_tables = tables_of(daily) | tables
    (row,) = findings_of(given_tables, rule_id=rule).values()
    return row


def logs(nights: Sequence[Night]) -> Any:
    """Main sleeps of the days up to END; hours from midnight of the wake date, the newest last."""
    midnight = datetime(END.year, END.month, END.day)  # noqa: DTZ001 - local
    rows = []
    for back, night in enumerate(reversed(nights)):
        if night is not None:
            start, end = (midnight - timedelta(back) + timedelta(hours=hour) for hour in night)
            rows.append(
                {
                    "participant_id": "P1",
                    "sleep_id": f"s{back}",
                    "date": END - timedelta(back),
                    "is_main": True,
                    "kind": "stages",
                    "start_time": start,
                    "end_time": end,
                    "file_id": "f",
                }
            )
    return table("sleep_sessions", rows)


def index_of(nights: Sequence[Night]) -> float | None:
    tables = tables_of(days(40)) | {"sleep_sessions": logs(nights)}
    return regularity_index(minutes_asleep(case_of(tables, END), last_days(len(nights), END)))


def test_the_same_hours_every_day_are_100() -> None:
    assert index_of([(-1, 7)] * 14) == pytest.approx(100)


def test_alternating_by_an_hour() -> None:
    assert index_of([(-1, 7), (0, 8)] * 7) == pytest.approx(83.33, abs=0.01)


def test_weekends_two_hours_later() -> None:
    assert index_of([*[(-1, 7)] * 5, *[(1, 9)] * 2] * 2) == pytest.approx(
        100 - 200 * 3 * 240 / (13 * 1440), abs=0.01
    )


def test_a_night_that_is_missing_is_not_a_night_awake() -> None:
    nights: list[Night] = [(-1, 7)] * 14
    nights[6] = None
    assert index_of(nights) == pytest.approx(100)


def test_too_few_pairs_of_nights_have_no_index() -> None:
    nights: list[Night] = [(-1, 7), None] * 7
    assert index_of(nights) is None
    assert index_of([(-1, 7)] * 5) is None
    assert index_of([(-1, 7)] * 6) == pytest.approx(100)


@given(st.lists(st.tuples(st.integers(-4, 2), st.integers(5, 10)), min_size=8, max_size=12))
def test_the_index_lies_between_its_ends(nights: list[tuple[int, int]]) -> None:
    asleep = np.zeros((len(nights), 24), dtype=np.int8)
    for row, (start, end) in enumerate(nights):
        asleep[row, 12 + start : 12 + end] = 1
    index = regularity_index(asleep)
    assert index is not None
    assert -100 <= index <= 100


def test_regularity_as_a_finding() -> None:
    regular = found("sleep_regularity_index", days(40), sleep_sessions=logs([(-1, 7)] * 28))
    irregular = found("sleep_regularity_index", days(40), sleep_sessions=logs([(-3, 4), (2, 9)] * 14))
    assert (regular["outcome"], irregular["outcome"]) == ("normal", "fired")
    assert "100 over the last 28 days" in regular["statement"]
    assert found("sleep_regularity_index", days(40))["reason"] == "insufficient_days"


def test_clock_times_are_averaged_on_the_circle() -> None:
    assert circular_mean([15, 1425]) in (pytest.approx(0, abs=1e-6), pytest.approx(1440, abs=1e-6))
    assert circular_difference(15, 1425) == 30
    assert circular_difference(1425, 15) == -30


@pytest.mark.parametrize(
    ("later", "outcome", "severity"),
    [(59, "normal", "info"), (60, "fired", "info"), (119, "fired", "info"), (120, "fired", "low")],
)
def test_social_jetlag(later: int, outcome: str, severity: str) -> None:
    weekend: Callable[[int], bool] = lambda n: (END - timedelta(29 - n)).weekday() > 4  # noqa: E731
    daily = days(
        30,
        bed_minute=lambda n: -30 + (later if weekend(n) else 0),
        wake_up_minute=lambda n: 390 + (later if weekend(n) else 0),
    )
    row = found("social_jetlag", daily)
    assert (row["outcome"], row["severity"]) == (outcome, severity)


@pytest.mark.parametrize(("asleep", "outcome", "severity"), [(420, "normal", "info"), (400, "fired", "info"),
                                                             (355, "fired", "low")])  # fmt: skip
def test_sleep_efficiency(asleep: int, outcome: str, severity: str) -> None:
    row = found("sleep_efficiency_nsf", days(30, sleep_minutes=asleep, time_in_bed_minutes=480))
    assert (row["outcome"], row["severity"]) == (outcome, severity)


@pytest.mark.parametrize(
    ("nights", "outcome"),
    [
        ([91, 91, 90, 93, 94, 95, 95], "fired"),
        ([91, 91, 92, 93, 94, 95, 95], "normal"),
        ([78] + [95] * 6, "normal"),
    ],
)
def test_low_oxygen_is_a_hint_of_several_nights(nights: list[int], outcome: str) -> None:
    row = found("night_oxygen_hint", days(7, spo2_avg=lambda n: float(nights[n])))
    assert row["outcome"] == outcome
    assert "apnoea" not in row["statement"]


def test_z_scores_by_hand() -> None:
    usual = [55.5, 56.3, 57.0, 58.0, 59.0, 59.7, 60.5]
    assert z_score(66, usual, 1.5) == pytest.approx(8 / (1.4826 * 1.7))
    assert z_score(17.5, [15.2] * 30, 0.6) == pytest.approx(3.83, abs=0.01)


def unlike(off: Sequence[int], *, both: bool = True) -> dict[str, Any]:
    """Days with a high resting heart rate, and with fast breathing too."""
    daily = days(
        63,
        resting_heart_rate=lambda n: 58.0 + n % 3 + (8 if n in off else 0),
        respiratory_rate=lambda n: 15.0 + 0.1 * (n % 3) + (2.5 if both and n in off else 0),
    )
    return found("nights_unlike_usual", daily)


@pytest.mark.parametrize(
    ("off", "both", "outcome"),
    [
        ((60, 61), True, "fired"),
        ((60, 61), False, "normal"),
        ((60,), True, "normal"),
        ((58, 60, 62), True, "normal"),
        ((40, 41), True, "normal"),
    ],
)
def test_nights_unlike_usual_need_two_measures_two_nights_running(
    off: tuple[int, ...], both: bool, outcome: str
) -> None:
    row = unlike(off, both=both)
    assert row["outcome"] == outcome
    assert not any(word in row["statement"].lower() for word in ("infection", "ill", "fever"))


def test_nights_are_not_compared_across_a_break() -> None:
    daily = days(63, resting_heart_rate=60.0, respiratory_rate=15.0, break_before=lambda n: n == 30)
    assert found("nights_unlike_usual", daily)["reason"] == "break"


@pytest.mark.parametrize(
    ("values", "outcome", "category"),
    [
        ([101, 101, 101, 70, 70, 70, 70], "fired", "above 100"),
        ([101, 101, 100, 70, 70, 70, 70], "normal", "40 to 100"),
        ([39, 39, 39, 50, 50, 50, 50], "fired", "below 40"),
        ([39, 39, 40, 50, 50, 50, 50], "normal", "40 to 100"),
    ],
)
def test_resting_heart_rate_by_itself(values: list[float], outcome: str, category: str) -> None:
    row = found("resting_heart_rate_level", days(7, resting_heart_rate=lambda n: float(values[n])))
    assert (row["outcome"], row["category"]) == (outcome, category)


@pytest.mark.parametrize(("steps", "outcome"), [(3999, "fired"), (4000, "normal"), (7000, "normal")])
def test_steps(steps: int, outcome: str) -> None:
    assert found("steps_volume", days(30, steps=steps))["outcome"] == outcome


@pytest.mark.parametrize(
    ("minutes", "wear", "outcome"), [(570, 1300, "fired"), (569, 1300, "normal"), (600, 1199, "insufficient")]
)
def test_sitting_needs_days_worn_throughout(minutes: int, wear: int, outcome: str) -> None:
    row = found("sedentary_time", days(30, sedentary_minutes=minutes, wear_minutes=wear))
    assert (row["outcome"], row["severity"]) == (outcome, "info")


@pytest.mark.parametrize(("old", "new", "outcome"), [(4, 8, "normal"), (4, 9, "fired"), (9, 4, "normal")])
def test_course_of_a_score(old: int, new: int, outcome: str) -> None:
    rows = scores(
        score("phq9", old, answered_on=END - timedelta(60), event="first"),
        score("phq9", new, answered_on=END - timedelta(10), event="second"),
    )
    row = found("phq9_course", survey_scores=rows)
    assert row["outcome"] == outcome
    assert f"from {old} to {new} points" in row["statement"]
    assert found("phq9_course", survey_scores=rows[:1])["reason"] == "one_draw"


@pytest.mark.parametrize(("positive", "outcome"), [(0, "normal"), (1, "normal"), (2, "fired"), (3, "fired")])
def test_a_high_risk_by_the_berlin_questionnaire_is_a_hint(positive: int, outcome: str) -> None:
    row = found("berlin_high_risk", survey_scores=scores(score("berlin", positive)))
    assert (row["outcome"], row["severity"]) == (outcome, "low" if outcome == "fired" else "info")
    assert f"{positive} of 3 categories positive" in row["statement"]
    assert row["next_step"] is None or row["next_step"].startswith("A hint, no diagnosis")
    assert json.loads(row["evidence_json"])["inputs"][0]["unit"] == "categories"
    assert next(rule for rule in RULES if rule.rule_id == "berlin_high_risk").sensitive


def test_a_berlin_questionnaire_without_score_is_not_judged() -> None:
    rows = scores(score("berlin", None))
    assert found("berlin_high_risk", survey_scores=rows)["reason"] == "no_result"


def test_scores_without_bands() -> None:
    rows = scores(score("pss10", 27), score("ipaq", 320, category="low"))
    assert found("pss10_score", survey_scores=rows)["reason"] == "no_limits"
    assert found("ipaq_category", survey_scores=rows)["outcome"] == "fired"
