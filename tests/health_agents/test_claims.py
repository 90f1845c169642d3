"""Numbers and statements of a text are bound to facts: true ones verified, every other one named."""

import re
from datetime import date
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_dossier import MONTH, PARTICIPANT, dossier, fact, quantity

from health_agents.claims import check_sentence, claims_table, is_verified
from health_agents.domain_expert import RulesWriter
from health_agents.domain_expert.sections import Sentence
from health_agents.domain_expert.view import READERS, View
from health_agents.quantities import find_quantities
from health_agents.wording import find_windows
from outputs.facts.fact import facts_table
from schemas.claims import Claims
from schemas.table import polars_schema

FACTS = dossier().facts
RHR = "resting_heart_rate.median.last_30_days"
RHR_WEEK = "resting_heart_rate.median.last_7_days"
CHANGE = "resting_heart_rate.change.last_30_days"
PEER = "peer.resting_heart_rate.last_30_days"
STEPS = "steps.median.last_30_days"
SLEEP = "sleep_minutes.median.last_30_days"
DEEP = "deep_sleep_minutes.median.last_30_days"
BED = "bed_minute.median.last_30_days"
LDL = "lab.ldl_cholesterol.value"
LDL_HIGH = "lab.ldl_cholesterol.high"
A1C = "lab.hba1c.value"
A1C_LOW = "lab.hba1c.low"
A1C_HIGH = "lab.hba1c.high"
CRP = "lab.crp.value"
PLATELETS = "lab.platelets.value"
AGE = "profile.age"
FINDING = "finding.ldl_cholesterol_acc.ldl_cholesterol"


def verdicts(sentence: str, *fact_ids: str, facts: pl.DataFrame = FACTS) -> dict[str, str]:
    return {claim.quoted: claim.verdict for claim in check_sentence(sentence, fact_ids, facts)}


TRUE = [
    ("Resting heart rate was 62.5 bpm over the last 30 days.", RHR),
    ("Your resting heart rate was 62.5 beats per minute in the past month.", RHR),
    ("It was 62.5 bpm on 27 days.", RHR),
    ("It was 61.0 bpm over the last 7 days and 62.5 bpm over the last 30 days.", RHR, RHR_WEEK),
    ("In the last week it was 61 bpm, in the last 30 days 62.5 bpm.", RHR, RHR_WEEK),
    ("It is 3.0 bpm lower than in the 30 days before.", CHANGE),
    ("It fell by 3 bpm.", CHANGE),
    ("It changed by -3.0 bpm over the last 30 days.", CHANGE),
    ("Steps: 8,432 over the last 30 days.", STEPS),
    ("You took 8432 steps a day.", STEPS),
    ("You slept 7 h 12 min a night.", SLEEP),
    ("You slept 7 hours and 12 minutes a night.", SLEEP),
    ("You slept 432 minutes a night.", SLEEP),
    ("You slept 7.2 hours a night.", SLEEP),
    ("You went to bed at 22:45.", BED),
    ("You went to bed at 10:45 pm.", BED),
    ("LDL cholesterol was 142 mg/dL on 2026-03-02, above the upper limit of 130 mg/dL.", LDL, LDL_HIGH),
    ("LDL cholesterol was 142 mg/dL on 2 March 2026.", LDL),
    ("LDL cholesterol was 142 mg/dL on March 2nd, 2026.", LDL),
    ("HbA1c was 5.2 %, within 4.0 to 5.6 %.", A1C, A1C_LOW, A1C_HIGH),
    ("HbA1c was 5.2 percent, within the range 4.0–5.6 %.", A1C, A1C_LOW, A1C_HIGH),
    ("C-reactive protein was <0.3 mg/L.", CRP),
    ("C-reactive protein was less than 0.3 mg/L.", CRP),
    ("Platelets were 251 10³/µL, within the range.", PLATELETS),
    ("LDL cholesterol 142 mg/dL is above, HbA1c 5.2 % within the printed range.", LDL, A1C),
    ("You are forty-three years old.", AGE),
    ("Above the printed range: LDL cholesterol 142 mg/dL.", LDL),
    ("You are at the 63rd percentile of 214 women aged 35-44, reference population.", PEER),
    ("LDL cholesterol 142 mg/dL: above the guideline's goal range (130 to below 160 mg/dL).", FINDING),
    ("No number, nothing to check.",),
]


@pytest.mark.parametrize(("sentence", "fact_ids"), [(s, ids) for s, *ids in TRUE])
def test_true_sentences_are_verified(sentence: str, fact_ids: list[str]) -> None:
    claims = check_sentence(sentence, fact_ids, FACTS)
    assert [c for c in claims if c.verdict != "verified"] == []
    assert bool(claims) == bool(fact_ids)


@pytest.mark.parametrize(
    ("rendered", "place", "direction"),
    [
        ("about the 90th percentile of at least 10 women aged 35-44, study cohort", 90, "above"),
        ("about the 50th percentile of 63 people, reference population", 50, "within"),
        ("higher than all of at least 10 people, study cohort", 100, "above"),
        ("lower than all of 63 men aged 65+, reference population", 0, "below"),
    ],
)
def test_a_rank_among_few_is_verified_as_it_is_said(rendered: str, place: float, direction: Any) -> None:
    known = quantity(place, "percentile", days=27, direction=direction, **MONTH)
    facts = facts_table(
        PARTICIPANT, [fact("peer.steps.last_30_days", "peers", "Steps, rank", rendered, **known)]
    )
    said = [f"That is {rendered}.", f"Steps: {rendered}."]
    for sentence in said:
        assert is_verified(check_sentence(sentence, ["peer.steps.last_30_days"], facts))
    wrong = [
        text.replace("90th", "91st").replace("50th", "47th").replace("all of", "most of") for text in said
    ]
    wrong += [text.replace("10 ", "11 ").replace("63 ", "60 ") for text in said]
    for sentence in wrong:
        assert not is_verified(check_sentence(sentence, ["peer.steps.last_30_days"], facts))


FALSE: list[tuple[str, list[str], str, str]] = [
    ("It was 62 bpm.", [RHR], "62 bpm", "value_differs"),
    ("It was 62.4 bpm.", [RHR], "62.4 bpm", "value_differs"),
    ("It was about 62.5 bpm.", [RHR], "62.5 bpm", "value_differs"),
    ("It was at least 62.5 bpm.", [RHR], "62.5 bpm", "value_differs"),
    ("It was 62.5 ms.", [RHR], "62.5 ms", "unit_differs"),
    ("It was 62.5.", [RHR], "62.5", "unit_differs"),
    ("It was 62.5 bpm over the last 7 days.", [RHR], "62.5 bpm", "window_differs"),
    ("It was 62.5 bpm over the last 7 days.", [RHR], "last 7 days", "window_differs"),
    ("It was 62.5 bpm over the last four weeks.", [RHR], "last four weeks", "window_differs"),
    ("It was 62.5 bpm over the whole period.", [RHR], "whole period", "window_differs"),
    (
        "It was 62.5 bpm over the last 7 days and 61.0 bpm over the last 30 days.",
        [RHR, RHR_WEEK],
        "61.0 bpm",
        "window_differs",
    ),
    ("It was 62.5 bpm in the 30 days before.", [RHR, CHANGE], "62.5 bpm", "window_differs"),
    ("It rose by 3.0 bpm.", [CHANGE], "rose", "direction_differs"),
    ("LDL cholesterol is above 160 mg/dL.", [FINDING, LDL], "160 mg/dL", "value_differs"),
    ("It rose by 2.0 bpm.", [CHANGE], "2.0 bpm", "value_differs"),
    ("HbA1c was 5.6 %, within 4.0 to 5.2 %.", [A1C, A1C_LOW, A1C_HIGH], "5.2 %", "value_differs"),
    ("HbA1c was 5.6 %, within 4.0 to 5.6 %.", [A1C, A1C_LOW, A1C_HIGH], "5.6 %", "value_differs"),
    ("LDL cholesterol was 130 mg/dL.", [LDL, LDL_HIGH], "130 mg/dL", "value_differs"),
    ("LDL cholesterol is above the lower limit of 130 mg/dL.", [LDL, LDL_HIGH], "130 mg/dL", "value_differs"),
    ("It is 3.0 bpm higher than in the 30 days before.", [CHANGE, PEER], "higher", "direction_differs"),
    ("It did not fall: 3.0 bpm lower.", [CHANGE], "3.0 bpm", "verified"),
    ("It is not lower.", [CHANGE], "lower", "direction_differs"),
    ("It is slightly lower.", [CHANGE], "slightly", "direction_differs"),
    ("It improved.", [CHANGE], "improved", "direction_differs"),
    ("It was high.", [RHR], "high", "direction_differs"),
    ("You took 8,432 km.", [STEPS], "8,432 km", "unit_differs"),
    ("You took 84,32 steps.", [STEPS], "84", "value_differs"),
    ("You slept 7 hours.", [SLEEP], "7 hours", "value_differs"),
    ("You slept seven hours.", [SLEEP], "seven hours", "value_differs"),
    ("You slept 7 h 21 min.", [SLEEP], "7 h 21 min", "value_differs"),
    ("You slept 7.2 min.", [SLEEP], "7.2 min", "value_differs"),
    ("Half of the night was deep sleep.", [DEEP], "Half", "value_differs"),
    ("Sleep duration 62 min and deep sleep 7 h 12 min.", [SLEEP, DEEP], "62 min", "value_differs"),
    ("You went to bed at 22:54.", [BED], "22:54", "value_differs"),
    ("You went to bed at 10:45 am.", [BED], "10:45 am", "value_differs"),
    ("LDL cholesterol was 142 mmol/L.", [LDL], "142 mmol/L", "unit_differs"),
    ("LDL cholesterol was 142 g/dL.", [LDL], "142 g/dL", "unit_differs"),
    ("LDL cholesterol was 142 mg/L.", [LDL], "142 mg/L", "unit_differs"),
    ("LDL cholesterol was 142 mg/dL on 3 March 2026.", [LDL], "3 March 2026", "value_differs"),
    ("LDL cholesterol was 142 mg/dL on 2 March.", [LDL], "2 March", "value_differs"),
    ("LDL cholesterol was 142 mg/dL in 2026.", [LDL], "2026", "value_differs"),
    ("LDL cholesterol 142 mg/dL is below the limit.", [LDL], "below", "direction_differs"),
    (
        "LDL cholesterol 142 mg/dL and HbA1c 5.2 % are within range.",
        [LDL, A1C],
        "within",
        "direction_differs",
    ),
    ("Within range: HbA1c 5.2 %, LDL cholesterol 142 mg/dL.", [LDL, A1C], "Within", "direction_differs"),
    ("HbA1c was 5.2 %, within 5.6 to 4.0 %.", [A1C, A1C_LOW, A1C_HIGH], "4.0 %", "value_differs"),
    ("C-reactive protein was 0.3 mg/L.", [CRP], "0.3 mg/L", "value_differs"),
    ("C-reactive protein was >0.3 mg/L.", [CRP], "0.3 mg/L", "value_differs"),
    ("Platelets were 251 10⁶/µL.", [PLATELETS], "251", "unit_differs"),
    ("Platelets were ²51 10³/µL.", [PLATELETS], "²", "value_differs"),
    ("You have diabetes.", [A1C], "diabetes", "unbound_statement"),
    ("This is dangerous.", [LDL], "dangerous", "unbound_statement"),
    ("Take a statin.", [LDL], "statin", "unbound_statement"),
    (
        "It is false that LDL cholesterol 142 mg/dL: above the guideline's goal range "
        "(130 to below 160 mg/dL).",
        [FINDING],
        "LDL cholesterol 142 mg/dL: above the guideline's goal range (130 to below 160 mg/dL)",
        "unbound_statement",
    ),
    ("It was 62.5 bpm.", [], "62.5 bpm", "unbound_number"),
    ("It was 62.5 bpm.", ["heart.of.gold"], "heart.of.gold", "no_such_fact"),
    ("PHQ-8 was 4 points.", ["survey.phq9.score"], "8", "value_differs"),
]


@pytest.mark.parametrize(("sentence", "fact_ids", "quoted", "verdict"), FALSE)
def test_what_differs_is_named(sentence: str, fact_ids: list[str], quoted: str, verdict: str) -> None:
    found = [claim.verdict for claim in check_sentence(sentence, fact_ids, FACTS) if claim.quoted == quoted]
    assert verdict in found, check_sentence(sentence, fact_ids, FACTS)
    if verdict != "verified":
        assert not is_verified(check_sentence(sentence, fact_ids, FACTS))


def test_a_claim_names_the_fact_it_rests_on() -> None:
    claims = check_sentence("It was 61.0 bpm over the last 7 days.", [RHR, RHR_WEEK], FACTS)
    assert [(c.quoted, c.fact_id) for c in claims] == [("61.0 bpm", RHR_WEEK), ("last 7 days", RHR_WEEK)]


def test_claims_become_rows_numbered_in_order() -> None:
    claims = check_sentence("It was 62.5 bpm, nothing else 7.", [RHR], FACTS)
    table = claims_table(PARTICIPANT, "summary:clinician", claims)
    assert table.schema == polars_schema(Claims)
    assert table["claim_no"].to_list() == [1, 2]
    assert table["verdict"].to_list() == ["verified", "value_differs"]
    assert claims_table(PARTICIPANT, "summary:clinician", []).height == 0
    _, failure = Claims.filter(table)
    assert failure.counts() == {}


# ---- properties ---------------------------------------------------------------------------------------

WRITTEN = [
    (view, sentence)
    for view in (View(dossier(), reader) for reader in READERS)
    for part in RulesWriter().draft(view)
    for sentence in part.sentences
]
NUMBERED = [(view, s) for view, s in WRITTEN if any(c.isdigit() for c in s.text)]


def holds(view: View, sentence: Sentence) -> bool:
    return is_verified(check_sentence(sentence.text, sentence.fact_ids, view.quotable))


@given(st.sampled_from(NUMBERED), st.data())
@settings(max_examples=300, deadline=None)
def test_any_changed_digit_is_caught(written: tuple[View, Sentence], data: st.DataObject) -> None:
    view, sentence = written
    places = [i for i, c in enumerate(sentence.text) if c in "0123456789"]
    place = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != sentence.text[place]]))
    changed = sentence.text[:place] + digit + sentence.text[place + 1 :]
    assert not holds(view, Sentence(changed, sentence.fact_ids)), changed


@given(st.sampled_from(NUMBERED), st.data())
@settings(max_examples=200, deadline=None)
def test_any_added_digit_is_caught(written: tuple[View, Sentence], data: st.DataObject) -> None:
    view, sentence = written
    place = data.draw(st.integers(0, len(sentence.text)))
    digit = data.draw(st.sampled_from("123456789"))
    changed = sentence.text[:place] + digit + sentence.text[place:]
    assert not holds(view, Sentence(changed, sentence.fact_ids)), changed


UNITS = ["bpm", "beats per minute", "ms", "mg/dL", "mg/L", "mmol/L", "%", "steps", "km", "points", "kcal"]
UNIT = re.compile(r"(?<=\d )(bpm|beats per minute|mg/dL|mg/L|%|steps|points)")


@given(st.sampled_from(NUMBERED), st.data())
@settings(max_examples=200, deadline=None)
def test_any_changed_unit_is_caught(written: tuple[View, Sentence], data: st.DataObject) -> None:
    view, sentence = written
    found = list(UNIT.finditer(sentence.text))
    if not found:
        return
    match = data.draw(st.sampled_from(found))
    same = {"bpm", "beats per minute"} if match[0] in {"bpm", "beats per minute"} else {match[0]}
    unit = data.draw(st.sampled_from([unit for unit in UNITS if unit not in same]))
    changed = sentence.text[: match.start()] + unit + sentence.text[match.end() :]
    assert not holds(view, Sentence(changed, sentence.fact_ids)), changed


OPPOSITE = {"above": "below", "below": "above", "within": "above", "lower": "higher", "higher": "lower"}


@given(st.sampled_from(WRITTEN), st.data())
@settings(max_examples=200, deadline=None)
def test_any_changed_direction_is_caught(written: tuple[View, Sentence], data: st.DataObject) -> None:
    view, sentence = written
    words = r"\b(above|below|within|lower(?! limit)|higher)\b(?! (?:printed )?limit)"
    found = list(re.finditer(words, sentence.text, re.IGNORECASE))
    if not found:
        return
    match = data.draw(st.sampled_from(found))
    word = OPPOSITE[match[0].lower()]
    changed = sentence.text[: match.start()] + word + sentence.text[match.end() :]
    assert not holds(view, Sentence(changed, sentence.fact_ids)), changed


@given(st.sampled_from(NUMBERED), st.data())
@settings(max_examples=100, deadline=None)
def test_a_number_without_its_fact_is_never_verified(
    written: tuple[View, Sentence], data: st.DataObject
) -> None:
    view, sentence = written
    assert not holds(view, Sentence(sentence.text, ()))


@given(st.floats(0, 99_999), st.integers(0, 3))
def test_a_value_is_found_as_it_is_shown(value: float, decimals: int) -> None:
    shown = f"{value:,.{decimals}f}"
    fact = _one_fact(
        value_num=float(shown.replace(",", "")), decimals=decimals, unit="ms", rendered=f"{shown} ms"
    )
    assert verdicts(f"It is {shown} ms.", "x.median.whole", facts=fact) == {f"{shown} ms": "verified"}
    assert verdicts(f"It is {shown}1 ms.", "x.median.whole", facts=fact) != {f"{shown}1 ms": "verified"} or (
        decimals == 0
    )


@given(st.integers(0, 1439))
def test_durations_equal_their_minutes(minutes: int) -> None:
    fact = _one_fact(value_num=float(minutes), decimals=0, unit="min", rendered=f"{minutes} min")
    hours, rest = divmod(minutes, 60)
    text = f"{hours} hours and {rest} minutes"
    assert verdicts(text, "x.median.whole", facts=fact) == {text: "verified"}


def _one_fact(**values: Any) -> pl.DataFrame:
    row = FACTS.row(0, named=True) | {
        "fact_id": "x.median.whole",
        "label": "Something",
        "window": "whole",
        "days": None,
        "window_start": None,
        "window_end": None,
        "comparator": None,
        "direction": None,
        "value_text": None,
    }
    return pl.DataFrame([row | values], schema=FACTS.schema)


# ---- finding numbers and windows ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,234.5 steps", [("1234.5", "step")]),
        ("−0.4 °C", [("-0.4", "celsius")]),
        ("3-5 days", [("3", "day"), ("5", "day")]),
        ("between 3.5 and 5.1 mmol/L", [("3.5", "mmol/L"), ("5.1", "mmol/L")]),
        ("twenty-one nights", [("21", "night")]),
        ("one of them", []),
        ("one night", [("1", "night")]),
        ("62bpm", [("62", "bpm")]),
        ("22:45", [("1365", "clock")]),
        ("63rd percentile", [("63", "percentile")]),
        ("٦٢ bpm", [("62", "bpm")]),
        ("", []),
    ],
)
def test_quantities(text: str, values: list[tuple[str, str | None]]) -> None:
    assert [(q.value, q.unit) for q in find_quantities(text)] == [(Decimal(v), u) for v, u in values]


@pytest.mark.parametrize(
    "text", ["2026-03-02", "2 March 2026", "March 2, 2026", "2nd Mar 2026", "Mar 2 2026"]
)
def test_dates(text: str) -> None:
    (quantity,) = find_quantities(text)
    assert quantity.day == date(2026, 3, 2)


def test_a_date_that_does_not_exist_is_no_day() -> None:
    assert [q.day for q in find_quantities("2026-02-31")] == [None]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
@settings(deadline=None)
def test_no_digit_of_any_text_is_overlooked(text: str) -> None:
    covered = {i for q in find_quantities(text) for i in range(q.start, q.end)}
    assert all(i in covered for i, c in enumerate(text) if c.isdecimal())


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("over the last 30 days", ["last_30_days"]),
        ("in the past two weeks", ["last_14_days"]),
        ("last week, last month", ["last_7_days", "last_30_days"]),
        ("than in the 30 days before", ["before_30_days"]),
        ("the whole period", ["whole"]),
        ("days", []),
    ],
)
def test_windows(text: str, meanings: list[str]) -> None:
    assert [mention.meaning for mention in find_windows(text)] == meanings
