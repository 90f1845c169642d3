"""Truth of a held-out report: its rows in the form of lab_results."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from schemas.lab_results import LabResults
from schemas.table import conform
from synthetic.labs.printing import Result, Style
from synthetic.labs.truth import row_of
from synthetic.people.persona import Person


@dataclass(frozen=True, slots=True)
class Printed:
    """A result on its page (from 1), with the time of its own draw; fasting as the report says."""

    page: int
    result: Result
    collected: datetime
    fasting: str


def true_rows(person: Person, name: str, style: Style, printed: Iterable[Printed]) -> pl.DataFrame:
    """One row for each printed result, numbered in the order given."""
    rows = [
        {
            **row_of(each.result),
            "row_no": number,
            "page": each.page,
            "raw_reference": style.interval(each.result.interval) if each.result.interval else None,
            "collected_at": each.collected,
            "collected_date": each.collected.date(),
            "fasting": each.fasting,
        }
        for number, each in enumerate(printed, start=1)
    ]
    return (
        pl.LazyFrame(rows, infer_schema_length=None)
        .with_columns(
            participant_id=pl.lit(person.participant_id),
            file_id=pl.lit(name),
            source_kind=pl.lit("text"),
            report_status=pl.lit("final"),
            derived=pl.lit(False),
        )
        .pipe(conform, LabResults)
        .collect()
    )


def doubts_in(printed: Iterable[Printed]) -> dict[int, str]:
    """Row number -> reason for which a right reader does not accept the row."""
    return {n: each.result.doubt for n, each in enumerate(printed, start=1) if each.result.doubt}
