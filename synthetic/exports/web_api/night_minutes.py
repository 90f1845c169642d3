"""Web API answers within a night, a date a request: times on the wall clock, in full seconds."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import polars as pl

from synthetic.exports import samples
from synthetic.life.recording import Recording

STAGES = ("deep", "light", "rem")
NOT_GIVEN = -1.0


def heart_rate_variability(recording: Recording) -> Iterator[tuple[str, object]]:
    """RMSSD and its kin of every five minutes, for nights with any."""
    details = samples.variability(recording).with_columns(
        at=_wall_text(pl.col("local_minute") * 60, "%Y-%m-%dT%H:%M:%S.000")
    )
    for day, night in _nights(details):
        columns = ("at", "rmssd", "coverage", "high_frequency", "low_frequency")
        minutes = [
            {"minute": at, "value": {"rmssd": rmssd, "coverage": coverage, "hf": high, "lf": low}}
            for at, rmssd, coverage, high, low in night.select(columns).iter_rows()
        ]
        yield f"hrv_all_{day}", {"hrv": [{"minutes": minutes, "dateTime": day.isoformat()}]}


def oxygen_saturation(recording: Recording) -> Iterator[tuple[str, object]]:
    """Oxygen saturation of every minute, for nights with any; 50.0 says that it could not be measured."""
    local = pl.col("utc_second") + pl.col("offset") * 60
    details = samples.oxygen(recording).with_columns(at=_wall_text(local, "%Y-%m-%dT%H:%M:%S"))
    for day, night in _nights(details):
        minutes = [{"value": value, "minute": at} for at, value in night.select("at", "value").iter_rows()]
        yield f"spo2_all_{day}", {"dateTime": day.isoformat(), "minutes": minutes}


def breathing_rate(recording: Recording) -> Iterator[tuple[str, object]]:
    """Breaths a minute of the night and by stage, for nights with any; -1 where a stage was too short."""
    known = recording.nightly.drop_nulls("respiratory_rate")
    for night in known.iter_rows(named=True):
        rates = {f"{stage}SleepSummary": _rate(night[f"respiratory_rate_{stage}"]) for stage in STAGES}
        value = rates | {"fullSleepSummary": _rate(night["respiratory_rate"])}
        yield f"br_all_{night['date']}", {"br": [{"value": value, "dateTime": night["date"].isoformat()}]}


def _rate(value: float | None) -> dict[str, float]:
    return {"breathingRate": NOT_GIVEN if value is None else value}


def _nights(details: pl.DataFrame) -> Iterator[tuple[date, pl.DataFrame]]:
    for (day,), night in details.group_by("date", maintain_order=True):
        yield _date(day), night


def _date(value: Any) -> date:
    assert isinstance(value, date)
    return value


def _wall_text(local_second: pl.Expr, form: str) -> pl.Expr:
    return (local_second * 1000).cast(pl.Datetime("ms")).dt.strftime(form)
