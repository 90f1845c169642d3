"""What a PDF is at a glance: pages, text or picture, whether a day of collection is printed. Never a name."""

from dataclasses import dataclass
from pathlib import Path

from ingest.labs.heading import page_head
from ingest.labs.lines import lines_of
from ingest.labs.pdf import Page, read_pages
from schemas.errors import PhaError

_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024


@dataclass(frozen=True, slots=True)
class ReportLook:
    """What a PDF shows.

    pages: None where it can't be opened. is_text: words can be read from it. collection_days: different days
    of collection printed on it. code: what keeps it from being read, with its text and what to do.
    """

    bytes: int
    pages: int | None = None
    is_text: bool = False
    collection_days: int = 0
    code: str | None = None
    what: str | None = None
    next_step: str | None = None


def is_report(path: Path) -> bool:
    """True for a PDF by its first bytes or its ending. A pipe is none: opening it would wait for ever."""
    if not path.is_file():
        return False
    if path.suffix.lower() == ".pdf":
        return True
    try:
        with path.open("rb") as stream:
            return _MAGIC in stream.read(_MAGIC_WITHIN)
    except OSError:
        return False


def look_at_report(path: Path) -> ReportLook:
    """Open a PDF and look at its pages; what keeps it from being read is told by code."""
    size = path.stat().st_size
    try:
        pages = read_pages(path)
    except PhaError as error:
        return ReportLook(size, code=error.code.name, what=error.what, next_step=error.next_step)
    return ReportLook(size, len(pages), any(page.words for page in pages), _collection_days(pages))


def _collection_days(pages: list[Page]) -> int:
    printed = {day for page in pages for day in page_head(lines_of(page.words)).collected}
    return len({(day.month_first, day.day_first) for day in printed})
