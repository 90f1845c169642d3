"""Since when a finding stands: a trend is new only where it holds in two releases."""

from datetime import timedelta
from typing import Any

import polars as pl
import pytest
from made_person import END, table

from outputs.findings.seen import with_seen
from outputs.findings.trend_rules import TRENDS

TREND, LAB = TRENDS[0].rule_id, "hba1c_ada"


def row(rule: str, outcome: str = "fired", category: str | None = "rising", **fields: Any) -> dict[str, Any]:
    return {
        "participant_id": "P1", "rule_id": rule, "subject": "s", "window_end": END, "outcome": outcome,
        "severity": "low", "category": category, "statement": "S.", "evidence_json": "{}", "guideline": "G",
    } | fields  # fmt: skip


def findings(*rows: dict[str, Any]) -> pl.LazyFrame:
    return table("findings", rows).lazy()


def seen_over(*releases: list[dict[str, Any]]) -> list[str | None]:
    """``seen`` of the first row in each release, one after the other."""
    previous, told = None, []
    for rows in releases:
        previous = with_seen(findings(*rows), previous)
        told.append(previous.collect()["seen"][0])
    return told


RISING, STEADY, FALLING = row(TREND), row(TREND, "normal", "steady"), row(TREND, category="falling")


@pytest.mark.parametrize(
    ("releases", "told"),
    [
        ([[RISING]], ["once"]),
        ([[RISING], [RISING], [RISING]], ["once", "new", "known"]),
        ([[RISING], [STEADY], [RISING], [RISING]], ["once", None, "once", "new"]),
        ([[RISING], [RISING], [STEADY], [RISING]], ["once", "new", None, "once"]),
        ([[RISING], [FALLING], [FALLING]], ["once", "once", "new"]),
    ],
)
def test_a_trend_must_hold_in_two_releases(
    releases: list[list[dict[str, Any]]], told: list[str | None]
) -> None:
    assert seen_over(*releases) == told


def test_everything_else_is_new_at_once_and_then_known() -> None:
    low, high = row(LAB, category="prediabetes range"), row(LAB, category="diabetes range")
    assert seen_over([low], [low], [high], [row(LAB, "normal", "below")]) == ["new", "known", "new", None]


def test_another_draw_with_the_same_band_is_known() -> None:
    later = row(LAB, window_end=END + timedelta(30))
    assert seen_over([row(LAB)], [later]) == ["new", "known"]


def test_people_subjects_and_rules_are_not_mixed() -> None:
    before = findings(row(TREND), row(TREND, participant_id="P2", outcome="normal"))
    now = findings(row(TREND, subject="t"), row(TREND, participant_id="P2"), row(TRENDS[1].rule_id))
    assert with_seen(now, with_seen(before, None)).collect()["seen"].to_list() == ["once"] * 3


def test_a_release_that_did_not_tell_it_counts_as_seen_once() -> None:
    old = findings(row(TREND), row(LAB)).drop("seen")
    found = with_seen(findings(row(TREND), row(LAB)), old).collect()
    assert dict(zip(found["rule_id"], found["seen"], strict=True)) == {TREND: "new", LAB: "known"}


def test_rows_and_other_columns_stay_as_they_are() -> None:
    now = findings(row(TREND), row(LAB, "insufficient", None, reason="no_result"))
    found = with_seen(now, None).collect()
    assert found.drop("seen").equals(now.collect().sort("rule_id").drop("seen"))
