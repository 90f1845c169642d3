"""Branching logic: read, never run; what it hides is not asked, and what it cannot tell stays as it was."""

from collections.abc import Mapping
from contextlib import suppress
from operator import eq, ge, gt, le, lt, ne
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.surveys.dictionary import Dictionary, Field
from ingest.surveys.logic import (
    MAX_CHARACTERS,
    Comparison,
    Constant,
    Joined,
    Logic,
    LogicNotUnderstoodError,
    Not,
    Operator,
    Reference,
    parse_logic,
    references,
)
from ingest.surveys.shown import hidden_fields
from outputs.store import Result
from tests.ingest.survey_files import OFTEN, TITLES, answers, codes, field, frame, ingest, write_csv

A, B = Reference("a"), Reference("b")
ONE = Constant("1")


def shown_if(logic: str, entry: tuple[str, ...], annotation: str = "") -> tuple[str, ...]:
    """A line of the dictionary with its branching logic and field annotation."""
    return (*entry[:11], logic, *entry[12:17], annotation)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("[a] = '1'", Comparison("=", A, ONE)),
        ('[a]="1"', Comparison("=", A, ONE)),
        ("[A] == 1", Comparison("=", A, ONE)),
        ("[a] != ''", Comparison("<>", A, Constant(""))),
        ("[a] <> -1.5", Comparison("<>", A, Constant("-1.5"))),
        ("[a(-9)] = '1'", Comparison("=", Reference("a", "-9"), ONE)),
        ("[visit_1_arm_1][a] >= [b]", Comparison(">=", Reference("a", event="visit_1_arm_1"), B)),
        ("[visit][a(2)]<=1", Comparison("<=", Reference("a", "2", "visit"), ONE)),
        ("not ([a] = 1)", Not(Comparison("=", A, ONE))),
        ("!([a]=1)", Not(Comparison("=", A, ONE))),
        ("(([a] = '1'))\n", Comparison("=", A, ONE)),
    ],
)
def test_what_is_read(text: str, tree: Logic) -> None:
    assert parse_logic(text) == tree


def test_and_binds_closer_than_or() -> None:
    first, second, third = (Comparison("=", A, Constant(str(n))) for n in (1, 2, 3))
    said = "[a] = '1' or [a] = '2' AND [a] = '3'"
    assert parse_logic(said) == Joined("or", (first, Joined("and", (second, third))))
    bracketed = "([a] = '1' || [a] = '2') && [a] = '3'"
    assert parse_logic(bracketed) == Joined("and", (Joined("or", (first, second)), third))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "[a]",
        "[a(1)]",
        "[a] =",
        "= '1'",
        "[a] = '1' and",
        "[a] = '1' [b] = '1'",
        "([a] = '1'",
        "[a] = '1')",
        "[a] = '1",
        "[a] = 1x",
        "[a] + 1 = 2",
        "datediff([a], 'today', 'y') > 18",
        "[event-name] = 'visit_1'",
        "[a][current-instance] = '1'",
        "[a][2] = '1'",
        "[a:checked] <> ''",
        "contains([a], 'x')",
        "[a] = '[b]'",
        "__import__('os').system('touch here')",
        "[a] = 1; DROP TABLE answers",
        "{{ 7 * 7 }} = '49'",
        "[../../etc/passwd] = '1'",
        "[a] = '1' // and more",
        "[ä] = '1'",
        "[a] \x00= '1'",
        "(" * 40 + "[a] = 1" + ")" * 40,
        "not " * 5_000 + "[a] = 1",
        "[a] = 1 or " * 1_000 + "[a] = 1",
        "x" * (MAX_CHARACTERS + 1),
    ],
)
def test_what_is_not_understood_is_said_without_its_text(text: str) -> None:
    with pytest.raises(LogicNotUnderstoodError) as error:
        parse_logic(text)
    assert str(error.value) == ""


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="[]()'\"=<>!&| andornot10.-_x\n\0ä", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(LogicNotUnderstoodError):
        assert references(parse_logic(text)) is not None


VALUES = ("", "0", "1", "2", "-9", "1.0", "yes", "UNK")
OPERATORS = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
operands = st.sampled_from((A, B, *map(Constant, ("", "0", "1", "2", "yes"))))
comparisons = st.builds(Comparison, st.sampled_from(tuple(OPERATORS)), operands, operands)
trees = st.recursive(
    comparisons,
    lambda part: (
        st.builds(Not, part) | st.builds(Joined, st.sampled_from(("and", "or")), st.tuples(part, part))
    ),
    max_leaves=8,
)


def written(logic: Logic | Reference | Constant) -> str:
    match logic:
        case Reference(field=name):
            return f"[{name}]"
        case Constant(text=text):
            return f"'{text}'"
        case Comparison(operator=operator, left=left, right=right):
            return f"{written(left)} {operator} {written(right)}"
        case Not(part=part):
            return f"not ({written(part)})"
        case Joined(word=word, parts=parts):
            return "(" + f") {word} (".join(map(written, parts)) + ")"


def number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def told(logic: Logic, values: Mapping[Reference, str]) -> bool | None:
    """Kleene's logic, one answer at a time."""
    match logic:
        case Not(part=part):
            inner = told(part, values)
            return None if inner is None else not inner
        case Joined(word=word, parts=parts):
            found = [told(part, values) for part in parts]
            decisive = word == "or"
            return decisive if decisive in found else (None if None in found else not decisive)
        case Comparison(operator=operator, left=left, right=right):
            return compared(
                operator, *(values[s] if isinstance(s, Reference) else s.text for s in (left, right))
            )


def compared(operator: Operator, left: str, right: str) -> bool | None:
    one, other = number(left), number(right)
    if one is not None and other is not None:
        return OPERATORS[operator](one, other)
    if operator not in ("=", "<>") or ({left, right} >= {""} and 0 in (one, other)):
        return None
    return OPERATORS[operator](left, right)


@settings(max_examples=120, deadline=None)
@given(trees, st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), min_size=1, max_size=4))
def test_evaluation_is_kleenes_logic_over_the_rows(logic: Logic, given_rows: list[tuple[str, str]]) -> None:
    assert parse_logic(written(logic)) == logic
    fields = [Field(name, "f", "free_text") for name in ("id", "a", "b")]
    book = Dictionary((*fields, Field("q", "f", "free_text", logic=written(logic))))
    rows = pl.LazyFrame(
        [(n, f"P{n}", "", "", a, b) for n, (a, b) in enumerate(given_rows)],
        schema={"@row": pl.UInt32} | dict.fromkeys(("@record", "@event", "@repeats", "a", "b"), pl.String),
        orient="row",
    )
    found = hidden_fields(rows, ("id", "a", "b", "q"), book).sort("@row").collect()
    expected = [told(logic, {A: a, B: b}) for a, b in given_rows]
    assert found["hidden"].to_list() == [None if each is None else not each for each in expected]


SMOKES = field("smokes", "life", "radio", "0, No | 1, Yes")
DAILY = shown_if("[smokes] = '1'", field("daily", "life", validation="integer", low="0", high="80"))


def stage(tmp_path: Path, book: tuple[tuple[str, ...], ...], header: str, *rows: str) -> Result:
    dictionary = write_csv(tmp_path / "book.csv", TITLES, field("record_id", book[0][1]), *book)
    data = write_csv(tmp_path / "data.csv", header.split(","), *(row.split(",") for row in rows))
    return ingest(dictionary, data)


@pytest.mark.parametrize(
    ("row", "said", "hidden", "problems"),
    [
        ("P1,0,,2", "(not_asked)", True, []),
        ("P1,1,,2", "(not_answered)", False, []),
        ("P1,1,20,2", "20", False, []),
        ("P1,0,20,2", "20", True, ["survey_hidden_answered"]),
        ("P1,,,2", "(not_asked)", True, []),
        ("P1,,,0", "(not_answered)", None, []),
        ("P1,UNK,,2", "(not_asked)", True, []),
        ("P1,0,UNK,2", "(coded:UNK)", True, ["survey_hidden_answered"]),
        ("P1,0,wrong,2", None, None, ["survey_value_invalid"]),
    ],
)
def test_a_hidden_question_is_not_asked_and_its_answer_is_kept_and_told(
    tmp_path: Path, row: str, said: str | None, hidden: bool | None, problems: list[str]
) -> None:
    result = stage(tmp_path, (SMOKES, DAILY), "record_id,smokes,daily,life_complete", row)
    assert answers(result).get(("P1", "daily")) == said
    asked = frame(result, "survey_answers").filter(item="daily")["hidden_by_logic"].to_list()
    assert asked == ([hidden] if said is not None else [])
    assert codes(result) == problems


def test_boxes_of_a_hidden_question_are_no_answers_unless_one_is_ticked(tmp_path: Path) -> None:
    boxes = shown_if("[smokes] = '1'", field("when", "life", "checkbox", "1, Day | 2, Night"))
    header = "record_id,smokes,when___1,when___2,life_complete"
    result = stage(tmp_path, (SMOKES, boxes), header, "P1,0,0,0,2", "P2,0,0,1,2", "P3,1,0,0,2")
    said = answers(result)
    assert [said["P1", f"when___{n}"] for n in (1, 2)] == ["(not_asked)"] * 2
    assert [said["P2", f"when___{n}"] for n in (1, 2)] == ["0", "1"]
    assert [said["P3", f"when___{n}"] for n in (1, 2)] == ["0", "0"]
    assert codes(result) == ["survey_hidden_answered"]


def test_a_box_can_show_a_question(tmp_path: Path) -> None:
    boxes = field("ills", "life", "checkbox", "1, None | -9, Other")
    which = shown_if("[ills(-9)] = '1'", field("since", "life", validation="integer"))
    header = "record_id,ills___1,ills____9,since,life_complete"
    said = answers(stage(tmp_path, (boxes, which), header, "P1,1,0,,2", "P2,0,1,,2"))
    assert (said["P1", "since"], said["P2", "since"]) == ("(not_asked)", "(not_answered)")


@pytest.mark.parametrize(
    "logic", ["datediff([smokes], 'today', 'y') > 1", "[gone] = '1'", "[smokes(1)] = '1'"]
)
def test_logic_that_is_not_evaluated_is_counted_and_changes_nothing(tmp_path: Path, logic: str) -> None:
    daily = shown_if(logic, field("daily", "life", validation="integer"))
    result = stage(tmp_path, (SMOKES, daily), "record_id,smokes,daily,life_complete", "P1,0,,2")
    assert answers(result)["P1", "daily"] == "(not_answered)"
    (problem,) = result.document["problems"]
    assert problem["code"] == "survey_logic_not_evaluated"
    assert "not evaluated: 1." in problem["what"]
    assert logic not in str(result.document)


def test_a_blank_is_neither_small_nor_zero(tmp_path: Path) -> None:
    age = field("age", "life", validation="integer")
    minor = shown_if("[age] < 18", field("guardian", "life", "yesno"))
    none = shown_if("[age] = 0", field("newborn", "life", "yesno"))
    said = answers(
        stage(
            tmp_path,
            (age, minor, none),
            "record_id,age,guardian,newborn,life_complete",
            "P1,,,,2",
            "P2,7,,,2",
        )
    )
    assert {item: said["P1", item] for item in ("guardian", "newborn")} == dict.fromkeys(
        ("guardian", "newborn"), "(not_answered)"
    )
    assert (said["P2", "guardian"], said["P2", "newborn"]) == ("(not_answered)", "(not_asked)")


def test_answers_of_another_event_and_of_the_plain_row_are_found(tmp_path: Path) -> None:
    later = shown_if("[first_arm_1][smokes] = '1'", field("stopped", "later", "yesno"))
    attack = shown_if("[smokes] = '1'", field("coughs", "attacks", "yesno"))
    pain = field("pain", "attacks", validation="integer")
    header = (
        "record_id,redcap_event_name,redcap_repeat_instrument,redcap_repeat_instance,smokes,stopped,coughs,pain,"
        "life_complete,later_complete,attacks_complete"
    )
    result = stage(
        tmp_path,
        (SMOKES, later, attack, pain),
        header,
        "P1,first_arm_1,,,0,,,,2,,",
        "P1,second_arm_1,,,,,,,,2,",
        "P1,first_arm_1,attacks,1,,,,3,,,2",
        "P2,first_arm_1,,,1,,,,2,,",
        "P2,second_arm_1,,,,,,,,2,",
        "P2,first_arm_1,attacks,1,,,,3,,,2",
        "P3,second_arm_1,,,,,,,,2,",
        "P3,first_arm_1,attacks,1,,,,3,,,2",
    )
    said = answers(result)
    assert [said[p, "stopped"] for p in ("P1", "P2", "P3")] == [
        "(not_asked)",
        "(not_answered)",
        "(not_asked)",
    ]
    assert [said[p, "coughs"] for p in ("P1", "P2", "P3")] == [
        "(not_asked)",
        "(not_answered)",
        "(not_answered)",
    ]


def test_a_field_no_page_ever_shows_is_hidden(tmp_path: Path) -> None:
    token = shown_if("", field("token", "life", validation="integer"), "@HIDDEN @READONLY")
    on_paper = shown_if("", field("paper", "life", validation="integer"), "@HIDDEN-PDF")
    header = "record_id,smokes,token,paper,life_complete"
    said = answers(stage(tmp_path, (SMOKES, token, on_paper), header, "P1,0,,,2", "P2,0,7,,2"))
    assert [said[p, "token"] for p in ("P1", "P2")] == ["(hidden)", "7"]
    assert said["P1", "paper"] == "(not_answered)"


def test_a_field_may_be_called_row_record_or_event(tmp_path: Path) -> None:
    book = write_csv(
        tmp_path / "book.csv",
        TITLES,
        field("record", "f"),
        *(field(name, "f", "radio", "1, A | 2, B") for name in ("event", "row", "instance")),
    )
    data = write_csv(
        tmp_path / "data.csv",
        ("record", "event", "row", "instance", "f_complete"),
        ("P1", "2", "1", "2", "2"),
    )
    assert answers(ingest(book, data)) == {("P1", "event"): "2", ("P1", "row"): "1", ("P1", "instance"): "2"}


def scored(
    tmp_path: Path, stem: str, logic: Mapping[int, str], highest: int, told_items: str
) -> tuple[object, ...]:
    choices = OFTEN if highest == 3 else " | ".join(f"{n}, Word {n}" for n in range(highest + 1))
    items = [
        shown_if(logic.get(n, ""), field(f"{stem}_{n}", "mood", "radio", choices))
        for n in range(1, len(told_items) + 1)
    ]
    header = ",".join(["record_id", *(f"{stem}_{n}" for n in range(1, len(told_items) + 1)), "mood_complete"])
    row = ",".join(["P2", *(item.strip("-") for item in told_items), "2"])
    (found,) = frame(stage(tmp_path, tuple(items), header, row), "survey_scores").rows(named=True)
    return found["score"], found["category"], found["items_missing"]


ABOVE_NONE = dict.fromkeys((2, 3), "[auditc_1] > 0")


@pytest.mark.parametrize(
    ("logic", "told_items", "score"),
    [
        (ABOVE_NONE, "0--", (0.0, "negative", 0)),
        (ABOVE_NONE, "1--", (None, None, 2)),
        (ABOVE_NONE, "142", (7.0, "positive", 0)),
        ({}, "0--", (None, None, 2)),
        ({3: "[auditc_2] = '4'"}, "41-", (None, None, 0)),
    ],
)
def test_audit_c_skips_the_rest_after_never(
    tmp_path: Path, logic: Mapping[int, str], told_items: str, score: tuple[object, ...]
) -> None:
    assert scored(tmp_path, "auditc", logic, 4, told_items) == score


def test_items_that_were_not_asked_are_neither_missing_nor_replaced(tmp_path: Path) -> None:
    logic = {9: "[phq9_1] > 1"}
    assert scored(tmp_path, "phq9", logic, 3, "11111111-") == (None, None, 0)
    assert scored(tmp_path, "phq9", logic, 3, "22222222-") == (18.0, "moderately_severe", 1)
