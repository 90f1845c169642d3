"""What a script keeps that asked the vendor's Web API: one JSON file a request, the answer as it came.

Times are on the wall clock, daily values are text, units follow the language of the call. Kinds by the minute
come a day a request, others thirty days.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from itertools import chain

from synthetic.exports.members import Member, Request
from synthetic.exports.web_api import account, days, exercises, minutes, night_minutes, nights
from synthetic.exports.web_api.units import Units, units_of
from synthetic.life.recording import Recording

RANGE_DAYS = 30

Answers = Callable[[Recording, Units], Mapping[date, object]]
"""Entries of a daily kind by day; a day without one is left out."""

RANGES: Mapping[str, tuple[str, Answers]] = {
    "activities_minutesSedentary": ("activities-minutesSedentary", days.sedentary),
    "activities_minutesLightlyActive": ("activities-minutesLightlyActive", days.lightly),
    "activities_minutesFairlyActive": ("activities-minutesFairlyActive", days.fairly),
    "activities_minutesVeryActive": ("activities-minutesVeryActive", days.very),
    "activities_active-zone-minutes": ("activities-active-zone-minutes", days.zone_minutes),
    "body_log_weight": ("weight", days.weight),
    "hrv": ("hrv", nights.heart_rate_variability),
    "br": ("br", nights.breathing_rate),
    "spo2": ("", nights.oxygen_saturation),
    "temp_skin": ("tempSkin", nights.skin_temperature),
    "cardioscore": ("cardioScore", nights.cardio_fitness),
}
"""By the request's name in the file: the key its entries stand under ("" is a bare list), and the entries."""


def members(recording: Recording, request: Request) -> Iterator[Member]:
    """The answers to all requests for a recording, in the units of ``request.language``."""
    units = units_of(request.language)
    yield Member("profile.json", compact(account.profile(recording, units)))
    yield Member("devices.json", compact(account.devices(recording)))
    by_minute = chain(minutes.days(recording, units), minutes.heart_days(recording, request.sampling_seconds))
    for name, text in by_minute:
        yield Member(f"{name}.json", text.encode())
    for name, answer in chain(
        nights.sleep_days(recording),
        night_minutes.heart_rate_variability(recording),
        night_minutes.oxygen_saturation(recording),
        night_minutes.breathing_rate(recording),
        exercises.pages(recording, units),
    ):
        yield Member(f"{name}.json", compact(answer))
    yield from _ranges(recording, units)


def _ranges(recording: Recording, units: Units) -> Iterator[Member]:
    dates = recording.days.dates
    for name, (key, answers) in RANGES.items():
        by_day = answers(recording, units)
        for first in range(0, len(dates), RANGE_DAYS):
            asked = dates[first : first + RANGE_DAYS]
            entries = [by_day[day] for day in asked if day in by_day]
            yield Member(f"{name}_{asked[0]}_{asked[-1]}.json", compact({key: entries} if key else entries))


def compact(answer: object) -> bytes:
    """JSON without blanks, as the service sends it."""
    return json.dumps(answer, separators=(",", ":")).encode()
