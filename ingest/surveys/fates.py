"""What becomes of every answer cell: staged, merged, rejected, or ignored by a named rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ingest.surveys.answers import match_records, read_answers
from ingest.surveys.dictionary import Dictionary
from ingest.surveys.export import Sheet, answer_cells, system_columns
from ingest.surveys.shown import not_evaluated
from schemas.survey_answers import SurveyAnswers
from schemas.table import polars_schema

KEY = ("participant_id", "instrument", "event", "instance", "item")
NO_ANSWER = ("not_answered", "not_asked", "hidden")
_CELL = dict.fromkeys(("column", "fate", "kind", "record", "said_at"), pl.String) | {"row": pl.UInt32}


@dataclass(frozen=True, slots=True)
class Export:
    """A data file with its dictionary and its cells: the columns of survey_answers, place and fate.

    logic_not_evaluated: its fields whose branching logic says nothing here.
    """

    file_id: str
    dictionary: Dictionary
    cells: pl.DataFrame
    logic_not_evaluated: int = 0


def judge(
    sheet: Sheet, dictionary: Dictionary, file_id: str, people: Mapping[str, str], free_text: bool
) -> Export:
    """Every cell of an export with its answer and its fate; ``people`` maps lower-case record ids."""
    cells = (
        answer_cells(sheet, dictionary)
        .pipe(read_answers, dictionary, free_text)
        .pipe(match_records, people)
        .with_columns(file_id=pl.lit(file_id), fate=_fate(sheet, dictionary))
        .filter(pl.col("fate") != "system")
        .collect()
    )
    return Export(file_id, dictionary, cells, not_evaluated(dictionary, sheet.header))


def is_torn(sheet: Sheet, dictionary: Dictionary) -> bool:
    """True where a checkbox has columns of some of its choices only."""
    have = set(sheet.header)
    checkboxes = [c for c in dictionary.columns() if c.field.kind == "checkbox"]
    present = {c.field.name for c in checkboxes if c.name in have}
    return any(c.field.name in present and c.name not in have for c in checkboxes)


def _fate(sheet: Sheet, dictionary: Dictionary) -> pl.Expr:
    """staged, rejected, or the named rule that ignores a cell."""
    column, kind = pl.col("column"), pl.col("kind")
    elsewhere = ~pl.col("in_row").fill_null(False)
    empty = (pl.col("raw") == "") | ((kind == "checkbox") & (pl.col("raw") == "0"))
    return (
        pl.when(column.is_in(list(system_columns(dictionary))) | (kind == "record_id"))
        .then(pl.lit("system"))
        .when(pl.col("row").is_in(sorted(sheet.previews)))
        .then(pl.lit("preview"))
        .when(kind.is_null())
        .then(pl.lit("not_in_dictionary"))
        .when(pl.col("participant_id").is_null())
        .then(pl.lit("unknown_record"))
        .when(kind == "identifier")
        .then(pl.lit("identifier"))
        .when(kind == "file")
        .then(pl.lit("file_field"))
        .when(elsewhere & empty)
        .then(pl.lit("form_not_in_row"))
        .when(elsewhere | ~pl.col("fits"))
        .then(pl.lit("rejected"))
        .otherwise(pl.lit("staged"))
    )


def settle(exports: Sequence[Export]) -> pl.DataFrame:
    """One answer per key: the latest wins, then one with a value; other values of one moment conflict.

    Answers of one day of which any lacks the time of day are of one moment: nobody knows which is later.
    """
    if not exports:
        return pl.DataFrame(schema={**polars_schema(SurveyAnswers), **_CELL, "conflict": pl.Boolean})
    wanted = [*polars_schema(SurveyAnswers), *_CELL]
    cells = pl.concat([export.cells.select(wanted) for export in exports])
    staged, others = cells.filter(pl.col("fate") == "staged"), cells.filter(pl.col("fate") != "staged")
    last_day = pl.col("answered_on").eq_missing(pl.col("answered_on").max().over(KEY))
    untimed = (last_day & pl.col("said_at").is_null()).any().over(KEY)
    staged = staged.with_columns(moment=pl.when(~(last_day & untimed)).then("said_at"))
    has_value = ~pl.col("missing_reason").is_in(NO_ANSWER)
    ranked = staged.sort(
        *KEY,
        "answered_on",
        "moment",
        has_value.fill_null(True),
        "file_id",
        "row",
        descending=[*[False] * len(KEY), True, True, True, False, False],
        nulls_last=True,
    ).with_columns(first=pl.int_range(pl.len()).over(KEY) == 0)
    top = pl.all_horizontal(
        pl.col(name).eq_missing(pl.col(name).first().over(KEY)) for name in ("answered_on", "moment")
    )
    said = pl.coalesce("value", "missing_reason")
    conflict = (said.filter(top & has_value.fill_null(True)).n_unique().over(KEY)) > 1
    settled = ranked.with_columns(
        fate=pl.when(conflict & top)
        .then(pl.lit("rejected"))
        .when("first")
        .then(pl.lit("staged"))
        .otherwise(pl.lit("merged")),
        conflict=conflict & top,
    ).drop("first", "moment")
    return pl.concat([settled, others.with_columns(conflict=pl.lit(False))])
