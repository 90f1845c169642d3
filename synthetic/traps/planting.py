"""A trap in a study: its people, their files, their truth."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from synthetic.labs.files import write_file
from synthetic.labs.plan import lab_files_of
from synthetic.labs.truth import LabFile, published_rows
from synthetic.life.recording import record
from synthetic.people.persona import Person
from synthetic.traps.answers import Answer, as_json
from synthetic.traps.casts import ordinary
from synthetic.traps.reports import report_verdict
from synthetic.traps.trap import Frames, Life, Trap
from synthetic.truth import wearable

# A life of its own for each name, so that a new trap changes no other; all numbers put the border of 30-day
# files ten days after the first day with data, and leave room for a companion.
FIRST_NUMBER, STEP, PLACES = 1_003, 19, 20_021
COMPANION = 7


@dataclass(frozen=True, slots=True)
class Planted:
    """What a trap put into a study: the people, the truth of each by their id, the answers, reports."""

    trap: Trap
    people: tuple[Person, ...]
    frames: dict[str, Frames]
    answers: tuple[Answer, ...]
    labs: tuple[LabFile, ...]

    @property
    def described(self) -> dict[str, Any]:
        """The entry of ``truth/traps.json``."""
        return {
            "trap": self.trap.name,
            "what": self.trap.what,
            "known": self.trap.known,
            "form": self.trap.form,
            "participants": [person.participant_id for person in self.people],
            "answers": [as_json(answer) for answer in self.answers],
        }


def people_of_trap(trap: Trap, seed: int) -> tuple[Person, ...]:
    """The trap's participant and, where it needs one, a companion."""
    number = FIRST_NUMBER + STEP * (crc32(trap.name.encode()) % PLACES)
    own = trap.cast(ordinary(trap.name, number, trap.days, trap.last_day, seed))
    if trap.companion is None:
        return (own,)
    drawn = ordinary(f"{trap.name}-2", number + COMPANION, trap.days, trap.last_day, seed)
    return own, trap.companion(own, drawn)


def plant(trap: Trap, seed: int, study: Path) -> Planted:
    """Write the files of a trap below a study folder."""
    fitbit = study / "fitbit"
    people = people_of_trap(trap, seed)
    lives = [_life(trap, person, seed) for person in people]
    life = replace(lives[0], other=lives[1] if len(lives) > 1 else None)
    answers = trap.answers(life)
    members = trap.edit(life, life.members()) if life.is_takeout else ()
    trap.pack(life, members, fitbit)
    frames = {each.person.participant_id: _truth(each) for each in lives}
    for each, truth in zip(lives, (trap.truth, trap.companion_truth), strict=False):
        owner = each.person.participant_id
        frames[owner] = truth(each, frames[owner])
    labs = tuple(_reports(trap, people[0], seed))
    for file in labs:
        write_file(file, study / "labs" / file.participant_id)
    frames[people[0].participant_id]["lab_results"] = published_rows(labs)
    return Planted(trap, people, frames, (*answers, *map(report_verdict, labs)), labs)


def _life(trap: Trap, person: Person, seed: int) -> Life:
    recording = record(person, seed)
    return Life(recording, trap.request(recording))


def _reports(trap: Trap, person: Person, seed: int) -> Iterator[LabFile]:
    if trap.reports is not None:
        drawn = ordinary("", person.number + COMPANION, trap.days, trap.last_day, seed)
        yield from lab_files_of(person, trap.days, seed, trap.reports, stranger=drawn)


def _truth(life: Life) -> Frames:
    """``file_id`` of logs holds the form's usual name."""
    name = life.archive if life.is_takeout else life.request.form
    return {
        "daily_summary": wearable.daily_summary(life.recording),
        "sleep_sessions": wearable.sleep_sessions(life.recording, name),
        "activities": wearable.activities(life.recording, name),
    }
