"""Tables of the platform RAPIDS: answers of the Web API as text in a column, or minutes parsed from them.

``device_id`` names the person: like every id in a table it must be the participant's, or an alias of theirs.
"""

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from ingest.archive import Content
from ingest.fitbit.api.web_days import read_web_days
from ingest.fitbit.api.web_logs import read_web_sleep
from ingest.fitbit.api.web_minutes import read_web_heart_rate, read_web_steps
from ingest.fitbit.csv_rows import read_csv
from ingest.fitbit.kind import Reader
from ingest.fitbit.minutes_of_samples import minutes_of_samples
from ingest.fitbit.reading import (
    FormNotRead,
    OtherForm,
    Reading,
    Rejected,
    Rows,
    missing,
    outside_limits,
    sift,
)
from ingest.fitbit.wall_text import moments
from schemas.heart_rate_minutes import HeartRateMinutes

OWNER, ANSWER = "device_id", "fitbit_data"
_READERS: Sequence[Reader] = (read_web_days, read_web_steps, read_web_heart_rate, read_web_sleep)


def read_days(content: Content, name: str) -> Reading:
    """Days of all answers; a line whose answer no reader knows is rejected here, once for all kinds.

    Raises FormNotRead for other tables of RAPIDS and those of RADAR-base.
    """
    _refuse_known_tables(content)
    rows = _lines(content)
    unknown = [
        Rejected(line, "record_of_other_form")
        for line, _, text in _cells(rows)
        if all(_answer(reader, text, name) is None for reader in _READERS)
    ]
    lost = [*rows.rejected, *unknown]
    found = _together(rows, read_web_days, name)
    read = found or Reading(_empty(read_web_days, name), 0)
    if found is None and rows.frame.height and not unknown:
        raise OtherForm
    return replace(
        read,
        rows=read.rows + len(lost),
        rejected=[*read.rejected, *lost],
        damaged_from=rows.damaged_from,
    )


def read_steps(content: Content, name: str) -> Reading:
    """Minutes of steps of all answers, in the columns of the Web API's, with ``owner``."""
    return _needed(_together(_lines(content), read_web_steps, name), read_web_steps, content)


def read_heart_rate(content: Content, name: str) -> Reading:
    """Minutes of heart rate of all answers, in the columns of the Web API's, with ``owner``."""
    return _needed(_together(_lines(content), read_web_heart_rate, name), read_web_heart_rate, content)


def read_sleep(content: Content, name: str) -> Reading:
    """Sleep logs of all answers, in the columns of the Web API's, with ``owner``."""
    return _needed(_together(_lines(content), read_web_sleep, name), read_web_sleep, content)


def read_parsed_heart_rate(content: Content, _name: str) -> Reading:
    """``local`` (minute), ``heart_rate``, ``samples``, ``rows``, ``owner`` of a table of parsed samples."""
    rows = read_csv(content, [OWNER, "local_date_time", "heartrate"])
    frame = rows.frame.select(
        "row",
        pl.col(OWNER).alias("owner"),
        moments(rows.frame["local_date_time"]).alias("local"),
        pl.col("heartrate").cast(pl.Float64, strict=False).alias("heart_rate"),
    )
    limits = outside_limits(HeartRateMinutes, "heart_rate")
    return minutes_of_samples(sift(rows.like(frame), (missing("local"), missing("heart_rate"), limits)))


def _refuse_known_tables(content: Content) -> None:
    header = {
        cell.strip(' "\r') for cell in content.data.split(b"\n", 1)[0].decode(errors="replace").split(",")
    }
    if {"value.time", "value.timeReceived"} & header:
        raise FormNotRead("RADAR-base")
    if (
        OWNER in header
        and header & {"local_date_time", "local_start_date_time"}
        and "heartrate" not in header
    ):
        raise FormNotRead("RAPIDS parsed")


def _lines(content: Content) -> Rows:
    return read_csv(content, [OWNER, ANSWER])


def _cells(rows: Rows) -> list[tuple[int, str | None, str]]:
    """Line, owner and text of each answer."""
    return [(line, owner, text or "") for line, owner, text in rows.frame.select("row", OWNER, ANSWER).rows()]


def _answer(read: Reader, text: str, name: str) -> Reading | None:
    try:
        return read(Content(text.encode()), name) if text else None
    except OtherForm:
        return None


def _empty(read: Reader, name: str) -> pl.DataFrame:
    return read(Content(b""), name).frame.with_columns(pl.lit(None, pl.String).alias("owner"))


def _needed(reading: Reading | None, read: Reader, content: Content) -> Reading:
    if reading is not None:
        return reading
    if content.data.strip():
        raise OtherForm
    return Reading(_empty(read, ""), 0)


def _together(rows: Rows, read: Reader, name: str) -> Reading | None:
    """The readings of all answers of a kind as one; rejected rows are told by the line of their answer."""
    told = [
        (line, owner, reading)
        for line, owner, text in _cells(rows)
        if (reading := _answer(read, text, name)) is not None
    ]
    if not told:
        return None
    ignored: dict[str, int] = {}
    for _, _, reading in told:
        for rule, count in reading.ignored.items():
            ignored[rule] = ignored.get(rule, 0) + count
    return Reading(
        pl.concat([r.frame.with_columns(pl.lit(o, pl.String).alias("owner")) for _, o, r in told]),
        sum(reading.rows for _, _, reading in told),
        [replace(lost, row=line) for line, _, reading in told for lost in reading.rejected],
        ignored,
        sum(reading.merged for _, _, reading in told),
    )
