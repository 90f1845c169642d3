"""Earlier draws and answers, their trend, and what changed since an earlier release."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_person import END, SETTINGS, days, labs, result, score, scores, table, tables_of, values_of

from outputs.dossier import make_dossier
from outputs.facts.history import TREND_FALSE_SHARE, trend_directions
from outputs.facts.since import Earlier
from outputs.ranks import ranks
from schemas.facts import Facts

FIRST = date(2025, 3, 1)


def draws(*values: float | str, analyte: str = "hba1c", unit: str = "%") -> list[dict[str, Any]]:
    """Results of one analyte, a draw every 90 days; a text is a bound, such as ``<5``."""
    made: list[dict[str, Any]] = []
    for number, value in enumerate(values):
        day = FIRST + timedelta(number * 90)
        if isinstance(value, str):
            bound = float(value[1:])
            fields = {
                "comparator": value[0],
                "bound_num": bound,
                "bound_canonical": bound,
                "raw_value": value,
            }
            made.append(result(analyte, None, unit, collected_date=day, **fields))
        else:
            made.append(result(analyte, value, unit, collected_date=day))
    return made


def facts(
    rows: Sequence[dict[str, Any]] = (), answers: pl.DataFrame | None = None, earlier: Sequence[Earlier] = ()
) -> dict[str, dict[str, Any]]:
    tables = tables_of(days(120, steps=8000), labs(*rows) if rows else None, answers)
    own = ranks(values_of(tables), table("person_values", []), None, "2026-06")
    shareable = table("shareable_percentiles", [])
    made = make_dossier(tables, own, shareable, END, SETTINGS, earlier).tables["facts"].lazy().collect()
    assert Facts.filter(made)[0].height == made.height
    return {row["fact_id"]: row for row in made.iter_rows(named=True)}


def test_an_earlier_draw_stands_beside_the_newest_with_its_own_cell() -> None:
    found = facts(draws(5.6, 5.9))
    previous, change = found["lab.hba1c.previous"], found["lab.hba1c.change"]
    assert (previous["rendered"], previous["window_end"]) == ("5.6 %", FIRST)
    assert json.loads(previous["source_key_json"])["row_no"] == 1
    assert (change["rendered"], change["value_num"]) == ("0.3 % higher than at the draw 90 days before", 0.3)
    assert change["direction"] is None, "nobody has judged whether it is more than the person's variation"
    assert json.loads(change["source_key_json"]) == {
        "participant_id": "P1",
        "analyte_key": "hba1c",
        "from": "2025-03-01",
        "to": "2025-05-30",
    }


def test_equal_draws_have_not_changed() -> None:
    assert facts(draws(5.6, 5.6))["lab.hba1c.change"]["rendered"] == "the same as at the draw 90 days before"


def test_one_draw_has_no_history() -> None:
    assert {name for name in facts(draws(5.6)) if name.startswith("lab.hba1c")} == {"lab.hba1c.value"}


def test_a_bound_has_no_change_and_is_no_part_of_a_trend() -> None:
    found = facts(draws(1.0, 1.2, 1.1, "<0.3", analyte="hs_crp", unit="mg/L"))
    assert found["lab.hs_crp.previous"]["rendered"] == "1.1 mg/L"
    assert "lab.hs_crp.change" not in found
    assert "lab.hs_crp.trend" not in found
    back = facts(draws("<0.3", 1.2, analyte="hs_crp", unit="mg/L"))
    assert back["lab.hs_crp.previous"]["rendered"] == "<0.3 mg/L"
    assert "lab.hs_crp.change" not in back


def test_other_units_are_not_compared() -> None:
    rows = [*draws(90.0, analyte="glucose", unit="mg/dL"), result("glucose", 5.1, "mmol/L")]
    found = facts(rows)
    assert found["lab.glucose.previous"]["rendered"] == "90 mg/dL"
    assert "lab.glucose.change" not in found


@pytest.mark.parametrize(
    ("values", "rendered", "direction"),
    [
        (
            (5.4, 5.5, 5.6, 5.7, 5.9, 6.1),
            "rose over 6 draws in 450 days, from 5.4 % to 6.1 %",
            "rising",
        ),
        ((6.1, 5.9, 5.7, 5.6, 5.5, 5.4), "fell over 6 draws in 450 days, from 6.1 % to 5.4 %", "falling"),
        ((5.4, 5.6, 5.8), "no clear trend over 3 draws in 180 days, from 5.4 % to 5.8 %", "steady"),
        ((5.5, 5.5, 5.5, 5.5), "no clear trend over 4 draws in 270 days, from 5.5 % to 5.5 %", "steady"),
    ],
)
def test_a_trend_is_one_only_where_the_order_is_no_chance(
    values: tuple[float, ...], rendered: str, direction: str
) -> None:
    trend = facts(draws(*values))["lab.hba1c.trend"]
    assert (trend["rendered"], trend["direction"]) == (rendered, direction)


def test_two_draws_are_no_trend() -> None:
    assert "lab.hba1c.trend" not in facts(draws(5.4, 6.1))


@given(st.lists(st.integers(1, 50), min_size=3, max_size=12))
def test_the_way_back_is_the_other_direction(values: list[int]) -> None:
    (there,), (back,) = trend_directions([values]), trend_directions([values[::-1]])
    assert {there, back} in ({"steady"}, {"rising", "falling"})


def test_one_order_among_many_analytes_may_be_chance() -> None:
    """Six draws in one order come by chance in 1 of 360: a trend of one analyte, none among forty."""
    rise, mixed = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0), (2.0, 1.0, 4.0, 3.0, 6.0, 1.5)
    assert trend_directions([rise]) == ["rising"]
    assert set(trend_directions([rise, *[mixed] * 39])) == {"steady"}
    assert trend_directions([rise, *[mixed[:5]] * 39])[0] == "rising", "those of few draws are not tested"
    assert trend_directions([rise] * 40) == ["rising"] * 40
    assert trend_directions([(*rise, 7.0, 8.0), *[mixed] * 39])[0] == "rising"


def test_draws_without_order_seldom_make_a_trend_in_a_person() -> None:
    random = Random(3)
    people = [[[random.gauss(0, 1) for _ in range(8)] for _ in range(20)] for _ in range(40)]
    carried = sum(set(trend_directions(person)) != {"steady"} for person in people)
    # Below 1 of 40 expected; above 3 in fewer than 1 of 500 such tests.
    assert carried <= 3
    assert TREND_FALSE_SHARE == 0.01


def test_an_earlier_score_is_there_and_never_for_the_participant() -> None:
    answers = scores(score("phq9", 12, event="later"), score("phq9", 7, answered_on=date(2026, 1, 5)))
    found = facts(answers=answers)
    assert found["survey.phq9.score"]["rendered"] == "12 points"
    previous = found["survey.phq9.previous"]
    assert (previous["rendered"], previous["window_end"]) == ("7 points", date(2026, 1, 5))
    assert not previous["for_participant"]


# ---- changes since an earlier release ----


def release(rows: Sequence[dict[str, Any]], through: date) -> Earlier:
    """An earlier release with other laboratory results."""
    return Earlier(pl.DataFrame(list(facts(rows).values()), infer_schema_length=None), through)


def changes(found: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {name: row["rendered"] for name, row in found.items() if name.startswith("since.")}


def test_without_an_earlier_release_nothing_has_changed() -> None:
    assert changes(facts(draws(5.6, 5.9))) == {}


def test_new_results_and_other_findings_are_told_with_what_they_were() -> None:
    before = release(draws(5.6), FIRST)
    found = facts(
        [*draws(5.6, 5.9), *draws(131.0, analyte="ldl_cholesterol", unit="mg/dL")], earlier=[before]
    )
    told = changes(found)
    assert told["since.lab.hba1c.value"] == "now 5.9 %, before 5.6 %"
    assert told["since.lab.ldl_cholesterol.value"] == "now 131 mg/dL, before not there"
    assert told["since.finding.hba1c_ada.hba1c"].startswith("now ")
    row = found["since.lab.hba1c.value"]
    assert (row["topic"], row["value_text"], row["window_start"]) == ("changes", "changed", FIRST)
    assert json.loads(row["source_key_json"])["fact_id"] == "lab.hba1c.value"


def test_unchanged_facts_give_the_very_same_changes_at_every_later_release() -> None:
    old, now = draws(5.6), draws(5.6, 5.9)
    first, second = release(old, FIRST), release(now, END)
    told = changes(facts(now, earlier=[first]))
    assert told
    assert changes(facts(now, earlier=[second, first])) == told, (
        "releases with the same facts are passed over"
    )
    assert changes(facts(now, earlier=[second, second, first])) == told


def test_nothing_is_told_of_facts_that_are_no_more_or_of_new_rules() -> None:
    before = release(draws(5.6, 5.9), FIRST)
    without_rule = before.facts.filter(pl.col("fact_id") != "finding.hba1c_ada.hba1c")
    told = changes(facts(draws(5.6), earlier=[Earlier(without_rule, FIRST)]))
    assert told["since.lab.hba1c.value"] == "now 5.6 %, before 5.9 %"
    assert "since.finding.hba1c_ada.hba1c" not in told, "a rule that is new is no change of the person"
    assert not any(".lab." in name for name in changes(facts(earlier=[before])))


def test_what_the_participant_may_not_read_does_not_come_back_as_a_change() -> None:
    before = Earlier(pl.DataFrame(list(facts(answers=scores(score("phq9", 3))).values())), FIRST)
    found = facts(answers=scores(score("phq9", 12)), earlier=[before])
    sensitive = [row for name, row in found.items() if name.startswith("since.") and "phq9" in name]
    assert sensitive
    assert not any(row["for_participant"] for row in sensitive)
