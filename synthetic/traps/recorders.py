"""Traps of what records: watch and phone at once, a change of watch, a watch that lies in a drawer."""

from dataclasses import replace

from synthetic.people.effects import Planted
from synthetic.people.persona import Person
from synthetic.traps.answers import Answer, DayState, Problems, TablesEqual
from synthetic.traps.casts import both, with_new_watch, with_phone
from synthetic.traps.edits import leaving_out
from synthetic.traps.trap import Life, Trap

SUMS_PER_SOURCE = "notes of several tools; home-assistant/android#7510; rfivesix/train-libre#424"
STEP_JSON = r"/(?:steps|distance)-\d{4}-\d\d-\d\d\.json$"
CHANGED_ON_DAY = 4


def _watch_alone(_: Life) -> tuple[Answer, ...]:
    return TablesEqual(columns=("steps", "distance_m", "day_state", "wear_from_steps")), Problems()


def _badly_worn(person: Person) -> Person:
    return replace(person, planted=Planted(badly_worn=True))


def _states(life: Life) -> tuple[Answer, ...]:
    off = tuple(day for day, wear in zip(life.dates, life.recording.wear.tolist(), strict=True) if wear == 0)
    return TablesEqual(), Problems(), DayState(off, "not_worn")


RECORDER_TRAPS = (
    Trap(
        name="phone_beside_watch",
        what="The step family interleaves watch and phone: their sum is more than was walked. "
        "The JSON file, which is reconciled, is not there.",
        known=SUMS_PER_SOURCE,
        form="D",
        cast=with_phone,
        edit=leaving_out(STEP_JSON),
        answers=_watch_alone,
    ),
    Trap(
        name="two_watches_and_a_phone",
        what="A watch, its successor and the phone in one file of steps.",
        known=SUMS_PER_SOURCE,
        form="D",
        cast=both(with_new_watch(CHANGED_ON_DAY), with_phone),
        edit=leaving_out(STEP_JSON),
        answers=_watch_alone,
    ),
    Trap(
        name="new_watch",
        what="From the fifth day on another type of watch: that day is marked, and no trend crosses it.",
        known="Trackers.csv of public exports",
        cast=with_new_watch(CHANGED_ON_DAY),
    ),
    Trap(
        name="not_worn",
        what="Days without heart rate, with calories at the basal rate and 1440 sedentary minutes.",
        known="Furberg 2016 (Fitabase) and public exports",
        days=12,
        cast=_badly_worn,
        answers=_states,
    ),
)
