"""The declarations of tables: the rules every one of them keeps."""

import re
from collections import Counter

import dataframely as dy
import polars as pl
import pyarrow as pa
import pytest
from made_release import rows

from outputs.parquet import arrow_schema
from schemas.table import Table, conform, decimals_of, empty, key_of, polars_schema, unit_of
from schemas.tables import TABLES

EACH = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
PLAIN = (pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Date, pl.Datetime)

# Units that a name ends in.
SHORT = {"kg", "kcal", "m", "ms", "s"}


def columns(table: type[Table]) -> dict[str, dy.Column]:
    return dict(table.columns())


@EACH
def test_a_table_is_known_by_its_name_and_says_what_a_row_is(table: type[Table]) -> None:
    assert TABLES[table.info.name] is table
    assert re.fullmatch(r"[a-z][a-z_]*[a-z]", table.info.name)
    assert table.info.one_row_is
    assert table.info.version >= 1
    assert table.info.layout in {"one_file", "per_participant"}
    assert set(table.info.kinds) <= {"core", "full"}


@EACH
def test_it_yields_a_polars_and_an_arrow_schema_of_plain_types(table: type[Table]) -> None:
    types = polars_schema(table)
    assert all(isinstance(dtype, PLAIN) for dtype in types.values())
    arrow = arrow_schema(table)
    assert arrow.names == list(types)
    assert not [
        field for field in arrow if pa.types.is_nested(field.type) or pa.types.is_dictionary(field.type)
    ]


@EACH
def test_its_key_exists_and_is_never_empty(table: type[Table]) -> None:
    key = key_of(table)
    assert key
    assert not [name for name in key if columns(table)[name].nullable]
    assert not [name for name in key if isinstance(columns(table)[name], dy.Float64)]


@EACH
def test_every_column_says_what_it_is(table: type[Table]) -> None:
    for name, column in columns(table).items():
        assert column.description, name
        assert column.description.endswith(".") or "..." in column.description, name


@EACH
def test_every_number_has_a_unit_and_every_float_its_decimals(table: type[Table]) -> None:
    for name, column in columns(table).items():
        if isinstance(column, dy.Int64 | dy.Float64):
            assert unit_of(column), name
        if isinstance(column, dy.Float64):
            assert 0 <= decimals_of(table)[name] <= 6, name
            assert not column.allow_nan, name
            assert not column.allow_inf, name


@EACH
def test_instants_are_utc_in_microseconds_and_their_names_say_so(table: type[Table]) -> None:
    for name, dtype in polars_schema(table).items():
        if isinstance(dtype, pl.Datetime):
            assert dtype.time_unit == "us", name
            assert (dtype.time_zone == "UTC") == name.endswith("_utc"), name
        assert not name.endswith("_utc") or isinstance(dtype, pl.Datetime), name


@EACH
def test_names_are_lower_case_words_and_say_json_and_units(table: type[Table]) -> None:
    for name, column in columns(table).items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name), name
        is_json = (column.metadata or {}).get("format") == "json"
        assert is_json == name.endswith("_json"), name
        last = name.rsplit("_", 1)[-1]
        if isinstance(column, dy.Int64 | dy.Float64) and last in SHORT:
            assert unit_of(column) == last, name
        if last == "minutes":
            assert unit_of(column) == "minutes", name


@EACH
def test_local_clocks_have_a_twin_that_needs_no_zone(table: type[Table]) -> None:
    """A local time is told apart by a date, an instant or minutes in the same row."""
    types = polars_schema(table)
    local = [
        name for name, dtype in types.items() if isinstance(dtype, pl.Datetime) and dtype.time_zone is None
    ]
    twins = {"bed_time": "bed_minute", "wake_up_time": "wake_up_minute", "collected_at": "collected_date"}
    for name in local:
        twin = twins.get(name, re.sub(r"_(time|at)$", "_utc", name))
        assert twin in types or name in {"received_at", "reported_at"}, name


@EACH
def test_references_lead_to_the_key_of_a_table_of_the_same_releases(table: type[Table]) -> None:
    for names, target in table.info.references:
        parts = names.split("+")
        assert set(parts) <= set(columns(table))
        assert set(parts) <= set(key_of(TABLES[target])), f"{names} is no key of {target}"
        assert set(table.info.kinds) <= set(TABLES[target].info.kinds)
        for name in parts:
            assert polars_schema(table)[name] == polars_schema(TABLES[target])[name]


@EACH
def test_rows_about_people_point_at_the_people(table: type[Table]) -> None:
    free = {"participants", "run_ledger"}
    if "participant_id" in columns(table) and table.info.name not in free:
        assert ("participant_id", "participants") in table.info.references


@EACH
def test_a_plain_row_is_in_form(table: type[Table]) -> None:
    assert table.filter(rows(table.info.name, {})).failure.invalid().is_empty()
    assert table.filter(empty(table)).failure.invalid().is_empty()


@EACH
def test_a_key_that_comes_twice_is_out_of_form(table: type[Table]) -> None:
    assert table.filter(rows(table.info.name, {}, {})).failure.invalid().height == 2


@EACH
def test_words_that_are_not_allowed_are_out_of_form(table: type[Table]) -> None:
    limited = [name for name, column in columns(table).items() if (column.metadata or {}).get("allowed")]
    for name in limited:
        for word in ("no such word", "", columns(table)[name].metadata["allowed"][0] + "x"):  # pyright: ignore[reportOptionalSubscript]
            assert table.filter(rows(table.info.name, {name: word})).failure.invalid().height == 1, name


@EACH
def test_values_beyond_the_limits_are_out_of_form(table: type[Table]) -> None:
    """A row a limit, each beyond that one alone: all are refused, each for its own column."""
    beyond = [
        (name, limit + step)
        for name, column in columns(table).items()
        for limit, step in ((getattr(column, "min", None), -1), (getattr(column, "max", None), 1))
        if limit is not None
    ]
    if not beyond:
        return
    sound = rows(table.info.name, {}).lazy()
    frames = [sound.with_columns(pl.lit(value).alias(name)) for name, value in beyond]
    told = table.filter(pl.concat([conform(frame, table) for frame in frames]).collect()).failure
    for name, count in Counter(name for name, _ in beyond).items():
        of_column = [refused for rule, refused in told.counts().items() if rule.startswith(f"{name}|")]
        assert sum(of_column) == count, name


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_float_is_a_real_number(value: float) -> None:
    frame = rows("daily_summary", {"distance_m": value})
    assert TABLES["daily_summary"].filter(frame).failure.invalid().height == 1


def test_the_tables_of_design_are_there() -> None:
    by_participant = [name for name, table in TABLES.items() if table.info.layout == "per_participant"]
    assert by_participant == ["heart_rate_minutes", "steps_minutes"]
    assert [name for name, table in TABLES.items() if table.info.times_excluded] == [
        "model_calls",
        "run_ledger",
    ]
    assert [name for name, table in TABLES.items() if not table.info.kinds] == [
        "person_values",
        "shared_values",
        "identity_marks",
    ]


# ---- row rules ----


@pytest.mark.parametrize(
    ("table", "values"),
    [
        (
            "source_files",
            {"rows_read": 3, "rows_staged": 1, "rows_merged": 1, "rows_rejected": 1, "rows_ignored": 1},
        ),
        (
            "daily_summary",
            {
                "active_zone_minutes": 30,
                "fatburn_active_zone_minutes": 10,
                "cardio_active_zone_minutes": 10,
                "peak_active_zone_minutes": 11,
            },
        ),
    ],
)
def test_sums_that_do_not_close_are_out_of_form(table: str, values: dict[str, int]) -> None:
    assert TABLES[table].filter(rows(table, values)).failure.invalid().height == 1


def test_a_sum_with_a_part_unknown_is_not_judged() -> None:
    frame = rows("daily_summary", {"active_zone_minutes": 30, "fatburn_active_zone_minutes": 10})
    assert TABLES["daily_summary"].filter(frame).failure.invalid().is_empty()


# ---- conform ----


def test_conform_orders_casts_and_fills() -> None:
    given = pl.LazyFrame({"unknown": [1], "decimals": pl.Series([2], dtype=pl.UInt8), "metric": ["steps"]})
    frame = conform(given, TABLES["metrics"]).collect()
    assert frame.schema == polars_schema(TABLES["metrics"])
    assert frame.row(0, named=True)["decimals"] == 2
    assert frame.row(0, named=True)["label"] is None


@pytest.mark.parametrize("rows", [1, 3, 1_000, 50_000])
def test_zero_has_one_sign_however_a_frame_is_made(rows: int) -> None:
    """-0.0 equals 0.0 but writes other bytes; it comes from rounding, from files and from lists alike."""
    values = pl.col("all").list
    listed = pl.LazyFrame({"all": [[-0.0, -1e-9, 2.5]] * rows}).with_columns(
        value_num=values.get(0), bound_num=values.get(1), ref_low=values.get(2)
    )
    frame = conform(listed, TABLES["lab_results"]).collect()
    for name in ("value_num", "bound_num"):
        assert frame[name].to_list() == [0.0] * rows
        assert (1.0 / frame[name]).max() == (1.0 / frame[name]).min() == float("inf")
    assert frame["ref_low"].to_list() == [2.5] * rows
