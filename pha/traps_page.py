"""docs/made_traps.md: the catalogue of planted traps, from their declarations."""

from collections.abc import Sequence

from pha.markdown import code, page, table
from synthetic.traps.catalogue import GROUPS
from synthetic.traps.trap import Trap


def traps_page() -> str:
    """The page's text."""
    intro = (
        "For whoever tests a reader of exports: what goes wrong in real ones, each planted on purpose into "
        "the files of one made participant, with its right answer.\n\n"
        "`pha synthesize DIR --preset traps` gives each of them a participant whose id is the trap's name "
        "(a second one ends in `-2`). `DIR/truth/traps.json` holds the right answers, the tables beside it "
        "what a right reader publishes: where a trap takes something away it is missing there too. "
        "`DIR/truth/canaries.json` holds every made name, birth date, phrase and file name that must go "
        "nowhere, by kind; `synthetic.canaries.search.find_canaries(folder, canaries)` looks for them in "
        "names of files, text and Parquet."
    )
    answers = (
        "## Answers\n\n"
        "An answer speaks of what is published alone, never of a reader's inside.\n\n"
        + table(["answer", "what is right"], ([code(name), text] for name, text in ANSWERS.items()))
    )
    add = (
        "## To add a trap\n\n"
        "Declare it in the module of its group in `synthetic/traps/`: its name, what it is in a sentence, "
        "where it was seen; a function that changes the person (`cast`), the members (`edit`) or the folder "
        "(`pack`); and its answers. A life of its own follows from its name, so that no other changes. "
        "`tests/ingest/test_traps.py` asks for a look at its bytes and what the readers make of it, and the "
        "report of the tests ends with the table trap, asked, got: one trap of each kind in `make test`, all "
        "of them in `make proof`."
    )
    groups = (f"## {title}\n\n{_table(traps)}" for title, traps in GROUPS.items())
    return page("Made traps", intro, answers, *groups, add)


ANSWERS = {
    "TablesEqual": "Published rows equal the truth's: the named columns of `daily_summary` (all where none "
    "is named), within the distances given, and the tables of logs named.",
    "Verdict": "The identity verdict of a file.",
    "Problems": "The codes that are told about the participant's exports, these and no others, and who acts.",
    "Rows": "At least so many rows of a file were staged, merged, rejected or ignored.",
    "Members": "Exactly so many members of a file are refused, at least so many ignored.",
    "Clock": "What the times with a `Z` of a kind are found to be.",
    "DayState": "The state of some days.",
    "Published": "First and last day with data once the observation period is applied; none where all is "
    "set aside.",
    "ReportVerdict": "A lab report is accepted (with a code for readings in doubt), or set aside under one.",
}


def _table(traps: Sequence[Trap]) -> str:
    return table(
        ["trap", "form", "what", "seen"],
        ([code(trap.name), trap.form, trap.what, trap.known] for trap in traps),
    )
