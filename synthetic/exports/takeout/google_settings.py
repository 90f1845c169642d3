"""``UserDemographicData`` and the settings of the Google account: a history of names and values."""

from datetime import datetime, time

from synthetic.exports.members import Member
from synthetic.exports.takeout.csv_text import text_rows
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_times import instant_text

HEADER = "value_time,setting_name,setting_value"


def demographic(export: Export) -> Files:
    """Where the account's owner lives, since when; and what they said of themselves."""
    said = {"gender": export.person.sex.upper(), "timezone": export.recording.days.zone.key}
    yield _history(export, "UserDemographicData", said)


def app_settings(export: Export) -> Files:
    """Language and units."""
    system = "IMPERIAL" if export.person.miles else "METRIC"
    said = {"locale": export.request.language, "weight system": system, "height system": system}
    yield _history(export, "UserAppSettingData", said)


def legacy_settings(export: Export) -> Files:
    """Nothing was ever set: a header alone."""
    yield _history(export, "UserLegacySettingData", {})


def _history(export: Export, name: str, said: dict[str, str]) -> Member:
    since = instant_text(export, datetime.combine(export.created, time()))
    return text_rows(f"{name}.csv", HEADER, [f"{since},{key},{value}" for key, value in said.items()])
