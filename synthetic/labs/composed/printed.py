"""A composed report as a file with its truth: a row for each printed result, with its place on the page."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import polars as pl

from schemas.lab_results import LabResults
from schemas.table import conform
from synthetic.labs.composed.draws import Draw
from synthetic.labs.printing import Result, Style
from synthetic.labs.truth import LabFile, row_of
from synthetic.people.persona import Person

Stated = Literal["time", "received", "reported", "fasting", "final"]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Printed:
    """A result on its page (from 1); ``box`` (x0, top, x1, bottom) in points holds at least its value."""

    page: int
    box: Box
    result: Result
    draw: Draw


def file_of(
    person: Person,
    layout: str,
    style: Style,
    content: bytes,
    printed: Sequence[Printed],
    stated: Iterable[Stated],
) -> LabFile:
    """The file of a report; ``stated``: what it says beside the day of collection (``time``: of all times).

    It is named by the newest draw.
    """
    newest = max((each.draw for each in printed), key=lambda draw: draw.collected)
    name = f"{layout}_{newest.collected:%Y-%m-%d}_{newest.serial}.pdf"
    said = frozenset(stated)
    rows = [{"row_no": number, **_row(each, style, said)} for number, each in enumerate(printed, start=1)]
    frame = (
        pl.LazyFrame(rows, infer_schema_length=None)
        .with_columns(
            participant_id=pl.lit(person.participant_id),
            file_id=pl.lit(name),
            source_kind=pl.lit("text"),
            report_status=pl.lit("final" if "final" in said else "unknown"),
            derived=pl.lit(False),
        )
        .pipe(conform, LabResults)
        .collect()
    )
    doubts = {n: each.result.doubt for n, each in enumerate(printed, start=1) if each.result.doubt}
    return LabFile(person.participant_id, name, content, layout, frame, doubts=doubts)


def _row(each: Printed, style: Style, stated: frozenset[Stated]) -> dict[str, Any]:
    draw, interval = each.draw, each.result.interval

    def moment(field: Stated, when: datetime) -> datetime | None:
        return when if {"time", field} <= stated else None

    return {
        **row_of(each.result),
        "page": each.page,
        "bbox_json": json.dumps([round(edge, 1) for edge in each.box]),
        "raw_reference": None if interval is None else style.interval(interval),
        "collected_at": moment("time", draw.collected),
        "collected_date": draw.collected.date(),
        "received_at": moment("received", draw.received),
        "reported_at": moment("reported", draw.reported),
        "fasting": ("yes" if draw.fasting else "no") if "fasting" in stated else "unknown",
    }
