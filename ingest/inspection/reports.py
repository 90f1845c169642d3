"""What a lab report is: pages, text or picture, days of collection, how much of it a run would accept."""

from pathlib import Path

from ingest.inspection.exports import SECRET
from ingest.inspection.found import Fault, ReportLook, fault, fault_of
from ingest.labs import ingest_labs
from ingest.labs.heading import page_head
from ingest.labs.lines import lines_of
from ingest.labs.ocr import engine_version
from ingest.labs.pdf import Page, read_pages
from ingest.labs.shown import source_of, whom_it_names
from schemas.errors import CODES, PhaError
from schemas.participant import Participant

_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024


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


def look_at_report(path: Path, owner: Participant | None) -> tuple[ReportLook, list[Fault]]:
    """Read a report as a run would; without an owner, as of whom it names. A scan is opened and not read."""
    size = path.stat().st_size
    try:
        pages = read_pages(path)
    except PhaError as error:
        is_scan = error.code.name == "lab_text_unusable"
        if is_scan and engine_version():
            return ReportLook(size), []
        return ReportLook(size, codes=(error.code.name,)), [fault_of(error)]
    result = ingest_labs(owner or whom_it_names(path), [source_of(path)], SECRET)
    tables = {name: result.tables[name].lazy().collect() for name in ("lab_results", "lab_review")}
    problems = result.document["problems"]
    look = ReportLook(
        bytes=size,
        pages=len(pages),
        is_text=any(page.words for page in pages),
        collection_days=_collection_days(pages),
        results=tables["lab_results"].filter(derived=False).height,
        in_doubt=tables["lab_review"].height,
        codes=tuple(sorted({problem["code"] for problem in problems})),
    )
    return look, [fault(CODES[problem["code"]], problem["what"]) for problem in problems]


def _collection_days(pages: list[Page]) -> int:
    printed = {day for page in pages for day in page_head(lines_of(page.words)).collected}
    return len({(day.month_first, day.day_first) for day in printed})
