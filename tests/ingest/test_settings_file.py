"""study.toml: every problem is named with its line."""

from pathlib import Path

import pytest

from ingest.settings_file import check_settings, line_of, read_settings
from schemas.errors import PhaError

GOOD = """# a study
[study]
name = "Walk"
time_zone = "Europe/Amsterdam"

[windows]
days = [7, 30]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def the_problem(folder: Path, text: str) -> PhaError:
    problems, settings = check_settings(write(folder, text), {})
    assert settings is None
    assert len(problems) == 1
    return problems[0]


def test_defaults_are_the_safe_ones(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, GOOD), {})
    assert settings.model.name == "rules"
    assert settings.model.allow == ("rules",)
    assert settings.privacy.free_text is False
    assert settings.windows.days == (7, 30)


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        (
            GOOD + "dayz = 3\n",
            "settings_unknown_key",
            "line 8: windows.dayz is not a setting; did you mean days?",
        ),
        (GOOD + "\n[windos]\ndays = [7]\n", "settings_unknown_key", "line 9: windos"),
        (
            GOOD.replace("Amsterdam", "Amsterdm"),
            "settings_invalid",
            "line 4: study.time_zone: no IANA time zone",
        ),
        (GOOD + "main = 'x'\n", "settings_invalid", "line 8: windows.main"),
        (GOOD.replace('name = "Walk"\n', ""), "settings_invalid", "line 2: study.name: Field required"),
        (GOOD + "x = \n", "settings_not_toml", "line 8"),
        (GOOD + "[budget]\nusd = -1\n", "settings_invalid", "line 9: budget.usd"),
        (
            GOOD + "[strata]\nage_groups = ['old']\n",
            "settings_invalid",
            "line 9: strata.age_groups: old is not",
        ),
    ],
)
def test_a_problem_names_its_line(tmp_path: Path, text: str, code: str, says: str) -> None:
    problem = the_problem(tmp_path, text)
    assert problem.code.name == code
    assert says in str(problem)


def test_all_problems_are_found_at_once(tmp_path: Path) -> None:
    problems, _ = check_settings(write(tmp_path, GOOD + "a = 1\nb = 2\n"), {})
    assert [problem.details["line"] for problem in problems] == [8, 9]


def test_a_missing_file_is_a_missing_study(tmp_path: Path) -> None:
    with pytest.raises(PhaError, match="study_missing"):
        read_settings(tmp_path / "study.toml", {})


def test_the_environment_overrides_a_setting(tmp_path: Path) -> None:
    settings = read_settings(
        write(tmp_path, GOOD), {"PHA_WINDOWS__MAIN": "7", "PHA_MODEL__NAME": "gemini-x", "PHA_SECRET": "s"}
    )
    assert (settings.windows.main, settings.model.name) == (7, "gemini-x")


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert read_settings(tmp_path / "study.toml", {}).study.name == "Walk"


def test_the_line_of_a_nested_table() -> None:
    text = "[alerts]\nset_by = ''\n\n[alerts.critical.potassium]\nlow = 'x'\n"
    assert line_of(text, ("alerts", "critical", "potassium", "low")) == 5


SURVEY = """
[surveys.files."wellbeing.csv"]
form = "qualtrics"
participant = "ExternalReference"
dates = "mdy"
[surveys.files."wellbeing.csv".columns]
QID20_3 = "pss10_1"
"""


def test_a_mapped_survey_file_is_read(tmp_path: Path) -> None:
    files = read_settings(write(tmp_path, GOOD + SURVEY), {}).surveys.files
    assert files["wellbeing.csv"].columns == {"QID20_3": "pss10_1"}


@pytest.mark.parametrize(
    ("right", "wrong", "line", "said"),
    [
        ('form = "qualtrics"', 'from = "qualtrics"', 10, "did you mean form?"),
        ('form = "qualtrics"', 'form = "excel"', 10, "'qualtrics', 'google_forms' or 'table'"),
        ('dates = "mdy"', 'dates = "american"', 12, "'ymd', 'mdy' or 'dmy'"),
        ('dates = "mdy"', 'answers = "words"', 12, "'codes' or 'labels'"),
        ('participant = "ExternalReference"', "participant = 7", 11, "valid string"),
        ('participant = "ExternalReference"', "", 9, "Field required"),
        ('QID20_3 = "pss10_1"', "QID20_3 = 3", 14, "valid string"),
    ],
)
def test_a_wrong_key_of_a_survey_file_is_named_with_its_line(
    tmp_path: Path, right: str, wrong: str, line: int, said: str
) -> None:
    found = check_settings(write(tmp_path, GOOD + SURVEY.replace(right, wrong)), {})[0]
    (problem,) = [each for each in found if f"line {line}" in each.what]
    assert said in problem.what + problem.next_step
