"""What a script keeps that asked the Google Health API, version 4: the pages of each data type, newest first.

``<type>_list_001.json`` holds points of each source, ``_reconcile_`` the app's one view, ``_dailyRollUp_``
days.
Whole numbers of 64 bits are text, fields that are 0 or false are left out, as the service's JSON does.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from synthetic.exports.health_api import account, daily, minutes, samples, sessions
from synthetic.exports.health_api.text import compact
from synthetic.exports.members import Member, Request
from synthetic.life.recording import Recording

Points = Callable[[Recording], Iterable[str]]
"""The points of a type as texts of JSON, newest first."""

PAGE, SESSION_PAGE = 10_000, 25
TYPES: Mapping[str, tuple[Points, int]] = {
    "steps_list": (minutes.steps, PAGE),
    "steps_reconcile": (minutes.steps_reconciled, PAGE),
    "distance_list": (minutes.distance, PAGE),
    "floors_list": (minutes.floors, PAGE),
    "altitude_list": (minutes.altitude, PAGE),
    "active-zone-minutes_list": (minutes.zone_minutes, PAGE),
    "active-minutes_list": (minutes.active_minutes, PAGE),
    "heart-rate-variability_list": (samples.variability, PAGE),
    "oxygen-saturation_list": (samples.oxygen_saturation, PAGE),
    "sleep_list": (sessions.sleeps, SESSION_PAGE),
    "exercise_list": (sessions.exercises, SESSION_PAGE),
    "weight_list": (account.weight, PAGE),
    "height_list": (account.height, PAGE),
    "daily-resting-heart-rate_list": (daily.resting_heart_rate, PAGE),
    "daily-heart-rate-variability_list": (daily.heart_rate_variability, PAGE),
    "daily-respiratory-rate_list": (daily.respiratory_rate, PAGE),
    "daily-oxygen-saturation_list": (daily.oxygen_saturation, PAGE),
    "daily-sleep-temperature-derivations_list": (daily.skin_temperature, PAGE),
    "daily-vo2-max_list": (daily.cardio_fitness, PAGE),
}
"""By data type and method: the points, and how many a page holds at most."""

ROLL_UPS: Mapping[str, Points] = {"total-calories": daily.energy, "steps": daily.steps}


def members(recording: Recording, request: Request) -> Iterator[Member]:
    """The answers to all requests for a recording, a page a file."""
    yield Member("profile.json", compact(account.profile(recording)).encode())
    yield Member("settings.json", compact(account.settings(recording)).encode())
    heart_rate = samples.heart_rate(recording, request.sampling_seconds)
    yield from _pages("heart-rate_list", "dataPoints", heart_rate, PAGE)
    for name, (points, size) in TYPES.items():
        yield from _pages(name, "dataPoints", points(recording), size)
    for data_type, points in ROLL_UPS.items():
        yield from _pages(f"{data_type}_dailyRollUp", "rollupDataPoints", points(recording), PAGE)


def _pages(name: str, key: str, points: Iterable[str], size: int) -> Iterator[Member]:
    """Pages of points; each but the last says with which token the next is asked for."""
    source = iter(points)
    page, number = list(islice(source, size)), 1
    while True:
        following = list(islice(source, size))
        yield Member(f"{name}_{number:03d}.json", _page(key, page, _token(name, number) if following else ""))
        if not following:
            return
        page, number = following, number + 1


def _page(key: str, points: list[str], token: str) -> bytes:
    """An empty answer has no field at all."""
    fields = [f'"{key}":[{",".join(points)}]'] if points else []
    fields += [f'"nextPageToken":"{token}"'] if token else []
    return f"{{{','.join(fields)}}}".encode()


def _token(name: str, page: int) -> str:
    return urlsafe_b64encode(f"{name}:{page}".encode()).decode()
