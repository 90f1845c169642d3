"""Active zone minutes by the minute on the wall."""

import numpy as np
import polars as pl

from synthetic.exports.takeout.csv_text import csv_file, month_start
from synthetic.exports.takeout.export import Export, Files
from synthetic.life.activity import OUT_OF_ZONE, ZONE_MULTIPLIER
from synthetic.local_days import Ints

ZONE_NAMES = np.array(["OUT_OF_ZONE", "FAT_BURN", "CARDIO", "PEAK"])


def earning_minutes(export: Export) -> Ints:
    """Elapsed minutes that earned active zone minutes."""
    return np.flatnonzero(export.recording.measures.zone != OUT_OF_ZONE)


def active_zone_minutes(export: Export) -> Files:
    """Monthly files, only of minutes that earned something: a month may be a header alone."""
    places = earning_minutes(export)
    zone = export.recording.measures.zone[places]
    frame = pl.DataFrame(
        {
            "date_time": pl.Series(export.local_minute[places] * 60_000).cast(pl.Datetime("ms")),
            "heart_zone_id": ZONE_NAMES[zone],
            "total_minutes": ZONE_MULTIPLIER[zone],
        }
    )
    months = sorted({month_start(day, export.created) for day in export.recording.days.dates})
    for month in months:
        first = pl.col("date_time").dt.date().dt.month_start()
        part = frame.filter(first == pl.lit(month.replace(day=1)))
        yield csv_file(f"Active Zone Minutes - {month}.csv", part, "%Y-%m-%dT%H:%M")
