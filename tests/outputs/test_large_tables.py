"""Large tables: what Polars counts a slice at a time is what one look at the whole table finds."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_release import content, rows

from outputs.large_tables import faults_of, rows_with_a_key_twice, slices
from outputs.release_checks import rows_out_of_form
from outputs.release_tables import link_minute_files, write_tables
from schemas.table import empty
from schemas.tables import TABLES

FACTS = TABLES["facts"]

keys = st.lists(
    st.tuples(st.sampled_from([None, "", "a", "b"]), st.one_of(st.none(), st.integers(0, 3))), max_size=12
)


@given(held=keys, size=st.integers(1, 5), in_order=st.booleans())
def test_rows_with_a_key_twice_are_counted_in_any_order(held: list[Any], size: int, in_order: bool) -> None:
    frame = pl.DataFrame(held, schema={"word": pl.String, "number": pl.Int64}, orient="row")
    if in_order:
        frame = frame.sort("word", "number")
    times = Counter(key for key in held if key != (None, None))
    expected = sum(count for count in times.values() if count > 1)
    assert rows_with_a_key_twice(frame.lazy(), ["word", "number"], size) == expected


@given(height=st.integers(0, 10), size=st.integers(1, 4), overlap=st.integers(0, 1))
def test_slices_hold_every_row_once_and_repeat_only_the_overlap(height: int, size: int, overlap: int) -> None:
    frame = pl.DataFrame({"n": range(height)}, schema={"n": pl.Int64})
    pieces = [piece["n"].to_list() for piece in slices(frame.lazy(), size, overlap)]
    assert [n for at, piece in enumerate(pieces) for n in piece[overlap if at else 0 :]] == list(
        range(height)
    )
    assert all(piece[0] == before[-1] for before, piece in pairwise(pieces) if overlap)


@pytest.mark.parametrize("size", [1, 2, 100])
def test_empty_cells_and_undeclared_words_are_counted(size: int) -> None:
    people = rows("participants", *({"participant_id": f"P{n}", "has_labs": True} for n in range(5)))
    spoilt = people.with_columns(
        status=pl.Series(["active", "nearly", "nearly", "completed", None]),
        time_zone=pl.Series([None, "UTC", None, "UTC", None]),
    )
    found = faults_of(spoilt.lazy(), TABLES["participants"], size)
    assert {check: count for check, count in found.items() if count} == {
        ("allowed_words", "status"): 2,
        ("not_null", "status"): 1,
        ("not_null", "time_zone"): 3,
    }


def test_every_question_is_asked_of_a_sound_table() -> None:
    sound = rows("facts", *({"participant_id": "P1", "fact_id": f"f{n}"} for n in range(4)))
    found = faults_of(sound.lazy(), FACTS)
    required = {("not_null", name) for name, column in FACTS.columns().items() if not column.nullable}
    assert required | {("key_unique", "participant_id + fact_id")} <= found.keys()
    assert set(found.values()) == {0}


def test_a_table_without_rows_has_no_faults() -> None:
    assert set(faults_of(empty(FACTS).lazy(), FACTS).values()) == {0}


def test_rows_out_of_form_are_the_same_in_slices(tmp_path: Path) -> None:
    def spoil(frames: dict[str, pl.DataFrame]) -> None:
        frames["daily_summary"] = frames["daily_summary"].with_columns(resting_heart_rate=pl.lit(31337.0))

    made = content(tmp_path, "full", spoil)
    folder = tmp_path / "written"
    write_tables(folder, "full", made.tables)
    link_minute_files(folder, "full", made.minute_files)
    whole = rows_out_of_form(folder, "full")
    assert whole["daily_summary: resting_heart_rate|max"] == 120
    assert rows_out_of_form(folder, "full", 7) == whole
