"""What sources say of one person: agreements, differences, and fasting where the report is silent."""

from datetime import date
from typing import Any

import pytest
from made_pages import frame

from outputs.cross_checks import CHECKS_FOR_PEOPLE, Sources, cross_checks
from outputs.told_fasting import fasting_cells, with_told_fasting
from schemas.participant import Participant

DAY = date(2026, 5, 4)
INDEX = "body_mass_index_of_survey_possible"
FASTING = "fasting_of_survey_and_lab_report"
AGE = "age_of_survey_and_registry"
PERSON = Participant("P1", "female", 1980, "UTC", birth_date=date(1980, 5, 5), gender="Woman")


def answer(item: str, value: object, label: str | None = None, **more: Any) -> dict[str, Any]:
    number = float(value) if isinstance(value, int | float) else None
    row = {"participant_id": "P1", "instrument": "f", "event": "", "instance": 1, "item": item}
    return row | {"value": str(value), "value_num": number, "label": label, "answered_on": DAY} | more


def lab(key: str, fasting: str | None = "unknown", derived: bool = False, **more: Any) -> dict[str, Any]:
    source = "report" if fasting in ("yes", "no") else None
    row = {"participant_id": "P1", "file_id": "f1", "row_no": 1, "analyte_key": key, "derived": derived}
    return row | {"fasting": fasting, "fasting_source": source, "collected_date": DAY} | more


def checked(
    *answers: dict[str, Any],
    person: Participant = PERSON,
    profile: float | None = None,
    **tables: list[dict[str, Any]],
) -> dict[str, tuple[str, int, int]]:
    """check -> outcome, compared, differing."""
    names = ("lab_results", "lab_files", "source_files", "daily_summary")
    frames = {name: frame(name, tables.get(name, [])) for name in names}
    frames["survey_answers"] = frame("survey_answers", list(answers))
    rows = cross_checks(Sources(person, frames, profile)).select("check", "outcome", "checked", "differing")
    return {check: (outcome, many, differing) for check, outcome, many, differing in rows.iter_rows()}


def test_nothing_told_is_nothing_checked() -> None:
    assert set(checked().values()) == {("not_checked", 0, 0)}
    assert set(CHECKS_FOR_PEOPLE) < set(checked())


@pytest.mark.parametrize(
    ("check", "answers", "outcome"),
    [
        ("sex_of_survey_and_registry", [answer("sex_at_birth", 1, "Female")], "ok"),
        ("sex_of_survey_and_registry", [answer("SEX", "f")], "ok"),
        ("sex_of_survey_and_registry", [answer("sex_at_birth", 2, "Male")], "differs"),
        ("sex_of_survey_and_registry", [answer("sex_at_birth", 9, "Prefer not to say")], "not_checked"),
        ("gender_of_survey_and_registry", [answer("gender", 1, "Female")], "ok"),
        ("gender_of_survey_and_registry", [answer("gender", 2, "Man")], "differs"),
        ("gender_of_survey_and_registry", [answer("gender", 3, "Non-binary")], "not_checked"),
        (AGE, [answer("age", 45)], "ok"),
        (AGE, [answer("age", 46)], "ok"),
        (AGE, [answer("age", 47)], "differs"),
        (AGE, [answer("age", 54)], "differs"),
        (AGE, [answer("age", 45, answered_on=None)], "not_checked"),
        ("birth_year_of_survey_and_registry", [answer("birth_year", 1980)], "ok"),
        ("birth_year_of_survey_and_registry", [answer("year_of_birth", 1890)], "differs"),
        (INDEX, [answer("height_cm", 170), answer("weight_kg", 70)], "ok"),
        (INDEX, [answer("height_in", 67), answer("weight_lb", 154)], "ok"),
        (INDEX, [answer("height_cm", 67), answer("weight_kg", 70)], "differs"),
        (
            INDEX,
            [answer("height_cm", 170), answer("weight_lb", 70)],
            "differs",
        ),
        (INDEX, [answer("height_cm", 170)], "not_checked"),
        (
            INDEX,
            [answer("height", 170), answer("weight_kg", 70)],
            "not_checked",
        ),
    ],
)
def test_what_the_questionnaire_says_against_the_registry_and_itself(
    check: str, answers: list[dict[str, Any]], outcome: str
) -> None:
    assert checked(*answers)[check][0] == outcome


def test_without_a_registered_sex_or_gender_nothing_is_compared() -> None:
    nobody = Participant("P1", "unknown", 1980, "UTC")
    found = checked(answer("sex_at_birth", 2, "Male"), answer("gender", 2, "Man"), person=nobody)
    assert set(found.values()) == {("not_checked", 0, 0)}


def test_with_a_birth_year_alone_two_years_are_near() -> None:
    approximate = Participant("P1", "female", 1980, "UTC")
    near = [checked(answer("age", age), person=approximate)[AGE][0] for age in (48, 49)]
    assert near == ["ok", "differs"]


@pytest.mark.parametrize(("height", "outcome"), [(170, "ok"), (175, "ok"), (176, "differs"), (67, "differs")])
def test_height_against_the_profile(height: int, outcome: str) -> None:
    found = checked(answer("height_cm", height), profile=170.0)
    assert found["height_of_survey_and_fitbit_profile"] == (outcome, 1, int(outcome == "differs"))


@pytest.mark.parametrize(
    ("weight", "scales", "outcome"),
    [
        (70.0, [69.0, 71.0, 70.5], "ok"),
        (77.0, [70.0], "ok"),
        (77.1, [70.0], "differs"),
        (154.0, [70.0], "differs"),
        (70.0, [], "not_checked"),
    ],
)
def test_weight_against_the_scale(weight: float, scales: list[float], outcome: str) -> None:
    days = [
        {"participant_id": "P1", "date": date(2026, 5, n), "weight_kg": kg} for n, kg in enumerate(scales, 1)
    ]
    far = {"participant_id": "P1", "date": date(2026, 1, 1), "weight_kg": 200.0}
    found = checked(answer("weight_kg", weight), daily_summary=[far, *days])
    assert found["weight_of_survey_and_scale"][0] == outcome


def test_verdicts_of_the_identity_gates_are_counted() -> None:
    reports = [
        {"participant_id": "P1", "file_id": str(n), "identity": verdict}
        for n, verdict in enumerate(("matched", "identity_mismatch", "unchecked", None))
    ]
    exports = [
        {"file_id": "a", "source": "fitbit", "identity": "matched"},
        {"file_id": "b", "source": "labs"},
    ]
    found = checked(lab_files=reports, source_files=exports)
    assert found["lab_reports_name_the_person"] == ("differs", 2, 1)
    assert found["exports_name_the_person"] == ("ok", 1, 0)


def test_fasting_of_both_is_compared_draw_by_draw() -> None:
    draws = [lab("glucose", "yes"), lab("insulin", "yes"), lab("hba1c", "unknown")]
    assert checked(answer("fasting", 1), lab_results=draws)[FASTING] == (
        "ok",
        1,
        0,
    )
    differing = checked(answer("fasting", 0), lab_results=draws)[FASTING]
    assert differing == ("differs", 1, 1)
    silent = checked(answer("fasting", 0), lab_results=[lab("glucose")])
    assert silent[FASTING][0] == "not_checked"


def told(
    lab_rows: list[dict[str, Any]], *answers: dict[str, Any]
) -> list[tuple[str, str | None, str | None]]:
    labs, said = frame("lab_results", lab_rows).lazy(), frame("survey_answers", list(answers)).lazy()
    found = with_told_fasting(labs, said).select("analyte_key", "fasting", "fasting_source")
    return sorted(found.collect().rows())


@pytest.mark.parametrize(
    ("answers", "fasting", "source"),
    [
        ([answer("fasting", 1)], "yes", "questionnaire"),
        ([answer("fasting", 0)], "no", "questionnaire"),
        ([answer("fasting_hours", 8)], "yes", "questionnaire"),
        ([answer("fasting_hours", 7.5)], "no", "questionnaire"),
        ([answer("fasting", 1), answer("fasting_hours", 3)], "unknown", None),
        ([answer("fasting", 1, answered_on=date(2026, 5, 3))], "unknown", None),
        ([answer("fasting", 1, answered_on=None)], "unknown", None),
        ([answer("fasting", 9)], "unknown", None),
        ([answer("breakfast", 1)], "unknown", None),
    ],
)
def test_a_silent_report_takes_the_answer_of_its_day(
    answers: list[dict[str, Any]], fasting: str, source: str | None
) -> None:
    assert told([lab("glucose")], *answers) == [("glucose", fasting, source)]


@pytest.mark.parametrize("said", ["yes", "no"])
def test_the_report_counts_whatever_the_questionnaire_says(said: str) -> None:
    other = answer("fasting", int(said == "no"))
    assert told([lab("glucose", said)], other) == [("glucose", said, "report")]


def test_homa_ir_is_published_only_where_somebody_said_fasting() -> None:
    computed, printed = lab("homa_ir", derived=True), lab("homa_ir", derived=False, row_no=2)
    assert told([computed]) == []
    assert told([lab("homa_ir", "no", derived=True)]) == []
    assert told([computed], answer("fasting", 0)) == []
    assert told([computed], answer("fasting", 1)) == [("homa_ir", "yes", "questionnaire")]
    assert told([printed]) == [("homa_ir", "unknown", None)]
    assert told([lab("egfr", derived=True)]) == [("egfr", "unknown", None)]


def test_the_answer_that_said_fasting_is_named_as_evidence() -> None:
    said = frame("survey_answers", [answer("fasting", 1), answer("fasting_hours", 12), answer("age", 45)])
    (cell,) = fasting_cells(said).values()
    assert (cell["table"], cell["column"], cell["key"]["item"]) == ("survey_answers", "value", "fasting")
    assert said.filter(**cell["key"]).height == 1
    assert fasting_cells(said.clear()) == {}
