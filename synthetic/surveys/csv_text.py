"""Rows as the text of a CSV file."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


def csv_text(rows: Iterable[Sequence[str]], separator: str = ",", line_end: str = "\n") -> str:
    """Rows as CSV, quoted where necessary."""
    stream = StringIO()
    csv.writer(stream, delimiter=separator, lineterminator=line_end).writerows(rows)
    return stream.getvalue()
