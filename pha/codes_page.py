"""docs/codes.md: every code, from the one table of codes."""

from collections.abc import Iterable

from pha.markdown import code, page, table
from schemas.errors import CODES, Code

_SCOPES = {
    "usage": "Wrong use or settings: the command ends with 2",
    "run": "The run could not be made: the command ends with 1",
    "input": "About one participant, file or text: the others go on",
}


def codes_page() -> str:
    """The page's text."""
    intro = (
        "`pha explain CODE` shows one of these. Words in braces are filled in with counts, line numbers, "
        "names of settings, digests and participant ids, never with names, dates of birth or values."
    )
    sections = (
        f"## {title}\n\n{_table(entry for entry in CODES.values() if entry.scope == scope)}"
        for scope, title in _SCOPES.items()
    )
    return page("Codes", intro, *sections)


def _table(codes: Iterable[Code]) -> str:
    return table(
        ["code", "what happened", "next step", "who acts", "how soon", "words to send"],
        (
            [
                code(entry.name),
                entry.what,
                entry.next_step + (" It is tried again by itself." if entry.transient else ""),
                entry.role,
                entry.severity,
                entry.message or "",
            ]
            for entry in codes
        ),
    )
