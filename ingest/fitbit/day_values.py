"""From placed rows of a kind to one row a day (``date`` and columns of daily_summary)."""

from collections.abc import Callable

import polars as pl

from ingest.fitbit.product_csv import ZONES

PerDay = Callable[[pl.DataFrame], pl.DataFrame]


def stated(*columns: str) -> PerDay:
    """The day's values as the file states them."""

    def per_day(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.select("date", *columns).unique("date", keep="first", maintain_order=True)

    return per_day


def best_stated(*columns: str) -> PerDay:
    """The day's values as the first part that tells the first of them states them."""

    def per_day(frame: pl.DataFrame) -> pl.DataFrame:
        told = frame.drop_nulls(columns[0]).sort("date", "part")
        return told.unique("date", keep="first", maintain_order=True).select("date", *columns)

    return per_day


def summed(column: str) -> PerDay:
    """The sum over the local day."""

    def per_day(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.group_by("date").agg(pl.col(column).sum())

    return per_day


def mean(column: str) -> PerDay:
    """The mean of the night's rows."""

    def per_day(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.group_by("date").agg(pl.col(column).mean())

    return per_day


def floors(frame: pl.DataFrame) -> pl.DataFrame:
    """Whole floors of the day."""
    total = pl.col("floors").sum().round(0).cast(pl.Int64)
    return frame.group_by("date").agg(total)


def zone_minutes(frame: pl.DataFrame) -> pl.DataFrame:
    """Active zone minutes, in all and by zone."""
    by_zone = [
        pl.col("minutes").filter(pl.col("zone") == zone).sum().alias(f"{zone}_active_zone_minutes")
        for zone in ZONES
    ]
    return frame.group_by("date").agg(pl.col("minutes").sum().alias("active_zone_minutes"), *by_zone)


def wear(frame: pl.DataFrame) -> pl.DataFrame:
    """``wear_minutes``: distinct minutes of the local day with a sample of confidence 1 or more."""
    return frame.group_by("date").agg((pl.col("samples") > 0).sum().cast(pl.Int64).alias("wear_minutes"))


def last_weight(frame: pl.DataFrame) -> pl.DataFrame:
    """The last weight of the day; of several at one moment the one of the highest id or recorder's name."""
    order = [column for column in ("local", "utc", "weight_id", "recorder") if column in frame.columns]
    return frame.sort(order).unique("date", keep="last", maintain_order=True).select("date", "weight_kg")


def nights(logs: pl.DataFrame) -> pl.DataFrame:
    """Sums over all logs of the wake date, and the main sleep's start and end."""
    return _sums(logs).join(_main_times(logs), on="date", how="left")


def told_nights(logs: pl.DataFrame) -> pl.DataFrame:
    """``nights`` of logs that a file tells; those made of their minutes have no rows of their own."""
    return nights(logs.filter(pl.col("rows") > 0))


def main_sleeps(logs: pl.DataFrame) -> pl.DataFrame:
    """The main sleep of each wake date: the vendor's flag first, then the longest, then the earliest."""
    order = ["date", "flagged_main", "time_in_bed_minutes", "local", "sleep_id"]
    return logs.sort(order, descending=[False, True, True, False, False]).unique(
        "date", keep="first", maintain_order=True
    )


def _sums(logs: pl.DataFrame) -> pl.DataFrame:
    """Stage minutes are given only where the main sleep has stages."""
    main = main_sleeps(logs).select("sleep_id", pl.lit(True).alias("is_main"))
    marked = logs.join(main, on="sleep_id", how="left").with_columns(pl.col("is_main").fill_null(False))
    staged = ((pl.col("kind") == "stages") & pl.col("is_main")).any()
    asleep = pl.col("minutes_asleep")
    return marked.group_by("date").agg(
        asleep.sum().alias("sleep_minutes"),
        asleep.filter(~pl.col("is_main")).sum().alias("nap_minutes"),
        pl.col("time_in_bed_minutes").sum(),
        *(
            pl.when(staged & (pl.col(f"{stage}_minutes").count() > 0))
            .then(pl.col(f"{stage}_minutes").sum())
            .alias(f"{stage}_sleep_minutes")
            for stage in ("deep", "rem", "light")
        ),
        pl.when(pl.col("minutes_awake").count() > 0)
        .then(pl.col("minutes_awake").sum())
        .alias("awake_minutes"),
    )


def _main_times(logs: pl.DataFrame) -> pl.DataFrame:
    """Start and end of the main sleep as the vendor writes them, and in minutes from 00:00 of its date.

    Both are on the clock of the start, also in a night in which clocks change: wake-up minus bed time stays
    the time in bed.
    """
    midnight = pl.col("date").cast(pl.Datetime("us"))
    night = main_sleeps(logs).rename({"local": "bed_time", "local_end": "wake_up_time"})
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
