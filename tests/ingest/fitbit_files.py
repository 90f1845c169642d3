"""Small exports in the vendor's form, for tests: a text for each member, zipped or loose."""

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl

from ingest.fitbit import ingest_fitbit
from ingest.source_file import SourceFile
from outputs.digests import file_sha256
from outputs.release_checks import members_close
from outputs.store import Result
from schemas.participant import Participant
from schemas.table import conform, key_of
from schemas.tables import TABLES

SECRET = b"the study's secret"
ROOT = "Takeout/Fitbit"
PROFILE_HEADER = "id,full_name,date_of_birth,timezone,gender,height,email_address"
ANN = Participant("P1", "female", 1990, "America/New_York", birth_date=date(1990, 1, 2), name="Ann Béa Smith")


def profile(
    account: str = "ACC1",
    name: str = "Ann Bea Smith",
    born: str = "1990-01-02",
    zone: str = "America/New_York",
    gender: str = "FEMALE",
) -> dict[str, str]:
    row = f"{account},{name},{born},{zone},{gender},165.0,ann@example.org"
    return {"Your Profile/Profile.csv": f"{PROFILE_HEADER}\n{row}\n"}


def trackers(*rows: tuple[str, str, str, str]) -> dict[str, str]:
    """Rows of (tracker_id, date_added, last_sync_date_time, device_type)."""
    lines = "".join(",".join(row) + "\n" for row in rows)
    return {"Paired Devices/Trackers.csv": f"tracker_id,date_added,last_sync_date_time,device_type\n{lines}"}


def stamp(moment: datetime) -> str:
    return moment.strftime("%m/%d/%y %H:%M:%S")


def pretty(records: Sequence[object]) -> str:
    """A list as the vendor prints it."""
    return "[" + ",".join(json.dumps(record, indent=2, separators=(",", " : ")) for record in records) + "]"


def timed(rows: Sequence[tuple[str, object]]) -> str:
    return pretty([{"dateTime": time, "value": value} for time, value in rows])


def minutes(first: datetime, values: Sequence[object]) -> str:
    """A value a minute from a moment on, in the file's own digits."""
    return timed([(stamp(first + timedelta(minutes=n)), str(value)) for n, value in enumerate(values)])


def beats(first: datetime, count: int, bpm: int = 60, confidence: int = 3) -> str:
    """A heart-rate sample a minute from a moment on (UTC digits)."""
    value = {"bpm": bpm, "confidence": confidence}
    return timed([(stamp(first + timedelta(minutes=n)), value) for n in range(count)])


def sleep_log(log_id: int, start: str, end: str, **fields: object) -> dict[str, object]:
    begun, ended = datetime.fromisoformat(start), datetime.fromisoformat(end)
    length = int((ended - begun).total_seconds() // 60)
    return {
        "logId": log_id,
        "dateOfSleep": end[:10],
        "startTime": f"{start}.000",
        "endTime": f"{end}.000",
        "duration": length * 60_000,
        "minutesToFallAsleep": 0,
        "minutesAsleep": length - 20,
        "minutesAwake": 20,
        "timeInBed": length,
        "efficiency": 95,
        "type": "stages",
        "logType": "auto_detected",
        "mainSleep": True,
        "levels": {
            "summary": {
                name: {"count": 1, "minutes": spent, "thirtyDayAvgMinutes": 50}
                for name, spent in (("deep", 60), ("light", 200), ("rem", 80), ("wake", 20))
            },
            "data": [{"dateTime": f"{start}.000", "level": "light", "seconds": length * 60}],
        },
    } | fields


def write_zip(path: Path, members: Mapping[str, str | bytes], root: str = ROOT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{root}/{name}" if root else name, content)
    return path


def write_tgz(path: Path, members: Mapping[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(f"{ROOT}/{name}")
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
    return path


def write_loose(folder: Path, members: Mapping[str, str | bytes]) -> None:
    for name, content in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def sources(folder: Path) -> list[SourceFile]:
    """All files below a folder, as the study folder's reader lists them."""
    return [
        SourceFile(path, path.relative_to(folder).as_posix(), path.stat().st_size, file_sha256(path))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def ingest(folder: Path, participant: Participant = ANN) -> Result:
    """Read a folder and check what holds for every result: row rules, keys, references and closing counts."""
    result = ingest_fitbit(participant, sources(folder), SECRET)
    for name, frame in result.tables.items():
        check_table(name, table(result, name))
        assert table(result, name).equals(conform(frame.lazy(), TABLES[name]).collect()), name
    files = table(result, "source_files")
    for name in ("value_sources", "rejected_rows", "sleep_sessions", "activities"):
        assert set(table(result, name)["file_id"]) <= set(files["file_id"]), name
    sessions = table(result, "sleep_sessions")["sleep_id"]
    assert set(table(result, "sleep_stages")["sleep_id"]) <= set(sessions)
    rejected = table(result, "rejected_rows").group_by("file_id").agg(pl.col("rows").sum())
    by_file = files.select("file_id", "rows_rejected").join(rejected, on="file_id", how="left")
    assert by_file.filter(pl.col("rows_rejected") != pl.col("rows").fill_null(0)).is_empty()
    members = [json.loads(text) for text in table(result, "source_files")["members_json"].drop_nulls()]
    assert all("members" in counts and members_close(counts) for counts in members)
    return result


def check_table(name: str, frame: pl.DataFrame) -> None:
    assert not TABLES[name].filter(frame)[1].counts(), name
    assert frame.select(key_of(TABLES[name])).is_duplicated().sum() == 0, name


def table(result: Result, name: str) -> pl.DataFrame:
    frame = result.tables[name]
    assert isinstance(frame, pl.DataFrame)
    return frame


def day_of(result: Result, day: str) -> dict[str, object]:
    """The row of daily_summary of a date."""
    return table(result, "daily_summary").row(
        by_predicate=pl.col("date") == date.fromisoformat(day), named=True
    )


def codes(result: Result) -> list[str]:
    return [problem["code"] for problem in result.document["problems"]]


def file_row(result: Result) -> dict[str, object]:
    """The only row of source_files."""
    return table(result, "source_files").row(0, named=True)
