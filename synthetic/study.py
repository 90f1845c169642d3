"""A made study: the folder a coordinator would have, and the truth beside it."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from outputs.parquet import write_table
from schemas.participants import Participants
from synthetic.canaries.planted import planted_canaries
from synthetic.exports.forms import write_export
from synthetic.exports.knowable import seen_through
from synthetic.exports.takeout.export import morning_after
from synthetic.labs.files import write_file
from synthetic.labs.plan import LabPlan, lab_files_of
from synthetic.labs.truth import published_rows
from synthetic.life.recording import record
from synthetic.people.persona import LAST_DAY, Person, make_person
from synthetic.spec import Spec
from synthetic.study_folder import write_study_folder
from synthetic.surveys.answers import record_of
from synthetic.surveys.write import FORMS as SURVEY_FORMS
from synthetic.surveys.write import write_survey_truth, write_surveys
from synthetic.traps.catalogue import TRAPS
from synthetic.traps.planting import people_of_trap, plant
from synthetic.truth import people as true_people
from synthetic.truth import wearable
from synthetic.truth.pieces import join_pieces, write_pieces

Described = list[dict[str, Any]]
Piece = TypeVar("Piece", str, Person)


class Made(NamedTuple):
    """What is true of what one process wrote: entries of lab_files.json and of traps.json."""

    lab_files: Described
    traps: Described = []  # noqa: RUF012 - never changed


PEOPLE_A_WORKER = 6  # Below this the start of another process costs more than it saves.


def make_study(
    folder: Path, spec: Spec, workers: int | None = None, made: Callable[[], object] = lambda: None
) -> None:
    """Write ``folder/study`` and ``folder/truth``.

    Files depend on the spec alone, not on clock, zone, machine or ``workers`` (default: a process a core),
    and a participant's not on how many others there are. ``made`` is called after each participant.
    Memory holds one participant a worker.
    """
    study, truth = folder / "study", folder / "truth"
    for place in (study, truth):
        place.mkdir(parents=True, exist_ok=True)
    people = people_of(spec)
    write_study_folder(study, people, spec.seed, SURVEY_FORMS[spec.survey_form].toml())
    pieces: list[Made] = []
    for piece in _made(spec, study, truth, people, workers):
        pieces.append(piece)
        made()
    lab_files = [file for piece in pieces for file in piece.lab_files]
    join_pieces(truth)
    answers = [record_of(person, spec.seed) for person in people]
    write_surveys(answers, study / "surveys", spec.survey_form)
    write_survey_truth(answers, truth, spec.survey_form)
    if spec.traps:
        # What arrives of whom is each trap's own answer.
        _write_json(truth / "traps.json", [trap for piece in pieces for trap in piece.traps])
    else:
        write_table(true_people.participants(people), Participants, truth / "participants.parquet")
    _write_json(truth / "personas.json", [true_people.persona(person) for person in people])
    _write_json(truth / "effects.json", true_people.effects(people))
    _write_json(truth / "lab_files.json", lab_files)
    phrases = [(kind, text) for trap in spec.traps for kind, text in trap.phrases.items()]
    pdf_names = [file["file"] for file in lab_files]
    _write_json(truth / "canaries.json", planted_canaries(people, pdf_names, phrases))
    _write_json(truth / "as_of_dates.json", [day.isoformat() for day in spec.as_of_dates(LAST_DAY)])


def people_of(spec: Spec) -> list[Person]:
    """Everybody who takes part."""
    if spec.traps:
        return [person for trap in spec.traps for person in people_of_trap(trap, spec.seed)]
    days, seed, casting = spec.days_with_data, spec.seed, spec.casting
    return [make_person(number, days, seed, casting) for number in range(spec.participants)]


def _made(spec: Spec, study: Path, truth: Path, people: list[Person], workers: int | None) -> Iterator[Made]:
    """The files of everybody, a trap or a person at a time."""
    if spec.traps:
        names = [trap.name for trap in spec.traps]
        return _each(partial(_write_trap, spec.seed, study, truth), names, workers)
    return _each(partial(_write_person, spec, study, truth), people, workers)


def _each(work: Callable[[Piece], Made], pieces: Sequence[Piece], workers: int | None) -> Iterator[Made]:
    """The work for each piece, in processes where that pays."""
    count = min(workers or os.cpu_count() or 1, len(pieces) // PEOPLE_A_WORKER)
    if count < 2:
        yield from map(work, pieces)
        return
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, pieces)


def _write_trap(seed: int, study: Path, truth: Path, name: str) -> Made:
    """Files and truth of a trap's participants. Traps go by name: they hold functions, which stay here."""
    planted = plant(TRAPS[name], seed, study)
    for owner, frames in planted.frames.items():
        write_pieces(truth, owner, frames)
    return Made([file.described for file in planted.labs], [planted.described])


def _write_person(spec: Spec, study: Path, truth: Path, person: Person) -> Made:
    """Export, reports and truth of one participant; returns what is true of their lab reports."""
    owner = person.participant_id
    recording = record(person, spec.seed)
    form = spec.form_of(person.number)
    place, asked = study / "fitbit" / owner, morning_after(recording)
    name, *_ = write_export(recording, form, place, asked, spec.heart_rate_seconds)
    labs = list(lab_files_of(person, spec.days_with_data, spec.seed, LabPlan()))
    for file in labs:
        write_file(file, study / "labs" / owner)
    frames = {
        "daily_summary": seen_through(wearable.daily_summary(recording), form),
        "sleep_sessions": wearable.sleep_sessions(recording, name),
        "activities": wearable.activities(recording, name),
        "lab_results": published_rows(labs),
    }
    write_pieces(truth, owner, frames)
    return Made([file.described for file in labs])


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
