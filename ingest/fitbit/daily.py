"""The rows of daily_summary that files can fill: one for each local day with any data."""

from collections.abc import Mapping, Sequence
from datetime import date

import polars as pl

from ingest.clocks.zone_history import ZoneHistory
from ingest.fitbit.choosing import Choices
from ingest.fitbit.devices import known_devices, with_breaks, with_device, with_unlisted_devices
from ingest.fitbit.json_kinds import ACTIVITY_MINUTES
from ingest.fitbit.kept_rows import rows_of
from ingest.fitbit.kinds import (
    DAY_KINDS,
    EXERCISE_KINDS,
    HEART_RATE_KINDS,
    SLEEP_KINDS,
    STEPS_KINDS,
)
from ingest.fitbit.measures import Measure
from ingest.fitbit.padding import HOURS
from ingest.fitbit.placing import WORN_KINDS, Placed
from ingest.fitbit.profile import PHONE
from ingest.fitbit.recorders import phone_days, wearables
from schemas.daily_summary import DailySummary

WORN_MINUTES = 600
WORN_STEPS = 1000
# Minutes that a day has only where a device was carried.
_ACTIVE = tuple(column for column in ACTIVITY_MINUTES.values() if column != "sedentary_minutes")
# Kinds whose rows a device wrote. Calories are none: the vendor writes them to the minute of the export, also
# where no device was synced.
_DEVICE_KINDS = (
    *WORN_KINDS,
    "distance",
    "altitude",
    "active_zone_minutes",
    "active_zone_minutes_csv",
    *EXERCISE_KINDS,
    *SLEEP_KINDS,
    "fitabase_syncs",
    HOURS,
    "health_distance",
)


# Kinds that name the device of each row.
_NAMING_KINDS = ("heart_rate_csv", "steps_csv")


def daily_rows(
    placed: Placed, choices: Choices, zeros: Mapping[str, pl.DataFrame], participant_id: str
) -> pl.DataFrame:
    """One row a day in the columns of daily_summary; ``study_day`` stays null, as no enrolment is known here.

    zeros: by measure, days (``date``) on which a covering file without a row means zero.
    """
    parts = [choices.days, choices.unknown]
    parts += [_zeros(measure, zeros[measure.name]) for measure in choices.measures if measure.sparse]
    rows = pl.concat(parts, how="diagonal").drop("measure")
    days = rows.group_by("date").agg(pl.all().drop_nulls().first())
    methods = [f"{measure.name}_method" for measure in choices.measures if measure.has_method]
    trackers = known_devices(placed.kept)
    return (
        days.lazy()
        .with_columns(pl.lit(participant_id).alias("participant_id"))
        .pipe(placed.zone.with_day_offsets)
        .pipe(with_day_state, phone_days(placed.kept, HEART_RATE_KINDS, STEPS_KINDS))
        .pipe(_with_unclear_days, placed.zone, _days_of_unknown_wear(choices))
        .pipe(with_device, trackers)
        .pipe(with_unlisted_devices, trackers, _wearables(placed))
        .pipe(with_breaks, methods)
        .pipe(_with_partial_days, newest_device_days(placed), placed.kept, _told_in_part(choices))
        .sort("date")
        .collect()
    )


def with_day_state(days: pl.LazyFrame, by_phone: Sequence[date] = ()) -> pl.LazyFrame:
    """Judge wear by heart rate; by a wearable's steps only on a day without one heart-rate row.

    by_phone: days whose steps a phone alone counted; they are no sign of wear.

    worn: 600 minutes, or 1,000 steps. partly_worn: anything less than that but more than nothing. A day with
    neither row but with active minutes was worn, nobody knows how long: not_worn, and ``valid_day`` null.
    """
    no_heart_rate = pl.col("wear_minutes").is_null()
    of_wearable = pl.when(~pl.col("date").is_in(list(by_phone))).then("steps")
    steps = of_wearable.fill_null(0)
    by_steps = no_heart_rate & (steps > 0)
    worn = pl.when(no_heart_rate).then(steps >= WORN_STEPS).otherwise(pl.col("wear_minutes") >= WORN_MINUTES)
    partly = pl.when(no_heart_rate).then(steps > 0).otherwise(pl.col("wear_minutes") > 0)
    unknown = no_heart_rate & of_wearable.is_null() & pl.any_horizontal(pl.col(_ACTIVE).fill_null(0) > 0)
    return days.with_columns(
        pl.when(worn)
        .then(pl.lit("worn"))
        .when(partly)
        .then(pl.lit("partly_worn"))
        .otherwise(pl.lit("not_worn"))
        .alias("day_state"),
        by_steps.alias("wear_from_steps"),
        pl.when(~unknown).then(worn).alias("valid_day"),
        pl.when(~by_steps & ~unknown).then(pl.col("wear_minutes").fill_null(0)).alias("wear_minutes"),
    )


def _zeros(measure: Measure, days: pl.DataFrame) -> pl.DataFrame:
    """Rows of zero in the columns of a measure."""
    return days.select("date", *(pl.lit(0, pl.Int64).alias(column) for column in measure.columns))


def _wearables(placed: Placed) -> pl.DataFrame:
    return wearables([placed.kept[kind] for kind in _NAMING_KINDS])


def _days_of_unknown_wear(choices: Choices) -> list[date]:
    """Days that can't be judged: rows of heart rate, or, where steps judge, of steps may belong to them."""
    unknown, is_wear = choices.unknown, pl.col("measure") == "wear_minutes"
    by_steps = unknown.filter(pl.col("measure") == "steps").join(
        choices.days.filter(is_wear), on="date", how="anti"
    )
    return pl.concat([unknown.filter(is_wear), by_steps])["date"].to_list()


def _with_unclear_days(days: pl.LazyFrame, zone: ZoneHistory, unjudged: list[date]) -> pl.LazyFrame:
    """Days whose wear is unknown are set aside; what is certain of them stays.

    On days that no clock explains the offset is unknown, whatever is known of them otherwise.
    """
    contradicted = pl.col("date").is_in(list(zone.contradicted_days))
    unclear = pl.col("date").is_in(unjudged)
    return days.with_columns(
        pl.when(~contradicted).then(pl.col("utc_offset_minutes")).alias("utc_offset_minutes"),
        pl.when(unclear).then(pl.lit("set_aside")).otherwise(pl.col("day_state")).alias("day_state"),
        *(pl.when(~unclear).then(pl.col(column)).alias(column) for column in ("valid_day", "wear_minutes")),
    )


def newest_device_days(placed: Placed) -> pl.DataFrame:
    """By ``newer`` (rank of an export): ``date``, the local day up to which a device has delivered.

    The newest row a device wrote, or its last sync where that is later: then it was not worn since.
    """
    synced = placed.kept["trackers"].filter(pl.col("device") != PHONE).drop_nulls("last_sync")
    rows = [
        rows_of(placed.kept, _DEVICE_KINDS, "newer", "date"),
        rows_of(placed.kept, DAY_KINDS, "newer", "date", "steps").filter(pl.col("steps") > 0).drop("steps"),
        synced.select("newer", placed.zone.local_date("last_sync").alias("date")),
    ]
    return pl.concat(rows).group_by("newer").agg(pl.col("date").max()).sort("newer")


def _told_in_part(choices: Choices) -> list[date]:
    """Days of which only a damaged file tells some measure."""
    return choices.won.filter("broken")["date"].unique().sort().to_list()


def _with_partial_days(
    days: pl.LazyFrame, ends: pl.DataFrame, kept: Mapping[str, pl.DataFrame], in_part: list[date]
) -> pl.LazyFrame:
    """The newest day of an export is not whole, unless a later one went beyond it; nor are days after it, nor
    those told in part.
    """
    timed = rows_of(kept, WORN_KINDS, "newer", "date").unique()
    mended = ends.join(timed, on="date", suffix="_of_row").filter(pl.col("newer_of_row") > pl.col("newer"))
    partial = ends.join(mended, on=["newer", "date"], how="anti")["date"].to_list()
    after = pl.col("date") > pl.lit(ends["date"].max(), pl.Date)
    whole = ~(pl.col("date").is_in([*partial, *in_part]) | after.fill_null(False))
    return days.with_columns((~whole).alias("is_partial"))


def within_limits(days: pl.DataFrame) -> tuple[pl.DataFrame, int]:
    """Values outside the limits of their column made null, and how many there were."""
    checks: list[pl.Expr] = []
    for name, column in DailySummary.columns().items():
        low, high = getattr(column, "min", None), getattr(column, "max", None)
        if name not in days.columns or (low is None and high is None):
            continue
        ok = pl.lit(True)
        ok = ok if low is None else ok & (pl.col(name) >= low)
        ok = ok if high is None else ok & (pl.col(name) <= high)
        checks.append(pl.when(ok).then(pl.col(name)).alias(name))
    mended = days.with_columns(checks)
    lost = sum(int(mended[e].null_count() - days[e].null_count()) for e in days.columns)
    return mended, lost
