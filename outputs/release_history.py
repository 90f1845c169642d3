"""A release against the one before: did coverage shrink, values go missing, or magnitudes jump?

A change of units passes every rule on rows; it shows as a jump of the typical size of a column.
"""

from pathlib import Path

import polars as pl

from outputs.release_tables import files_of, names_of, scan
from schemas.tables import TABLES

ENOUGH_ROWS = 100

# Tables whose typical sizes are compared: column -> the column whose words it is compared within, or None.
SIZED: dict[str, dict[str, str | None]] = {
    "daily_summary": {
        "steps": None,
        "distance_m": None,
        "calories_kcal": None,
        "sedentary_minutes": None,
        "lightly_active_minutes": None,
        "fairly_active_minutes": None,
        "very_active_minutes": None,
        "active_zone_minutes": None,
        "resting_heart_rate": None,
        "heart_rate_variability": None,
        "respiratory_rate": None,
        "spo2_avg": None,
        "sleep_minutes": None,
        "time_in_bed_minutes": None,
        "deep_sleep_minutes": None,
        "rem_sleep_minutes": None,
        "light_sleep_minutes": None,
        "vo2max": None,
        "weight_kg": None,
        "wear_minutes": None,
    },
    "activities": {"duration_minutes": None, "distance_m": None, "calories_kcal": None, "steps": None},
    "sleep_sessions": {"minutes_asleep": None, "time_in_bed_minutes": None},
    "lab_results": {"value_canonical": "analyte_key"},
    "participant_percentiles": {"value": "metric"},
}


# Tables of what people sent: a value there may not go missing unseen. Ranks are left out, since they go by
# themselves when data get old or an edition changes.
VALUED = (
    "participants",
    "daily_summary",
    "activities",
    "sleep_sessions",
    "sleep_stages",
    "lab_results",
    "survey_answers",
    "survey_scores",
)

# Tables whose rows may not grow fewer. Of what is only derived, a new version of the code may want less.
COVERED = frozenset(
    {*VALUED, "participant_percentiles", "source_files", "heart_rate_minutes", "steps_minutes"}
)


def coverage(release: Path, previous: Path, kind: str) -> dict[str, float]:
    """Table -> rows now over rows at the last release, where there were enough to tell."""
    tables = [name for name in names_of(kind) if name in COVERED]
    before = {name: _row_count(previous, name) for name in tables}
    return {name: _row_count(release, name) / rows for name, rows in before.items() if rows >= ENOUGH_ROWS}


def known_shares(release: Path, table: str) -> dict[str, float]:
    """Column -> share of rows with a value; of worn days only in daily_summary. None below enough rows."""
    rows = comparable_rows(release, table)
    held = set(rows.collect_schema().names())
    optional = [name for name in may_be_null(table) if name in held]
    counts = rows.select(pl.len(), *(pl.col(name).count() for name in optional)).collect().row(0, named=True)
    if counts["len"] < ENOUGH_ROWS:
        return {}
    return {name: counts[name] / counts["len"] for name in optional}


def may_be_null(table: str) -> list[str]:
    """Columns that need no value, but for reasons of absence: these empty themselves as data get better."""
    columns = TABLES[table].columns().items()
    return [name for name, column in columns if column.nullable and not name.endswith(("reason", "reasons"))]


def comparable_rows(release: Path, table: str) -> pl.LazyFrame:
    """Rows in which a null means the same in every release: days not worn grow in number by themselves."""
    rows = scan(release, table)
    return rows.filter(pl.col("day_state") == "worn") if table == "daily_summary" else rows


def magnitudes(release: Path, previous: Path, kind: str) -> dict[str, float]:
    """``table.column`` (and group) -> typical size now over that at the last release."""
    held = [(table, column) for table in names_of(kind) for column in SIZED.get(table, {})]
    ratios: dict[str, float] = {}
    for table, column in held:
        before, now = typical_sizes(previous, table, column), typical_sizes(release, table, column)
        ratios |= {subject: now[subject] / size for subject, size in before.items() if subject in now}
    return ratios


def typical_sizes(release: Path, table: str, column: str) -> dict[str, float]:
    """Median distance from zero of the values that are not zero, by group, where there are enough of them."""
    group = SIZED[table][column]
    rows = scan(release, table)
    if column not in rows.collect_schema().names():  # an older release, made before the column
        return {}
    subject = pl.lit(f"{table}.{column}")
    sizes = (
        rows.filter(pl.col(column) != 0)
        .group_by(subject=pl.concat_str(subject, pl.lit(" of "), group) if group else subject)
        .agg(size=pl.col(column).abs().median(), n=pl.len())
        .filter(pl.col("n") >= ENOUGH_ROWS)
        .drop_nulls()
        .sort("subject")
        .collect()
    )
    return {name: float(size) for name, size in sizes.select("subject", "size").iter_rows()}


def _row_count(release: Path, table: str) -> int:
    if not files_of(release, table):
        return 0
    return scan(release, table).select(pl.len()).collect().item()
