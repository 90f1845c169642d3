"""Berlin questionnaire on the risk of sleep apnoea: how many of its three categories are positive.

Netzer et al., Ann Intern Med 1999;131:485-91. Fields ``berlin_1`` .. ``berlin_10``; codes follow the order of
the published answers, from 1. Item 9, how often somebody nods off at the wheel, is not scored by the rule.
"""

from collections.abc import Mapping

import polars as pl

NAME = "berlin"
ITEMS = tuple(f"berlin_{n}" for n in range(1, 11))
RULE = (
    "positive categories of three (snoring and pauses 2 points or more, sleepiness 2 or more, blood pressure "
    "or body mass index above 30); 2 or more are a high risk; no score with a missing item, nor without the "
    "visit's height and weight unless blood pressure is high; Netzer et al., Ann Intern Med 1999;131:485-91"
)
OBESE = 30.0
POSSIBLE_INDEX = (12.0, 70.0)
_YES, _OFTEN, _LOUD = (1,), (1, 2), (3, 4)
# How many answers the items have; "don't know" may stand after yes and no.
_ANSWERS: Mapping[int, tuple[int, ...]] = {
    **dict.fromkeys((1, 4, 8, 10), (2, 3)),
    2: (4,),
    **dict.fromkeys((3, 5, 6, 7), (5,)),
}  # fmt: skip
_IF_SNORING = (2, 3, 4)
_ALWAYS = (1, 5, 6, 7, 8, 10)
_KEY = ["participant_id", "event", "instance"]


def is_coded(codes: Mapping[str, frozenset[str]]) -> bool:
    """True where every scored item is there with as many answers as were published, coded from 1 on."""
    return all(
        codes.get(f"berlin_{n}") in [frozenset(map(str, range(1, most + 1))) for most in counts]
        for n, counts in _ANSWERS.items()
    )


def score_berlin(answers: pl.LazyFrame) -> pl.LazyFrame:
    """Columns of survey_scores: a row where at least one item is answered; score 0 to 3.

    ``answers`` has the columns of survey_answers. Items 2 to 4 are asked of who snores only.
    """
    told = (
        answers.filter(pl.col("item").is_in(ITEMS))
        .group_by(_KEY)
        .agg(
            *(pl.col("value_num").filter(pl.col("item") == item).first().alias(item) for item in ITEMS),
            not_asked=pl.col("item").filter(pl.col("missing_reason") == "not_asked"),
            answered_on=pl.col("answered_on").max(),
        )
        .filter(pl.any_horizontal(pl.col(item).is_not_null() for item in ITEMS))
        .join(body_mass_index(answers), on=["participant_id", "event"], how="left")
    )
    weight = pl.when(_is(10, _YES) == 1).then(pl.lit(value=True)).otherwise(pl.col("bmi") > OBESE)
    positive = [_snoring() >= 2, _sleepiness() >= 2, weight]
    known = pl.all_horizontal(_known(n) for n in (*_ALWAYS, *_IF_SNORING)) & weight.is_not_null()
    return told.with_columns(
        items_missing=pl.sum_horizontal(_is_missing(n) for n in (*_ALWAYS, *_IF_SNORING)).cast(pl.Int64),
        score=pl.when(known).then(pl.sum_horizontal(part.cast(pl.Float64) for part in positive)),
    ).select(
        *_KEY,
        "items_missing",
        "answered_on",
        "score",
        instrument=pl.lit(NAME),
        category=pl.when(pl.col("score") >= 2)
        .then(pl.lit("high_risk"))
        .when(pl.col("score").is_not_null())
        .then(pl.lit("low_risk")),
        rule=pl.lit(RULE),
    )


def body_mass_index(answers: pl.LazyFrame) -> pl.LazyFrame:
    """participant_id, event, bmi of the last ``height_cm`` and ``weight_kg`` told there; impossible: null."""
    index = pl.col("weight_kg") / (pl.col("height_cm") / 100) ** 2
    return (
        answers.filter(pl.col("item").is_in(["height_cm", "weight_kg"]))
        .sort("answered_on", "instance", nulls_last=False)
        .group_by("participant_id", "event")
        .agg(
            *(
                pl.col("value_num").filter(pl.col("item") == item).drop_nulls().last().alias(item)
                for item in ("height_cm", "weight_kg")
            ),
        )
        .select("participant_id", "event", bmi=pl.when(index.is_between(*POSSIBLE_INDEX)).then(index))
    )


def _is(number: int, codes: tuple[int, ...]) -> pl.Expr:
    return (
        pl.col(f"berlin_{number}")
        .is_in([float(code) for code in codes])
        .fill_null(value=False)
        .cast(pl.Int64)
    )


def _snoring() -> pl.Expr:
    """Items 2 to 4 count only for who snores: a survey may keep answers to them that it hides."""
    points = _is(1, _YES) + _is(2, _LOUD) + _is(3, _OFTEN) + _is(4, _YES)
    return pl.when(_is(1, _YES) == 1).then(points).otherwise(0) + 2 * _is(5, _OFTEN)


def _sleepiness() -> pl.Expr:
    return _is(6, _OFTEN) + _is(7, _OFTEN) + _is(8, _YES)


def _known(number: int) -> pl.Expr:
    answered = pl.col(f"berlin_{number}").is_not_null()
    return answered if number in _ALWAYS else answered | (_is(1, _YES) == 0)


def _is_missing(number: int) -> pl.Expr:
    return ~_known(number) & ~pl.col("not_asked").list.contains(f"berlin_{number}")
