"""Scores of recognised instruments from their answers."""

import polars as pl

from ingest.surveys import berlin, ipaq
from ingest.surveys.dictionary import Dictionary
from ingest.surveys.instruments import INSTRUMENTS, Instrument

POSITIVE_FEMALE = 3


def scored_instruments(dictionary: Dictionary) -> tuple[list[Instrument], list[Instrument]]:
    """Instruments with all their items in the dictionary: (coded from 0 to the maximum, coded otherwise)."""
    coded: list[Instrument] = []
    otherwise: list[Instrument] = []
    columns = {c.item: c.field for c in dictionary.columns()}
    for instrument in INSTRUMENTS.values():
        fields = [columns.get(f"{instrument.name}_{n}") for n in range(1, instrument.items + 1)]
        if any(field is None for field in fields):
            continue
        expected = {str(n) for n in range(instrument.highest + 1)}
        right = all(
            field is not None and expected == {code for code, _ in field.choices} - _NO_ANSWER
            for field in fields
        )
        (coded if right else otherwise).append(instrument)
    return coded, otherwise


def has_ipaq(dictionary: Dictionary) -> bool:
    """True where the dictionary has all items of IPAQ as numbers."""
    return {c.item for c in dictionary.columns() if c.field.kind == "number"} >= set(ipaq.ITEMS)


def has_berlin(dictionary: Dictionary) -> bool:
    """True where the dictionary has all scored items of the Berlin questionnaire, coded as published."""
    choices = {c.item: c.field.choices for c in dictionary.columns()}
    return berlin.is_coded(
        {item: frozenset(code for code, _ in choices.get(item, ())) - _NO_ANSWER for item in berlin.ITEMS}
    )


_NO_ANSWER = frozenset({"-97", "-98", "-99", "-997", "-998", "-999"})


def score(answers: pl.LazyFrame, instrument: Instrument, sexes: pl.LazyFrame) -> pl.LazyFrame:
    """Table survey_scores of one instrument: a row where at least one item is answered.

    ``answers`` has the columns of survey_answers; ``sexes`` participant_id and sex. Missing items up to the
    instrument's limit take the mean of the others; beyond it the score is null. Items that branching logic
    did not ask are not missing: they count 0 where the instrument itself skips them, else there is no score.
    """
    items = [f"{instrument.name}_{n}" for n in range(1, instrument.items + 1)]
    reversed_items = [f"{instrument.name}_{n}" for n in instrument.reversed]
    told = pl.when(pl.col("value_num").is_between(0, instrument.highest)).then("value_num")
    number = pl.when(pl.col("item").is_in(reversed_items)).then(instrument.highest - told).otherwise(told)
    return (
        answers.filter(pl.col("item").is_in(items))
        .group_by("participant_id", "event", "instance")
        .agg(
            answered=number.count().cast(pl.Int64),
            not_asked=(pl.col("missing_reason") == "not_asked").sum().cast(pl.Int64),
            first=number.filter(pl.col("item") == items[0]).first(),
            total=number.sum(),
            mean=number.mean(),
            answered_on=pl.col("answered_on").max(),
        )
        .filter(pl.col("answered") > 0)
        .with_columns(items_missing=instrument.items - pl.col("answered") - pl.col("not_asked"))
        .with_columns(score=_total(instrument) * instrument.factor)
        .join(sexes, on="participant_id", how="left")
        .with_columns(
            instrument=pl.lit(instrument.name),
            category=_category(instrument),
            rule=pl.lit(instrument.rule),
        )
    )


def _total(instrument: Instrument) -> pl.Expr:
    """The sum of the items, the mean in the place of the few that may be missing; null by the rules.

    Half up: the published cut-offs are for whole scores.
    """
    replaced = (pl.col("mean") * instrument.items + 0.5).round(9).floor()
    complete = pl.col("items_missing") == 0
    skipped = complete & (pl.col("first") == pl.lit(instrument.skipped_after, pl.Float64))
    asked = pl.col("not_asked") == 0
    return (
        pl.when(asked & (pl.col("items_missing") <= instrument.may_miss))
        .then(replaced)
        .when(~asked & skipped)
        .then("total")
    )


def _category(instrument: Instrument) -> pl.Expr:
    found = pl.lit(None, dtype=pl.String)
    for lowest, category in instrument.cut_offs:
        found = pl.when(pl.col("score") >= lowest).then(pl.lit(category)).otherwise(found)
    return found if instrument.name != "auditc" else _by_sex(found)


def _by_sex(male: pl.Expr) -> pl.Expr:
    """AUDIT-C: 3 is positive in women and negative in men; without a sex it has no category."""
    three = pl.col("score") == POSITIVE_FEMALE
    return (
        pl.when(three & (pl.col("sex") == "female"))
        .then(pl.lit("positive"))
        .when(three & (pl.col("sex") != "male"))
        .then(None)
        .otherwise(male)
    )
