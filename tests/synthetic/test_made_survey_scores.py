"""True scores at the limits of their published rules, from answers written by hand."""

import pytest

from synthetic.people.persona import Person, make_person
from synthetic.surveys.answers import Filling, record_of
from synthetic.surveys.items import Form
from synthetic.surveys.questionnaire import QUESTIONNAIRE
from synthetic.surveys.scores import Score, score_of

FORMS: dict[str, Form] = {form.name: form for form in QUESTIONNAIRE}


def person(sex: str) -> Person:
    return next(p for n in range(200) if (p := make_person(n, 30, 7)).sex == sex)


WOMAN, MAN = person("female"), person("male")


def scored(
    form: str, answers: dict[str, str], who: Person = WOMAN, index: float | None = 25.0
) -> Score | None:
    return score_of(Filling(FORMS[form], "baseline", 1, None, answers), who, index)


def items(stem: str, values: str) -> dict[str, str]:
    """One digit an item, - for none."""
    return {f"{stem}_{n}": value for n, value in enumerate(values, start=1) if value != "-"}


@pytest.mark.parametrize(
    ("form", "values", "score"),
    [
        ("phq9", "000000000", Score(0, "minimal", 0)),
        ("phq9", "111110000", Score(5, "mild", 0)),
        ("phq9", "333100000", Score(10, "moderate", 0)),
        ("phq9", "333330000", Score(15, "moderately_severe", 0)),
        ("phq9", "333333200", Score(20, "severe", 0)),
        ("phq9", "1111111--", Score(9, "mild", 2)),
        ("phq9", "1112111--", Score(10, "moderate", 2)),
        ("phq9", "333333---", Score(None, None, 3)),
        ("phq8", "33333333", Score(24, "severe", 0)),
        ("phq8", "1111000-", Score(5, "mild", 1)),
        ("gad7", "3331000", Score(10, "moderate", 0)),
        ("gad7", "3333300", Score(15, "severe", 0)),
        # Items 4, 5, 7 and 8 are worded the other way round: "never" to all is 16 points.
        ("pss10", "0000000000", Score(16, None, 0)),
        ("pss10", "4440040044", Score(40, None, 0)),
        ("pss10", "0004404400", Score(0, None, 0)),
        ("pss10", "00000000-0", Score(None, None, 1)),
    ],
)
def test_sums(form: str, values: str, score: Score) -> None:
    assert scored(form, items(form, values)) == score


@pytest.mark.parametrize(
    ("values", "who", "score"),
    [
        ("111", WOMAN, Score(3, "positive", 0)),
        ("111", MAN, Score(3, "negative", 0)),
        ("211", MAN, Score(4, "positive", 0)),
        ("110", WOMAN, Score(2, "negative", 0)),
        ("11-", WOMAN, Score(None, None, 1)),
    ],
)
def test_alcohol_by_sex(values: str, who: Person, score: Score) -> None:
    assert scored("auditc", items("auditc", values), who) == score


def active(*told: str) -> dict[str, str]:
    """Days and minutes of hard, moderate and walking activity."""
    kinds = ("vigorous", "moderate", "walking")
    names = [f"ipaq_{kind}_{what}" for kind in kinds for what in ("days", "minutes")]
    return {name: value for name, value in zip(names, told, strict=True) if value}


@pytest.mark.parametrize(
    ("told", "score"),
    [
        # 8.0 x 20 x 3 = 480: hard on three days for 20 minutes is moderate.
        (("3", "20", "0", "", "0", ""), Score(480.0, "moderate", 0)),
        (("2", "20", "0", "", "0", ""), Score(320.0, "low", 0)),
        # 8.0 x 65 x 3 = 1560 on three hard days is high; on two it is not.
        (("3", "65", "0", "", "0", ""), Score(1560.0, "high", 0)),
        (("2", "100", "0", "", "0", ""), Score(1600.0, "low", 0)),
        # 3.3 x 30 x 5 = 495: walking half an hour on five days is moderate.
        (("0", "", "0", "", "5", "30"), Score(495.0, "moderate", 0)),
        (("0", "", "0", "", "5", "29"), Score(478.5, "low", 0)),
        (("0", "", "3", "30", "2", "30"), Score(558.0, "moderate", 0)),
        # 3.3 x 130 x 7 = 3003 on seven days is high.
        (("0", "", "0", "", "7", "130"), Score(3003.0, "high", 0)),
        # Under ten minutes is no bout; over 180 a day counts as 180.
        (("5", "9", "0", "", "0", ""), Score(0.0, "low", 0)),
        (("0", "", "0", "", "7", "600"), Score(4158.0, "high", 0)),
        # 961 minutes a day are not believed; 960 are.
        (("1", "400", "1", "400", "1", "161"), Score(None, None, 0)),
        (("1", "400", "1", "400", "1", "160"), Score(2688.0, "low", 0)),
        (("2", "", "0", "", "0", ""), Score(None, None, 1)),
        (("", "", "0", "", "5", "30"), Score(None, None, 2)),
    ],
)
def test_activity(told: tuple[str, ...], score: Score) -> None:
    assert scored("ipaq", active(*told)) == score


@pytest.mark.parametrize(
    ("values", "index", "score"),
    [
        # Snores, louder than talking, nearly every day: one category of three.
        ("1312555252", 25.0, Score(1, "low_risk", 0)),
        # The same with a high blood pressure, or a body mass index over 30.
        ("1312555251", 25.0, Score(2, "high_risk", 0)),
        ("1312555252", 30.1, Score(2, "high_risk", 0)),
        ("1312555252", 30.0, Score(1, "low_risk", 0)),
        # Tired on most days, both after sleep and by day.
        ("2---5112-2", 25.0, Score(1, "low_risk", 0)),
        ("2---5312-2", 25.0, Score(0, "low_risk", 0)),
        # Breath stops on most days counts twice.
        ("2---1552-2", 25.0, Score(1, "low_risk", 0)),
        ("2---5552-2", None, Score(None, None, 0)),
        ("2---5552-1", None, Score(1, "low_risk", 0)),
        ("1-125552-2", 25.0, Score(None, None, 1)),
    ],
)
def test_breathing(values: str, index: float | None, score: Score) -> None:
    assert scored("berlin", items("berlin", values), index=index) == score


def test_nothing_answered_and_forms_that_are_no_scales_have_no_score() -> None:
    assert scored("phq9", {}) is None
    assert scored("demographics", {"height_cm": "170.0"}) is None


def test_every_answered_scale_of_a_person_is_scored_once() -> None:
    record = record_of(make_person(0, 120, 7), 7)
    found = [f.form.name for f in record.fillings if score_of(f, record.person, 24.0)]
    assert sorted(found) == sorted(
        ["phq9", "phq8", "gad7", "gad7", "pss10", "pss10", "auditc", "ipaq", "berlin"]
    )
