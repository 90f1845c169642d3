"""Ways to read heart-rate JSON, and the files to read: the first half of benchmarks/ingest.py."""

import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import polars as pl
import simdjson

from benchmarks.measuring import cpu, held
from ingest.archive.member import Content
from ingest.fitbit.heart_rate import Sample, read_heart_rate
from ingest.fitbit.json_rows import TIME_FORM

BARS = {"bare_parse": 0.33, "row_loop": 100.0}
_DATE = re.compile(rb"\d\d/\d\d/\d\d")


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
    rates["row_loop"] = sum(map(len, sample)) / 1e6 / cpu(lambda: [row_loop(data) for data in sample])
    print(f"{title}: {len(files)} files, {size:.0f} MB")
    for name, rate in rates.items():
        ratio = rates["ours"] / rate
        bar = held(ratio, bars.get(name))
        print(f"  {name:<13} {rate:8.1f} MB/CPU s   ours is {ratio:6.2f} times that{bar}")


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
