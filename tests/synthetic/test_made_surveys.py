"""The REDCap export, its dictionary, and the true answers."""

import csv
from functools import cache
from io import StringIO
from math import log
from pathlib import Path
from statistics import correlation, mean

import polars as pl
import pytest

from schemas.survey_answers import SurveyAnswers
from synthetic.people.persona import LAST_DAY, Person, make_person
from synthetic.surveys.answering import FREE_TEXT_CANARY
from synthetic.surveys.answers import Record, record_of
from synthetic.surveys.redcap import DATA_NAME, DICTIONARY_NAME, RAW
from synthetic.surveys.redcap_dictionary import DICTIONARY_HEADER
from synthetic.surveys.truth import survey_answers, survey_scores
from synthetic.surveys.write import write_surveys

RECORDS = [record_of(make_person(number, 60, 7), 7) for number in range(12)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("surveys")
    write_surveys(RECORDS, made)
    return made


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text())))


def test_the_dictionary_has_eighteen_columns_and_explains_every_field(folder: Path) -> None:
    dictionary = rows(folder / DICTIONARY_NAME)
    assert tuple(dictionary[0]) == DICTIONARY_HEADER
    assert len(DICTIONARY_HEADER) == 18
    assert dictionary[0]["Variable / Field Name"] == "record_id"
    known = {row["Variable / Field Name"] for row in dictionary}
    for column in rows(folder / DATA_NAME)[0]:
        stem = column.split("___")[0]
        system = column.endswith(("_timestamp", "_complete")) or column == "redcap_survey_identifier"
        assert stem in known or system, column


def test_answers_are_codes_the_dictionary_allows(folder: Path) -> None:
    choices = {
        row["Variable / Field Name"]: {
            part.split(",")[0].strip() for part in row[DICTIONARY_HEADER[5]].split("|")
        }
        for row in rows(folder / DICTIONARY_NAME)
        if row["Field Type"] == "radio"
    }
    for row in rows(folder / DATA_NAME):
        for field, allowed in choices.items():
            assert row[field] in allowed | {""}


def test_the_phq_alert_is_one_persons(folder: Path) -> None:
    assert [row["phq9_9"] for row in rows(folder / DATA_NAME)].count("1") == 1
    assert rows(folder / DATA_NAME)[1]["record_id"] == "S1001"


def test_a_form_never_opened_has_zeros_in_its_boxes_and_no_answers_in_truth(folder: Path) -> None:
    row = rows(folder / DATA_NAME)[7]
    assert row["health_history_complete"] == "0"
    assert row["conditions___1"] == "0"
    truth = survey_answers(RECORDS, RAW).filter(participant_id="P008", instrument="health_history")
    assert truth["missing_reason"].to_list() == ["not_answered"] * 5
    assert truth["value"].null_count() == truth["answered_on"].null_count() == 5


def test_truth_has_the_form_of_the_table_and_no_identifier_or_free_text() -> None:
    truth = survey_answers(RECORDS, RAW)
    _, failures = SurveyAnswers.filter(truth)
    assert failures.counts() == {}
    assert "contact_email" not in truth["item"].to_list()
    assert truth.filter(item="comments", missing_reason="free_text").height == 11
    text = str(truth.to_dicts())
    assert FREE_TEXT_CANARY not in text
    assert "example.org" not in text


def test_an_item_left_blank_is_not_answered() -> None:
    truth = survey_answers(RECORDS, RAW).filter(participant_id="P009", item="gad7_4")
    assert truth.select("value", "missing_reason").row(0) == (None, "not_answered")


def test_low_mood_shows_in_the_answers() -> None:
    sums = (
        survey_answers(RECORDS, RAW)
        .filter(pl.col("instrument") == "phq9")
        .group_by("participant_id")
        .agg(pl.col("value_num").sum())
    )
    by_person = dict(sums.iter_rows())
    assert by_person["P002"] >= 7 > by_person["P001"]


@cache
def many() -> list[Record]:
    """Made by the worker that needs them, not by each at its start."""
    return [record_of(make_person(number, 120, 11), 11) for number in range(400)]


def values(form: str, item: str) -> list[tuple[Person, str | frozenset[int]]]:
    """(person, answer) of all who answered an item at baseline."""
    return [
        (record.person, filling.values[item])
        for record in many()
        for filling in record.at("baseline")
        if filling.form.name == form and item in filling.values
    ]


def scores(instrument: str) -> dict[str, float]:
    found = survey_scores(many(), RAW).filter(pl.col("score").is_not_null(), instrument=instrument)
    return dict(found.select("participant_id", "score").iter_rows())


@pytest.mark.parametrize(("instrument", "more"), [("phq9", 3.0), ("gad7", 2.0), ("pss10", 6.0)])
def test_mood_and_stress_go_with_the_profile(instrument: str, more: float) -> None:
    found = scores(instrument)

    def of(profile: str) -> float:
        ids = [r.person.participant_id for r in many() if r.person.profile == profile]
        return mean(found[name] for name in ids if name in found)

    assert of("stress_low_mood") > of("healthy_training") + more


def test_told_activity_goes_with_the_steps_of_the_body() -> None:
    found = scores("ipaq")
    people = [r.person for r in many() if r.person.participant_id in found]
    told = [log(1 + found[p.participant_id]) for p in people]
    assert correlation(told, [log(p.body.steps) for p in people]) > 0.4


def test_sleep_trouble_shows_in_what_they_think_of_their_sleep() -> None:
    told = values("health_insights", "view_sleep")
    trouble = [int(str(v)) for p, v in told if p.profile == "sleep_trouble"]
    others = [int(str(v)) for p, v in told if p.profile == "healthy_training"]
    assert mean(trouble) < mean(others) - 1


def test_measures_and_medicines_are_those_of_the_person() -> None:
    for person, told in values("body_measures", "systolic"):
        assert int(str(told)) == person.health.systolic
    for person, told in values("medication", "medicines"):
        assert isinstance(told, frozenset)
        assert (1 in told) == bool(person.health.antihypertensives)
        assert (2 in told) == (person.health.statin is not None)
        assert (3 in told) == (person.health.diabetes_drug is not None)
        assert (-9 in told) == (told == frozenset({-9}))
    smokers = {p.participant_id for p, v in values("demographics", "smoking") if v == "2"}
    assert smokers == {r.person.participant_id for r in many() if r.person.health.smoking == "current"}
    assert {p.participant_id for p, _ in values("demographics", "cigarettes_a_day")} == smokers


def test_pregnancy_is_asked_of_those_it_concerns() -> None:
    told = values("reproductive_health", "pregnant")
    assert {p.sex for p, _ in told} <= {"female", "intersex"}
    for person, answer in told:
        assert (answer == "1") == person.health.pregnant


def test_nobody_answers_after_the_last_day_or_after_leaving() -> None:
    for record in many():
        last = record.person.left_on or LAST_DAY
        assert all(f.sent is None or f.sent.date() <= last for f in record.fillings)
