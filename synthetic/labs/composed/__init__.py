"""Layouts that templates in rows can't say, each composed by a module of its own.

Several draws as columns, ruled tables with codes, cards with bars, two panels side by side.
"""

from collections.abc import Callable, Iterator, Sequence

from synthetic.labs.composed.flowsheet import flowsheet_report
from synthetic.labs.composed.range_cards import range_cards_report
from synthetic.labs.composed.ruled_grid import ruled_grid_report
from synthetic.labs.composed.side_by_side import side_by_side_report
from synthetic.labs.truth import LabFile
from synthetic.people.persona import Person

COMPOSED: dict[str, Callable[[Person, int], LabFile]] = {
    "flowsheet": flowsheet_report,
    "ruled_grid": ruled_grid_report,
    "range_cards": range_cards_report,
    "side_by_side": side_by_side_report,
}


def composed_reports(layout: str, people: Sequence[Person], seed: int) -> Iterator[LabFile]:
    """One report a person with its truth, one in memory at a time; bytes depend on the arguments alone.

    The truth of ``flowsheet`` has a row for each draw at which a line has a result.
    """
    report = COMPOSED[layout]
    return (report(person, seed) for person in people)
