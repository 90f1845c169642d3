"""Small lab reports drawn for tests, and what the stage makes of them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import polars as pl
from reportlab.lib.colors import Color, black
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from ingest.labs import ingest_labs
from ingest.source_file import SourceFile
from outputs.store import Result
from schemas.participant import Participant

SECRET = b"a test's secret"
HEIGHT = 792

HEAD = (
    "DOE, JANE",
    "DOB: 05/20/1980 Sex: F Specimen: AB 123456C",
    "Collected: 03/14/2026 08:10 Received: 03/14/2026 11:00 Reported: 03/15/2026 09:30 Report Status: FINAL",
    "Fasting: Y",
)
JANE = Participant("P1", "female", 1980, "UTC", birth_date=date(1980, 5, 20), name="Jane Doe")


@dataclass(frozen=True)
class Mark:
    """Text somewhere: x, distance from the top, size, colour, angle."""

    text: str
    x: float
    top: float
    size: float = 9
    color: Color = black
    angle: float = 0


@dataclass(frozen=True)
class Sheet:
    """A page: head lines, then rows of cells at columns 40, 250, 330, 400."""

    rows: Sequence[Sequence[str]] = ()
    head: Sequence[str] = HEAD
    marks: Sequence[Mark] = field(default_factory=tuple)
    columns: Sequence[float] = (40, 250, 330, 400)


def draw(path: Path, *sheets: Sheet, password: str | None = None, owner_only: bool = False) -> Path:
    lock = (
        StandardEncryption("" if owner_only else password, ownerPassword="o", canPrint=0)
        if password
        else None
    )
    canvas = Canvas(str(path), pagesize=(612, HEIGHT), invariant=True, encrypt=lock)
    for sheet in sheets:
        _page(canvas, sheet)
        canvas.showPage()
    canvas.save()
    return path


def _page(canvas: Canvas, sheet: Sheet) -> None:
    canvas.setFont("Helvetica", 9)
    for number, line in enumerate(sheet.head):
        canvas.drawString(40, HEIGHT - 40 - 12 * number, line)
    for number, row in enumerate(sheet.rows):
        for x, cell in zip(sheet.columns, row, strict=False):
            canvas.drawString(x, HEIGHT - 130 - 14 * number, cell)
    for mark in sheet.marks:
        canvas.saveState()
        canvas.setFont("Helvetica", mark.size)
        canvas.setFillColor(mark.color)
        canvas.translate(mark.x, HEIGHT - mark.top)
        canvas.rotate(mark.angle)
        canvas.drawString(0, 0, mark.text)
        canvas.restoreState()


def source(path: Path, set_aside: str | None = None) -> SourceFile:
    content = path.read_bytes()
    return SourceFile(path, path.name, len(content), hashlib.sha256(content).hexdigest(), set_aside)


def ingest(*paths: Path, participant: Participant = JANE) -> Result:
    return ingest_labs(participant, [source(path) for path in paths], SECRET)


def frame(result: Result, table: str) -> pl.DataFrame:
    return result.tables[table].lazy().collect()


def printed(result: Result) -> dict[str, dict[str, object]]:
    """Accepted printed rows by name."""
    rows = frame(result, "lab_results").filter(~pl.col("derived")).rows(named=True)
    return {row["raw_name"]: row for row in rows}


def derived(result: Result) -> dict[str, dict[str, object]]:
    rows = frame(result, "lab_results").filter(pl.col("derived")).rows(named=True)
    return {row["analyte_key"]: row for row in rows}


def doubts(result: Result) -> dict[str, str]:
    """Reasons by printed name."""
    return dict(frame(result, "lab_review").select("raw_name", "reasons").iter_rows())


def codes(result: Result) -> list[str]:
    return [problem["code"] for problem in result.document["problems"]]


def status(result: Result) -> list[tuple[str, str | None, str | None]]:
    return frame(result, "lab_files").select("status", "reason", "identity").rows()
