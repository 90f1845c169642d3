"""Days and times as spreadsheets and web sites write them, read for a whole file at once.

Whether 01-02 is a day of January or of February only the other rows of the file can tell.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date

import polars as pl

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_OTHER = re.compile(r"(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4})")
_TIMES = ("%I:%M:%S %p", "%I:%M %p", "%H:%M:%S", "%H:%M")
_MIDNIGHT = "00:00"
# Read in the wrong order, days that follow each other lie months apart.
_APART = 8
Parts = tuple[int, int, int]


def moments(texts: pl.Series) -> pl.Series:
    """A column of text as Datetime without zone; null where it is none, or where its day may be two.

    A day comes first, then a time of 24 or 12 hours; without a time it is the day's midnight.
    """
    split = pl.DataFrame({"text": texts.str.strip_chars()}).select(
        pl.col("text").str.extract(r"^([^ T]+)").alias("day"),
        pl.col("text").str.extract(r"^[^ T]+[ T]+(.+)$").fill_null(_MIDNIGHT).alias("time"),
    )
    days = _days(split["day"].drop_nulls().unique().to_list())
    times = _times(split["time"].unique())
    day = pl.col("day").replace_strict(days, default=None, return_dtype=pl.Date)
    time = pl.col("time").replace_strict(times["time"], times["parsed"], default=None, return_dtype=pl.Time)
    return split.select(day.dt.combine(time, time_unit="us").alias(texts.name)).to_series()


def _times(texts: pl.Series) -> pl.DataFrame:
    """``time`` and what it is (``parsed``): ``6:55:26 AM``, ``11:12PM``, ``9:10 pm``, ``23:59``."""
    spaced = pl.col("time").str.to_uppercase().str.replace(r"\s*([AP])\.?M\.?$", " ${1}M")
    parsed = pl.coalesce(spaced.str.to_time(form, strict=False) for form in _TIMES)
    return texts.alias("time").to_frame().with_columns(parsed.alias("parsed"))


def _days(texts: Iterable[str]) -> dict[str, date | None]:
    """Dates by their text. Those written alike (``/`` or ``-`` between) have day and month in one order."""
    found: dict[str, date | None] = {}
    alike: dict[str, dict[str, Parts]] = {}
    for text in texts:
        if iso := _ISO.fullmatch(text):
            found[text] = _date(*map(int, iso.groups()))
        elif other := _OTHER.fullmatch(text):
            first, mark, second, year = other.groups()
            alike.setdefault(mark, {})[text] = (int(first), int(second), int(year))
    for mark, parts in alike.items():
        order = _order(parts, mark)
        found |= {text: order(*part) if order else None for text, part in parts.items()}
    return found


def _order(parts: Mapping[str, Parts], mark: str) -> Callable[[int, int, int], date | None] | None:
    """How the days of a file are to be read, or None where nobody can say."""
    month_first = all(first <= 12 for first, _, _ in parts.values())
    day_first = all(second <= 12 for _, second, _ in parts.values())
    if month_first and day_first:
        by_month, by_day = (_length(parts.values(), order) for order in (_month_first, _day_first))
        month_first, day_first = by_month * _APART < by_day, by_day * _APART < by_month
    if not (month_first or day_first) and all(first == second for first, second, _ in parts.values()):
        return _day_first
    if month_first == day_first:
        # M/D/YYYY without leading zeros is how the vendors write it; saved again, days get them.
        return _month_first if mark == "/" and not _padded(parts) and _possible(parts) else None
    return _month_first if month_first else _day_first


def _possible(parts: Mapping[str, Parts]) -> bool:
    return all(first <= 12 for first, _, _ in parts.values())


def _padded(texts: Iterable[str]) -> bool:
    return any(re.match(r"0|\d+/0", text) for text in texts)


def _length(parts: Iterable[Parts], order: Callable[[int, int, int], date | None]) -> int:
    days = [day for part in parts if (day := order(*part)) is not None]
    return (max(days) - min(days)).days if days else 0


def _month_first(month: int, day: int, year: int) -> date | None:
    return _date(year, month, day)


def _day_first(day: int, month: int, year: int) -> date | None:
    return _date(year, month, day)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
