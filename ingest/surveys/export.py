"""A raw REDCap export as one row per answer cell, split by form before anything is called missing."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import polars as pl

from ingest.surveys.dictionary import Dictionary
from ingest.surveys.shown import hidden_fields
from schemas.errors import PhaError

MAX_BYTES = 200_000_000
ENCODINGS = ("utf-8-sig", "cp1252")
# No title of an export begins so: a field may be called row, record or event.
_KEYS = {f"@{key}": key for key in ("row", "record", "event", "repeats", "instance")}
_MINUTE, _SECOND = r"^\d{4}-\d\d-\d\d \d\d:\d\d$", r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A CSV file as text cells. ``previews``: rows (from 1) that are a trial of the survey, no answers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    previews: frozenset[int] = frozenset()

    def records(self) -> list[dict[str, str]]:
        """Rows by title."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


def read_sheet(path: Path) -> Sheet:
    """A CSV file, comma or semicolon separated, with or without byte order mark.

    Raises PhaError file_unreadable; survey_unreadable: no text, no header, a row of another length.
    """
    text = _text(path)
    first = text.splitlines()[0] if text.strip() else ""
    separator = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = [row for row in csv.reader(StringIO(text, newline=""), delimiter=separator) if any(row)]
    except csv.Error:
        raise PhaError("survey_unreadable", problem="it is no CSV file") from None
    if not rows:
        raise PhaError("survey_unreadable", problem="it is empty")
    header = tuple(title.strip() for title in rows[0])
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(header):
            raise PhaError("survey_unreadable", problem=f"row {number} has another number of cells")
    return Sheet(header, tuple(tuple(row) for row in rows[1:]))


def refuse_doubles(sheet: Sheet) -> None:
    """Raises PhaError survey_unreadable where a title stands twice: which column is meant?"""
    if len(set(sheet.header)) < len(sheet.header):
        raise PhaError("survey_unreadable", problem="two columns have the same title")


def answer_cells(sheet: Sheet, dictionary: Dictionary) -> pl.LazyFrame:
    """Every cell of a form that its row belongs to.

    Columns: row (from 1), record, event ("" where none), instance (from 1), form, column, raw (trimmed),
    opened (somebody filled the form in), answered_on, said_at (the whole time stamp, null without a time of
    day), hidden (by branching logic; null where there is none or it can't be told), in_row (false for a form
    that is not part of the row).
    """
    data = (
        pl.DataFrame([list(row) for row in sheet.rows], schema=list(sheet.header), orient="row")
        if sheet.rows
        else (pl.DataFrame(schema=dict.fromkeys(sheet.header, pl.String)))
    )
    columns = pl.LazyFrame(
        [(c.name, c.field.form, c.field.kind, c.field.name) for c in dictionary.columns()],
        schema={"column": pl.String, "form": pl.String, "kind": pl.String, "field": pl.String},
        orient="row",
    )
    rows = (
        data.lazy()
        .with_row_index("@row", 1)
        .with_columns(
            pl.col(dictionary.record_id).str.strip_chars().alias("@record"),
            _system(sheet, "redcap_event_name").alias("@event"),
            _system(sheet, "redcap_repeat_instrument").alias("@repeats"),
            _instance(sheet).alias("@instance"),
        )
    )
    hidden = hidden_fields(rows, sheet.header, dictionary).rename({"@row": "row"})
    cells = (
        rows.unpivot(index=list(_KEYS), on=list(sheet.header), variable_name="column", value_name="raw")
        .rename(_KEYS)
        .join(columns, on="column", how="left")
        .with_columns(pl.col("raw").str.strip_chars().fill_null(""))
    )
    return (
        cells.join(_form_states(rows, cells, sheet, dictionary.forms), on=["row", "form"], how="left")
        .join(hidden, on=["row", "field"], how="left")
        .with_columns(in_row=_in_row())
    )


def system_columns(dictionary: Dictionary) -> frozenset[str]:
    """Columns REDCap itself adds, which are no answers."""
    own = {"redcap_event_name", "redcap_repeat_instrument", "redcap_repeat_instance"}
    own |= {"redcap_data_access_group", "redcap_survey_identifier"}
    for form in dictionary.forms:
        own |= {f"{form}_complete", f"{form}_timestamp"}
    return frozenset(own)


def _system(sheet: Sheet, name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars().fill_null("") if name in sheet.header else pl.lit("")


def _instance(sheet: Sheet) -> pl.Expr:
    return _system(sheet, "redcap_repeat_instance").cast(pl.Int64, strict=False).fill_null(1)


def _form_states(rows: pl.LazyFrame, cells: pl.LazyFrame, sheet: Sheet, forms: Sequence[str]) -> pl.LazyFrame:
    """Per row and form: complete mark, day of its time stamp, whether a cell is filled.

    A checkbox is exported as 0 also where its form was never opened, so a 0 is no sign of an answer; nor is
    the record id, which stands in every row.
    """
    filled = cells.group_by("row", "form").agg(
        filled=(
            (pl.col("raw") != "")
            & (pl.col("kind") != "record_id")
            & ~((pl.col("kind") == "checkbox") & (pl.col("raw") == "0"))
        ).any()
    )
    marks = pl.concat(
        [
            rows.select(
                pl.col("@row").alias("row"),
                form=pl.lit(form),
                complete=_system(sheet, f"{form}_complete"),
                answered_on=_system(sheet, f"{form}_timestamp")
                .str.head(10)
                .str.to_date("%Y-%m-%d", strict=False),
                said_at=_moment(_system(sheet, f"{form}_timestamp")),
            )
            for form in forms
        ]
    )
    return marks.join(filled, on=["row", "form"], how="left").with_columns(
        opened=pl.col("filled").fill_null(False)
        | pl.col("complete").is_in(["1", "2"])
        | pl.col("answered_on").is_not_null()
    )


def _moment(stamp: pl.Expr) -> pl.Expr:
    """A time stamp that has a time of day, to the second; null for a day alone."""
    whole = pl.when(stamp.str.contains(_MINUTE)).then(stamp + ":00").otherwise(stamp)
    return pl.when(whole.str.contains(_SECOND)).then(whole)


def _in_row() -> pl.Expr:
    """Whether a form is part of a row: a repeat row holds its own form only; elsewhere blank means absent.

    A form that repeats has its instances in rows of its own, so an untouched one in a plain row is absent; so
    is an untouched one without any mark in one event of several.
    """
    repeating = pl.col("form").is_in(pl.col("repeats").unique().implode())
    untouched = ~pl.col("opened") & (pl.col("complete") == "")
    absent = untouched & (repeating | (pl.col("event") != ""))
    return ((pl.col("repeats") == "") | (pl.col("repeats") == pl.col("form"))) & ~absent


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PhaError("survey_unreadable", problem="it is over 200 MB")
        content = path.read_bytes()
    except OSError as error:
        raise PhaError("file_unreadable") from error
    if b"\0" in content:
        raise PhaError("survey_unreadable", problem="it is no text file")
    for encoding in ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise PhaError("survey_unreadable", problem="its characters have no known encoding")
