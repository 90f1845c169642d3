"""Words, bound sentences and lab rows of the pages."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_parser import Page

from outputs.reports import words
from outputs.reports.bound_text import bind, bound_facts, sections, source
from outputs.reports.lab_rows import draws


def fact(fact_id: str, rendered: str, **more: Any) -> dict[str, Any]:
    row = {"fact_id": fact_id, "label": fact_id, "rendered": rendered, "window": None, "days": None}
    return row | {"source_table": "t", "source_column": "c"} | more


def bound(text: str, *facts: dict[str, Any]) -> str:
    return str(bind(text, [row["fact_id"] for row in facts], bound_facts(facts)))


def linked(html: str) -> list[str]:
    """What stands inside links, in order."""
    return [part.partition(">")[2].partition("<")[0] for part in html.split("<a ")[1:]]


def test_a_number_leads_to_its_fact_with_its_origin() -> None:
    html = bound("It was 61 bpm.", fact("rhr", "61 bpm", window="last_30_days", days=27))
    assert html == (
        'It was <a class="bound" href="#fact-1" '
        'title="rhr; last 30 days; 27 valid days; from t, c">61 bpm</a>.'
    )


@pytest.mark.parametrize("text", ["161 bpm", "1.61", "61.5", "x61", "61st", "1,61"])
def test_a_piece_of_a_longer_number_is_not_marked(text: str) -> None:
    html = bound(text, fact("a", "61"))
    assert linked(html) == ["°"], "the fact follows as a mark of its own"


@pytest.mark.parametrize("text", ["61.", "(61)", "61, then", "was 61", "61–70"])
def test_punctuation_around_a_number_does_not_hide_it(text: str) -> None:
    assert linked(bound(text, fact("a", "61"))) == ["61"]


def test_the_longest_fact_is_found_first_and_none_lies_in_another() -> None:
    html = bound(
        "the 63rd percentile of 63 women, 63 bpm", fact("n", "63"), fact("p", "63rd percentile of 63 women")
    )
    assert linked(html) == ["63rd percentile of 63 women", "63"]


def test_facts_that_are_not_cited_or_unknown_mark_nothing() -> None:
    facts = bound_facts([fact("a", "61")])
    assert bind("61", [], facts) == "61"
    assert bind("61", ["nothing"], facts) == "61"


def test_text_is_escaped_around_and_inside_the_links() -> None:
    html = bound("<b>&61 bpm</b>", fact("a", "<b>", label='"><script>'))
    assert "<script>" not in html
    assert linked(html) == ["&lt;b&gt;"]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=8), max_size=4))
def test_marking_never_changes_the_text(text: str, rendered: list[str]) -> None:
    facts = [fact(f"f{n}", value) for n, value in enumerate(rendered)]
    marked = bind(text, [row["fact_id"] for row in facts], bound_facts(facts))
    without_marks = str(marked).split('<a class="bound-mark"')[0]
    assert Page(f"<p>{without_marks}</p>").text == Page(f"<p>{bind(text, [], {})}</p>").text


def test_sections_keep_their_order_titles_and_sources() -> None:
    made = [
        {"id": "overall", "title": "In short", "sentences": [{"text": "A & B", "fact_ids": []}]},
        {
            "id": "sources",
            "title": "Sources",
            "sentences": [],
            "sources": [{"title": "WHO", "url": "https://who"}],
        },
    ]
    first, second = sections(json.dumps(made), {})
    assert (first["title"], first["sentences"], first["sources"]) == ("In short", ["A &amp; B"], [])
    assert second["sources"] == [{"title": "WHO", "url": "https://who"}]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//evil", "file:///etc", None, 7])
def test_only_addresses_of_the_web_become_links(url: object) -> None:
    assert source({"title": "T", "url": url}) == {"title": "T", "url": None}


def test_days_and_groups_in_words() -> None:
    assert words.day(date(2026, 6, 8)) == "8 Jun 2026"
    assert words.day(None) == "—"
    assert words.window("last_30_days") == "last 30 days"
    assert words.group("female", "35-44") == "women aged 35–44"
    assert words.group("male", "all") == "men"
    assert words.group(None, None) == "people"
    assert words.group("all", "65+") == "people aged 65+"
    assert words.counted(1, "day") == "1 day"
    assert words.counted(1200, "day") == "1,200 days"


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (-5, "0 minutes"),
        (1, "1 minute"),
        (59, "59 minutes"),
        (60, "1 hour"),
        (2879, "47 hours"),
        (2880, "2 days"),
    ],
)
def test_ages_in_words(minutes: int, said: str) -> None:
    start = datetime(2026, 7, 1, tzinfo=UTC)
    assert words.age(start, start + timedelta(minutes=minutes)) == said


def result(**more: Any) -> dict[str, Any]:
    empty = dict.fromkeys(
        (
            "raw_reference",
            "ref_text",
            "missing_reason",
            "ref_low",
            "ref_high",
            "value_canonical",
            "bound_canonical",
            "canonical_unit",
            "unit_ucum",
            "comparator",
            "flag_printed",
            "flag_computed",
            "name_norm",
            "panel",
        )
    )
    return (
        empty
        | {
            "file_id": "f1",
            "row_no": 1,
            "raw_name": "LDL",
            "raw_value": "120",
            "raw_unit": "mg/dL",
            "value_num": 120.0,
            "flag_mismatch": False,
            "derived": False,
            "analyte_key": "ldl_cholesterol",
            "collected_date": date(2026, 6, 1),
        }
        | more
    )


def rows_of(*results: dict[str, Any]) -> list[Any]:
    return [row for draw in draws(results) for _, panel in draw.panels for row in panel]


def test_draws_are_newest_first_and_undated_ones_last() -> None:
    dates = (date(2026, 1, 1), None, date(2026, 6, 1))
    made = [result(file_id=f"f{n}", collected_date=day) for n, day in enumerate(dates)]
    assert [draw.day for draw in draws(made)] == ["1 Jun 2026", "1 Jan 2026", "—"]


def test_the_value_before_is_the_newest_earlier_one_in_the_same_unit() -> None:
    now = result()
    old = result(file_id="f2", raw_value="110", collected_date=date(2026, 3, 1))
    older = result(file_id="f3", raw_value="100", collected_date=date(2026, 1, 1))
    assert [row.before for row in rows_of(now, older, old)] == ["110 (1 Mar 2026)", "100 (1 Jan 2026)", ""]
    other_unit = old | {"raw_unit": "mmol/L"}
    assert rows_of(now, other_unit, older)[0].before == "100 (1 Jan 2026)"
    assert rows_of(now | {"analyte_key": None}, old | {"analyte_key": None})[0].before == ""


@pytest.mark.parametrize(
    ("earlier", "shown"),
    [
        ({"raw_unit": "mg/dL (calc)", "unit_ucum": "mg/dL"}, "3.1 (1 Mar 2026)"),
        ({"raw_unit": "mmol/L", "unit_ucum": "mmol/L", "value_canonical": 119.9}, "120 mg/dL (1 Mar 2026)"),
        (
            {"raw_unit": "mmol/L", "unit_ucum": "mmol/L", "comparator": "<", "bound_canonical": 40.0},
            "<40 mg/dL (1 Mar 2026)",
        ),
        ({"raw_unit": "mmol/L", "unit_ucum": "mmol/L"}, ""),
        ({"raw_unit": "arb", "canonical_unit": None, "value_canonical": 3.1}, ""),
        ({"raw_unit": None, "canonical_unit": None}, ""),
        ({"raw_unit": "mmol/L", "value_canonical": 119.9, "derived": True}, ""),
    ],
)
def test_the_value_before_may_be_printed_in_another_spelling_or_unit(
    earlier: dict[str, Any], shown: str
) -> None:
    now = result(unit_ucum="mg/dL", canonical_unit="mg/dL")
    old = result(file_id="f2", raw_value="3.1", collected_date=date(2026, 3, 1), canonical_unit="mg/dL")
    assert rows_of(now, old | earlier)[0].before == shown


def test_a_result_without_a_value_says_why() -> None:
    (row,) = rows_of(result(raw_value=None, value_num=None, missing_reason="not_performed"))
    assert row.value == "not performed"
    assert row.bar is None


@pytest.mark.parametrize(
    ("printed", "computed", "word"),
    [
        ("H", "N", "high"),
        (None, "H", "high"),
        (None, "N", ""),
        ("HH", "H", "critically high"),
        ("N", "H", ""),
        (None, None, ""),
        (None, "indeterminate", ""),
        ("A", None, "abnormal"),
    ],
)
def test_the_printed_flag_goes_before_ours(printed: str | None, computed: str | None, word: str) -> None:
    (row,) = rows_of(result(flag_printed=printed, flag_computed=computed))
    assert row.flag == word


def test_flags_that_disagree_are_told() -> None:
    (row,) = rows_of(result(flag_printed="N", flag_computed="H", flag_mismatch=True))
    assert row.note == "flag printed otherwise than the range says"


def test_a_number_whose_unit_stands_elsewhere_is_found_alone() -> None:
    html = bound("Hematocrit 42.7 % (37.5 to 51.0 %)", fact("low", "37.5 %"), fact("high", "51.0 %"))
    assert linked(html) == ["37.5", "51.0 %"]
