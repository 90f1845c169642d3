"""REDCap exports: whose answers, of which form, event and instance; what is missing, and why."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.surveys import RESULT_VERSION, ingest_surveys
from ingest.surveys.dictionary import checkbox_column, parse_choices
from ingest.surveys.instruments import scored_item
from outputs.digests import digest
from schemas.errors import PhaError
from schemas.participant import Participant
from schemas.tables import TABLES
from tests.ingest.survey_files import (
    API_TITLES,
    OFTEN,
    TITLES,
    answers,
    codes,
    dictionary,
    field,
    frame,
    ingest,
    source,
    write_csv,
)

SMOKING = field("smoke", "health", "radio", "0, No | 1, Yes, daily | -99, Don't know")
MEALS = field("meals", "health", "checkbox", "1, Breakfast | 2, Lunch | -9, None")
WEIGHT = field("weight", "health", "text", validation="number", low="30", high="250")
COMMENTS = field("comments", "health", "notes")


def test_an_answer_as_published(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    data = write_csv(
        tmp_path / "data.csv",
        ("record_id", "health_timestamp", "smoke", "health_complete"),
        ("P1", "2026-03-14 10:00:00", "1", "2"),
    )
    result = ingest(book, data)
    row = frame(result, "survey_answers").row(0, named=True)
    assert {**row, "file_id": None} == {
        "participant_id": "P1",
        "instrument": "health",
        "event": "",
        "instance": 1,
        "item": "smoke",
        "value": "1",
        "value_num": 1.0,
        "label": "Yes, daily",
        "missing_reason": None,
        "hidden_by_logic": None,
        "answered_on": date(2026, 3, 14),
        "file_id": None,
    }
    assert codes(result) == []
    for name in result.tables:
        good, failures = TABLES[name].filter(frame(result, name))
        assert good.height == frame(result, name).height, failures.counts()
    files = frame(result, "source_files")
    assert files["participant_id"].null_count() == 2
    assert sorted(files["form"]) == ["redcap_csv", "redcap_dictionary"]


@pytest.mark.parametrize("titles", [TITLES, API_TITLES])
@pytest.mark.parametrize(("separator", "bom"), [(",", False), (";", True)])
def test_either_spelling_of_the_dictionary_and_what_excel_leaves(
    tmp_path: Path, titles: tuple[str, ...], separator: str, bom: bool
) -> None:
    book = dictionary(tmp_path, SMOKING, titles=titles)
    rows = (("record_id", "smoke", "health_complete"), ("p1", "0", "2"))
    data = write_csv(tmp_path / "data.csv", *rows, separator=separator, bom=bom)
    assert answers(ingest(book, data)) == {("P1", "smoke"): "0"}


def test_records_are_matched_by_id_or_alias_whatever_the_case(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    rows = [("OLD-7", "0", "2"), (" p2 ", "1", "2"), ("stranger", "1", "2"), ("Stranger 2", "1", "2")]
    data = write_csv(tmp_path / "data.csv", ("record_id", "smoke", "health_complete"), *rows)
    result = ingest(book, data)
    assert answers(result) == {("P1", "smoke"): "0", ("P2", "smoke"): "1"}
    assert codes(result) == ["survey_unknown_record"]
    assert result.document["problems"][0]["what"].endswith("participants.csv: 2.")


def test_records_that_lost_their_zeros_are_told_apart_from_strangers(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    rows = [("7", "0", "2"), ("0007", "1", "2"), ("12", "1", "2"), ("p1", "1", "2")]
    data = write_csv(tmp_path / "data.csv", ("record_id", "smoke", "health_complete"), *rows)
    people = [Participant("007", "female", 1990, "UTC"), Participant("P1", "male", 1990, "UTC")]
    result = ingest_surveys([book, data], people, b"s", False, {})
    assert answers(result) == {("P1", "smoke"): "1"}
    assert {p["code"]: p["what"] for p in result.document["problems"]} == {
        "survey_unknown_record": PhaError("survey_unknown_record", count=1).what,
        "survey_spoilt_id": PhaError("survey_spoilt_id", count=2).what,
    }


CHECKBOX_TITLES = ("record_id", "weight", "meals___1", "meals___2", "meals____9", "health_complete")


@pytest.mark.parametrize(
    ("row", "meals"),
    [
        (("P1", "", "0", "0", "0", "0"), "(not_answered)"),
        (("P1", "", "0", "0", "0", ""), "(not_answered)"),
        (("P1", "70", "0", "0", "0", "0"), "0"),
        (("P1", "", "0", "0", "0", "2"), "0"),
        (("P1", "", "0", "1", "0", "0"), "0"),
    ],
)
def test_zeros_of_a_form_never_opened_are_no_answers(
    tmp_path: Path, row: tuple[str, ...], meals: str
) -> None:
    book = dictionary(tmp_path, WEIGHT, MEALS)
    got = answers(ingest(book, write_csv(tmp_path / "data.csv", CHECKBOX_TITLES, row)))
    assert got[("P1", "meals___1")] == meals
    assert ("P1", "meals____9") in got


def test_a_checkbox_with_some_of_its_columns_is_refused(tmp_path: Path) -> None:
    book = dictionary(tmp_path, MEALS)
    data = write_csv(tmp_path / "data.csv", ("record_id", "meals___1", "health_complete"), ("P1", "1", "2"))
    assert codes(ingest(book, data)) == ["survey_unreadable"]


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        ("71.5", "71.5"),
        ("-99", "(coded:-99)"),
        ("NI", "(coded:NI)"),
        ("UNK", "(coded:UNK)"),
        ("", "(not_answered)"),
    ],
)
def test_missing_codes_keep_their_code(tmp_path: Path, cell: str, answer: str) -> None:
    book = dictionary(tmp_path, WEIGHT, SMOKING)
    data = write_csv(
        tmp_path / "data.csv", ("record_id", "weight", "smoke", "health_complete"), ("P1", cell, "0", "2")
    )
    assert answers(ingest(book, data))[("P1", "weight")] == answer


def test_a_declared_choice_is_an_answer_even_where_it_looks_like_a_missing_code(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    data = write_csv(tmp_path / "data.csv", ("record_id", "smoke", "health_complete"), ("P1", "-99", "2"))
    row = frame(ingest(book, data), "survey_answers").row(0, named=True)
    assert (row["value"], row["label"], row["missing_reason"]) == ("-99", "Don't know", None)


@pytest.mark.parametrize(
    ("definition", "cell"),
    [
        (SMOKING, "2"),
        (SMOKING, "Yes, daily"),
        (WEIGHT, "heavy"),
        (WEIGHT, "715"),
        (WEIGHT, "71,5"),
        (field("n", "health", validation="integer"), "1.5"),
        (field("d", "health", validation="date_mdy"), "03/14/2026"),
        (field("d", "health", validation="date_ymd"), "2026-02-30"),
        (field("t", "health", validation="time"), "25:00"),
        (field("y", "health", "yesno"), "2"),
    ],
)
def test_what_does_not_fit_the_dictionary_is_rejected(
    tmp_path: Path, definition: tuple[str, ...], cell: str
) -> None:
    book = dictionary(tmp_path, definition)
    data = write_csv(
        tmp_path / "data.csv", ("record_id", definition[0], "health_complete"), ("P1", cell, "2")
    )
    result = ingest(book, data)
    assert answers(result) == {}
    assert codes(result) == ["survey_value_invalid"]
    rejected = frame(result, "rejected_rows").row(0, named=True)
    assert (rejected["place"], rejected["column"], rejected["code"]) == (
        f"row 1 {definition[0]}",
        definition[0],
        "survey_value_invalid",
    )
    assert cell not in (rejected["rule"], rejected["table"])


def test_decimal_commas_only_where_the_dictionary_says_so(tmp_path: Path) -> None:
    book = dictionary(tmp_path, field("height", "health", validation="number_comma_decimal", low="1,2"))
    data = write_csv(tmp_path / "data.csv", ("record_id", "height", "health_complete"), ("P1", "1,54", "2"))
    assert frame(ingest(book, data), "survey_answers")["value_num"].to_list() == [1.54]


def test_free_text_is_withheld_unless_the_study_allows_it(tmp_path: Path) -> None:
    book = dictionary(tmp_path, COMMENTS, field("job", "health"))
    titles = ("record_id", "comments", "job", "health_complete")
    data = write_csv(
        tmp_path / "data.csv", titles, ("P1", "canary one", "canary two", "2"), ("P2", "", "x", "2")
    )
    withheld = ingest(book, data)
    assert answers(withheld) == {
        ("P1", "comments"): "(free_text)",
        ("P1", "job"): "(free_text)",
        ("P2", "comments"): "(not_answered)",
        ("P2", "job"): "(free_text)",
    }
    assert "canary" not in str([frame(withheld, name).rows() for name in withheld.tables])
    assert answers(ingest(book, data, free_text=True))[("P1", "comments")] == "canary one"


def test_the_sex_at_birth_is_no_birth_date(tmp_path: Path) -> None:
    sexes = "1, Female | 2, Male"
    names = ("sex_at_birth", "birth_weight_known", "birth_year", "date_of_birth", "place_of_birth")
    book = dictionary(tmp_path, *(field(name, "health", "radio", sexes) for name in names))
    row = ("P1", *["1"] * len(names), "2")
    data = write_csv(tmp_path / "data.csv", ("record_id", *names, "health_complete"), row)
    assert answers(ingest(book, data)) == {("P1", "sex_at_birth"): "1"}


def test_identifiers_are_never_kept(tmp_path: Path) -> None:
    book = dictionary(
        tmp_path,
        field("nick", "health", identifier="y"),
        field("mail", "health", validation="email"),
        field("dob", "health", validation="date_ymd"),
        SMOKING,
        field("scan", "health", "file"),
        field("hint", "health", "descriptive"),
    )
    titles = (
        "record_id",
        "redcap_survey_identifier",
        "nick",
        "mail",
        "dob",
        "smoke",
        "scan",
        "health_complete",
    )
    data = write_csv(
        tmp_path / "data.csv", titles, ("P1", "z@z.z", "canary", "a@b.c", "1980-05-20", "0", "x.jpg", "2")
    )
    result = ingest(book, data, free_text=True)
    assert answers(result) == {("P1", "smoke"): "0"}
    shown = str([frame(result, name).rows() for name in result.tables]) + str(result.document)
    assert not any(secret in shown for secret in ("canary", "a@b.c", "1980-05-20", "z@z.z", "x.jpg"))
    ignored = frame(result, "source_files").filter(form="redcap_csv")["ignored_json"].item()
    assert ignored == '{"file_field":1,"identifier":3}'


BP = field("bp", "pressure", validation="integer")


def test_repeats_are_split_by_form_before_anything_is_missing(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING, BP)
    titles = (
        "record_id",
        "redcap_repeat_instrument",
        "redcap_repeat_instance",
        "smoke",
        "health_complete",
        "bp",
        "pressure_complete",
    )
    data = write_csv(
        tmp_path / "data.csv",
        titles,
        ("P1", "", "", "1", "2", "", ""),
        ("P1", "pressure", "1", "", "", "120", "2"),
        ("P1", "pressure", "2", "", "", "", "0"),
    )
    rows = (
        frame(ingest(book, data), "survey_answers")
        .select("instrument", "instance", "value", "missing_reason")
        .rows()
    )
    assert sorted(rows, key=str) == [
        ("health", 1, "1", None),
        ("pressure", 1, "120", None),
        ("pressure", 2, None, "not_answered"),
    ]


def test_a_cell_of_another_form_in_a_repeat_row_is_not_lost_silently(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING, BP)
    titles = (
        "record_id",
        "redcap_repeat_instrument",
        "redcap_repeat_instance",
        "smoke",
        "bp",
        "pressure_complete",
    )
    data = write_csv(tmp_path / "data.csv", titles, ("P1", "pressure", "1", "1", "120", "2"))
    result = ingest(book, data)
    assert answers(result) == {("P1", "bp"): "120"}
    assert frame(result, "rejected_rows")["column"].to_list() == ["smoke"]


def test_events_stay_apart_and_untouched_forms_of_an_event_are_absent(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING, BP)
    titles = ("record_id", "redcap_event_name", "smoke", "health_complete", "bp", "pressure_complete")
    data = write_csv(
        tmp_path / "data.csv",
        titles,
        ("P1", "start_arm_1", "1", "2", "", ""),
        ("P1", "end_arm_1", "0", "2", "118", "2"),
    )
    rows = frame(ingest(book, data), "survey_answers").select("event", "item", "value").rows()
    assert sorted(rows) == [
        ("end_arm_1", "bp", "118"),
        ("end_arm_1", "smoke", "0"),
        ("start_arm_1", "smoke", "1"),
    ]


def test_two_exports_of_one_project(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING, WEIGHT)
    titles = ("record_id", "health_timestamp", "smoke", "weight", "health_complete")
    old = write_csv(tmp_path / "a.csv", titles, ("P1", "2026-03-14 10:00", "1", "", "2"))
    new = write_csv(
        tmp_path / "b.csv", titles, ("P1", "2026-03-14 10:00", "1", "70", "2"), ("P2", "", "0", "80", "2")
    )
    expected = {("P1", "smoke"): "1", ("P1", "weight"): "70", ("P2", "smoke"): "0", ("P2", "weight"): "80"}
    forward, backward = ingest(book, old, new), ingest(new, old, book)
    assert answers(forward) == answers(backward) == expected
    assert codes(forward) == []
    assert frame(forward, "source_files")["rows_merged"].sum() == 2


@pytest.mark.parametrize(
    ("first", "second", "right"),
    [
        (("2026-03-14 10:00", "1"), ("2026-03-20 09:00", "0"), "0"),
        (("2026-03-14 10:00", "1"), ("2026-03-14 11:00", "0"), "0"),
        (("2026-03-14 10:00", "1"), ("2026-03-14 10:00:01", "0"), "0"),
        (("2026-03-14 10:00", "1"), ("2026-03-14 09:59:59", "0"), "1"),
        (("2026-03-14 10:00", "1"), ("2026-03-14 10:00:00", "0"), None),
        (("2026-03-14 10:00", "1"), ("2026-03-14", "0"), None),
        (("2026-03-14", "1"), ("2026-03-14", "0"), None),
        (("2026-03-14", "1"), ("2026-03-14 11:00", "1"), "1"),
        (("2026-03-14", "1"), ("2026-03-14 11:00", ""), "1"),
        (("2026-03-14 10:00", "1"), ("2026-03-14 11:00", ""), "(not_answered)"),
    ],
)
def test_the_later_answer_wins_and_two_of_one_moment_conflict(
    tmp_path: Path, first: tuple[str, str], second: tuple[str, str], right: str | None
) -> None:
    book = dictionary(tmp_path, SMOKING)
    titles = ("record_id", "health_timestamp", "smoke", "health_complete")
    files = [
        write_csv(tmp_path / f"{name}.csv", titles, ("P1", *said, "2"))
        for name, said in (("a", first), ("b", second))
    ]
    for order in (files, files[::-1]):
        result = ingest(book, *order)
        assert answers(result).get(("P1", "smoke")) == right
        rejected = frame(result, "rejected_rows")["rule"].to_list()
        assert rejected == ([] if right else ["conflicting_answers"] * 2)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04\x00\x00")
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("record_id,smoke\nP1,1,2\n")
    (tmp_path / "long.csv").write_text('record_id,smoke\nP1,"' + "x" * 200_000)
    twice = write_csv(tmp_path / "twice.csv", ("record_id", "smoke", "smoke"), ("P1", "1", "1"))
    other = write_csv(tmp_path / "other.csv", ("study_id", "smoke"), ("P1", "1"))
    good = write_csv(tmp_path / "good.csv", ("record_id", "smoke", "health_complete"), ("P1", "1", "2"))
    files = [
        book,
        source(tmp_path / "empty.csv"),
        source(tmp_path / "book.xlsx"),
        source(ragged),
        source(tmp_path / "long.csv"),
        twice,
        other,
        good,
    ]
    result = ingest(*files)
    assert sorted(codes(result)) == ["survey_no_dictionary", *["survey_unreadable"] * 5]
    assert answers(result) == {("P1", "smoke"): "1"}
    assert frame(result, "source_files").height == len(files)


def test_a_file_that_cannot_be_opened_has_a_code_of_its_own(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    good = write_csv(tmp_path / "good.csv", ("record_id", "smoke", "health_complete"), ("P1", "1", "2"))
    gone = write_csv(tmp_path / "gone.csv", ("record_id", "smoke", "health_complete"), ("P1", "0", "2"))
    gone.path.unlink()
    result = ingest(book, good, gone)
    assert codes(result) == ["file_unreadable"]
    assert answers(result) == {("P1", "smoke"): "1"}


def test_an_export_without_any_dictionary(tmp_path: Path) -> None:
    data = write_csv(tmp_path / "data.csv", ("record_id", "smoke"), ("P1", "1"))
    assert codes(ingest(data)) == ["survey_no_dictionary"]
    assert ingest().document == {"problems": []}


def test_columns_the_dictionary_does_not_know_are_counted(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    data = write_csv(
        tmp_path / "data.csv", ("record_id", "smoke", "extra", "health_complete"), ("P1", "1", "x", "2")
    )
    files = frame(ingest(book, data), "source_files").filter(form="redcap_csv").row(0, named=True)
    assert (files["rows_read"], files["rows_staged"], files["ignored_json"]) == (
        2,
        1,
        '{"not_in_dictionary":1}',
    )


def test_choices() -> None:
    text = "1, Yes, daily | -99, Don't know | a, <b>Other</b> &amp; more"
    assert parse_choices(text) == (("1", "Yes, daily"), ("-99", "Don't know"), ("a", "Other & more"))
    assert checkbox_column("x", "-99") == "x____99"
    assert checkbox_column("x", "A") == "x___a"


@given(st.lists(st.tuples(st.integers(-99, 99), st.text("abc, ", min_size=1).map(str.strip)), max_size=5))
def test_written_choices_read_back(choices: list[tuple[int, str]]) -> None:
    text = " | ".join(f"{code}, {label}" for code, label in choices)
    assert [code for code, _ in parse_choices(text)] == [str(code) for code, _ in choices]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["P1", "p2", "nobody"]),
            st.sampled_from(["", "0", "1", "7", "-99", "NI"]),
            st.sampled_from(["", "70", "7000", "x"]),
            st.sampled_from(["0", "1"]),
            st.sampled_from(["", "0", "2"]),
        ),
        max_size=6,
    )
)
def test_counts_close_for_any_export(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]
) -> None:
    folder = tmp_path_factory.mktemp("export")
    book = dictionary(folder, SMOKING, WEIGHT, field("meals", "food", "checkbox", "1, Breakfast"))
    titles = ("record_id", "smoke", "weight", "meals___1", "health_complete")
    result = ingest(book, write_csv(folder / "data.csv", titles, *rows))
    files = frame(result, "source_files").filter(form="redcap_csv").row(0, named=True)
    assert files["rows_read"] == 3 * len(rows)
    assert files["rows_read"] == sum(
        files[f"rows_{fate}"] for fate in ("staged", "merged", "rejected", "ignored")
    )
    assert files["rows_staged"] == frame(result, "survey_answers").height
    assert files["rows_rejected"] == frame(result, "rejected_rows")["rows"].sum()
    key = TABLES["survey_answers"].primary_key()
    assert frame(result, "survey_answers").select(pl.struct(key).is_unique().all()).item() in (True, None)


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("phq9_9", ("phq9", "phq9_9")),
        ("PHQ9_09", ("phq9", "phq9_9")),
        ("phq_9_1", ("phq9", "phq9_1")),
        ("audit_c_3", ("auditc", "auditc_3")),
        ("phq8_9", None),
        ("gad7_8", None),
        ("phq9_total", None),
        ("phq9_10", None),
    ],
)
def test_items_by_name(name: str, item: tuple[str, str] | None) -> None:
    assert scored_item(name) == item


def test_item_nine_is_found_under_any_form(tmp_path: Path) -> None:
    book = dictionary(tmp_path, field("phq9_9", "mood_form", "radio", OFTEN))
    data = write_csv(tmp_path / "data.csv", ("record_id", "phq9_9", "mood_form_complete"), ("P1", "2", "2"))
    row = frame(ingest(book, data), "survey_answers").row(0, named=True)
    assert (row["instrument"], row["item"], row["value_num"]) == ("phq9", "phq9_9", 2.0)


def test_results_change_only_with_their_version(tmp_path: Path) -> None:
    """Where this fails, raise RESULT_VERSION and put the new digest beside it."""
    book = dictionary(tmp_path, SMOKING, WEIGHT, MEALS, COMMENTS)
    titles = (
        "record_id",
        "smoke",
        "weight",
        "meals___1",
        "meals___2",
        "meals____9",
        "comments",
        "health_complete",
    )
    data = write_csv(
        tmp_path / "data.csv",
        titles,
        ("P1", "1", "NI", "0", "1", "0", "x", "2"),
        ("P2", "7", "", "0", "0", "0", "", "0"),
    )
    result = ingest(book, data)
    told = [
        frame(result, name).drop("file_id").sort(pl.all()).rows()
        for name in ("survey_answers", "rejected_rows")
    ]
    assert {RESULT_VERSION: digest(told)} == {5: "9f2529aa6ef48265973a1cb1713021ff"}
