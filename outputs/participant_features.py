"""The table ``participant_features`` of one participant: days, draw, scores and body mass at anchors."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import polars as pl

from outputs.metrics import METRICS, WINDOW_WHOLE
from outputs.person_values import newest_results, newest_scores
from outputs.window_values import by_window, days_with_value, median_of_days
from outputs.windows import Window, last_days
from schemas.participant_features import DAILY_FEATURES, ParticipantFeatures
from schemas.table import conform, empty

RESULT_VERSION = 1

# Of 7 independent normal days it is 4 % too low on average, of 14 it is 2 % (the constant c4).
SD_NEEDS_DAYS = 14
# A height outside cannot be one in centimetres.
HEIGHTS_CM = (100, 250)

_KEY = ["participant_id", "anchor", "window"]
_STATISTICS = {"days": days_with_value, "median": median_of_days, "mean": pl.Expr.mean, "sd": pl.Expr.std}


@dataclass(frozen=True, slots=True)
class Anchors:
    """The days that windows are laid by; None where there is no such day."""

    data_through: date | None
    enrolled_on: date | None
    lab_draw: date | None


def participant_features(
    tables: Mapping[str, pl.LazyFrame],
    data_through: date | None,
    enrolled_on: date | None,
    as_of: date,
    window_days: Sequence[int],
) -> pl.LazyFrame:
    """Rows of one participant, from their core tables; none where no anchor has a day.

    Windows around enrolment and the draw may reach beyond data_through: days that have not arrived do not
    count, so that such a window has a value once enough of it has.
    """
    anchors = Anchors(data_through, enrolled_on, newest_draw(tables["lab_results"], as_of))
    first = tables["daily_summary"].select(pl.col("date").min()).collect().item()
    windows = _windows(anchors, first, window_days)
    if not windows:
        return empty(ParticipantFeatures).lazy()
    people = tables["participants"].select("participant_id")
    rows = people.join(pl.LazyFrame(windows), how="cross")
    arrived = tables["daily_summary"].filter(pl.col("date") <= pl.lit(data_through, pl.Date))
    at_anchor = pl.LazyFrame(
        [
            {"anchor_date": day, **_at(tables, day)}
            for day in sorted({window["anchor_date"] for window in windows})
        ],
        infer_schema_length=None,
    )
    return (
        rows.join(_worn(arrived, rows), on=_KEY, how="left")
        .pipe(_with_days, arrived)
        .join(at_anchor, on="anchor_date", how="left")
        .with_columns(pl.col("valid_days", *(f"{name}_days" for name in DAILY_FEATURES)).fill_null(0))
        .pipe(_sufficient)
        .pipe(_with_bmi)
        .pipe(conform, ParticipantFeatures)
        .sort(_KEY)
    )


def newest_draw(labs: pl.LazyFrame, as_of: date) -> date | None:
    """Day of the newest finished laboratory result up to a day."""
    return newest_results(labs, as_of).select(pl.col("collected_date").max()).collect().item()


def _windows(anchors: Anchors, first: date | None, lengths: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {
            "anchor": anchor,
            "window": window.name,
            "anchor_date": day,
            "window_start": window.start,
            "window_end": window.end,
            "window_days": window.days,
            "sufficient_days": window.sufficient_days,
        }
        for anchor, day in (
            ("data_through", anchors.data_through),
            ("enrolled_on", anchors.enrolled_on),
            ("lab_draw", anchors.lab_draw),
        )
        if day is not None
        for window in _windows_at(anchor, day, first, sorted(set(lengths)))
    ]


def _windows_at(anchor: str, day: date, first: date | None, lengths: list[int]) -> Iterator[Window]:
    yield from (last_days(length, day) for length in lengths)
    if anchor == "enrolled_on":
        yield from (Window(f"first_{n}_days", day, day + timedelta(n - 1)) for n in lengths)
    if anchor == "data_through":
        yield Window(WINDOW_WHOLE, min(first or day, day), day)


def _worn(daily: pl.LazyFrame, windows: pl.LazyFrame) -> pl.LazyFrame:
    """valid_days, and the median of the weights in the window."""
    return (
        daily.join(windows, on="participant_id")
        .filter(~pl.col("is_partial"), pl.col("date").is_between("window_start", "window_end"))
        .group_by(_KEY)
        .agg(
            valid_days=pl.col("valid_day").fill_null(False).sum().cast(pl.Int64),
            weight_of_scale=pl.col("weight_kg").median(),
        )
    )


def _with_days(rows: pl.LazyFrame, daily: pl.LazyFrame) -> pl.LazyFrame:
    """Each statistic of each daily metric as a column of its own."""
    for found in by_window(daily, rows, _KEY, _STATISTICS):
        rows = rows.join(found, on=_KEY, how="left")
    return rows.with_columns(
        pl.col(name).struct.field(statistic).alias(f"{name}_{statistic}")
        for name in DAILY_FEATURES
        for statistic in _STATISTICS
    )


def _sufficient(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Statistics only where enough days stand behind them."""
    enough = {name: pl.col(f"{name}_days") >= pl.col("sufficient_days") for name in DAILY_FEATURES}
    spread = {name: pl.col(f"{name}_days") >= SD_NEEDS_DAYS for name in DAILY_FEATURES}
    return rows.with_columns(
        *(pl.when(enough[name]).then(f"{name}_{kind}").alias(f"{name}_{kind}")
          for name in DAILY_FEATURES for kind in ("median", "mean")),
        *(pl.when(enough[name] & spread[name]).then(f"{name}_sd").alias(f"{name}_sd")
          for name in DAILY_FEATURES),
    )  # fmt: skip


def _at(tables: Mapping[str, pl.LazyFrame], day: date) -> dict[str, Any]:
    """Draw, scores, height and weight as they were known on a day."""
    answers = tables["survey_answers"].filter(pl.col("answered_on") <= day)
    return {
        **_draw_at(tables["lab_results"], day),
        **_scores_at(tables["survey_scores"], day),
        "height_cm": _newest_answer(answers, "height_cm"),
        "weight_of_survey": _newest_answer(answers, "weight_kg"),
    }


def _draw_at(labs: pl.LazyFrame, day: date) -> dict[str, Any]:
    """The newest draw up to a day: its results in the study's units, what was only a bound, fasting."""
    drawn = newest_draw(labs, day)
    results = newest_results(labs.filter(pl.col("collected_date") == pl.lit(drawn, pl.Date)), day).collect()
    known = [
        row
        for row in results.iter_rows(named=True)
        if row["analyte_key"] in METRICS and row["canonical_unit"] == METRICS[row["analyte_key"]].unit
    ]
    values = {metric.metric: None for metric in METRICS.values() if metric.measured == "draw"} | {
        row["analyte_key"]: row["value_canonical"] for row in known if row["comparator"] is None
    }
    bounds = {
        row["analyte_key"]: f"{row['comparator']}{row['bound_canonical']:g}"
        for row in known
        if row["comparator"] is not None
    }
    fasting = {row["fasting"] for row in known} - {None, "unknown"}
    return {
        **values,
        "draw_date": drawn,
        "fasting": fasting.pop() if len(fasting) == 1 else "unknown" if known else None,
        "bounds_json": json.dumps(bounds, sort_keys=True) if bounds else None,
    }


def _scores_at(scores: pl.LazyFrame, day: date) -> dict[str, float | None]:
    """Newest scores of a known day up to a day."""
    dated = scores.filter(pl.col("answered_on").is_not_null())
    newest = newest_scores(dated, day).select("instrument", "score").collect()
    return {f"{instrument}_score": score for instrument, score in newest.iter_rows()}


def _newest_answer(answers: pl.LazyFrame, item: str) -> float | None:
    """The newest number answered to an item whose name says its unit."""
    found = (
        answers.filter(pl.col("item") == item, pl.col("value_num").is_not_null())
        .sort("answered_on", "instrument", "event", "instance")
        .select(pl.col("value_num").last())
        .collect()
    )
    return found.item() if found.height else None


def _with_bmi(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Weight of the scale goes before that of a survey; no height, no index."""
    scale, survey = pl.col("weight_of_scale"), pl.col("weight_of_survey").cast(pl.Float64)
    height = pl.col("height_cm").cast(pl.Float64)
    metres = pl.when(height.is_between(*HEIGHTS_CM)).then(height / 100)
    bmi = pl.coalesce(scale, survey) / metres**2
    return rows.with_columns(
        bmi=bmi,
        bmi_weight_from=pl.when(bmi.is_not_null()).then(
            pl.when(scale.is_not_null()).then(pl.lit("scale")).otherwise(pl.lit("survey"))
        ),
    )
