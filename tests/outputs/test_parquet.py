"""The one writer: bytes depend on the rows alone, and floats are written as declared."""

import hashlib
import math
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outputs.parquet import ROW_GROUP_ROWS, arrow_schema, write_table
from schemas.table import conform, decimals_of, empty, polars_schema
from schemas.tables import TABLES

pytestmark = pytest.mark.slow

MINUTES = TABLES["heart_rate_minutes"]
DAILY = TABLES["daily_summary"]


def minutes(count: int) -> pl.DataFrame:
    """Rows of two people, enough of them for several row groups where asked."""
    number = pl.int_range(count, eager=True)
    return pl.DataFrame(
        {
            "participant_id": (number % 2).replace_strict({0: "P1", 1: "P2"}, return_dtype=pl.String),
            "minute_utc": pl.select(
                pl.lit(datetime(2026, 1, 1, tzinfo=UTC)) + pl.duration(minutes=number)
            ).to_series(),
            "utc_offset_minutes": pl.repeat(60, count, eager=True),
            "heart_rate": 50 + (number * 37 % 997) / 10,
            "samples": number % 7,
            "samples_no_contact": number % 3,
        }
    )


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(frame: pl.DataFrame | pl.LazyFrame, path: Path, table: str = "heart_rate_minutes") -> str:
    write_table(frame, TABLES[table], path)
    return sha256(path)


def day(**values: object) -> pl.DataFrame:
    required = {
        "participant_id": "P1",
        "date": date(2026, 1, 1),
        "day_state": "worn",
        "wear_from_steps": False,
        "break_before": False,
        "tz_change": False,
        "is_partial": False,
    }
    return pl.DataFrame([required | values])


# ---- bytes ----


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_rows_is_not_in_the_bytes(tmp_path: Path, seed: int) -> None:
    frame = minutes(5000)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=seed)
    assert write(shuffled, tmp_path / "a") == write(frame, tmp_path / "b")


def test_how_the_rows_came_together_is_not_in_the_bytes(tmp_path: Path) -> None:
    frame = minutes(200_000)
    pieces = pl.concat([frame[start : start + 7001] for start in range(0, 200_000, 7001)], rechunk=False)
    lazy = pl.concat([frame[:99_999].lazy(), frame[99_999:].lazy()])
    assert pieces.n_chunks() > 1
    assert write(pieces, tmp_path / "a") == write(frame, tmp_path / "b") == write(lazy, tmp_path / "c")


def test_the_order_of_columns_and_columns_too_many_are_not_in_the_bytes(tmp_path: Path) -> None:
    frame = minutes(100)
    other = frame.select(reversed(frame.columns)).with_columns(extra=pl.lit("x"))
    assert write(other, tmp_path / "a") == write(frame, tmp_path / "b")


def test_the_path_is_not_in_the_bytes(tmp_path: Path) -> None:
    assert write(minutes(10), tmp_path / "deep" / "er" / "a.parquet") == write(
        minutes(10), tmp_path / "b.parquet"
    )


_PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_parquet import minutes, write
print(write(minutes(300_000).sample(fraction=1, shuffle=True, seed=1), Path(sys.argv[1])))
"""


def test_the_number_of_threads_is_not_in_the_bytes(tmp_path: Path) -> None:
    def digest(threads: int) -> str:
        return subprocess.run(
            [
                sys.executable,
                "-c",
                _PROGRAM,
                str(tmp_path / f"{threads}.parquet"),
                str(Path(__file__).parent),
            ],
            env={**os.environ, "POLARS_MAX_THREADS": str(threads)},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    assert len({digest(threads) for threads in (1, 2, 4)}) == 1


# ---- values ----


def test_floats_are_rounded_to_their_declared_decimals(tmp_path: Path) -> None:
    write(day(resting_heart_rate=58.08649, distance_m=1234.5678), tmp_path / "a", "daily_summary")
    row = pl.read_parquet(tmp_path / "a").row(0, named=True)
    assert (row["resting_heart_rate"], row["distance_m"]) == (58.09, 1234.6)


@pytest.mark.parametrize("value", [-0.0, -0.004, 0.004, 0.0])
def test_zero_has_one_form(tmp_path: Path, value: float) -> None:
    digest = write(day(skin_temperature_variation=value), tmp_path / "a", "daily_summary")
    assert digest == write(day(skin_temperature_variation=0.0), tmp_path / "b", "daily_summary")
    written = pl.read_parquet(tmp_path / "a")["skin_temperature_variation"][0]
    assert math.copysign(1, written) == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20))
def test_writing_what_was_read_changes_nothing(values: list[float]) -> None:
    frame = pl.LazyFrame({"skin_temperature_variation": values})
    once = conform(frame, DAILY).collect()
    assert conform(once.lazy(), DAILY).collect().equals(once)


@settings(max_examples=60, deadline=None)
@given(st.floats(-20, 20))
def test_rounding_moves_a_value_by_at_most_half_a_step(value: float) -> None:
    frame = conform(pl.LazyFrame({"skin_temperature_variation": [value]}), DAILY).collect()
    places = decimals_of(DAILY)["skin_temperature_variation"]
    assert abs(frame["skin_temperature_variation"][0] - value) <= 0.5 * 10**-places + 1e-9


def test_a_column_that_is_missing_is_null_and_a_null_stays_null(tmp_path: Path) -> None:
    write(day(steps=None), tmp_path / "a", "daily_summary")
    read = pl.read_parquet(tmp_path / "a")
    assert read.schema == polars_schema(DAILY)
    assert read["steps"].to_list() == [None]
    assert read["vo2max"].to_list() == [None]


def test_a_value_that_does_not_fit_its_type_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(pl.exceptions.InvalidOperationError):
        write(day(steps="many"), tmp_path / "a", "daily_summary")
    assert list(tmp_path.iterdir()) == []


# ---- files ----


def test_rows_are_sorted_by_the_key(tmp_path: Path) -> None:
    write(minutes(100).reverse(), tmp_path / "a")
    read = pl.read_parquet(tmp_path / "a")
    assert read.equals(read.sort("participant_id", "minute_utc"))


def test_row_groups_have_a_fixed_size_and_one_compression(tmp_path: Path) -> None:
    write(minutes(ROW_GROUP_ROWS + 10), tmp_path / "a")
    footer = pq.read_metadata(tmp_path / "a")
    assert [footer.row_group(group).num_rows for group in range(footer.num_row_groups)] == [
        ROW_GROUP_ROWS,
        10,
    ]
    assert footer.row_group(0).column(0).compression == "ZSTD"


def test_fields_carry_description_and_unit_and_the_file_its_table(tmp_path: Path) -> None:
    write(day(), tmp_path / "a", "daily_summary")
    schema = pq.read_schema(tmp_path / "a")
    assert schema.field("weight_kg").metadata[b"unit"] == b"kg"
    assert schema.field("weight_kg").metadata[b"description"] == b"Last weight of the day."
    assert schema.metadata[b"table"] == b"daily_summary"
    assert schema.metadata[b"schema_version"] == b"1"


def test_an_empty_table_has_the_form_of_a_full_one(tmp_path: Path) -> None:
    assert write_table(empty(DAILY), DAILY, tmp_path / "a") == 0
    assert pq.read_schema(tmp_path / "a").equals(arrow_schema(DAILY), check_metadata=False)


def test_many_threads_may_write_one_path(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        digests = list(pool.map(lambda _: write_table(minutes(2000), MINUTES, tmp_path / "a"), range(16)))
    assert digests == [2000] * 16
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert sha256(tmp_path / "a") == write(minutes(2000), tmp_path / "b")


def test_instants_are_utc_and_local_times_have_no_zone(tmp_path: Path) -> None:
    bed = datetime(2026, 1, 1, 22, 45)  # noqa: DTZ001 - a wall clock
    write(day(bed_time=bed, wake_up_time=bed + timedelta(hours=8)), tmp_path / "a", "daily_summary")
    schema = pq.read_schema(tmp_path / "a")
    assert schema.field("bed_time").type.tz is None
    assert arrow_schema(MINUTES).field("minute_utc").type.tz == "UTC"
