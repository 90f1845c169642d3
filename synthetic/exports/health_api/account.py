"""Google Health API answers on the account and the body."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from synthetic.exports.account import account_created
from synthetic.exports.health_api.text import (
    civil_date,
    civil_time,
    instant,
    offset_at,
    offset_text,
    point,
    point_name,
)
from synthetic.exports.takeout.export import long_id
from synthetic.exports.web_api.units import KG_A_POUND
from synthetic.life.recording import Recording

WEIGHED_AT = timedelta(hours=7, minutes=12, seconds=30)
SCALE = {"recordingMethod": "ACTIVELY_MEASURED", "device": {"formFactor": "SCALE"}, "platform": "FITBIT"}
TYPED = {"recordingMethod": "MANUAL", "platform": "FITBIT"}


def profile(recording: Recording) -> dict[str, object]:
    """The profile: it names neither the person nor sex or height; strides in millimetres."""
    person = recording.person
    return {
        "name": "users/me/profile",
        "age": person.age_on(recording.days.dates[-1]),
        "membershipStartDate": civil_date(account_created(recording)),
        "autoWalkingStrideLengthMm": round(person.body.height_cm * 4.14),
        "autoRunningStrideLengthMm": round(person.body.height_cm * 5.8),
    }


def settings(recording: Recording) -> dict[str, object]:
    """The account's settings: time zone, the offset at the last minute, and units shown in the app."""
    miles, days = recording.person.miles, recording.days
    return {
        "name": "users/me/settings",
        "distanceUnit": "DISTANCE_UNIT_MILES" if miles else "DISTANCE_UNIT_KILOMETERS",
        "weightUnit": "WEIGHT_UNIT_POUNDS" if miles else "WEIGHT_UNIT_KILOGRAMS",
        "languageLocale": "en_US",
        "timeZone": days.zone.key,
        "utcOffset": offset_text(int(days.offset[-1])),
    }


def weight(recording: Recording) -> Iterator[str]:
    """Weigh-ins in grams, newest first."""
    known = recording.nightly.select("date", "weight_lb").drop_nulls().reverse().iter_rows()
    for number, (day, pounds) in enumerate(known):
        value = {"sampleTime": _sample(recording, day), "weightGrams": round(pounds * KG_A_POUND * 1000, 1)}
        name = point_name("weight", long_id(recording.person.number * 10_000 + number, "weight"))
        yield point("weight", value, SCALE, name)


def height(recording: Recording) -> Iterator[str]:
    """Height in whole millimetres, as typed on the first day."""
    millimetres = str(round(recording.person.body.height_cm * 10))
    sample = _sample(recording, recording.days.dates[0])
    yield point("height", {"sampleTime": sample, "heightMillimeters": millimetres}, TYPED)


def _sample(recording: Recording, day: date) -> dict[str, object]:
    local = datetime.combine(day, datetime.min.time()) + WEIGHED_AT
    utc = recording.days.utc_of(local)
    offset = offset_text(offset_at(recording.days, utc))
    return {"physicalTime": instant(utc), "utcOffset": offset, "civilTime": civil_time(local)}
