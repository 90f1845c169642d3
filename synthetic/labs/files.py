"""Reports as files, and later reports of the same specimen that replace earlier ones."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np

from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.pdf import lab_pdf
from synthetic.labs.printing import Result, Style
from synthetic.labs.report import Report
from synthetic.labs.results import judged
from synthetic.labs.truth import LabFile, doubts_of, printed_rows

CORRECTED_ROWS = 2
CORRECTED_FACTOR = Decimal("1.07")


def lab_file(report: Report) -> LabFile:
    """A report as a PDF with text, and its truth."""
    return LabFile(
        participant_id=report.person.participant_id,
        name=report.file_name,
        content=lab_pdf(report),
        layout=report.layout,
        rows=printed_rows(report),
        doubts=doubts_of(report),
    )


def write_file(file: LabFile, folder: Path) -> None:
    """Write the file into a participant's folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file.name).write_bytes(file.content)


def corrected(report: Report, rng: np.random.Generator) -> Report:
    """The specimen reported again two days later with two other values, each saying what it was before."""
    style = LAYOUTS[report.layout].style
    numbers = [n for n, r in enumerate(report.results) if r.value and not r.line.beside and not r.doubt]
    chosen = {int(n) for n in rng.choice(numbers, CORRECTED_ROWS, replace=False)}
    results = [_mended(r, style) if n in chosen else r for n, r in enumerate(report.results)]
    return replace(
        report,
        results=tuple(results),
        status="corrected",
        reported=report.reported + timedelta(days=2),
        file_name=suffixed(report, "corrected"),
    )


def preliminary(report: Report, rng: np.random.Generator) -> Report:
    """A report of the same specimen a day before the final one, with some results still to come."""
    style = LAYOUTS[report.layout].style
    results = tuple(
        Result(r.line, r.interval, style.gaps.get("pending", "PENDING"), missing="pending")
        if r.line.key and not r.line.beside and rng.random() < 0.2
        else r
        for r in report.results
    )
    early = report.drawn + timedelta(hours=10)
    name = suffixed(report, "preliminary")
    return replace(report, results=results, status="preliminary", reported=early, file_name=name)


def superseding(older: Report, newer: Report) -> tuple[LabFile, LabFile]:
    """Both files of one specimen: rows that differ are superseded in the older one, equal ones merge."""
    first, second = lab_file(older), lab_file(newer)
    rows = enumerate(zip(older.results, newer.results, strict=True), start=1)
    same = {number: before.raw_value == after.raw_value for number, (before, after) in rows}
    replaced = {number: second.name for number, equal in same.items() if not equal}
    merged = frozenset(number for number, equal in same.items() if equal)
    return replace(first, superseded_by=replaced, merged=merged), second


def _mended(result: Result, style: Style) -> Result:
    before, step = result.value or Decimal(0), Decimal(1).scaleb(-result.line.decimals)
    value = max(before * CORRECTED_FACTOR, before + step).quantize(step)
    comment = f"Corrected result; previously reported as {result.raw_value}."
    plain = replace(result, raw_value=style.number(value), value=value, flag=None, flag_meaning=None)
    return judged(replace(plain, comment=comment), style)


def suffixed(report: Report, suffix: str) -> str:
    """The report's file name with a word before its ending."""
    return f"{report.file_name.removesuffix('.pdf')}_{suffix}.pdf"
