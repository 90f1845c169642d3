"""Peak memory of reading an export of dense heart rate, by its size and by the number of people read.

Run: python -m benchmarks.memory [--megabytes 2000] [--people 1]
"""

import argparse
import resource
import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import date, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

from ingest.fitbit import ingest_fitbit
from ingest.source_file import SourceFile
from outputs.digests import file_sha256
from outputs.parquet import write_table
from schemas.participant import Participant
from schemas.tables import TABLES

_FIRST = date(2020, 1, 1)
_STEP = timedelta(seconds=5)
_FOLDER = "Takeout/Fitbit/Global Export Data"
_RECORD = (
    '{{\n  "dateTime" : "{:%m/%d/%y %H:%M:%S}",\n  "value" : {{\n'
    '    "bpm" : {},\n    "confidence" : 3\n  }}\n}}'
)


def dense_export(path: Path, megabytes: float) -> int:
    """Write a zip of heart-rate days, a sample every 5 s, until they hold so much; returns the days."""
    left, days = int(megabytes * 1e6), 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for day, text in _days():
            packed.writestr(f"{_FOLDER}/heart_rate-{day}.json", text)
            left, days = left - len(text), days + 1
            if left <= 0:
                break
    return days


def _days() -> Iterator[tuple[date, bytes]]:
    """Days of one shape, in UTC: the text of the first, each time with another date."""
    midnight = datetime(_FIRST.year, _FIRST.month, _FIRST.day)  # noqa: DTZ001 - no zone is written
    samples = (_RECORD.format(midnight + n * _STEP, 50 + n * 7 % 97) for n in range(17_280))
    text = f"[{','.join(samples)}]".encode()
    for number in range(10_000):
        day = _FIRST + timedelta(days=number)
        yield day, text.replace(f"{_FIRST:%m/%d/%y}".encode(), f"{day:%m/%d/%y}".encode())


def peak_mb(archive: Path, out: Path, people: int = 1) -> tuple[float, int]:
    """Peak resident memory in MiB of a process of its own that reads an archive for so many people, one after
    the other, and writes their tables; and the minutes found for the last.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_read, archive, out, people).result()


def _read(archive: Path, out: Path, people: int) -> tuple[float, int]:
    file = SourceFile(archive, archive.name, archive.stat().st_size, file_sha256(archive))
    minutes = 0
    for number in range(people):
        person = Participant(f"P{number}", "female", 1990, "UTC")
        result = ingest_fitbit(person, [file], b"benchmark")
        rows = {name: write_table(frame, TABLES[name], out / name) for name, frame in result.tables.items()}
        minutes = rows["heart_rate_minutes"]
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, minutes


def main() -> None:
    """Print one figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=2000)
    parser.add_argument("--people", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        archive = Path(name) / "export.zip"
        days = dense_export(archive, asked.megabytes)
        peak, minutes = peak_mb(archive, Path(name), asked.people)
    print(
        f"{asked.megabytes:.0f} MB of heart rate over {days} days, {asked.people} people: {minutes} minutes"
    )
    print(f"peak {peak:.0f} MiB (bar 1024 for 2000 MB: {'holds' if peak < 1024 else 'MISSED'})")


if __name__ == "__main__":
    main()
