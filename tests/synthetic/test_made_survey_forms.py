"""Every export form, read by plain code, says what the truth says it can say, and no more."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from schemas.survey_answers import SurveyAnswers
from schemas.survey_scores import SurveyScores
from synthetic.people.persona import make_person
from synthetic.surveys.answers import canaries_of, record_of
from synthetic.surveys.truth import survey_answers, survey_scores
from synthetic.surveys.write import FORMS, write_survey_truth, write_surveys
from tests.synthetic import survey_readers as plain
from tests.synthetic.survey_readers import Codebook, Said

RECORDS = [record_of(make_person(number, 120, 7), 7) for number in range(24)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("forms")
    for form in FORMS:
        write_surveys(RECORDS, made / form, form)
    return made


def mapping(form: str) -> dict[str, str]:
    files = tomllib.loads(FORMS[form].toml())["surveys"]["files"]
    (settings,) = files.values()
    return settings["columns"]


def redcap(form: str, separator: str = ",") -> Callable[[Path], Said]:
    def read(folder: Path) -> Said:
        book = Codebook(folder / form / "questionnaires_dictionary.csv", separator)
        return plain.redcap(plain.sheet(folder / form / "questionnaires.csv", separator), book)

    return read


def labels(folder: Path) -> Said:
    here = folder / "redcap_label"
    return plain.labels(
        plain.rows(here / "questionnaires.csv"), Codebook(here / "questionnaires_dictionary.csv")
    )


def qualtrics(folder: Path) -> Said:
    here = folder / "qualtrics"
    book = Codebook(here / "codebook.csv")
    return plain.qualtrics(plain.rows(here / "qualtrics.csv"), book, mapping("qualtrics"))


def qualtrics_legacy(folder: Path) -> Said:
    here = folder / "qualtrics_legacy"
    book = Codebook(here / "codebook.csv")
    return plain.qualtrics_legacy(plain.rows(here / "qualtrics.csv"), book, mapping("qualtrics_legacy"))


def google(folder: Path) -> Said:
    here = folder / "google_forms"
    book = Codebook(here / "codebook.csv")
    return plain.google(plain.rows(here / "google_forms.csv"), book, mapping("google_forms"))


def plain_csv(folder: Path) -> Said:
    here = folder / "plain_csv"
    book = Codebook(here / "codebook.csv")
    return plain.plain(plain.sheet(here / "answers.csv", ";"), book, mapping("plain_csv"))


READERS: dict[str, Callable[[Path], Said]] = {
    "redcap_raw": redcap("redcap_raw"),
    "redcap_label": labels,
    "redcap_comma": redcap("redcap_comma", ";"),
    "redcap_longitudinal": redcap("redcap_longitudinal"),
    "qualtrics": qualtrics,
    "qualtrics_legacy": qualtrics_legacy,
    "google_forms": google,
    "plain_csv": plain_csv,
}


def truth(form: str) -> pl.DataFrame:
    return survey_answers(RECORDS, FORMS[form].reach)


@pytest.mark.parametrize("form", FORMS)
def test_the_file_says_what_the_truth_says(folder: Path, form: str) -> None:
    ids = {record.person.participant_id: record.record_id for record in RECORDS}
    told = truth(form).filter(pl.col("value").is_not_null())
    expected = {
        (ids[row["participant_id"]], row["event"], row["instance"], row["item"]): row["value"]
        for row in told.iter_rows(named=True)
    }
    assert READERS[form](folder) == expected


@pytest.mark.parametrize("form", FORMS)
def test_truth_has_the_form_of_the_published_tables(tmp_path: Path, form: str) -> None:
    write_survey_truth(RECORDS, tmp_path, form)
    for name, table in (("survey_answers", SurveyAnswers), ("survey_scores", SurveyScores)):
        frame = pl.read_parquet(tmp_path / f"{name}.parquet")
        good, failures = table.filter(frame)
        assert good.height == frame.height > 0, failures.counts()


@pytest.mark.parametrize("form", FORMS)
def test_canaries_are_in_the_file_and_not_in_the_truth(folder: Path, form: str) -> None:
    (data,) = [
        path
        for path in (folder / form).iterdir()
        if path.stem in ("questionnaires", "answers", form, "qualtrics")
    ]
    text = data.read_text()
    tables = str(truth(form).to_dicts()) + str(survey_scores(RECORDS, FORMS[form].reach).to_dicts())
    for record in RECORDS:
        name, mail, phone, invited, *phrases = canaries_of(record.person)
        assert name in text
        assert mail in text
        for canary in (name, mail, phone, invited, *phrases):
            assert canary not in tables
    phrases = canaries_of(RECORDS[0].person)[4:]
    assert all(phrase.split('"')[0] in text for phrase in phrases)


def test_two_writings_are_the_same_bytes(tmp_path: Path) -> None:
    again = [record_of(make_person(number, 120, 7), 7) for number in range(24)]
    for form in FORMS:
        names = write_surveys(RECORDS, tmp_path / "a" / form, form)
        assert names == write_surveys(again, tmp_path / "b" / form, form)
        for name in names:
            assert (tmp_path / "a" / form / name).read_bytes() == (tmp_path / "b" / form / name).read_bytes()


def test_a_person_answers_the_same_however_many_others_there_are() -> None:
    assert record_of(make_person(5, 120, 7), 7) == RECORDS[5]
    assert record_of(make_person(5, 120, 8), 8).fillings != RECORDS[5].fillings


def test_redcap_boxes_of_an_unopened_form_are_zero_and_blank_where_it_was_not_asked(folder: Path) -> None:
    rows = plain.sheet(folder / "redcap_longitudinal" / "questionnaires.csv")
    own = [row for row in rows if row["record_id"] == "P008"]
    baseline, *others = own
    assert (baseline["conditions___1"], baseline["health_history_complete"]) == ("0", "0")
    assert {(row["conditions___1"], row["health_history_complete"]) for row in others} == {("", "")}
    repeats = [row for row in own if row["redcap_repeat_instrument"] == "home_pressure"]
    assert [row["redcap_repeat_instance"] for row in repeats] == ["1", "2", "3"]
    assert all(row["phq9_1"] == row["phq9_complete"] == "" for row in repeats)


def test_a_negative_code_gives_four_underscores(folder: Path) -> None:
    header = plain.rows(folder / "redcap_raw" / "questionnaires.csv")[0]
    assert "medicines____9" in header


def test_decimal_commas_stand_in_number_fields_alone(folder: Path) -> None:
    row = plain.sheet(folder / "redcap_comma" / "questionnaires.csv", ";")[0]
    assert "," in row["height_cm"]
    assert "," in row["waist_cm"]
    assert "." in row["bmi"]
    book = Codebook(folder / "redcap_comma" / "questionnaires_dictionary.csv", ";")
    validations = {
        name: each["Text Validation Type OR Show Slider Number"] for name, each in book.fields.items()
    }
    assert validations["height_cm"] == "number_comma_decimal"
    assert validations["systolic"] == "integer"


def test_titles_of_a_label_export_collide(folder: Path) -> None:
    header = plain.rows(folder / "redcap_label" / "questionnaires.csv")[0]
    assert header.count("Complete?") == header.count("Survey Timestamp") == 12


def test_qualtrics_has_three_header_rows_or_two(folder: Path) -> None:
    new = plain.rows(folder / "qualtrics" / "qualtrics.csv")
    assert len(new) == 3 + 1 + len(RECORDS)
    assert "\n" in new[1][20]
    names = dict(zip(new[2], new[0], strict=True))
    assert names['{"ImportId":"QID15_21"}'] == "Q5_10"
    old = (folder / "qualtrics_legacy" / "qualtrics.csv").read_bytes()
    assert old.startswith(b"\xef\xbb\xbfV1,V2,")
    assert len(plain.rows(folder / "qualtrics_legacy" / "qualtrics.csv")) == 2 + len(RECORDS)


def test_a_google_form_was_sent_twice_by_one_and_edited_after_three(folder: Path) -> None:
    table = plain.rows(folder / "google_forms" / "google_forms.csv")
    header, data = table[0], table[1:]
    ids = [row[2] for row in data]
    assert [name for name in set(ids) if ids.count(name) == 2] == ["P005"]
    old, new = header.index("Your weight"), header.index("Weight in kg")
    assert sum(bool(row[old]) for row in data) == 3
    assert not any(row[old] and row[new] for row in data)


def test_what_other_systems_cannot_tell_is_null_or_absent_in_their_truth() -> None:
    weight = pl.col("item") == "weight_kg"
    declined = (pl.col("participant_id") == "P011") & weight
    assert truth("redcap_raw").filter(declined)["missing_reason"].to_list() == ["coded:ASKU"]
    assert truth("qualtrics").filter(declined)["missing_reason"].to_list() == ["not_answered"]
    assert "bmi" in truth("redcap_label")["item"]
    assert "bmi" not in truth("google_forms")["item"]
    assert set(truth("plain_csv")["event"]) == {"visit 1", "visit 2"}
    assert "phq8" in truth("plain_csv")["instrument"]
    assert "phq8" not in truth("google_forms")["instrument"]
    assert truth("redcap_longitudinal").filter(instrument="home_pressure")["instance"].max() == 3
