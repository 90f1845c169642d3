"""What reading exports costs, beside other ways to read the same bytes in the same run.

Run: POLARS_MAX_THREADS=1 python -m benchmarks.ingest [--people N] [--days N] [--seconds N]

Exports are made, and real ones taken where PHA_SAMPLES names a folder. Printed are, for heart-rate JSON to a
frame of minutes: our MB a CPU second, and how many times that of a row loop (json, strptime), Polars' reader,
typed decoding (msgspec) and a bare parse (simdjson, the limit); for whole exports: ours and a plain reader
that writes the same tables, two processes beside one, and peak memory. Each is the least of several runs
after a first that does not count, on one thread: threads that wait would count as work. Trust the ratios.
"""

import argparse
import os
import resource
import tempfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import orjson
import polars as pl

from benchmarks.heart_rate import BARS, heart_rate_files, heart_rate_ways, prolonged
from benchmarks.measuring import cpu, held
from benchmarks.plain_reader import read_plainly
from ingest.fitbit import ingest_fitbit
from ingest.source_file import SourceFile
from outputs.digests import file_sha256
from outputs.parquet import write_table
from schemas.participant import Participant
from schemas.tables import TABLES
from synthetic.exports.forms import write_export
from synthetic.exports.takeout.export import morning_after
from synthetic.life.recording import record
from synthetic.people.persona import Person, make_person

SECRET = b"benchmark"


def our_export(folder: Path, person: Participant, out: Path) -> None:
    """All core tables, with clocks, rules and accounts, written as the store writes them."""
    files = [source_file(path) for path in sorted(folder.iterdir())]
    result = ingest_fitbit(person, files, SECRET)
    for name, frame in result.tables.items():
        write_table(frame, TABLES[name], out / f"{name}.parquet")


def source_file(path: Path) -> SourceFile:
    return SourceFile(path, path.name, path.stat().st_size, file_sha256(path), None)


def whole_exports(folders: Sequence[Path], people: Sequence[Participant], scratch: Path) -> None:
    """Print MB of the unpacked members a CPU second, and what two cores give."""
    size = sum(_unpacked(path) for folder in folders for path in folder.iterdir()) / 1e6
    pairs = list(zip(folders, people, strict=True))
    mine = cpu(lambda: [our_export(folder, person, scratch / "ours") for folder, person in pairs], 2)
    archives = [path for folder in folders for path in folder.iterdir()]
    other = cpu(lambda: [read_plainly(path, scratch / "plain") for path in archives], 2)
    print(f"whole exports: {len(folders)} people, {size:.0f} MB unpacked")
    print(f"  ours          {size / mine:8.1f} MB/CPU s, {mine / len(folders):.2f} CPU s a person")
    ratio = other / mine
    print(f"  plain reader  {size / other:8.1f} MB/CPU s   ours is {ratio:6.2f} times that{held(ratio, 2.5)}")
    two_processes(pairs, scratch)
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def two_processes(pairs: Sequence[tuple[Path, Participant]], scratch: Path, exports: int = 16) -> None:
    """Print how much faster two processes read many exports than one does, and what it costs in CPU.

    Each has one thread and starts warm. Wall times mean something on a quiet machine only; CPU seconds say
    what the two take from each other.
    """
    jobs = [(*pairs[number % len(pairs)], scratch / f"job-{number}") for number in range(exports)]
    (alone, spent), (beside, spent_by_two) = (_wall(jobs, workers) for workers in (1, 2))
    ratio = alone / beside
    print(
        f"  two processes against one, {exports} exports: {ratio:.2f} times as fast (wall){held(ratio, 1.6)}"
    )
    print(f"    for {spent_by_two / spent:.2f} times the CPU; load {os.getloadavg()[0]:.1f}")


def _wall(jobs: Sequence[tuple[Path, Participant, Path]], workers: int) -> tuple[float, float]:
    """Wall seconds and CPU seconds of all jobs."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        list(pool.map(_warm, jobs[:workers]))
        started = time.perf_counter()
        spent = sum(pool.map(_job, jobs))
        return time.perf_counter() - started, spent


def _job(job: tuple[Path, Participant, Path]) -> float:
    before = time.process_time()
    our_export(*job)
    return time.process_time() - before


def _warm(job: tuple[Path, Participant, Path]) -> None:
    """One export; the others wait, so that each process gets its own."""
    our_export(*job)
    time.sleep(0.5)


def _unpacked(archive: Path) -> int:
    with zipfile.ZipFile(archive) as packed:
        return sum(info.file_size for info in packed.infolist())


def made_exports(people: Sequence[Person], seconds: int, folder: Path) -> Iterator[tuple[Path, Participant]]:
    """An export of generation D for each."""
    for person in people:
        recording = record(person, 7)
        place = folder / person.participant_id
        write_export(recording, "D", place, morning_after(recording), seconds)
        yield place, Participant(
            person.participant_id, person.sex, person.birth_date.year, person.time_zone, person.birth_date,
            name=person.name,
        )  # fmt: skip


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=2)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=5, help="between two samples of the heart rate")
    asked = parser.parse_args()
    if pl.thread_pool_size() != 1:
        parser.error("set POLARS_MAX_THREADS=1: CPU seconds are compared on one thread")
    people = [make_person(number, asked.days, 7) for number in range(asked.people)]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        made = list(made_exports(people, asked.seconds, scratch / "made"))
        folders, registered = [folder for folder, _ in made], [person for _, person in made]
        files = heart_rate_files(scratch / "made")
        heart_rate_ways(files, "heart rate, made", BARS)
        compact = [orjson.dumps(orjson.loads(data)) for data in files]
        heart_rate_ways(compact, "the same, written compactly", {"bare_parse": 0.15})
        if (samples := os.environ.get("PHA_SAMPLES")) and (real := heart_rate_files(Path(samples))):
            heart_rate_ways([prolonged(data) for data in real], "heart rate, real", BARS)
        whole_exports(folders, registered, scratch)


if __name__ == "__main__":
    main()
