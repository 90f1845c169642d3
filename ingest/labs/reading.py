"""A printed result as it stands on its page, and what lines right below it add."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.labs.cells import Cells, take_detail
from ingest.labs.dates import PrintedDate
from ingest.labs.grammar import Details
from ingest.labs.intervals import Interval
from ingest.labs.lines import Line, Segment
from ingest.labs.vocabulary import Value, reason_in_comment

_CORRECTED = re.compile(
    r"corrected (result|report)|previously reported as|korrigierte[rs]? (wert|ergebnis)", re.IGNORECASE
)
BOX_DECIMALS = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A printed result as it stands: page from 1, box (x0, top, x1, bottom) in points from the top left.

    ``drawn``: the date in the title of its column, where each draw has one. ``titled``: the moment in the
    title of its table. ``doubt``: why it is not clear which name or value is meant.
    """

    page: int
    box: tuple[float, float, float, float]
    panel: str | None
    layout: str
    raw_name: str
    value: Value
    raw_flag: str | None
    out_of_range: bool
    raw_unit: str | None
    interval: Interval | None
    corrected: bool = False
    drawn: PrintedDate | None = None
    titled: PrintedDate | None = None
    specimen: str | None = None
    specimen_id: str | None = None
    doubt: str | None = None


def made(cells: Cells, name: str, page: int, panel: str | None, layout: str) -> Reading:
    """The reading that the cells of a row are, under the name made out of them."""
    return Reading(
        page=page,
        box=_box(cells.used),
        panel=panel,
        layout=layout,
        raw_name=name,
        value=cells.value or Value(""),
        raw_flag=cells.details.flag,
        out_of_range=cells.out_of_range,
        raw_unit=cells.details.unit,
        interval=cells.details.interval,
        drawn=cells.drawn,
        specimen_id=cells.specimen_id,
    )


def with_range(reading: Reading, line: Line, comma: bool) -> Reading:
    """A row whose interval stands in a line of its own right below it."""
    cells = Cells(details=Details(unit=reading.raw_unit, interval=reading.interval))
    if not all(take_detail(cells, segment, comma) for segment in line.segments):
        return reading
    return replace(reading, interval=cells.details.interval, raw_unit=cells.details.unit)


def with_comment(reading: Reading, comment: str) -> Reading:
    """Only what a comment says about a missing or corrected value; its text is not kept."""
    value, reason = reading.value, reason_in_comment(comment)
    if reason is not None and value.missing in ("see_comment", "not_performed"):
        value = Value(value.raw, missing=reason)
    corrected = reading.corrected or _CORRECTED.search(comment) is not None
    return replace(reading, value=value, corrected=corrected)


def _box(segments: Sequence[Segment]) -> tuple[float, float, float, float]:
    return (
        round(min(s.x0 for s in segments), BOX_DECIMALS),
        round(min(s.top for s in segments), BOX_DECIMALS),
        round(max(s.x1 for s in segments), BOX_DECIMALS),
        round(max(s.bottom for s in segments), BOX_DECIMALS),
    )
