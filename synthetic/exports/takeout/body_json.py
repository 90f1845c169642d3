"""Weight and height of ``Global Export Data``."""

from datetime import date, datetime, timedelta
from math import ceil
from typing import Any

from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.json_text import CHUNK_DAYS, chunk_starts, day_stamp, json_file, pretty

GRAMS_A_POUND = 453.59237
WEIGHED_AT = timedelta(hours=7, minutes=12, seconds=30)
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - the log's id reads a wall time as if it were UTC


def weigh_ins(export: Export) -> list[tuple[datetime, float, int]]:
    """Wall time, pounds cut to a tenth, and grams: the fewest that are cut to those pounds."""
    rows = export.recording.nightly.select("date", "weight_lb").drop_nulls().iter_rows()
    return [(_midnight(day) + WEIGHED_AT, pounds, ceil(pounds * GRAMS_A_POUND)) for day, pounds in rows]


def weight(export: Export) -> Files:
    """Sparse 30-day files: pounds for every account, with local date and time."""
    known = weigh_ins(export)
    for first in chunk_starts(export.created, export.last_day, CHUNK_DAYS):
        rows = [
            pretty(_weigh_in(at, pounds, export.person.body.height_cm))
            for at, pounds, _ in known
            if first <= at.date() < first + timedelta(days=CHUNK_DAYS)
        ]
        if rows:
            yield json_file(f"weight-{first}.json", rows)


def _weigh_in(at: datetime, pounds: float, height_cm: float) -> dict[str, Any]:
    return {
        "logId": (at - EPOCH) // timedelta(seconds=1) * 1000,
        "weight": pounds,
        "bmi": round(pounds * GRAMS_A_POUND / 1000 / (height_cm / 100) ** 2, 2),
        "date": f"{at:%m/%d/%y}",
        "time": f"{at:%H:%M:%S}",
        "source": "Aria",
    }


def height(export: Export) -> Files:
    """Once, in millimetres."""
    text = pretty({"dateTime": day_stamp(export.created), "value": str(height_mm(export))})
    yield json_file(f"height-{export.created}.json", [text])


def height_mm(export: Export) -> int:
    """The profile's height."""
    return round(export.person.body.height_cm * 10)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day)  # noqa: DTZ001 - wall clock
