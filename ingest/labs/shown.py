"""A report with what was read of it, for a person who looks at one file: pictures, boxes, reasons."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pdfplumber

from ingest.labs.decided import ReadingDecision, expected_text
from ingest.labs.heading import PageHead, page_head
from ingest.labs.ingest import ingest_labs
from ingest.labs.lines import lines_of
from ingest.labs.ocr import picture_reader
from ingest.labs.pdf import read_pages
from ingest.labs.readings import readings_of
from ingest.labs.vocabulary import uses_decimal_comma
from ingest.source_file import SourceFile
from schemas.analytes import FASTING_ONLY
from schemas.errors import CODES, Code, PhaError
from schemas.participant import Participant

DOTS_PER_INCH = 100
NOBODYS_YEAR = 1900


@dataclass(frozen=True, slots=True)
class ShownReading:
    """A reading and where it stands: box (x0, top, x1, bottom) in points from the top left of its page.

    ``target``: file_id:row_no, for `pha decide`; None where no study says whose the report is.
    """

    page: int
    box: tuple[float, float, float, float]
    row_no: int
    printed: str
    meaning: str
    reasons: tuple[str, ...]
    in_doubt: bool
    target: str | None


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page as PNG and its size in points."""

    number: int
    png: bytes
    width: float
    height: float


class ReportProblem(NamedTuple):
    """What keeps a report, or some of its readings, from being used."""

    code: Code
    what: str


@dataclass(frozen=True, slots=True)
class ShownReport:
    """Pages (none where the file cannot be opened), readings, and what keeps the report from being used."""

    pages: tuple[ShownPage, ...]
    readings: tuple[ShownReading, ...]
    problems: tuple[ReportProblem, ...]


def source_of(path: Path) -> SourceFile:
    """A report outside of any study. Raises PhaError file_unreadable."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise PhaError("file_unreadable") from error
    return SourceFile(path, path.name, len(content), hashlib.sha256(content).hexdigest())


def show_report(
    file: SourceFile, owner: Participant | None, secret: bytes, decisions: Sequence[ReadingDecision] = ()
) -> ShownReport:
    """What the stage reads of one report. Without ``owner`` it is read as of whom it names itself."""
    person = owner or whom_it_names(file.path)
    result = ingest_labs(person, [file], secret, decisions)
    tables = {name: result.tables[name].lazy().collect() for name in ("lab_results", "lab_review")}
    readings = [
        _reading(row, in_doubt=name == "lab_review", decidable=owner is not None)
        for name, table in tables.items()
        for row in table.to_dicts()
        # Published only where a questionnaire says so, which is not asked here.
        if not (name == "lab_results" and row["analyte_key"] in FASTING_ONLY and row["fasting"] != "yes")
    ]
    return ShownReport(
        pages=tuple(_pictures(file.path)),
        readings=tuple(sorted(readings or _unused(file.path), key=lambda r: (r.page, r.row_no))),
        problems=tuple(
            ReportProblem(CODES[problem["code"]], problem["what"]) for problem in result.document["problems"]
        ),
    )


def _unused(path: Path) -> list[ShownReading]:
    """Readings of a report that is set aside as a whole: what is printed, without a meaning."""
    try:
        pages = read_pages(path, picture_reader())
    except PhaError:
        return []
    comma = uses_decimal_comma([word.text for page in pages for word in page.words])
    found = readings_of([(page.number, lines_of(page.words)) for page in pages], comma)
    return [
        ShownReading(
            page=reading.page,
            box=reading.box,
            row_no=row_no,
            printed=expected_text(reading.raw_name, reading.value.raw, reading.raw_unit),
            meaning="",
            reasons=("report_set_aside",),
            in_doubt=True,
            target=None,
        )
        for row_no, reading in enumerate(found, 1)
    ]


def _reading(row: dict[str, Any], *, in_doubt: bool, decidable: bool) -> ShownReading:
    reasons = row["reasons"] if in_doubt else row["review_reasons"]
    meaning = row["suggestion"] if in_doubt else _published(row)
    return ShownReading(
        page=row["page"],
        box=tuple(json.loads(row["bbox_json"])),
        row_no=row["row_no"],
        printed=expected_text(row["raw_name"], row["raw_value"], row["raw_unit"]),
        meaning=meaning or "",
        reasons=tuple(reasons.split(";")) if reasons else (),
        in_doubt=in_doubt,
        target=f"{row['file_id']}:{row['row_no']}" if in_doubt and decidable else None,
    )


def _published(row: dict[str, Any]) -> str:
    """Analyte, amount in its unit, flag by the interval, day."""
    number = row["value_canonical"] if row["value_canonical"] is not None else row["bound_canonical"]
    if number is not None:
        value = f"{row['comparator'] or ''}{number:g} {row['canonical_unit']}"
    else:
        value = row["value_text"] or row["missing_reason"] or ""
    said = (row["analyte_key"], value, row["loinc"], row["flag_computed"], row["collected_date"])
    return " · ".join(str(part) for part in said if part)


def _pictures(path: Path) -> Iterator[ShownPage]:
    """Pages as a person sees them; none of a file that cannot be opened or is too large to be read."""
    try:
        read_pages(path, picture_reader())
    except PhaError as fault:
        if fault.code.name != "lab_text_unusable":
            return
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            stream = BytesIO()
            page.to_image(resolution=DOTS_PER_INCH).original.convert("RGB").save(stream, "PNG")
            yield ShownPage(page.page_number, stream.getvalue(), float(page.width), float(page.height))
            page.close()


def whom_it_names(path: Path) -> Participant:
    """Whom a report is of by its own pages, so that its identity gate is open; nobody where it fails."""
    try:
        heads = [page_head(lines_of(page.words)) for page in read_pages(path, picture_reader())]
    except PhaError:
        heads: list[PageHead] = []
    names = [head.name for head in heads if head.name]
    sexes = [head.sex for head in heads if head.sex in ("female", "male")]
    return Participant(
        "nobody",
        sexes[0] if sexes else "unknown",  # pyright: ignore[reportArgumentType]
        _birth_year(heads),
        "UTC",
        name=names[0] if names else None,
    )


def _birth_year(heads: Sequence[PageHead]) -> int:
    """Of the printed birth date, else of the printed age at the draw."""
    for head in heads:
        born = (head.birth.month_first or head.birth.day_first) if head.birth else None
        if born:
            return born.year
    for head in heads:
        drawn = head.collected[0].month_first or head.collected[0].day_first if head.collected else None
        if drawn and head.age is not None:
            return drawn.year - head.age
    return NOBODYS_YEAR
