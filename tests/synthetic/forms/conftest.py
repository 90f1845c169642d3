"""One person's recording in every generation, for all tests that read it back."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from takeout_reader import Export

from synthetic.exports.forms import write_export
from synthetic.exports.takeout.export import morning_after
from synthetic.life.recording import Recording, record
from synthetic.local_days import Trip
from synthetic.people.devices import Device
from synthetic.people.persona import Person, make_person

SEED, DAYS = 29, 20
CANDIDATES = range(12, 112)
FIRST, CHANGED, LAST = date(2026, 3, 24), date(2026, 4, 2), date(2026, 4, 12)


def traveller(number: int) -> Person:
    """A person in Sydney whose clocks go back on 2026-04-05 and who was in Tokyo for some days.

    Two watches and a phone, a scale, kilometres, and no paid service.
    """
    devices = (
        Device("Sense 2", "7300000001", FIRST, CHANGED - timedelta(days=1), 5, "watch"),
        Device("Versa 4", "7300000002", CHANGED, None, 15, "watch"),
        Device("MobileTrack", "9100000001", FIRST, None, 60, "phone"),
    )
    return replace(
        make_person(number, DAYS, SEED),
        time_zone="Australia/Sydney",
        trips=(Trip("Asia/Tokyo", date(2026, 3, 26), date(2026, 3, 31)),),
        devices=devices,
        first_day=FIRST,
        last_day=LAST,
        consent_from=FIRST,
        miles=False,
        premium=False,
        has_scale=True,
    )


@pytest.fixture(scope="session")
def recording() -> Recording:
    """What the first traveller recorded whose days hold all that the tests look for."""
    return next(filter(_holds_all, (record(traveller(number), SEED) for number in CANDIDATES)))


def _holds_all(recording: Recording) -> bool:
    """A run and an exercise on land, a nap, and a day on which no watch was worn."""
    sports = {log.exercise.sport.name for log in recording.exercises}
    naps = [log for log in recording.sleeps if log.kind == "classic" and not log.is_main]
    return {"Run", "Weights"} <= sports and bool(naps) and int(recording.wear.min()) == 0


@pytest.fixture(scope="session")
def export_of(recording: Recording, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Export]:
    """The traveller's export of a generation, written once."""
    made: dict[str, Export] = {}

    def export(generation: str) -> Export:
        if generation not in made:
            folder = tmp_path_factory.mktemp(generation)
            write_export(recording, generation, folder, morning_after(recording))
            made[generation] = Export(generation, folder)
        return made[generation]

    return export
