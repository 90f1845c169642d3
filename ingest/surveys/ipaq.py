"""IPAQ, short form of seven days: energy of a week from days and minutes, by the protocol of November 2005.

Its field names say the unit, since studies ask for hours as well: other names are not scored.
"""

import polars as pl

NAME = "ipaq"
MET = {"vigorous": 8.0, "moderate": 4.0, "walking": 3.3}
ITEMS = tuple(f"ipaq_{kind}_{what}" for kind in MET for what in ("days", "minutes"))
RULE = (
    "MET-minutes a week, vigorous 8.0, moderate 4.0, walking 3.3; under 10 minutes a day are none, over 180 "
    "count as 180; no score where days or minutes of a kind are missing or minutes add up to over 960 a day; "
    "IPAQ scoring protocol, November 2005"
)
SHORTEST_BOUT, LONGEST_DAY, LONGEST_SUM = 10, 180, 960
_KEY = ("participant_id", "event", "instance")


def score_ipaq(answers: pl.LazyFrame) -> pl.LazyFrame:
    """Columns of survey_scores: a row where at least one item is answered; score in MET-minutes a week.

    ``answers`` has the columns of survey_answers. Minutes of a kind with 0 days are not asked: none missing.
    """
    told = (
        answers.filter(pl.col("item").is_in(ITEMS))
        .group_by(_KEY)
        .agg(
            *(pl.col("value_num").filter(pl.col("item") == item).first().alias(item) for item in ITEMS),
            answered_on=pl.col("answered_on").max(),
        )
        .filter(pl.any_horizontal(pl.col(item).is_not_null() for item in ITEMS))
        .with_columns(*(_within(kind) for kind in MET))
    )
    missing = pl.sum_horizontal(_missing(kind) for kind in MET)
    believed = pl.sum_horizontal(_minutes(kind).fill_null(0) for kind in MET) <= LONGEST_SUM
    return (
        told.with_columns(items_missing=missing, believed=believed)
        .with_columns(*(column for kind in MET for column in _counted(kind)))
        .with_columns(energy=pl.sum_horizontal(MET[k] * _days(k) * _minutes(k) for k in MET).round(6))
        .with_columns(known=pl.col("believed") & (pl.col("items_missing") == 0))
        .select(
            *_KEY,
            "items_missing",
            "answered_on",
            instrument=pl.lit(NAME),
            score=pl.when("known").then("energy"),
            category=pl.when("known").then(_level()),
            rule=pl.lit(RULE),
        )
    )


def _days(kind: str) -> pl.Expr:
    return pl.col(f"ipaq_{kind}_days")


def _minutes(kind: str) -> pl.Expr:
    return pl.col(f"ipaq_{kind}_minutes")


def _within(kind: str) -> pl.Expr:
    """Days of a week only; others are no answer."""
    return pl.when(_days(kind).is_between(0, 7)).then(_days(kind)).alias(f"ipaq_{kind}_days")


def _missing(kind: str) -> pl.Expr:
    no_days, no_minutes = _days(kind).is_null(), _minutes(kind).is_null()
    return no_days.cast(pl.Int64) + (no_minutes & (no_days | (_days(kind) > 0))).cast(pl.Int64)


def _counted(kind: str) -> tuple[pl.Expr, pl.Expr]:
    """Days and minutes that count: none of bouts that are too short, no more than the longest day."""
    bout = (_minutes(kind) >= SHORTEST_BOUT).fill_null(False)
    return (
        pl.when(bout).then(_days(kind)).otherwise(0).alias(f"ipaq_{kind}_days"),
        pl.when(bout)
        .then(_minutes(kind).clip(upper_bound=LONGEST_DAY))
        .otherwise(0)
        .alias(f"ipaq_{kind}_minutes"),
    )


def _level() -> pl.Expr:
    """high, moderate or low by the protocol's criteria."""
    energy, days = pl.col("energy"), pl.sum_horizontal(_days(kind) for kind in MET)
    vigorous = _days("vigorous") >= 3
    half_hours = pl.sum_horizontal(
        pl.when(_minutes(kind) >= 30).then(_days(kind)).otherwise(0) for kind in ("moderate", "walking")
    )
    high = (vigorous & (energy >= 1500)) | ((days >= 7) & (energy >= 3000))
    enough = (vigorous & (_minutes("vigorous") >= 20)) | (half_hours >= 5) | ((days >= 5) & (energy >= 600))
    return pl.when(high).then(pl.lit("high")).when(enough).then(pl.lit("moderate")).otherwise(pl.lit("low"))
