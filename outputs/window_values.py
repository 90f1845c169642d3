"""What the days of a window amount to, for one participant or a whole batch at once.

Metrics of the day count on valid days, metrics of the night where the night has a value; days that are not
whole count for nothing.
"""

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from outputs.metrics import DAILY_METRICS

DAY_METRICS = tuple(metric.metric for metric in DAILY_METRICS if metric.measured == "day")

Statistic = Callable[[pl.Expr], pl.Expr]

_NAMES = tuple(metric.metric for metric in DAILY_METRICS)


def countable_days(daily: pl.LazyFrame) -> pl.LazyFrame:
    """Whole days: participant_id, date, and each daily metric as a float, null where it does not count."""
    valid = pl.col("valid_day").fill_null(False)
    return daily.filter(~pl.col("is_partial")).select(
        "participant_id",
        "date",
        *(
            (pl.when(valid).then(name) if name in DAY_METRICS else pl.col(name)).cast(pl.Float64).alias(name)
            for name in _NAMES
        ),
    )


def days_with_value(values: pl.Expr) -> pl.Expr:
    """How many days (nights) count."""
    return values.count().cast(pl.Int64)


def median_of_days(values: pl.Expr) -> pl.Expr:
    """The median; null where no day counts. Without its nulls a column has it in half the time."""
    return values.drop_nulls().median()


def medians(days: pl.LazyFrame, windows: pl.LazyFrame) -> pl.LazyFrame:
    """Long form (participant_id, window, metric, median, days) of ``countable_days`` by window.

    windows: participant_id, window, window_start and window_end, both counted; any number of windows and
    participants. A window that no day of the calendar lies in has no rows.
    """
    key = ["participant_id", "window"]
    return (
        by_window(days, windows, key, {"median": median_of_days, "days": days_with_value})
        .unpivot(index=key, variable_name="metric", value_name="found")
        .unnest("found")
    )


def by_window(
    days: pl.LazyFrame, windows: pl.LazyFrame, key: Sequence[str], statistics: Mapping[str, Statistic]
) -> pl.LazyFrame:
    """One row a key of the windows: for each daily metric a struct of the statistics of its days."""
    return (
        days.join(windows.select(*key, "window_start", "window_end"), on="participant_id")
        .filter(pl.col("date").is_between("window_start", "window_end"))
        .group_by(key)
        .agg(
            pl.struct(of(pl.col(metric)).alias(name) for name, of in statistics.items()).alias(metric)
            for metric in _NAMES
        )
    )
