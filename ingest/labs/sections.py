"""Titles of tables, with the moment that may stand in one: ``Lipid Panel (03/21/2026 7:56 AM)``."""

import re
from dataclasses import dataclass, replace

from ingest.labs.dates import MOMENT, PrintedDate, parse_dates
from ingest.labs.labels import label_before

_CONTINUED = re.compile(r"\s*[(\[]?\s*(continued|cont[.'’]?d?\.?|fortsetzung)\s*[)\]]?$", re.IGNORECASE)
_MOMENT_BEHIND = re.compile(
    rf"(?P<title>.*[^\W\d_].*?)[\s,–—-]*[(\[]?(?P<moment>{MOMENT.pattern})(?:\s[A-Z]{{2,5}})?[)\]]?",
    re.IGNORECASE,
)
MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class Section:
    """The title of a table without the moment printed behind it; it holds on the pages that go on with it."""

    panel: str | None = None
    moment: PrintedDate | None = None

    def opened_by(self, title: "Section") -> "Section":
        """The section under a title; this one goes on where there is none, or where it says so itself."""
        panel = _CONTINUED.sub("", title.panel or "")
        if not panel:
            return self
        goes_on = panel == self.panel and panel != title.panel and title.moment is None
        return self if goes_on else replace(title, panel=panel)


def titled(text: str) -> Section:
    """A title and the moment behind it; a moment with a label of its own (``Reported 3/22/2026``) is none."""
    found = _MOMENT_BEHIND.fullmatch(text) if len(text) <= MAX_TITLE else None
    if found is None or label_before(found["title"]) is not None:
        return Section(text)
    moments = parse_dates(found["moment"])
    return Section(found["title"], moments[0]) if moments else Section(text)
