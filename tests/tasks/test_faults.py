"""Any fault gets a code; of an unknown one only type and place survive."""

import errno
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outputs.decisions import read_decisions
from schemas.errors import PhaError
from tasks.faults import as_coded, place_of


def caught(error: Exception) -> Exception:
    """The exception with a traceback, as a stage would see it."""
    try:
        raise error
    except Exception as raised:  # noqa: BLE001
        return raised


@given(st.text(min_size=12), st.sampled_from([ValueError, KeyError, RuntimeError, OSError, UnicodeError]))
def test_no_text_of_an_unknown_fault_survives(text: str, kind: type[Exception]) -> None:
    coded = as_coded(caught(kind(text)))
    assert coded.code.name == "unexpected"
    assert coded.details == {"type": kind.__name__, "place": place_of(caught(kind()))}
    assert text not in f"{coded} {coded!r} {coded.what} {coded.next_step} {coded.args}"


def test_a_coded_fault_is_left_as_it_is() -> None:
    error = PhaError("not_a_zip")
    assert as_coded(error) is error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_full_disk_is_named(number: int) -> None:
    assert as_coded(OSError(number, "no space", "/home/ada/study")).code.name == "disk_full"


def test_another_fault_of_the_system_is_not_a_full_disk() -> None:
    assert as_coded(caught(PermissionError(errno.EACCES, "x", "/home/ada"))).code.name == "unexpected"


def test_the_place_is_the_innermost_line_of_ours(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as fault:
        read_decisions(tmp_path)
    assert place_of(fault.value).startswith("outputs/decisions.py:")


def test_lines_of_libraries_are_no_place_of_ours() -> None:
    with pytest.raises(json.JSONDecodeError) as fault:
        json.loads("{Ada")
    assert place_of(fault.value).startswith("tests/tasks/test_faults.py:")


def test_a_fault_that_was_never_raised_has_no_place() -> None:
    assert place_of(ValueError("x")) == "?"
