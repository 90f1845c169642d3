"""The page of `pha labs show`: a report with the boxes of what was read, one file, all text escaped."""

import base64
import os
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ingest.labs.shown import ShownReport
from pha.lab_labels import place_labels


def lab_page(report: ShownReport) -> str:
    """HTML that needs no network and runs no program."""
    pages = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    pages.globals["place_labels"] = place_labels  # pyright: ignore[reportArgumentType]
    pictures = {page.number: base64.b64encode(page.png).decode() for page in report.pages}
    return pages.get_template("lab_page.html.j2").render(report=report, pictures=pictures)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, in a folder that only they can open."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
