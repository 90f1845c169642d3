"""Sleep, activity and wear; and what is checked of everybody."""

from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest
from made_person import END, days, findings_of, labs, result, score, scores, tables_of

from outputs.findings.check import RULES
from outputs.findings.rule import REASONS
from schemas.findings import Findings
from schemas.table import polars_schema


def found(rule: str, subject: str, daily: Any = None, as_of: date = END, **person: Any) -> dict[str, Any]:
    return findings_of(tables_of(daily, **person), as_of, rule)[rule, subject]


@pytest.mark.parametrize(
    ("minutes", "outcome", "category", "severity"),
    [
        (359, "fired", "below 6 h", "medium"),
        (360, "fired", "6 to below 7 h", "low"),
        (419, "fired", "6 to below 7 h", "low"),
        (420, "normal", "7 to 9 h", "info"),
        (540, "normal", "7 to 9 h", "info"),
        (541, "fired", "above 9 h", "info"),
    ],
)
def test_sleep_duration_at_its_limits(minutes: int, outcome: str, category: str, severity: str) -> None:
    row = found("sleep_duration_aasm", "sleep_minutes", days(30, sleep_minutes=minutes))
    assert (row["outcome"], row["category"], row["severity"]) == (outcome, category, severity)


def test_sleep_is_classed_as_it_is_shown() -> None:
    daily = days(30, sleep_minutes=lambda n: 419 if n % 2 else 420)
    row = found("sleep_duration_aasm", "sleep_minutes", daily)
    assert row["outcome"] == "normal"
    assert "median of 30 nights of the last 30 days: 7 h 0 min" in row["statement"]


@pytest.mark.parametrize(("nights", "reason"), [(23, None), (22, "insufficient_days")])
def test_sleep_needs_enough_nights(nights: int, reason: str | None) -> None:
    daily = days(30, sleep_minutes=lambda n: 450 if n < nights else None)
    assert found("sleep_duration_aasm", "sleep_minutes", daily)["reason"] == reason


def test_above_60_the_recommendation_is_named_for_what_it_is() -> None:
    row = found("sleep_duration_aasm", "sleep_minutes", days(30, sleep_minutes=400), age=61)
    assert "a recommendation for adults up to 60" in row["statement"]


def weekly(total: int) -> dict[str, Any]:
    """28 days whose weeks sum to ``total``, all on the week's first day."""
    return found(
        "activity_who", "active_zone_minutes", days(28, active_zone_minutes=lambda n: 0 if n % 7 else total)
    )


@pytest.mark.parametrize(
    ("total", "outcome", "severity"),
    [
        (74, "fired", "low"),
        (75, "fired", "info"),
        (149, "fired", "info"),
        (150, "normal", "info"),
        (300, "normal", "info"),
        (301, "normal", "info"),
    ],
)
def test_activity_at_its_limits(total: int, outcome: str, severity: str) -> None:
    row = weekly(total)
    assert (row["outcome"], row["severity"]) == (outcome, severity)
    assert f"{total} min" in row["statement"]


def test_activity_of_weeks_with_a_missing_day_is_brought_to_seven_days() -> None:
    daily = days(28, active_zone_minutes=lambda n: None if n % 7 == 6 else 30)
    assert "210 min" in found("activity_who", "active_zone_minutes", daily)["statement"]


@pytest.mark.parametrize(("good_weeks", "reason"), [(3, None), (2, "insufficient_days")])
def test_activity_needs_three_of_four_weeks(good_weeks: int, reason: str | None) -> None:
    daily = days(28, active_zone_minutes=30, valid_day=lambda n: n // 7 < good_weeks or n % 7 > 1)
    assert found("activity_who", "active_zone_minutes", daily)["reason"] == reason


@pytest.mark.parametrize(("worn", "outcome"), [(22, "fired"), (23, "normal")])
def test_adherence(worn: int, outcome: str) -> None:
    row = found("adherence", "adherence", days(60, valid_day=lambda n: n >= 60 - worn))
    assert row["outcome"] == outcome
    assert row["statement"].startswith(f"Worn on {worn} of the last 30 days")


@pytest.mark.parametrize(("worn", "outcome"), [(14, "fired"), (15, "normal")])
def test_days_of_unknown_wear_do_not_count_against_adherence(worn: int, outcome: str) -> None:
    def valid(n: int) -> bool | None:
        return None if n < 40 else n >= 60 - worn

    row = found("adherence", "adherence", days(60, valid_day=valid))
    assert row["outcome"] == outcome
    assert "days of unknown wear left out" in row["statement"]


def test_adherence_is_not_checked_where_no_days_wear_is_known() -> None:
    row = found("adherence", "adherence", days(60, valid_day=lambda _: None))
    assert (row["outcome"], row["reason"]) == ("insufficient", "wear_unknown")


@pytest.mark.parametrize(("behind", "outcome"), [(14, "normal"), (15, "fired")])
def test_data_gap(behind: int, outcome: str) -> None:
    row = found("data_gap", "data_gap", days(60), as_of=END + timedelta(behind))
    assert row["outcome"] == outcome
    assert str(behind) not in row["statement"].replace("14 days", "")


def test_questionnaire_bands() -> None:
    expected = [
        ("phq9", 9, "normal", "info"),
        ("phq9", 10, "fired", "medium"),
        ("phq9", 14, "fired", "medium"),
        ("phq9", 15, "fired", "high"),
        ("phq9", 20, "fired", "high"),
        ("gad7", 14, "fired", "medium"),
        ("gad7", 15, "fired", "high"),
        ("auditc", 2, "normal", "info"),
        ("auditc", 3, "fired", "low"),
        ("auditc", 8, "fired", "medium"),
        ("who5", 50, "fired", "low"),
        ("who5", 52, "normal", "info"),
    ]
    rules = {"phq9": "phq9_bands", "gad7": "gad7_bands", "auditc": "auditc_cutoff", "who5": "who5_cutoff"}
    for instrument, points, outcome, severity in expected:
        found = findings_of(tables_of(survey_scores=scores(score(instrument, points))))
        row = found[rules[instrument], f"{instrument}_score"]
        assert (row["outcome"], row["severity"]) == (outcome, severity), (instrument, points)


@pytest.mark.parametrize(
    ("sex", "points", "says"),
    [
        ("female", 2, "below the cut-off (cut-off 3)"),
        ("female", 3, "at or above the cut-off (cut-off 3)"),
        ("male", 4, "at or above the cut-off (cut-off 4)"),
        ("male", 9, "far above the cut-off (cut-off 4)"),
    ],
)
def test_audit_c_names_its_cut_off_and_no_band(sex: str, points: int, says: str) -> None:
    tables = tables_of(survey_scores=scores(score("auditc", points)), sex=sex)
    row = findings_of(tables, rule_id="auditc_cutoff")["auditc_cutoff", "auditc_score"]
    assert row["statement"] == f"AUDIT-C (alcohol) score {points}: {says}."


@pytest.mark.parametrize("total", [70, 99, 150, 320])
def test_activity_names_the_recommended_range(total: int) -> None:
    daily = days(28, active_zone_minutes=lambda n: 0 if n % 7 else total)
    row = found("activity_who", "active_zone_minutes", daily)
    assert row["statement"].endswith("the recommended range (150 to 300 min).")


def test_audit_c_by_sex_and_a_prorated_score() -> None:
    rows = scores(score("auditc", 3), score("phq9", 9.5))
    found = findings_of(tables_of(survey_scores=rows, sex="male"))
    assert found["auditc_cutoff", "auditc_score"]["outcome"] == "normal"
    assert found["phq9_bands", "phq9_score"]["category"] == "moderate band"  # shown and classed as 10


def everything() -> dict[str, Any]:
    daily = days(120, resting_heart_rate=60.0, sleep_minutes=450, active_zone_minutes=25)
    return tables_of(daily, labs(result("hba1c", 5.2, "%")), scores(score("phq9", 3)))


@pytest.mark.parametrize("tables", [tables_of(), everything(), tables_of(sex="unknown", age=None)])
def test_every_rule_answers_for_everybody(tables: dict[str, Any]) -> None:
    found = findings_of(tables)
    assert {rule for rule, _ in found} == {rule.rule_id for rule in RULES}
    for row in found.values():
        assert row["statement"]
        assert row["reason"] is None or row["reason"] in REASONS
        assert (row["outcome"] in ("fired", "normal")) == (row["reason"] is None)
        assert (row["severity"] == "info") or row["outcome"] == "fired"


def test_findings_are_in_the_form_of_their_table() -> None:

    frame = pl.DataFrame(list(findings_of(everything()).values()), schema=polars_schema(Findings))
    _, failure = Findings.filter(frame)
    assert failure.counts() == {}


def test_rule_ids_are_unique_and_statements_hold_no_dates() -> None:
    ids = [rule.rule_id for rule in RULES]
    assert len(ids) == len(set(ids))
    for row in findings_of(everything()).values():
        assert "2026" not in row["statement"]


def test_order_of_rows_changes_nothing() -> None:
    tables = everything()
    turned = {name: frame.reverse() for name, frame in tables.items()}
    assert findings_of(tables) == findings_of(turned)
