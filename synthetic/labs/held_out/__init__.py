"""Layouts that nobody who writes the reader has seen: they measure it and are never used to develop it.

They are frozen: a changed layout would be another one, and its first-run figures worthless.
"""

from collections.abc import Callable, Iterator, Sequence

from synthetic.labs.held_out.cumulative import cumulative_report
from synthetic.labs.held_out.encounter import encounter_report
from synthetic.labs.held_out.letter import letter_report
from synthetic.labs.held_out.wellness import wellness_report
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

HELD_OUT: dict[str, Callable[[Person, int], LabFile]] = {
    "cumulative_columns": cumulative_report,
    "wellness_blocks": wellness_report,
    "encounter_tables": encounter_report,
    "labelled_lines": letter_report,
}


def held_out_reports(layout: str, people: Sequence[Person], seed: int) -> Iterator[LabFile]:
    """One report a person with its truth, one in memory at a time; bytes depend on the arguments alone.

    The truth of ``cumulative_columns`` has a row for each date at which a line has a result.
    """
    report = HELD_OUT[layout]
    return (report(person, seed) for person in people)
