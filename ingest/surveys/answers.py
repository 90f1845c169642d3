"""Answer cells against the dictionary: value, number, label, or the reason why there is none."""

from collections.abc import Mapping

import polars as pl

from ingest.surveys.cells import NO_FIT
from ingest.surveys.dictionary import Dictionary

# Codes REDCap proposes for missing data, and the negative ones studies use instead.
MISSING_WORDS = ("NI", "INV", "UNK", "NASK", "ASKU", "NAV", "MSK", "NA", "NAVU", "NP", "QS", "QI", "TI")
MISSING_NUMBERS = ("-97", "-98", "-99", "-997", "-998", "-999")
MISSING_CODES = (*MISSING_WORDS, *MISSING_NUMBERS)
_DAY = r"^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?$"
_TIME = r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"


def column_frame(dictionary: Dictionary) -> pl.LazyFrame:
    """One row per column of the export: column, instrument, item, the field's validation and limits, and
    whether no page shows it (``never_shown``).
    """
    texts = ("column", "instrument", "item", "validation", "low", "high")
    return pl.LazyFrame(
        [
            (c.name, c.instrument, c.item, c.field.validation, c.field.low, c.field.high, c.field.hidden)
            for c in dictionary.columns()
        ],
        schema=dict.fromkeys(texts, pl.String) | {"never_shown": pl.Boolean},
        orient="row",
    )


def choice_frame(dictionary: Dictionary) -> pl.LazyFrame:
    """One row per choice of a single-choice field: field, raw code, label."""
    return pl.LazyFrame(
        [(f.name, code, label) for f in dictionary.fields if f.kind == "choice" for code, label in f.choices],
        schema={"field": pl.String, "raw": pl.String, "label": pl.String},
        orient="row",
    )


def read_answers(cells: pl.LazyFrame, dictionary: Dictionary, free_text: bool) -> pl.LazyFrame:
    """Cells with instrument, item, value, value_num, label, missing_reason, hidden_by_logic and ``fits``
    (false: rejected).

    A choice must be in the dictionary, a number a number within the declared limits, a date Y-M-D; a code for
    missing data may stand anywhere unless it is a declared choice or within declared limits.
    """
    joined = (
        cells.join(column_frame(dictionary), on="column", how="left")
        .join(choice_frame(dictionary), on=["field", "raw"], how="left")
        .with_columns(number=_number())
        .with_columns(valid=_is_valid(), not_asked=_not_asked())
        .with_columns(blank=(pl.col("raw") == "") | ~pl.col("opened") | pl.col("not_asked"))
    )
    coded = ~pl.col("blank") & ~pl.col("valid") & pl.col("raw").is_in(MISSING_CODES)
    withheld = pl.col("kind").is_in(["free_text"]) & (not free_text)
    has_value = ~pl.col("blank") & pl.col("valid") & ~withheld
    return joined.with_columns(
        fits=pl.col("blank") | pl.col("valid") | coded,
        value=pl.when(has_value).then("raw"),
        value_num=pl.when(has_value).then("number"),
        label=pl.when(has_value).then("label"),
        hidden_by_logic=pl.when("opened").then("hidden"),
        missing_reason=pl.when(pl.col("not_asked"))
        .then(pl.lit("not_asked"))
        .when(pl.col("blank") & pl.col("opened") & pl.col("never_shown"))
        .then(pl.lit("hidden"))
        .when(pl.col("blank"))
        .then(pl.lit("not_answered"))
        .when(coded)
        .then(pl.concat_str(pl.lit("coded:"), pl.col("raw")))
        .when(withheld)
        .then(pl.lit("free_text")),
    )


def _not_asked() -> pl.Expr:
    """Blank, or boxes of which none is ticked, in a form that was opened, and hidden by branching logic."""
    box = pl.col("kind") == "checkbox"
    ticked = (box & (pl.col("raw") == "1")).any().over("row", "field")
    empty = (pl.col("raw") == "") | (box & (pl.col("raw") == "0") & ~ticked)
    return (pl.col("opened") & pl.col("hidden") & empty).fill_null(value=False)


def match_records(cells: pl.LazyFrame, ids: Mapping[str, str]) -> pl.LazyFrame:
    """Adds participant_id, null for an unknown record; ``ids`` maps lower-case record ids."""
    known = pl.LazyFrame(
        {"key": list(ids), "participant_id": list(ids.values())},
        schema={"key": pl.String, "participant_id": pl.String},
    )
    return (
        cells.with_columns(key=pl.col("record").str.to_lowercase())
        .join(known, on="key", how="left")
        .drop("key")
    )


def _number() -> pl.Expr:
    """The cell as a number where its kind has numbers; decimal commas only where the dictionary says so."""
    comma = pl.col("validation").str.contains("comma_decimal")
    plain = pl.when(comma).then(pl.col("raw").str.replace(",", ".", literal=True)).otherwise("raw")
    numeric = plain.str.contains(r"^[+-]?(\d+\.?\d*|\.\d+)$") & pl.col("kind").is_in(
        ["number", "choice", "checkbox"]
    )
    return pl.when(numeric).then(plain.cast(pl.Float64, strict=False))


def _is_valid() -> pl.Expr:
    """Whether a filled cell fits its field."""
    kind, raw, number = pl.col("kind"), pl.col("raw"), pl.col("number")
    whole = ~pl.col("validation").str.starts_with("integer") | (number == number.round())
    return (
        pl.when(kind == "choice")
        .then(pl.col("label").is_not_null())
        .when(kind == "checkbox")
        .then(raw.is_in(["0", "1"]))
        .when(kind == "number")
        .then(number.is_not_null() & whole & _within_limits())
        .when(kind == "date")
        .then(raw.str.contains(_DAY) & raw.str.head(10).str.to_date("%Y-%m-%d", strict=False).is_not_null())
        .when(kind == "time")
        .then(raw.str.contains(_TIME))
        .otherwise(~raw.is_in([*MISSING_WORDS, NO_FIT]))
        .fill_null(False)
    )


def _within_limits() -> pl.Expr:
    """Within the declared limits; undeclared ones never exclude, but a negative missing code is none."""
    low, high = _limit("low"), _limit("high")
    inside = (low.is_null() | (pl.col("number") >= low)) & (high.is_null() | (pl.col("number") <= high))
    undeclared = low.is_null() & pl.col("raw").is_in(MISSING_NUMBERS)
    return inside & ~undeclared


def _limit(name: str) -> pl.Expr:
    return pl.col(name).str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
