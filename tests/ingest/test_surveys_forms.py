"""Label exports, Qualtrics, Google Forms and plain tables: the same answers as a raw export, or a refusal."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from ingest.surveys import ingest_surveys
from outputs.store import Result
from schemas.participant import Participant
from schemas.settings import SurveyFile, SurveysSection
from synthetic.people.persona import make_person
from synthetic.surveys.answers import canaries_of, record_of
from synthetic.surveys.truth import survey_answers, survey_scores
from synthetic.surveys.write import FORMS, write_surveys
from tests.ingest.survey_files import (
    SECRET,
    answers,
    codes,
    dictionary,
    field,
    frame,
    ingest,
    source,
    write_csv,
)

RECORDS = [record_of(make_person(number, 120, 7), 7) for number in range(16)]
PEOPLE = [
    Participant(r.person.participant_id, r.person.sex, 1980, "UTC", aliases=(r.record_id,)) for r in RECORDS
]
KEY = ["participant_id", "instrument", "event", "instance", "item"]


@pytest.fixture(scope="module", params=list(FORMS))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Result]:
    """A made study's surveys in one form, and what the stage makes of them."""
    form = request.param
    folder = tmp_path_factory.mktemp(form)
    files = [source(folder / name) for name in write_surveys(RECORDS, folder, form)]
    toml = tomllib.loads(FORMS[form].toml()).get("surveys", {})
    mappings = SurveysSection.model_validate(toml).files
    return form, ingest_surveys(files, PEOPLE, SECRET, False, mappings)


def test_answers_of_a_made_study_equal_its_truth(made: tuple[str, Result]) -> None:
    form, result = made
    told = {(problem["code"], problem["participant_id"]) for problem in result.document["problems"]}
    assert told == {("survey_alert_answer", "P002")}
    truth = survey_answers(RECORDS, FORMS[form].reach).drop("file_id").sort(KEY)
    assert frame(result, "survey_answers").drop("file_id").sort(KEY).equals(truth)


def test_scores_of_a_made_study_equal_their_truth(made: tuple[str, Result]) -> None:
    form, result = made
    found = frame(result, "survey_scores").drop("rule").sort(KEY[:-1])
    truth = survey_scores(RECORDS, FORMS[form].reach).drop("rule").sort(KEY[:-1])
    assert found.equals(truth)
    assert {"phq9", "gad7", "pss10", "ipaq", "auditc", "berlin"} <= set(found["instrument"])


def test_counts_close_and_canaries_stay_out_in_every_form(made: tuple[str, Result]) -> None:
    _, result = made
    sources = frame(result, "source_files")
    parts = pl.sum_horizontal("rows_staged", "rows_merged", "rows_rejected", "rows_ignored")
    assert sources.select((pl.col("rows_read") == parts).all()).item()
    shown = str([frame(result, name).rows() for name in result.tables]) + str(result.document)
    for record in RECORDS:
        for canary in canaries_of(record.person):
            assert canary not in shown


SMOKING = field("smoke", "health", "radio", "0, No | 1, Yes, daily | 2, Yes, now and then")
MEALS = field("meals", "health", "checkbox", "1, Breakfast | 2, Lunch, late | -9, None of them")
WEIGHT = field("weight", "health", validation="number", low="30", high="250")
SEEN = field("seen", "visit", validation="date_ymd")
LABELS = (
    "Label of record_id", "Survey Timestamp", "Label of smoke", "Label of meals (choice=Breakfast)",
    "Label of meals (choice=Lunch, late)", "Label of meals (choice=None of them)", "Label of weight",
    "Complete?", "Label of seen", "Complete?",
)  # fmt: skip


def labelled(folder: Path, *cells: str, titles: tuple[str, ...] = LABELS) -> Result:
    book = dictionary(folder, SMOKING, MEALS, WEIGHT, SEEN)
    return ingest(book, write_csv(folder / "labels.csv", titles, cells))


def test_a_label_export_is_read_by_its_dictionary(tmp_path: Path) -> None:
    result = labelled(
        tmp_path, "P1", "2026-03-14 10:00:00", "Yes, daily", "Checked", "Unchecked", "Unchecked", "Unknown",
        "Complete", "", "Incomplete",
    )  # fmt: skip
    assert answers(result) == {
        ("P1", "smoke"): "1",
        ("P1", "meals___1"): "1",
        ("P1", "meals___2"): "0",
        ("P1", "meals____9"): "0",
        ("P1", "weight"): "(coded:UNK)",
        ("P1", "seen"): "(not_answered)",
    }
    days = dict(frame(result, "survey_answers").select("item", "answered_on").iter_rows())
    assert (str(days["smoke"]), days["seen"]) == ("2026-03-14", None)
    assert "redcap_labels" in frame(result, "source_files")["form"]


@pytest.mark.parametrize("cell", ["1", "Yes", "yes, daily", "Sometimes"])
def test_what_is_no_label_of_a_choice_is_rejected(tmp_path: Path, cell: str) -> None:
    result = labelled(tmp_path, "P1", "", cell, *["Unchecked"] * 3, "70", "Complete", "", "Incomplete")
    assert ("P1", "smoke") not in answers(result)
    assert codes(result) == ["survey_value_invalid"]


def test_a_label_that_two_codes_share_tells_neither(tmp_path: Path) -> None:
    book = dictionary(tmp_path, field("smoke", "health", "radio", "0, No | 1, Yes | 2, Yes"))
    titles = ("Label of record_id", "Label of smoke", "Complete?")
    data = write_csv(tmp_path / "a.csv", titles, ("P1", "Yes", "Complete"), ("P2", "No", "Complete"))
    result = ingest(book, data)
    assert answers(result) == {("P2", "smoke"): "0"}


def test_fields_with_one_label_are_told_by_their_order_or_not_at_all(tmp_path: Path) -> None:
    names = ("first_day", "second_day")
    fields = [
        (*field(name, "health", validation="date_ymd")[:4], "Day", *[""] * 2, "date_ymd", *[""] * 10)
        for name in names
    ]
    book = dictionary(tmp_path, *fields)
    both = write_csv(
        tmp_path / "a.csv",
        ("Label of record_id", "Day", "Day", "Complete?"),
        ("P1", "2026-01-01", "2026-01-02", "Complete"),
    )
    assert answers(ingest(book, both)) == {
        ("P1", "first_day"): "2026-01-01",
        ("P1", "second_day"): "2026-01-02",
    }
    one = write_csv(
        tmp_path / "b.csv", ("Label of record_id", "Day", "Complete?"), ("P1", "2026-01-01", "Complete")
    )
    result = ingest(book, one)
    assert (codes(result), answers(result)) == (["survey_unreadable"], {})


def test_a_label_export_may_lack_forms_and_time_stamps(tmp_path: Path) -> None:
    titles = ("Label of record_id", "Survey Timestamp", "Label of seen", "Complete?")
    result = labelled(tmp_path, "P1", "2026-03-14 10:00:00", "2026-03-01", "Complete", titles=titles)
    assert answers(result) == {("P1", "seen"): "2026-03-01"}
    assert str(frame(result, "survey_answers")["answered_on"][0]) == "2026-03-14"


def test_repeats_and_events_of_a_label_export(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING, field("pulse", "home_pulse", validation="integer"))
    titles = (
        "Label of record_id", "Event Name", "Repeat Instrument", "Repeat Instance", "Label of smoke",
        "Complete?", "Label of pulse", "Complete?",
    )  # fmt: skip
    data = write_csv(
        tmp_path / "labels.csv",
        titles,
        ("P1", "Baseline", "", "", "No", "Complete", "", ""),
        ("P1", "Baseline", "Home Pulse", "1", "", "", "61", "Complete"),
        ("P1", "Baseline", "Home Pulse", "2", "", "", "64", "Complete"),
    )
    result = ingest(book, data)
    told = frame(result, "survey_answers").select("event", "item", "instance", "value").rows()
    assert sorted(told) == [
        ("Baseline", "pulse", 1, "61"),
        ("Baseline", "pulse", 2, "64"),
        ("Baseline", "smoke", 1, "0"),
    ]
    assert codes(result) == []


def table(**settings: object) -> dict[str, SurveyFile]:
    return {"data.csv": SurveyFile.model_validate({"form": "table", "participant": "who", **settings})}


def test_a_plain_table_by_its_mapping(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING, MEALS, WEIGHT)
    data = write_csv(
        tmp_path / "data.csv",
        ("who", "day", "Q1", "B", "L", "None", "kg", "mail"),
        ("p1", "14.3.2026", "2", "1", "0", "0", "70.5", "canary"),
        ("P2", "15.3.2026", "", "0", "0", "1", "-99", "canary"),
    )
    columns = {"Q1": "smoke", "B": "meals___1", "L": "meals___2", "None": "meals____9", "kg": "weight"}
    result = ingest(book, data, mappings=table(columns=columns, answered="day", dates="dmy"))
    assert codes(result) == []
    assert answers(result) == {
        ("P1", "smoke"): "2",
        ("P1", "meals___1"): "1",
        ("P1", "meals___2"): "0",
        ("P1", "meals____9"): "0",
        ("P1", "weight"): "70.5",
        ("P2", "smoke"): "(not_answered)",
        ("P2", "meals___1"): "0",
        ("P2", "meals___2"): "0",
        ("P2", "meals____9"): "1",
        ("P2", "weight"): "(coded:-99)",
    }
    days = set(
        frame(result, "survey_answers").select("participant_id", pl.col("answered_on").cast(str)).rows()
    )
    assert days == {("P1", "2026-03-14"), ("P2", "2026-03-15")}
    ignored = frame(result, "source_files").filter(form="table_csv")["ignored_json"].item()
    assert ignored == '{"not_in_dictionary":2}'


@pytest.mark.parametrize(
    "settings",
    [
        {"columns": {"Q9": "smoke"}},
        {"columns": {"Q1": "smoking"}},
        {"participant": "nobody", "columns": {"Q1": "smoke"}},
        {"answered": "then", "columns": {"Q1": "smoke"}},
        {"answered": "day", "dates": "mdy", "columns": {"Q1": "smoke"}},
    ],
)
def test_a_mapping_that_does_not_fit_its_file_is_refused(tmp_path: Path, settings: dict[str, object]) -> None:
    book = dictionary(tmp_path, SMOKING)
    data = write_csv(tmp_path / "data.csv", ("who", "day", "Q1"), ("P1", "14.3.2026", "1"))
    result = ingest(book, data, mappings=table(**settings))
    assert (codes(result), answers(result)) == (["survey_unreadable"], {})


def test_a_mapping_of_a_file_that_is_not_there_is_told_without_its_name(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    data = write_csv(tmp_path / "answers.csv", ("who", "smoke"), ("P1", "1"))
    result = ingest(book, data, mappings=table())
    assert sorted(codes(result)) == ["survey_mapping_unused", "survey_no_dictionary"]
    assert "data.csv" not in str(result.document)


def test_two_columns_of_one_item_must_agree(tmp_path: Path) -> None:
    book = dictionary(tmp_path, WEIGHT)
    rows = [("P1", "70", ""), ("P2", "", "80"), ("P3", "60", "61")]
    data = write_csv(tmp_path / "data.csv", ("who", "old", "new"), *rows)
    result = ingest(book, data, mappings=table(columns={"old": "weight", "new": "weight"}))
    assert answers(result) == {("P1", "weight"): "70", ("P2", "weight"): "80"}
    assert codes(result) == ["survey_value_invalid"]


@pytest.mark.parametrize(("told", "answer"), [(None, None), ("codes", "2"), ("labels", "1")])
def test_choices_that_could_be_codes_or_labels_are_asked_for(
    tmp_path: Path, told: str | None, answer: str | None
) -> None:
    book = dictionary(tmp_path, field("times", "health", "radio", "1, 2 | 2, 1"))
    data = write_csv(tmp_path / "data.csv", ("who", "times"), ("P1", "2"))
    result = ingest(book, data, mappings=table(answers=told))
    assert answers(result) == ({} if answer is None else {("P1", "times"): answer})
    assert codes(result) == (["survey_unreadable"] if told is None else [])


@pytest.mark.parametrize(
    ("cell", "ticked"),
    [
        ("Lunch, late", {"2"}),
        ("Breakfast, Lunch, late", {"1", "2"}),
        ("None of them", {"-9"}),
        ("1,2", {"1", "2"}),
        ("-9", {"-9"}),
        ("", set()),
        ("Breakfast, Elevenses", None),
        ("1,2323,323", None),
        ("Lunch", None),
    ],
)
def test_boxes_in_one_cell(tmp_path: Path, cell: str, ticked: set[str] | None) -> None:
    book = dictionary(tmp_path, SMOKING, MEALS)
    data = write_csv(tmp_path / "data.csv", ("who", "smoke", "meals"), ("P1", "0", cell))
    result = ingest(book, data, mappings=table())
    found = {item: value for (_, item), value in answers(result).items() if item != "smoke"}
    names = {"1": "meals___1", "2": "meals___2", "-9": "meals____9"}
    expected = {} if ticked is None else {name: str(int(code in ticked)) for code, name in names.items()}
    assert found == expected
    assert codes(result) == (["survey_value_invalid"] if ticked is None else [])


def test_boxes_whose_labels_can_be_read_two_ways_are_rejected(tmp_path: Path) -> None:
    book = dictionary(tmp_path, field("meals", "health", "checkbox", "1, Tea | 2, Toast | 3, Tea, Toast"))
    data = write_csv(tmp_path / "data.csv", ("who", "meals"), ("P1", "Tea, Toast"), ("P2", "Toast"))
    result = ingest(book, data, mappings=table())
    assert {who for who, _ in answers(result)} == {"P2"}
    assert codes(result) == ["survey_value_invalid"]


def test_qualtrics_previews_are_counted_and_not_read(tmp_path: Path) -> None:
    book = dictionary(tmp_path, SMOKING)
    data = write_csv(
        tmp_path / "data.csv",
        ("Status", "ExternalReference", "Q13_1"),
        ("Response Type", "External", "Line one\nline two, and"),
        *[tuple(f'{{"ImportId":"{own}"}}' for own in ("status", "externalDataReference", "QID20_3"))],
        ("1", "P1", "1"),
        ("0", "P1", "0"),
        ("0", "P2", "2"),
    )
    mapping = SurveyFile.model_validate(
        {"form": "qualtrics", "participant": "ExternalReference", "columns": {"QID20_3": "smoke"}}
    )
    result = ingest(book, data, mappings={"data.csv": mapping})
    assert answers(result) == {("P1", "smoke"): "0", ("P2", "smoke"): "2"}
    ignored = frame(result, "source_files").filter(form="qualtrics_csv")["ignored_json"].item()
    assert ignored == '{"not_in_dictionary":2,"preview":2}'


@pytest.mark.samples
@pytest.mark.parametrize(("name", "item"), [("sample.csv", "QID1"), ("sample_legacy.csv", "Q1")])
def test_public_qualtrics_files_keep_their_only_respondent(
    samples: Path, tmp_path: Path, name: str, item: str
) -> None:
    book = dictionary(tmp_path, field("choice", "form", "radio", "1, a | 2, b"), field("words", "form"))
    data = source(samples / "surveys" / "qualtrics" / name)
    who = Participant("P1", "female", 1980, "UTC", aliases=("R_2YPOQ602ER1jkf1",))
    file = SurveyFile.model_validate(
        {
            "form": "qualtrics",
            "participant": "_recordId" if item == "QID1" else "ResponseID",
            "answered": "EndDate",
            "columns": {item: "choice"},
        }
    )
    result = ingest_surveys([book, data], [who], SECRET, False, {name: file})
    assert result.document["problems"] == []
    told = frame(result, "survey_answers").filter(item="choice")
    assert told.select("value", pl.col("answered_on").cast(str)).rows() == [("2", "2017-07-18")]
