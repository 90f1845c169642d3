"""One value per participant, metric and window: what percentiles, ranks and the dossier are made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from outputs.metrics import DAILY_METRICS, METRICS, WINDOW_NEWEST, WINDOW_WHOLE
from outputs.window_values import DAY_METRICS, medians
from outputs.windows import Window, data_is_old, last_days, window_name
from schemas.person_values import PersonValues
from schemas.table import conform

RESULT_VERSION = 3

UNFINISHED_REPORTS = ("preliminary", "cancelled")


@dataclass(frozen=True, slots=True)
class Person:
    """Whose values they are, and the days they are looked at.

    data_through: last day whose data are complete, None where no wearable data arrived.
    """

    participant_id: str
    sex: str
    age_group: str | None
    data_through: date | None
    as_of: date


def person_values(
    daily: pl.LazyFrame, labs: pl.LazyFrame, scores: pl.LazyFrame, person: Person, window_days: Sequence[int]
) -> pl.LazyFrame:
    """The table ``person_values`` of one participant.

    daily, labs, scores: rows of ``daily_summary``, ``lab_results`` and ``survey_scores`` of this participant.
    Every daily metric has a row for each window ("last N days" and whole), with a value or the reason why
    there is none; analytes and scores have a row where there is a result. Windows end with data_through.
    """
    parts = [
        daily_values(daily, person, window_days),
        lab_values(labs, person.as_of),
        score_values(scores, person.as_of),
    ]
    return (
        pl.concat(parts, how="diagonal_relaxed")
        .with_columns(
            participant_id=pl.lit(person.participant_id),
            sex=pl.lit(person.sex),
            age_group=pl.lit(person.age_group, pl.String),
        )
        .pipe(conform, PersonValues)
    )


def daily_values(daily: pl.LazyFrame, person: Person, window_days: Sequence[int]) -> pl.LazyFrame:
    """Median of valid days (nights with a value) of each daily metric and window; partial days left out."""
    if person.data_through is None:
        return _no_wearable(window_days)
    first = daily.select(pl.col("date").min()).collect().item() or person.data_through
    recent = [last_days(length, person.data_through) for length in sorted(set(window_days))]
    windows = [*recent, Window(WINDOW_WHOLE, min(first, person.data_through), person.data_through)]
    found = medians(daily, window_rows(windows, person.participant_id))
    old = pl.lit(data_is_old(person.data_through, person.as_of)) & (pl.col("window") != WINDOW_WHOLE)
    return (
        window_rows(windows, person.participant_id)
        .join(_metric_units(), how="cross")
        .join(found, on=["participant_id", "window", "metric"], how="left")
        .with_columns(pl.col("days").fill_null(0))
        .pipe(_with_value_or_reason, old)
        .drop("participant_id", "median", "sufficient_days")
    )


def window_rows(windows: Sequence[Window], participant_id: str) -> pl.LazyFrame:
    """Windows of a participant as rows: window, window_start, window_end, sufficient_days."""
    return pl.LazyFrame(
        {
            "participant_id": [participant_id] * len(windows),
            "window": [window.name for window in windows],
            "window_start": [window.start for window in windows],
            "window_end": [window.end for window in windows],
            "sufficient_days": [window.sufficient_days for window in windows],
        }
    )


def _with_value_or_reason(found: pl.LazyFrame, old: pl.Expr) -> pl.LazyFrame:
    enough = pl.col("days") >= pl.col("sufficient_days")
    return found.with_columns(
        value=pl.when(enough & ~old).then("median"),
        no_value_reason=pl.when(old)
        .then(pl.lit("data_old"))
        .when(pl.col("days") == 0)
        .then(pl.lit("no_value"))
        .when(~enough)
        .then(pl.lit("insufficient_days")),
    )


def countable_values(daily: pl.LazyFrame) -> pl.LazyFrame:
    """Long form (date, metric, value) of what may count: day metrics on valid days, night metrics always.

    Days that are not whole and days not arrived hold nothing that counts.
    """
    return (
        daily.filter(~pl.col("is_partial"))
        .select("date", "valid_day", *(pl.col(m.metric).cast(pl.Float64) for m in DAILY_METRICS))
        .unpivot(index=["date", "valid_day"], variable_name="metric", value_name="value")
        .filter(pl.col("value").is_not_null())
        .filter(~pl.col("metric").is_in(DAY_METRICS) | pl.col("valid_day").fill_null(False))
        .select("date", "metric", "value")
    )


def _metric_units() -> pl.LazyFrame:
    return pl.LazyFrame(
        {"metric": [m.metric for m in DAILY_METRICS], "unit": [m.unit for m in DAILY_METRICS]}
    )


def _no_wearable(window_days: Sequence[int]) -> pl.LazyFrame:
    names = [window_name(length) for length in sorted(set(window_days))]
    windows = pl.LazyFrame({"window": [*names, WINDOW_WHOLE]})
    return _metric_units().join(windows, how="cross").with_columns(no_value_reason=pl.lit("no_value"))


def finished_results(labs: pl.LazyFrame, as_of: date) -> pl.LazyFrame:
    """Finished results drawn on or before as_of, rows of ``lab_results``: by analyte, the newest first.

    A row counts when it has a number or a bound. Of several on one day the later time comes first, then a
    printed one before one we computed, then the place in the reports, so that the order of files means
    nothing.
    """
    return labs.filter(
        pl.col("analyte_key").is_not_null(),
        pl.col("collected_date") <= as_of,
        ~pl.col("report_status").fill_null("unknown").is_in(UNFINISHED_REPORTS),
        pl.when(pl.col("comparator").is_null()).then("value_num").otherwise("bound_num").is_not_null(),
    ).sort(
        "analyte_key",
        "collected_date",
        "collected_at",
        "derived",
        "file_id",
        "row_no",
        descending=[False, True, True, False, False, False],
        nulls_last=True,
    )


def newest_results(labs: pl.LazyFrame, as_of: date) -> pl.LazyFrame:
    """The first of ``finished_results`` of each analyte."""
    return finished_results(labs, as_of).unique("analyte_key", keep="first", maintain_order=True)


def lab_values(labs: pl.LazyFrame, as_of: date) -> pl.LazyFrame:
    """Newest result of each declared analyte in its canonical unit; a bound has reason ``censored``."""
    declared = pl.LazyFrame(
        [(m.metric, m.unit) for m in METRICS.values() if m.measured == "draw"],
        schema=["analyte_key", "unit"],
        orient="row",
    )
    return (
        newest_results(labs, as_of)
        .join(declared, on="analyte_key")
        .filter(pl.col("canonical_unit") == pl.col("unit"))
        .select(
            "unit",
            "comparator",
            metric="analyte_key",
            window=pl.lit(WINDOW_NEWEST),
            window_end="collected_date",
            value=pl.when(pl.col("comparator").is_null()).then("value_canonical"),
            bound=pl.when(pl.col("comparator").is_not_null()).then("bound_canonical"),
            no_value_reason=pl.when(pl.col("comparator").is_not_null())
            .then(pl.lit("censored"))
            .when(pl.col("value_canonical").is_null())
            .then(pl.lit("no_value")),
        )
    )


def newest_scores(scores: pl.LazyFrame, as_of: date) -> pl.LazyFrame:
    """Newest row of ``survey_scores`` per instrument; a score without a day stands last."""
    return (
        scores.filter(pl.col("answered_on").is_null() | (pl.col("answered_on") <= as_of))
        .sort(
            "instrument",
            "answered_on",
            "event",
            "instance",
            descending=[False, True, True, True],
            nulls_last=True,
        )
        .unique("instrument", keep="first", maintain_order=True)
    )


def score_values(scores: pl.LazyFrame, as_of: date) -> pl.LazyFrame:
    """Newest score of each declared instrument."""
    declared = pl.LazyFrame(
        [(m.metric, m.unit) for m in METRICS.values() if m.measured == "survey"],
        schema=["metric", "unit"],
        orient="row",
    )
    return (
        newest_scores(scores, as_of)
        .with_columns(metric=pl.col("instrument") + "_score")
        .join(declared, on="metric")
        .select(
            "metric",
            "unit",
            window=pl.lit(WINDOW_NEWEST),
            window_end="answered_on",
            value="score",
            no_value_reason=pl.when(pl.col("score").is_null()).then(pl.lit("no_value")),
        )
    )
