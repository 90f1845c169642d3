"""A person's account with the vendor: the same in whatever form its data are exported."""

from datetime import date, datetime, timedelta

from synthetic.life.recording import Recording
from synthetic.life.wear import SYNC_WALL_MINUTE
from synthetic.people.devices import Device
from synthetic.people.persona import Person

# Of a person's height, as the vendor reckons strides.
WALKING_STRIDE = 0.414


def account_id(person: Person) -> str:
    """Six characters, of one account only."""
    return f"{'ABCDEFGHJK'[person.number % 10]}{person.number:05d}"


def account_created(recording: Recording) -> date:
    """A few days to weeks before the first day with data; many files are cut from this day on."""
    return recording.person.first_day - timedelta(days=2 + recording.person.number * 5 % 19)


def synced_utc(recording: Recording) -> datetime:
    """The last synchronisation, in UTC without a zone."""
    local = datetime.combine(recording.days.dates[-1], datetime.min.time()) + timedelta(
        minutes=SYNC_WALL_MINUTE
    )
    return recording.days.utc_of(local).replace(tzinfo=None)


def wearable_on(recording: Recording, day: date) -> Device:
    """The wearable in use on a day."""
    return next(watch for watch in recording.person.watches if watch.in_use_on(day))


def usual_stride_m(person: Person) -> float:
    """Metres a step by which a phone reckons distance."""
    return person.body.height_cm * WALKING_STRIDE / 100
