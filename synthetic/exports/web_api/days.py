"""Web API answers with an entry a day: minutes by intensity, zone minutes, weigh-ins."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from synthetic.exports.daily import daily_totals
from synthetic.exports.web_api.units import KG_A_POUND, Units
from synthetic.life.recording import Recording

WEIGHED_AT = timedelta(hours=7, minutes=12, seconds=30)

Entries = Mapping[date, object]


def sedentary(recording: Recording, _units: Units) -> Entries:
    """Sedentary minutes of every day."""
    return _texts(recording, "sedentary")


def lightly(recording: Recording, _units: Units) -> Entries:
    """Lightly active minutes of every day."""
    return _texts(recording, "lightly")


def fairly(recording: Recording, _units: Units) -> Entries:
    """Fairly active minutes of every day: the export's "moderately"."""
    return _texts(recording, "moderately")


def very(recording: Recording, _units: Units) -> Entries:
    """Very active minutes of every day."""
    return _texts(recording, "very")


def _texts(recording: Recording, intensity: str) -> Entries:
    values = recording.intensity[intensity].tolist()
    return {
        day: {"dateTime": day.isoformat(), "value": str(value)}
        for day, value in zip(recording.days.dates, values, strict=True)
    }


def zone_minutes(recording: Recording, _units: Units) -> Entries:
    """Active zone minutes of worn days; a zone without any is left out."""
    rows = daily_totals(recording).select("date", "wear", "fat_burn", "cardio", "peak").iter_rows()
    return {
        day: {"dateTime": day.isoformat(), "value": _zones(fat_burn, cardio, peak)}
        for day, wear, fat_burn, cardio, peak in rows
        if wear
    }


def _zones(fat_burn: int, cardio: int, peak: int) -> dict[str, int]:
    parts = {"fatBurn": fat_burn, "cardio": cardio, "peak": peak}
    earned = {f"{zone}ActiveZoneMinutes": count for zone, count in parts.items() if count}
    return {"activeZoneMinutes": sum(parts.values()), **earned}


def weight(recording: Recording, units: Units) -> Entries:
    """Weigh-ins in the unit of the call; ``bmi`` tells which it is."""
    height_m = recording.person.body.height_cm / 100
    known = recording.nightly.select("date", "weight_lb").drop_nulls().iter_rows()
    return {day: _weigh_in(day, pounds * KG_A_POUND, height_m, units) for day, pounds in known}


def _weigh_in(day: date, kilograms: float, height_m: float, units: Units) -> dict[str, object]:
    at = datetime.combine(day, datetime.min.time()) + WEIGHED_AT
    return {
        "bmi": round(kilograms / height_m**2, 2),
        "date": day.isoformat(),
        "logId": (at - datetime(1970, 1, 1)) // timedelta(milliseconds=1),  # noqa: DTZ001 - as if UTC
        "source": "Aria",
        "time": at.time().isoformat(),
        "weight": units.weight(kilograms),
    }
