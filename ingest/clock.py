"""Wall clocks and instants: the zone a participant lived in, and the evidence for it.

A reader returns what a file says, in the file's own clock. Here a UTC reading becomes a local day and a local
reading becomes an instant, by an IANA zone that the participant's own files were found to agree with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import polars as pl

# Less than the quarter of an hour in which offsets differ, so that it can hide no wrong offset.
TOLERANCE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A zone somebody names: ``named_by`` is profile or registry."""

    zone: str
    named_by: str


@dataclass(frozen=True, slots=True)
class Zone:
    """The zone in force with its evidence.

    agree, contradict: heart-rate files whose first and last row do, or do not, fall on the file's local day.
    unclear_days: local days whose offset is unknown, as a file of that day or beside it contradicts the zone.
    """

    name: str
    named_by: str
    agree: int = 0
    contradict: int = 0
    unclear_days: frozenset[date] = frozenset()

    def evidence(self) -> dict[str, object]:
        """What ``source_files.clocks_json`` keeps of it."""
        return {
            "zone": self.name,
            "named_by": self.named_by,
            "heart_rate_files_agree": self.agree,
            "heart_rate_files_contradict": self.contradict,
        }


def is_zone(name: str | None) -> bool:
    """True for a name of the IANA data base."""
    if not name or name.startswith("/") or ".." in name:
        return False
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def choose_zone(candidates: Sequence[Candidate], spans: pl.DataFrame) -> Zone:
    """The first candidate that contradicts no heart-rate file, else the one that contradicts the fewest.

    candidates: in the order of trust (never empty). spans: a row a heart-rate file with ``day`` (the local
    day in its name), ``first`` and ``last`` (UTC digits of its rows, no zone). A file holds one local day, so
    under the right zone both ends fall on that day. Days that even the best zone contradicts, and the days
    beside them, stay without a clock: their offset is unknown and is not guessed.
    """
    judged = [_judge(candidate, spans) for candidate in candidates]
    return min(judged, key=lambda zone: zone.contradict)


def _judge(candidate: Candidate, spans: pl.DataFrame) -> Zone:
    midnight = pl.col("day").cast(pl.Datetime("us"))
    begins = local_time("first", candidate.zone) >= midnight - TOLERANCE
    ends = local_time("last", candidate.zone) < midnight.dt.offset_by("1d") + TOLERANCE
    wrong = spans.filter(~(begins & ends))["day"]
    near = pl.concat([wrong.dt.offset_by("-1d"), wrong, wrong.dt.offset_by("1d")])
    return Zone(
        candidate.zone,
        candidate.named_by,
        agree=spans.height - wrong.len(),
        contradict=wrong.len(),
        unclear_days=frozenset(near.to_list()),
    )


def local_time(utc: str, zone: str) -> pl.Expr:
    """Wall clock in a zone of a column of UTC digits (datetime without zone)."""
    return pl.col(utc).dt.replace_time_zone("UTC").dt.convert_time_zone(zone).dt.replace_time_zone(None)


def local_date(utc: str, zone: str) -> pl.Expr:
    """Local day in a zone of a column of UTC digits."""
    return local_time(utc, zone).dt.date()


def offset_minutes(utc: str, zone: str) -> pl.Expr:
    """Offset of local time from UTC in minutes, at a column of UTC digits."""
    return (local_time(utc, zone) - pl.col(utc)).dt.total_minutes()


def utc_of_local(local: str, zone: str) -> pl.Expr:
    """UTC digits of a column of wall-clock times.

    Of an hour that came twice (clocks set back) the first is taken; a time that never was (clocks set
    forward) gives null.
    """
    return _utc(pl.col(local), zone, "earliest")


def day_offsets(days: pl.LazyFrame, zone: str) -> pl.LazyFrame:
    """Add by ``date``: ``utc_offset_minutes`` (at noon), ``tz_change`` (the offset moved within the day).

    Where clocks are set forward at midnight the day that lacks its first hour has the change; where they are
    set back at midnight, the day whose last hour came twice.
    """
    midnight = pl.col("date").cast(pl.Datetime("us"))
    moments = {
        "_noon": midnight.dt.offset_by("12h"),
        "_last_minute_before": midnight.dt.offset_by("-1m"),
        "_last_minute": midnight.dt.offset_by("23h59m"),
    }
    return (
        days.with_columns(_utc(moment, zone, "latest").alias(name) for name, moment in moments.items())
        .with_columns(
            offset_minutes("_noon", zone).alias("utc_offset_minutes"),
            (offset_minutes("_last_minute_before", zone) != offset_minutes("_last_minute", zone)).alias(
                "tz_change"
            ),
        )
        .drop(*moments)
    )


def _utc(local: pl.Expr, zone: str, ambiguous: Literal["earliest", "latest"]) -> pl.Expr:
    in_zone = local.dt.replace_time_zone(zone, ambiguous=ambiguous, non_existent="null")
    return in_zone.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
