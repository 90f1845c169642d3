"""The rows of daily_summary that files can fill: one for each local day with any data."""

from collections.abc import Mapping

import polars as pl

from ingest.clock import Zone, day_offsets, local_date
from ingest.fitbit.day_csv import ZONES
from ingest.fitbit.kinds import ACTIVITY_MINUTES
from ingest.fitbit.minutes import FEET_PER_FLOOR
from ingest.fitbit.placing import Placed, main_sleeps
from ingest.fitbit.profile import PHONE
from schemas.daily_summary import DailySummary

WORN_MINUTES = 600
WORN_STEPS = 1000
# Minutes that a day has only where a device was carried.
_ACTIVE = tuple(column for column in ACTIVITY_MINUTES.values() if column != "sedentary_minutes")

# Kinds whose day value is taken as the file states it.
_STATED = (
    *ACTIVITY_MINUTES,
    "resting_heart_rate",
    "vo2max",
    "heart_rate_variability",
    "respiratory_rate",
    "spo2",
    "stress",
    "readiness",
    "temperature",
    "sleep_score",
)
_BOOKKEEPING = ("member", "newer", "rows", "samples", "local", "sleep_id")


def daily_rows(placed: Placed, zero_days: Mapping[str, pl.DataFrame], participant_id: str) -> pl.DataFrame:
    """One row a day in the columns of daily_summary; ``study_day`` stays null, as no enrolment is known here.

    zero_days: by kind, days (``date``) on which a covering file without a row means zero.
    """
    kept = placed.kept
    parts = [
        _summed(kept["steps"], "steps"),
        _summed(kept["distance"], "distance_m"),
        _summed(kept["calories"], "calories_kcal"),
        _floors(kept["altitude"], zero_days["altitude"]),
        _active_zone_minutes(kept["active_zone_minutes"], zero_days["active_zone_minutes"]),
        wear(kept["heart_rate"]),
        *(kept[name].drop(_BOOKKEEPING, strict=False) for name in _STATED),
        _weights(kept["weight"]),
        _sleep_sums(kept["sleep"]),
        _nights(kept["sleep"]),
    ]
    days = pl.concat(parts, how="diagonal_relaxed").group_by("date").agg(pl.all().drop_nulls().first())
    return (
        days.lazy()
        .with_columns(pl.lit(participant_id).alias("participant_id"), *_methods())
        .pipe(day_offsets, placed.zone.name)
        .pipe(with_day_state)
        .pipe(_with_unclear_days, placed.zone)
        .pipe(with_device, kept["trackers"])
        .pipe(_with_breaks)
        .pipe(_with_partial_days, newest_device_days(placed), kept)
        .sort("date")
        .collect()
    )


def wear(heart_rate: pl.DataFrame) -> pl.DataFrame:
    """``wear_minutes``: distinct minutes of the local day with a sample of confidence 1 or more."""
    return heart_rate.group_by("date").agg((pl.col("samples") > 0).sum().cast(pl.Int64).alias("wear_minutes"))


def with_day_state(days: pl.LazyFrame) -> pl.LazyFrame:
    """Judge wear by heart rate; by steps only on a day without one heart-rate row.

    worn: 600 minutes, or 1,000 steps. partly_worn: anything less than that but more than nothing. A day with
    neither row but with active minutes was worn, nobody knows how long: not_worn, and ``valid_day`` null.
    """
    no_heart_rate = pl.col("wear_minutes").is_null()
    steps = pl.col("steps").fill_null(0)
    by_steps = no_heart_rate & (steps > 0)
    worn = pl.when(no_heart_rate).then(steps >= WORN_STEPS).otherwise(pl.col("wear_minutes") >= WORN_MINUTES)
    partly = pl.when(no_heart_rate).then(steps > 0).otherwise(pl.col("wear_minutes") > 0)
    unknown = no_heart_rate & pl.col("steps").is_null() & pl.any_horizontal(pl.col(_ACTIVE).fill_null(0) > 0)
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


def _summed(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    return frame.group_by("date").agg(pl.col(column).sum())


def _floors(altitude: pl.DataFrame, zero_days: pl.DataFrame) -> pl.DataFrame:
    zeros = zero_days.select("date", pl.lit(0.0).alias("feet"))
    feet = _summed(pl.concat([altitude.select("date", "feet"), zeros]), "feet")
    return feet.select("date", (pl.col("feet") / FEET_PER_FLOOR).round(0).cast(pl.Int64).alias("floors"))


def _active_zone_minutes(earned: pl.DataFrame, zero_days: pl.DataFrame) -> pl.DataFrame:
    zeros = zero_days.select(
        "date", pl.lit(None, pl.String).alias("zone"), pl.lit(0, pl.Int64).alias("minutes")
    )
    rows = pl.concat([earned.select("date", "zone", "minutes"), zeros])
    by_zone = [
        pl.col("minutes").filter(pl.col("zone") == zone).sum().alias(f"{zone}_active_zone_minutes")
        for zone in ZONES
    ]
    return rows.group_by("date").agg(pl.col("minutes").sum().alias("active_zone_minutes"), *by_zone)


def _weights(weight: pl.DataFrame) -> pl.DataFrame:
    """The last weight of the day."""
    last = weight.sort("local", "weight_id").unique("date", keep="last", maintain_order=True)
    return last.select("date", "weight_kg")


def _sleep_sums(sleep: pl.DataFrame) -> pl.DataFrame:
    """Sums over all logs of the wake date; stages only where the main sleep has stages."""
    main = main_sleeps(sleep).select("sleep_id", pl.lit(True).alias("is_main"))
    logs = sleep.join(main, on="sleep_id", how="left").with_columns(pl.col("is_main").fill_null(False))
    staged = ((pl.col("kind") == "stages") & pl.col("is_main")).any()
    asleep = pl.col("minutes_asleep")
    return logs.group_by("date").agg(
        asleep.sum().alias("sleep_minutes"),
        asleep.filter(~pl.col("is_main")).sum().alias("nap_minutes"),
        pl.col("time_in_bed_minutes").sum(),
        *(
            pl.when(staged).then(pl.col(f"{stage}_minutes").sum()).alias(f"{stage}_sleep_minutes")
            for stage in ("deep", "rem", "light")
        ),
        pl.when(pl.col("minutes_awake").count() > 0)
        .then(pl.col("minutes_awake").sum())
        .alias("awake_minutes"),
    )


def _nights(sleep: pl.DataFrame) -> pl.DataFrame:
    """Start and end of the main sleep as the vendor writes them, and in minutes from 00:00 of its date.

    Both are on the clock of the start, also in a night in which clocks change: wake-up minus bed time stays
    the time in bed.
    """
    midnight = pl.col("date").cast(pl.Datetime("us"))
    night = main_sleeps(sleep).rename({"local": "bed_time", "local_end": "wake_up_time"})
    return night.select(
        "date",
        "bed_time",
        "wake_up_time",
        _minute_of(pl.col("bed_time") - midnight).alias("bed_minute"),
        _minute_of(pl.col("wake_up_time") - midnight).alias("wake_up_minute"),
    )


def _minute_of(since_midnight: pl.Expr) -> pl.Expr:
    """The minute a moment lies in: 22:44:30 the evening before is -76."""
    return since_midnight.dt.total_seconds().floordiv(60)


def _methods() -> list[pl.Expr]:
    return [
        pl.when(pl.col(column).is_not_null()).then(pl.lit(method)).alias(f"{column}_method")
        for column, method in (
            ("resting_heart_rate", "vendor_daily"),
            ("heart_rate_variability", "vendor_daily_rmssd"),
        )
    ]


def _with_unclear_days(days: pl.LazyFrame, zone: Zone) -> pl.LazyFrame:
    """Days without a known offset are set aside: their minute data could not be given to a day."""
    unclear = pl.col("date").is_in(list(zone.unclear_days))
    unknown = ("valid_day", "wear_minutes", "utc_offset_minutes")
    return days.with_columns(
        pl.when(unclear).then(pl.lit("set_aside")).otherwise(pl.col("day_state")).alias("day_state"),
        *(pl.when(~unclear).then(pl.col(column)).alias(column) for column in unknown),
    )


def with_device(days: pl.LazyFrame, trackers: pl.DataFrame) -> pl.LazyFrame:
    """Add ``device`` by ``date``: the type of the tracker added last by that day, phones left out."""
    added = (
        trackers.lazy()
        .filter(pl.col("device") != PHONE)
        .sort("date", "tracker_id")
        .unique("date", keep="last", maintain_order=True)
        .select("date", "device")
        .sort("date")
    )
    return days.sort("date").join_asof(added, on="date", strategy="backward")


def _with_breaks(days: pl.LazyFrame) -> pl.LazyFrame:
    """A break on the first day with data of another type of device; rows are in the order of days."""
    changed = pl.col("device") != pl.col("device").shift(1)
    return days.with_columns(changed.fill_null(False).alias("break_before"))


def newest_device_days(placed: Placed) -> pl.DataFrame:
    """By ``newer`` (rank of an export): ``date``, the local day up to which a device has delivered.

    The newest row a device wrote, or its last sync where that is later: then it was not worn since. Calories
    are left out: the vendor writes them to the minute of the export, also where no device was synced.
    """
    kinds = ("steps", "distance", "altitude", "heart_rate", "active_zone_minutes", "exercise", "sleep")
    synced = placed.kept["trackers"].filter(pl.col("device") != PHONE).drop_nulls("last_sync")
    rows = [
        *(placed.kept[name].select("newer", "date") for name in kinds),
        synced.select("newer", local_date("last_sync", placed.zone.name).alias("date")),
    ]
    return pl.concat(rows).group_by("newer").agg(pl.col("date").max()).sort("newer")


def _with_partial_days(
    days: pl.LazyFrame, ends: pl.DataFrame, kept: Mapping[str, pl.DataFrame]
) -> pl.LazyFrame:
    """The newest day of an export is not whole, unless a later one went beyond it; nor are days after it."""
    timed = pl.concat([kept[name].select("newer", "date") for name in ("steps", "heart_rate")]).unique()
    mended = ends.join(timed, on="date", suffix="_of_row").filter(pl.col("newer_of_row") > pl.col("newer"))
    partial = ends.join(mended, on=["newer", "date"], how="anti")["date"].to_list()
    after = pl.col("date") > pl.lit(ends["date"].max(), pl.Date)
    return days.with_columns((pl.col("date").is_in(partial) | after.fill_null(False)).alias("is_partial"))


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
