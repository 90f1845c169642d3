"""The one table of codes."""

import pickle
import re
import string

import pytest

from schemas.errors import CODES, Code, PhaError

EACH = pytest.mark.parametrize("code", CODES.values(), ids=CODES.keys())


@EACH
def test_a_code_says_what_happened_and_what_to_do(code: Code) -> None:
    entry = code
    assert re.fullmatch(r"[a-z][a-z0-9_]+", entry.name)
    assert entry.what.endswith((".", "}"))
    assert entry.next_step
    assert entry.message is None or entry.message.endswith((".", "?", "!"))


@EACH
def test_its_details_are_plain_names(code: Code) -> None:
    fields = [field for _, field, _, _ in string.Formatter().parse(code.what) if field is not None]
    assert all(re.fullmatch(r"[a-z_]+", field) for field in fields)


@EACH
def test_an_error_with_missing_details_can_still_be_shown(code: Code) -> None:
    error = PhaError(code.name)
    assert str(error).startswith(f"{error.code.name}: ")
    assert "{" not in error.what


def test_details_are_filled_in() -> None:
    assert PhaError("release_damaged", file="run.json", problem="missing").what == "run.json: missing."


def test_an_unknown_code_is_a_fault_of_the_caller() -> None:
    with pytest.raises(KeyError):
        PhaError("no_such_code")


@EACH
def test_it_crosses_from_one_process_to_another(code: Code) -> None:
    error = PhaError(code.name, line=3, problem="no such day")
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, copy.what, str(copy)) == (error.code, error.what, str(error))


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        ({}, "P999 is not in participants.csv."),
        ({"hint": ""}, "P999 is not in participants.csv."),
        ({"hint": " of this release"}, "P999 is not in participants.csv of this release."),
        ({"hint": "; did you mean P099?"}, "P999 is not in participants.csv; did you mean P099?"),
    ],
)
def test_a_hint_ends_its_sentence_once(hint: dict[str, str], told: str) -> None:
    assert PhaError("participant_unknown", id="P999", **hint).what == told
