"""Nightly values in the products' own files: a file a night or a few, by day label or on the wall."""

import polars as pl

from synthetic.exports.takeout.csv_text import month_start, text_rows
from synthetic.exports.takeout.export import Export, Files

SPO2_CHUNK_DAYS = 100
HRV = "Daily Heart Rate Variability Summary"


def daily_variability(export: Export) -> Files:
    """A file a night. The number in the name counts days from the month's first file: it is not the day."""
    columns = ("date", "heart_rate_variability", "nremhr", "entropy")
    for day, rmssd, heart_rate, entropy in _known(export, *columns).iter_rows():
        number = (day - month_start(day, export.created)).days
        name = f"{HRV} - {day:%Y-%m}-{f'({number})' if number else ''}.csv"
        row = f"{day}T00:00:00,{rmssd:.3f},{heart_rate:.3f},{entropy:.3f}"
        yield text_rows(name, "timestamp,rmssd,nremhr,entropy", [row])


def daily_respiration(export: Export) -> Files:
    """A file a night."""
    for day, rate in _known(export, "date", "respiratory_rate").iter_rows():
        row = f"{day}T00:00:00,{rate:.1f}"
        name = f"Daily Respiratory Rate Summary - {day}.csv"
        yield text_rows(name, "timestamp,daily_respiratory_rate", [row])


def daily_saturation(export: Export) -> Files:
    """About a hundred days a file, named by its first and last day; the Z of the day labels means nothing."""
    nightly = export.recording.nightly
    for start in range(0, len(nightly), SPO2_CHUNK_DAYS):
        chunk = nightly[start : start + SPO2_CHUNK_DAYS]
        columns = ("date", "spo2_avg", "spo2_min", "spo2_max")
        rows = [
            f"{day}T00:00:00Z,{average:.1f},{low:.1f},{high:.1f}"
            for day, average, low, high in chunk.select(columns).drop_nulls("spo2_avg").iter_rows()
        ]
        name = f"Daily SpO2 - {chunk['date'][0]}-{chunk['date'][-1]}.csv"
        yield text_rows(name, "timestamp,average_value,lower_bound,upper_bound", rows)


def _known(export: Export, day: str, value: str, *others: str) -> pl.DataFrame:
    """The nights that have the value."""
    return export.recording.nightly.select(day, value, *others).drop_nulls(value)
