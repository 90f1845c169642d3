"""What reading exports costs, beside other ways to read the same bytes in the same run.

Run: POLARS_MAX_THREADS=1 python -m benchmarks.ingest [--people N] [--days N] [--seconds N]

Exports are made, and real ones taken where PHA_SAMPLES names a folder. Printed are, for heart-rate JSON to a
frame of minutes: our MB a CPU second, and how many times that of a row loop (json, strptime), Polars' reader,
typed decoding (msgspec) and a bare parse (simdjson, the limit); for whole exports: ours and a plain reader
that writes the same tables, two processes beside one, and peak memory. Each is the least of several runs
after a first that does not count, on one thread: threads that wait would count as work. Trust the ratios.
"""

import argparse
import json
import os
import re
import resource
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

import msgspec
import orjson
import polars as pl
import simdjson

from benchmarks.plain_reader import read_plainly
from ingest.archive.member import Content
from ingest.fitbit import ingest_fitbit
from ingest.fitbit.heart_rate import Sample, read_heart_rate
from ingest.fitbit.json_rows import TIME_FORM
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
_BARS = {"bare_parse": 0.33, "row_loop": 100.0}
_DATE = re.compile(rb"\d\d/\d\d/\d\d")


def cpu(work: Callable[[], object], repeats: int = 3) -> float:
    """Least CPU seconds of a call after a first one, this process and its children."""
    work()
    found: list[float] = []
    for _ in range(repeats):
        before = _cpu_so_far()
        work()
        found.append(_cpu_so_far() - before)
    return min(found)


def _cpu_so_far() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


# Ways to read one heart-rate file.


def row_loop(data: bytes) -> object:
    """What most scripts do, to the same frame."""
    minutes: dict[datetime, list[int]] = {}
    for each in json.loads(data):
        moment = datetime.strptime(each["dateTime"], TIME_FORM)  # noqa: DTZ007 - no zone is written
        if each["value"]["confidence"] >= 1:
            minutes.setdefault(moment.replace(second=0), []).append(each["value"]["bpm"])
    return pl.DataFrame(
        [(minute, sum(beats) / len(beats)) for minute, beats in minutes.items()], orient="row"
    )


def polars_json(data: bytes) -> object:
    """Polars' own reader, with its times parsed."""
    return pl.read_json(data).with_columns(pl.col("dateTime").str.to_datetime(TIME_FORM))


def typed_decode(data: bytes) -> object:
    """msgspec into records, no frame."""
    return msgspec.json.decode(data, type=list[Sample])


def bare_parse(data: bytes) -> object:
    """simdjson, values untouched: the limit."""
    return simdjson.Parser().parse(data)


def ours(data: bytes) -> object:
    """Typed frame of minutes, rules on."""
    return read_heart_rate(Content(data), "heart_rate-2026-06-01.json")


def heart_rate_ways(files: Sequence[bytes], title: str, bars: Mapping[str, float]) -> None:
    """Print MB a CPU second of each way, our ratios to it, and whether the bars hold."""
    size = sum(map(len, files)) / 1e6
    sample = files[: max(len(files) // 10, 1)]
    rates = {
        way.__name__: size / cpu(lambda way=way: [way(data) for data in files])
        for way in (ours, polars_json, typed_decode, bare_parse)
    }
    rates["row_loop"] = sum(map(len, sample)) / 1e6 / cpu(lambda: [row_loop(data) for data in sample], 2)
    print(f"{title}: {len(files)} files, {size:.0f} MB")
    for name, rate in rates.items():
        ratio = rates["ours"] / rate
        bar = held(ratio, bars.get(name))
        print(f"  {name:<13} {rate:8.1f} MB/CPU s   ours is {ratio:6.2f} times that{bar}")


def held(ratio: float, bar: float | None) -> str:
    """Whether a ratio reaches its bar, in words; nothing where there is none."""
    return "" if bar is None else f"   bar {bar:g}: {'holds' if ratio >= bar else 'MISSED'}"


# Ways to read whole exports.


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


def heart_rate_files(folder: Path) -> list[bytes]:
    """Heart-rate JSON of the archives and loose files below a folder."""
    found: list[bytes] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                names = [name for name in packed.namelist() if _is_heart_rate(name)]
                found += [packed.read(name) for name in names]
        elif path.is_file() and _is_heart_rate(path.name):
            found.append(path.read_bytes())
    return found


def prolonged(data: bytes, days: int = 14) -> bytes:
    """A real file as if it went on for days: small files measure the start of a reader, not its speed."""
    dates = sorted(set(_DATE.findall(data)), key=_day)
    bodies: list[bytes] = []
    for step in range(0, days * len(dates), len(dates)):
        later = {date: (_day(date) + timedelta(days=step)).strftime("%m/%d/%y").encode() for date in dates}
        bodies.append(_DATE.sub(lambda found, later=later: later[found.group()], data)[1:-1])
    return b"[" + b",".join(bodies) + b"]"


def _day(text: bytes) -> datetime:
    return datetime.strptime(text.decode(), "%m/%d/%y")  # noqa: DTZ007 - no zone is written


def _is_heart_rate(name: str) -> bool:
    return name.rsplit("/", 1)[-1].startswith("heart_rate-") and name.endswith(".json")


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
        heart_rate_ways(files, "heart rate, made", _BARS)
        compact = [orjson.dumps(orjson.loads(data)) for data in files]
        heart_rate_ways(compact, "the same, written compactly", {"bare_parse": 0.15})
        if (samples := os.environ.get("PHA_SAMPLES")) and (real := heart_rate_files(Path(samples))):
            heart_rate_ways([prolonged(data) for data in real], "heart rate, real", _BARS)
        whole_exports(folders, registered, scratch)


if __name__ == "__main__":
    main()
