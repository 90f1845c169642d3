"""Which lab reports a person has: the layouts, and further draws each with a trick."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from synthetic.labs.draws import AT_ENROLMENT, EARLIER, reports_of
from synthetic.labs.files import corrected, lab_file, preliminary, superseding
from synthetic.labs.hostile import HOSTILE
from synthetic.labs.report import Report
from synthetic.labs.scans import photographed, scanned
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person
from synthetic.randomness import generator

Trick = Callable[[Report, np.random.Generator], tuple[LabFile, ...]]

LATER: dict[str, Trick] = {
    "corrected": lambda report, rng: superseding(report, corrected(report, rng)),
    "preliminary": lambda report, rng: superseding(preliminary(report, rng), report),
    "scanned": lambda report, rng: (scanned(report, rng),),
    "photographed": lambda report, rng: (photographed(report, rng),),
}
TRICKS = (*LATER, *HOSTILE)


@dataclass(frozen=True, slots=True)
class LabPlan:
    """Layouts of a person's ordinary reports, and tricks (of TRICKS), each of them a draw of its own.

    Tricks are played in the first layout. ``wide`` and ``phrase`` as in ``reports_of``.
    """

    layouts: tuple[str, ...] = (AT_ENROLMENT, EARLIER)
    tricks: tuple[str, ...] = ()
    wide: bool = False
    phrase: str | None = None


def lab_files_of(
    person: Person, days: int, seed: int, plan: LabPlan, stranger: Person | None = None
) -> Iterator[LabFile]:
    """The files of a person, one in memory at a time; their bytes depend on the arguments alone.

    ``stranger`` is whose reports are in the wrong folder. ValueError for a trick of HOSTILE without one.
    """
    layouts = (*plan.layouts, *(plan.layouts[0] for _ in plan.tricks))
    reports = reports_of(person, days, seed, layouts, wide=plan.wide, phrase=plan.phrase)
    ordinary = len(plan.layouts)
    yield from map(lab_file, reports[:ordinary])
    rng = generator(seed, "lab tricks", person.number)
    for trick, report in zip(plan.tricks, reports[ordinary:], strict=True):
        yield from _played(trick, report, rng, stranger)


def _played(
    trick: str, report: Report, rng: np.random.Generator, stranger: Person | None
) -> tuple[LabFile, ...]:
    if trick in LATER:
        return LATER[trick](report, rng)
    if stranger is None:
        raise ValueError(f"{trick} needs a stranger")
    hostile = HOSTILE[trick](report, stranger)
    return (lab_file(report), hostile) if hostile.reason == "duplicate" else (hostile,)
