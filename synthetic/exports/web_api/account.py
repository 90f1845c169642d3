"""Web API answers on the account and its devices."""

from datetime import datetime, timedelta

from synthetic.exports.account import account_created, account_id
from synthetic.exports.web_api.units import Units
from synthetic.life.recording import Recording
from synthetic.life.wear import SYNC_WALL_MINUTE


def profile(recording: Recording, units: Units) -> dict[str, object]:
    """The profile: height, weight and strides in the units of the call, ``...Unit`` the account's setting."""
    person, body = recording.person, recording.person.body
    first, last = person.name.split(" ", 1)
    setting = "en_US" if person.miles else "METRIC"
    height = body.height_cm / units.centimetres
    user = {
        "age": person.age_on(recording.days.dates[-1]),
        "clockTimeDisplayFormat": "12hour" if person.miles else "24hour",
        "country": "US",
        "dateOfBirth": person.birth_date.isoformat(),
        "displayName": f"{first} {last[0]}.",
        "distanceUnit": setting,
        "encodedId": account_id(person),
        "firstName": first,
        "fullName": person.name,
        "gender": person.sex.upper(),
        "height": round(height, 1),
        "heightUnit": setting,
        "lastName": last,
        "locale": "en_US",
        "memberSince": account_created(recording).isoformat(),
        "offsetFromUTCMillis": int(recording.days.offset[-1]) * 60_000,
        "startDayOfWeek": "SUNDAY",
        "strideLengthRunning": round(height * 0.58, 1),
        "strideLengthWalking": round(height * 0.414, 1),
        "timezone": recording.days.zone.key,
        "weight": units.weight(body.weight_kg),
        "weightUnit": setting,
    }
    return {"user": user}


def devices(recording: Recording) -> list[dict[str, object]]:
    """The devices still paired; the time of the last synchronisation is on the wall clock."""
    last = recording.days.dates[-1]
    synced = datetime.combine(last, datetime.min.time()) + timedelta(minutes=SYNC_WALL_MINUTE)
    return [
        {
            "battery": "Medium",
            "batteryLevel": 54,
            "deviceVersion": device.name,
            "id": device.tracker_id,
            "lastSyncTime": synced.isoformat(timespec="milliseconds"),
            "type": "TRACKER",
        }
        for device in recording.devices
        if device.in_use_on(last)
    ]
