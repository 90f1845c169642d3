"""Which questions a row's answers hide, by the branching logic of the dictionary.

An answer is looked up in the question's row; where that is of a repeating form, those of other forms in the
record's plain row of the event. Unknown stays unknown: an answer that is not in the file, and a comparison
that REDCap itself decides in several ways (a blank by size, or with 0).
"""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.surveys.dictionary import Dictionary, checkbox_column
from ingest.surveys.logic import (
    Comparison,
    Constant,
    Joined,
    Logic,
    LogicNotUnderstoodError,
    Not,
    Operator,
    Reference,
    parse_logic,
    references,
)

_NUMBER = r"^-?(\d+\.?\d*|\.\d+)$"
_UNKNOWN = pl.lit(None, pl.Boolean)
_KEYS = ("@row", "@record", "@event", "@repeats")
Answers = Mapping[Reference, pl.Expr]


def understood(dictionary: Dictionary) -> dict[str, Logic]:
    """Field -> the condition under which it is shown, where there is one that can be read."""
    found = {field.name: _understood(field.logic) for field in dictionary.fields if field.logic}
    return {name: logic for name, logic in found.items() if logic is not None}


def not_evaluated(dictionary: Dictionary, header: Sequence[str]) -> int:
    """How many fields of an export have logic that is not read, or that asks for what the export lacks."""
    logic, columns = understood(dictionary), _columns(dictionary, header)
    return sum(
        field.name not in logic or not references(logic[field.name]) <= columns.keys()
        for field in dictionary.fields
        if field.logic and _exported(field.name, dictionary, header)
    )


def hidden_fields(rows: pl.LazyFrame, header: Sequence[str], dictionary: Dictionary) -> pl.LazyFrame:
    """row, field, hidden: whether a field with logic is hidden in a row; null where nobody can tell.

    ``rows``: an export's cells by title and the KEYS of export.answer_cells.
    """
    columns = _columns(dictionary, header)
    logic = {n: each for n, each in understood(dictionary).items() if references(each) <= columns.keys()}
    asked = {ref: columns[ref] for each in logic.values() for ref in sorted(references(each), key=str)}
    placed = _with_answers(rows, asked)
    forms = {column.name: column.field.form for column in dictionary.columns()}
    answers = {ref: _answer(ref, column, forms[column]) for ref, column in asked.items()}
    hidden = placed.select("@row", **{name: ~_holds(each, answers) for name, each in logic.items()})
    return hidden.unpivot(index="@row", variable_name="field", value_name="hidden").cast(
        {"field": pl.String, "hidden": pl.Boolean}
    )


def _understood(text: str) -> Logic | None:
    try:
        return parse_logic(text)
    except LogicNotUnderstoodError:
        return None


def _columns(dictionary: Dictionary, header: Sequence[str]) -> dict[Reference, str]:
    """The column of every answer that the dictionary's logic asks for, as far as the export has it."""
    have = {column.name for column in dictionary.columns()} & set(header)
    asked = {ref for logic in understood(dictionary).values() for ref in references(logic)}
    named = {ref: checkbox_column(ref.field, ref.code) if ref.code else ref.field for ref in asked}
    return {ref: column for ref, column in named.items() if column in have}


def _exported(name: str, dictionary: Dictionary, header: Sequence[str]) -> bool:
    return any(column.field.name == name and column.name in header for column in dictionary.columns())


def _with_answers(rows: pl.LazyFrame, asked: Mapping[Reference, str]) -> pl.LazyFrame:
    """The rows with the answers asked for: of the row itself, of its plain row, and of named events."""
    columns = sorted(set(asked.values()))
    answers = rows.select(*_KEYS, *(pl.col(name).str.strip_chars().fill_null("") for name in columns))
    plain = answers.filter(pl.col("@repeats") == "")
    key = ("@record", "@event")
    placed = answers.join(_only_ones(plain, columns, "@plain", *key), on=key, how="left")
    for event in sorted({ref.event for ref in asked if ref.event is not None}):
        there = plain.filter(pl.col("@event") == event)
        placed = placed.join(_only_ones(there, columns, event, "@record"), on="@record", how="left")
    return placed


def _only_ones(rows: pl.LazyFrame, columns: Sequence[str], place: str, *key: str) -> pl.LazyFrame:
    """Each answer where all rows of a key agree on it, else null; ``there`` tells that the key has rows."""
    one = {
        f"{place}:{name}": pl.when(pl.col(name).n_unique() == 1).then(pl.col(name).first())
        for name in columns
    }
    return rows.group_by(key).agg(pl.lit(value=True).alias(f"{place} there"), **one)


def _answer(ref: Reference, column: str, form: str) -> pl.Expr:
    """The cell that a reference means in a row; null where that is not known."""
    several = (pl.col("@repeats") == form).any()
    if ref.event is not None:
        known = (pl.col("@event") == ref.event).any() & ~several
        there = pl.col(f"{ref.event} there").is_not_null()
        return pl.when(known).then(pl.when(there).then(f"{ref.event}:{column}").otherwise(pl.lit("")))
    return (
        pl.when((pl.col("@repeats") == form) | ((pl.col("@repeats") == "") & ~several))
        .then(column)
        .when(~several)
        .then(f"@plain:{column}")
    )


def _holds(logic: Logic, answers: Answers) -> pl.Expr:
    """Whether a condition holds; what is unknown spreads as in Kleene's logic."""
    match logic:
        case Comparison():
            return _compared(logic, *(_operand(side, answers) for side in (logic.left, logic.right)))
        case Not(part=part):
            return ~_holds(part, answers)
        case Joined(word="and", parts=parts):
            return pl.all_horizontal(_holds(part, answers) for part in parts)
        case Joined(parts=parts):
            return pl.any_horizontal(_holds(part, answers) for part in parts)


def _operand(side: Reference | Constant, answers: Answers) -> pl.Expr:
    return pl.lit(side.text) if isinstance(side, Constant) else answers[side]


def _compared(comparison: Comparison, left: pl.Expr, right: pl.Expr) -> pl.Expr:
    """Two numbers by size, else by their characters; a blank and a 0 are neither equal nor different."""
    numbers = _number(left), _number(right)
    both = numbers[0].is_not_null() & numbers[1].is_not_null()
    by_size = _by_size(comparison.operator, *numbers)
    if comparison.operator not in ("=", "<>"):
        return pl.when(both).then(by_size).otherwise(_UNKNOWN)
    nothing = ((left == "") & (numbers[1] == 0)) | ((right == "") & (numbers[0] == 0))
    alike = (left == right) if comparison.operator == "=" else (left != right)
    return pl.when(both).then(by_size).when(~nothing.fill_null(value=False)).then(alike)


def _by_size(operator: Operator, left: pl.Expr, right: pl.Expr) -> pl.Expr:
    return {
        "=": left == right,
        "<>": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


def _number(side: pl.Expr) -> pl.Expr:
    return pl.when(side.str.contains(_NUMBER)).then(side.cast(pl.Float64, strict=False))
