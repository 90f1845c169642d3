"""What the days of a window amount to, for one participant or a whole batch at once.

Metrics of the day count on valid days, metrics of the night where the night has a value; days that are not
whole count for nothing.
"""

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from outputs.metrics import DAILY_METRICS

DAY_METRICS = tuple(metric.metric for metric in DAILY_METRICS if metric.measured == "day")

_SPAN = "span"

Statistic = Callable[[pl.Expr], pl.Expr]

_NIGHT_METRICS = tuple(metric.metric for metric in DAILY_METRICS if metric.measured == "night")


def days_with_value(values: pl.Expr) -> pl.Expr:
    """How many days (nights) count."""
    return values.count().cast(pl.Int64)


def median_of_days(values: pl.Expr) -> pl.Expr:
    """The median; null where no day counts. Without its nulls a column has it in half the time."""
    return values.drop_nulls().median()


def medians(daily: pl.LazyFrame, windows: pl.LazyFrame) -> pl.LazyFrame:
    """Long form (participant_id, window, metric, median, days) of ``daily_summary`` by window.

    windows: participant_id, window, window_start and window_end, both counted; any number of windows and
    participants. A window that no day of the calendar lies in has no rows.
    """
    key = ["participant_id", "window"]
    found = by_window(daily, windows, key, {"median": median_of_days, "days": days_with_value})
    return pl.concat(
        part.unpivot(index=key, variable_name="metric", value_name="found").unnest("found") for part in found
    )


def by_window(
    daily: pl.LazyFrame, windows: pl.LazyFrame, key: Sequence[str], statistics: Mapping[str, Statistic]
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """For each daily metric a struct of the statistics of its days, a row a key of the windows.

    The first frame has the metrics of the day, the second those of the night: days that do not count are left
    out before anything is grouped, so that they cost nothing.
    """
    whole = daily.filter(~pl.col("is_partial"))
    valid = whole.filter(pl.col("valid_day").fill_null(False))
    spans = windows.select(*key, "window_start", "window_end")
    return (
        _grouped(valid, DAY_METRICS, spans, key, statistics),
        _grouped(whole, _NIGHT_METRICS, spans, key, statistics),
    )


def _grouped(
    days: pl.LazyFrame,
    metrics: Sequence[str],
    spans: pl.LazyFrame,
    key: Sequence[str],
    statistics: Mapping[str, Statistic],
) -> pl.LazyFrame:
    """Rows of a window lie together after the join, so that they are grouped by borders and not by hashes."""
    return (
        spans.with_row_index(_SPAN)
        .join(days.select("participant_id", "date", *metrics), on="participant_id", maintain_order="left")
        .filter(pl.col("date").is_between("window_start", "window_end"))
        .set_sorted(_SPAN)
        .group_by(_SPAN)
        .agg(
            pl.col(key).first(),
            *(
                pl.struct(of(pl.col(metric)).alias(name) for name, of in statistics.items()).alias(metric)
                for metric in metrics
            ),
        )
        .drop(_SPAN)
    )
