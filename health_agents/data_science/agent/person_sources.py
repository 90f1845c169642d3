"""What each participant has of each source a plan may use: values, missing share, middle.

A source is named ``<frame>.<what>``: a column (``summary_df.steps``, ``activities_df.distance_m``,
``profile_df.age``), or the rows of a key (``labs_df.ldl_cholesterol``, ``surveys_df.phq9``,
``population_df.steps``).
"""

from collections.abc import Iterable, Mapping

import polars as pl

from health_agents.data_science.frames import FRAMES
from schemas.table import Table, polars_schema

DAYS = 90
ENOUGH_DAYS = 7
# The frames whose rows are told apart by a key: (key column, value column).
KEYED = {
    "labs_df": ("analyte_key", "value_canonical"),
    "surveys_df": ("instrument", "score"),
    "population_df": ("metric", "value"),
}
_NO_SOURCE = frozenset(
    {"participant_id", "file_id", "activity_id", "observed_from", "observed_to", "data_through"}
)
_SCHEMA = {
    "participant_id": pl.String, "source": pl.String, "values": pl.UInt32, "missing": pl.Float64,
    "middle": pl.Float64,
}  # fmt: skip


def columns_of(frame: str) -> list[str]:
    """Columns of a frame that are sources by themselves; none where rows are told apart by a key."""
    if frame in KEYED:
        return []
    return [name for name in FRAMES[frame].columns() if name not in _NO_SOURCE]


def is_given(frame: str, column: str) -> bool:
    """A column that is never empty, so that every participant with the frame has it."""
    return column == "valid_day" or not FRAMES[frame].columns()[column].nullable


def person_sources(tables: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """participant_id, source, values, missing, middle: one row for each source a participant has.

    tables: rows of any number of participants by table name. Days are the last 90 up to data_through
    without partial ones; a day measure needs values on 7 of them, all else one. missing is the share of
    valid days without a value, middle the median of numbers (in the source's unit).
    """
    people = tables[FRAMES["profile_df"].info.name]
    through = people.select("participant_id", "data_through")
    recent = (
        tables[FRAMES["summary_df"].info.name]
        .join(through, on="participant_id")
        .filter(
            pl.col("date").is_between(
                pl.col("data_through") - pl.duration(days=DAYS), pl.col("data_through"), closed="right"
            ),
            ~pl.col("is_partial"),
        )
    )
    parts = [
        _of_columns(recent, "summary_df", ENOUGH_DAYS),
        *(
            _of_columns(tables[FRAMES[frame].info.name], frame, 1)
            for frame in ("activities_df", "profile_df")
            if FRAMES[frame].info.name in tables
        ),
        *(
            _of_rows(tables[FRAMES[frame].info.name], frame)
            for frame in ("labs_df", "surveys_df")
            if FRAMES[frame].info.name in tables
        ),
    ]
    return pl.concat(parts).sort("participant_id", "source")


def no_sources() -> pl.DataFrame:
    """Rows of ``person_sources`` of nobody."""
    return pl.DataFrame(schema=_SCHEMA)


def sources_there(sources: pl.DataFrame) -> dict[str, frozenset[str]]:
    """participant_id -> names of the sources there, of rows of ``person_sources``."""
    grouped = sources.group_by("participant_id").agg("source").sort("participant_id")
    return {person: frozenset(names) for person, names in grouped.iter_rows()}


def population_sources(metrics: Iterable[str]) -> frozenset[str]:
    """Sources of the percentile table, which everybody has."""
    return frozenset(f"population_df.{metric}" for metric in metrics)


def _of_columns(rows: pl.LazyFrame, frame: str, enough: int) -> pl.LazyFrame:
    valid = pl.col("valid_day").fill_null(value=True) if frame == "summary_df" else pl.lit(value=True)
    names = columns_of(frame)
    told = [_told(name, FRAMES[frame], valid).alias(f"{frame}.{name}") for name in names]
    long = rows.group_by("participant_id").agg(told).unpivot(index="participant_id", variable_name="source")
    return long.unnest("value").filter(pl.col("values") >= enough).cast(pl.Schema(_SCHEMA))


def _told(name: str, table: type[Table], valid: pl.Expr) -> pl.Expr:
    numeric = polars_schema(table)[name].is_numeric()
    middle = pl.col(name).cast(pl.Float64).median() if numeric else pl.lit(None, pl.Float64)
    missing = pl.col(name).filter(valid).is_null().mean()
    return pl.struct(values=pl.col(name).count(), missing=missing, middle=middle)


def _of_rows(rows: pl.LazyFrame, frame: str) -> pl.LazyFrame:
    key, value = KEYED[frame]
    return (
        rows.filter(pl.col(key).is_not_null())
        .group_by("participant_id", source=pl.lit(f"{frame}.") + pl.col(key))
        .agg(
            values=pl.col(value).count(),
            missing=pl.col(value).is_null().mean(),
            middle=pl.col(value).median(),
        )
        .filter(pl.col("values") > 0)
        .select(list(_SCHEMA))
        .cast(pl.Schema(_SCHEMA))
    )
