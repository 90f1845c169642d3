"""Days on which no row means zero: sparse kinds write a minute only when something was earned in it."""

import calendar
import re
from collections.abc import Mapping
from datetime import date, timedelta

import polars as pl

from ingest.fitbit.kinds import KINDS
from ingest.fitbit.ledger import Ledger

MONTH = 31
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def zero_days(ledger: Ledger, kept: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """By sparse kind: ``date`` and ``member`` of worn days that one of its files covers without a row.

    Worn means here a step or a heart rate with contact: on any other day nothing is known, and it stays null.
    """
    worn = pl.concat(
        [
            kept["steps"].filter(pl.col("steps") > 0).select("date"),
            kept["heart_rate"].filter(pl.col("samples") > 0).select("date"),
        ]
    ).unique()
    return {
        kind.name: _covered(ledger, kind.name)
        .join(worn, on="date", how="semi")
        .join(kept[kind.name], on="date", how="anti")
        .sort("date", "member")
        .unique("date", keep="last", maintain_order=True)
        for kind in KINDS
        if kind.chunk_days is not None
    }


def _covered(ledger: Ledger, kind: str) -> pl.DataFrame:
    spans = [
        (number, day)
        for number, (_, member) in enumerate(ledger.members)
        if member.kind.name == kind and member.reading.damaged_from is None and _tells_zero(ledger, number)
        for day in covered_days(member.name, member.kind.chunk_days or 0)
    ]
    numbers, days = [number for number, _ in spans], [day for _, day in spans]
    return pl.DataFrame(
        {"member": pl.Series(numbers, dtype=pl.Int32), "date": pl.Series(days, dtype=pl.Date)}
    )


def _tells_zero(ledger: Ledger, number: int) -> bool:
    """An altitude file without any row may come from a device without an altimeter."""
    member = ledger.members[number][1]
    return member.kind.name != "altitude" or not member.reading.frame.is_empty()


def covered_days(name: str, chunk_days: int) -> list[date]:
    """Days from the one in a file's name on; a monthly family (31 days) ends with the month."""
    found = _DAY.search(name)
    if found is None:
        return []
    try:
        first = date(*map(int, found.groups()))
    except ValueError:
        return []
    length = chunk_days
    if chunk_days == MONTH:
        length = calendar.monthrange(first.year, first.month)[1] - first.day + 1
    return [first + timedelta(days=n) for n in range(length)]
