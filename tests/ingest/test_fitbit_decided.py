"""What people decided on exports: applied while they hold, told where they don't."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import ANN, SECRET, beats, codes, day_of, profile, sleep_log, sources, table, write_zip

from ingest.clocks.decided_days import DecidedDays, with_decided_days
from ingest.clocks.zone_history import Stay, ZoneHistory
from ingest.fitbit import ingest_fitbit
from ingest.fitbit.decided import ExportDecision
from outputs.store import Result

GLOBAL, FAMILIES = "Global Export Data", "Physical Activity_GoogleData"
DAY = {f"{GLOBAL}/heart_rate-2026-01-05.json": beats(datetime(2026, 1, 5, 14, 0), 700)}
TARGET = "P1:2026-01-05:wear_minutes"


def read(folder: Path, *decisions: ExportDecision) -> Result:
    return ingest_fitbit(ANN, sources(folder), SECRET, decisions=decisions)


def file_of(result: Result) -> Mapping[str, object]:
    return table(result, "source_files").row(0, named=True)


def send(folder: Path, members: Mapping[str, str]) -> Path:
    write_zip(folder / "takeout-20260201T103201Z-001.zip", members)
    return folder


def test_an_unchecked_export_is_accepted(tmp_path: Path) -> None:
    row = file_of(read(send(tmp_path, DAY)))
    assert row["identity"] == "unchecked"
    result = read(tmp_path, ExportDecision(str(row["file_id"]), "unchecked"))
    assert file_of(result)["identity"] == "accepted"
    assert codes(result) == []
    assert day_of(result, "2026-01-05")["wear_minutes"] == 700


def test_the_profile_of_another_person_is_never_accepted(tmp_path: Path) -> None:
    row = file_of(read(send(tmp_path, DAY | profile(name="Ben Jones"))))
    for expect in ("unchecked", "identity_mismatch"):
        result = read(tmp_path, ExportDecision(str(row["file_id"]), expect))
        assert sorted(codes(result)) == ["decision_outdated", "identity_mismatch"]
        assert table(result, "daily_summary").is_empty()


def test_one_file_stands_for_the_export_it_is_of(tmp_path: Path) -> None:
    for part, hour in (("001", 14), ("002", 20)):
        text = beats(datetime(2026, 1, 5, hour, 0), 60)
        write_zip(
            tmp_path / f"takeout-20260201T103201Z-{part}.zip", {f"{GLOBAL}/heart_rate-2026-01-05.json": text}
        )
    first = file_of(read(tmp_path))
    result = read(tmp_path, ExportDecision(str(first["file_id"]), "unchecked"))
    assert table(result, "source_files")["identity"].to_list() == ["accepted"] * 2


def test_a_value_is_set_aside_and_all_else_stays(tmp_path: Path) -> None:
    before = read(send(tmp_path, DAY | {f"{GLOBAL}/sleep-2026-01-01.json": night()}))
    decision = ExportDecision("P1:2026-01-05:sleep_minutes", "460", "set aside")
    after = read(tmp_path, decision)
    assert day_of(before, "2026-01-05")["sleep_minutes"] == 460
    assert day_of(after, "2026-01-05") == {**day_of(before, "2026-01-05"), "sleep_minutes": None}
    metrics = table(after, "value_sources")["metric"].to_list()
    assert "sleep_minutes" not in metrics
    assert "bed_minute" in metrics
    assert codes(after) == codes(before)


def night() -> str:
    return json.dumps([sleep_log(1, "2026-01-04T23:00:00", "2026-01-05T07:00:00")])


@pytest.mark.parametrize(
    ("target", "expect"),
    [
        (TARGET, "699"),
        ("P1:2026-01-06:wear_minutes", "700"),
        ("P1:2026-01-05:steps", "700"),
        ("P1:2026-01-05:day_state", "worn"),
        ("P1:2026-01-05:no_column", "700"),
    ],
)
def test_a_value_that_is_another_now_stays_and_the_decision_is_told(
    tmp_path: Path, target: str, expect: str
) -> None:
    before = read(send(tmp_path, DAY))
    after = read(tmp_path, ExportDecision(target, expect, "set aside"))
    assert table(after, "daily_summary").equals(table(before, "daily_summary"))
    assert "decision_outdated" in codes(after)
    assert read(tmp_path, ExportDecision(TARGET, "700", "set aside")).document["problems"] != after.document


def test_days_on_a_clock_people_know(tmp_path: Path) -> None:
    """Two days in Paris: no file shows it, and midnight there is six hours earlier."""
    members = {
        f"{GLOBAL}/steps-2026-01-01.json": json.dumps(
            [{"dateTime": f"01/{day:02d}/26 23:30:00", "value": "100"} for day in (4, 5, 6, 7)]
        )
    }
    before = read(send(tmp_path, members))
    assert {str(d): s for d, s in table(before, "daily_summary").select("date", "steps").rows()} == {
        f"2026-01-0{day}": 100 for day in (4, 5, 6, 7)
    }
    decision = ExportDecision("P1:2026-01-06..2026-01-07", "-300", "Europe/Paris")
    after = read(tmp_path, decision)
    days = table(after, "daily_summary").select("date", "steps", "utc_offset_minutes").rows()
    # 23:30 UTC of the 7th is past the last midnight in Paris: the evening of the 7th in New York.
    assert [(str(day), steps, offset) for day, steps, offset in days] == [
        ("2026-01-04", 100, -300),
        ("2026-01-06", 100, 60),
        ("2026-01-07", 200, 60),
    ]
    assert "decision_outdated" not in codes(after)
    decided = json.loads(str(file_of(after)["clocks_json"]))["decided"]
    assert decided == [{"zone": "Europe/Paris", "first": "2026-01-06", "last": "2026-01-07"}]


def test_a_clock_that_is_shown_otherwise_now_is_not_decided_again(tmp_path: Path) -> None:
    send(tmp_path, DAY)
    result = read(tmp_path, ExportDecision("P1:2026-01-05..2026-01-05", "unknown", "Europe/Paris"))
    assert "decision_outdated" in codes(result)
    assert day_of(result, "2026-01-05")["utc_offset_minutes"] == -300


@pytest.mark.parametrize(
    ("clock", "start", "end"),
    [
        ("local", "2026-01-05T00:30:00", "2026-01-05T06:00:00"),
        ("utc", "2026-01-04T19:30:00", "2026-01-05T01:00:00"),
    ],
)
def test_the_clock_of_a_file_that_nothing_tells(tmp_path: Path, clock: str, start: str, end: str) -> None:
    first = datetime(2026, 1, 5, 1, 0)
    rows = [f"{first + timedelta(minutes=5 * n):%Y-%m-%dT%H:%M:%SZ},{40 + n},0.0" for n in range(6)]
    header = "timestamp,root mean square of successive differences milliseconds"
    log = sleep_log(1, start, end)
    members = {
        f"{GLOBAL}/sleep-2026-01-01.json": json.dumps([log]),
        f"{FAMILIES}/heart_rate_variability_2026-01-01.csv": "\n".join([header, *rows]),
    }
    before = read(send(tmp_path, members))
    assert "clock_unclear" in codes(before)
    row = file_of(before)
    decision = ExportDecision(str(row["file_id"]), str(row["content_digest"]), f"clock {clock}")
    after = read(tmp_path, decision)
    assert codes(after) == ["identity_unchecked"]
    assert day_of(after, "2026-01-05")["heart_rate_variability"] == 42.5
    told = json.loads(str(file_of(after)["clocks_json"]))["verdicts"]["hrv_minutes_csv"]["members"]
    assert [word.split(" ")[1] for word in told] == ["(decision)"]


def test_a_clock_for_a_file_that_needs_none_is_told(tmp_path: Path) -> None:
    row = file_of(read(send(tmp_path, DAY)))
    decision = ExportDecision(str(row["file_id"]), str(row["content_digest"]), "clock local")
    assert "decision_outdated" in codes(read(tmp_path, decision))


def test_a_file_set_aside_is_not_read(tmp_path: Path) -> None:
    send(tmp_path, DAY)
    files = [replace(file, set_aside="set_aside_by_decision") for file in sources(tmp_path)]
    ids = [file.file_id(SECRET, "P1") for file in files]
    decision = ExportDecision(ids[0], files[0].content_digest(SECRET), "set aside")
    result = ingest_fitbit(ANN, files, SECRET, decisions=(decision,))
    row = file_of(result)
    assert (row["identity"], row["error_code"], row["rows_read"]) == ("set_aside_by_decision", None, 0)
    assert codes(result) == []


NEW_YORK = Stay("America/New_York", "registry")
MOVE = Stay("Asia/Tokyo", "offsets", datetime(2026, 2, 1), datetime(2026, 2, 3))


@pytest.mark.parametrize(
    ("stays", "first", "last", "names"),
    [
        ((NEW_YORK,), "2026-01-06", "2026-01-07", ["America/New_York", "Europe/Paris", "America/New_York"]),
        ((NEW_YORK, MOVE), "2026-02-01", "2026-02-04", ["America/New_York", "Europe/Paris", "Asia/Tokyo"]),
        ((NEW_YORK, MOVE), "2026-03-01", "2026-03-02",
         ["America/New_York", "Asia/Tokyo", "Europe/Paris", "Asia/Tokyo"]),
        ((NEW_YORK, MOVE), "2026-01-01", "2026-01-02",
         ["America/New_York", "Europe/Paris", "America/New_York", "Asia/Tokyo"]),
    ],
)  # fmt: skip
def test_decided_days_lie_between_the_clocks_around_them(
    stays: tuple[Stay, ...], first: str, last: str, names: list[str]
) -> None:
    days = DecidedDays("Europe/Paris", date.fromisoformat(first), date.fromisoformat(last))
    history = with_decided_days(ZoneHistory(stays), days)
    assert [stay.name for stay in history.stays] == names
    hours = pl.datetime_range(days.start, days.end, "1h", closed="left", eager=True)
    told = pl.DataFrame({"utc": hours}).select(history.local_date("utc").alias("day"))["day"]
    assert told.unique().sort().to_list() == [
        days.first + n * timedelta(days=1) for n in range((days.last - days.first).days + 1)
    ]
    assert told.len() == 24 * told.n_unique()
    assert history.day_offset(days.first) == 60
    starts = [stay.since for stay in history.stays]
    assert starts == sorted(starts)
