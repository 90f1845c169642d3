"""Members in an encoding the vendor never writes: read rightly or told by code, never wrong values."""

import codecs
from datetime import datetime
from pathlib import Path

import pytest
from fitbit_files import beats, codes, day_of, file_row, ingest, minutes, profile, table, write_zip

# ruff: noqa: DTZ001 - digits in files carry no zone
MIDNIGHT = datetime(2026, 1, 5, 5, 0)
GLOBAL = "Global Export Data"
TAKEOUT = "takeout-20260201T103201Z-001.zip"
GOOD = profile() | {f"{GLOBAL}/heart_rate-2026-01-05.json": beats(MIDNIGHT, 1440)}
STEPS = minutes(MIDNIGHT, [10] * 60)
SCORES = "sleep_log_entry_id,timestamp,overall_score,resting_heart_rate\n7,2026-01-05T07:00:00Z,81,60\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_json_in_wide_characters_is_told_and_harms_no_other_member(tmp_path: Path, encoding: str) -> None:
    wide = {f"{GLOBAL}/steps-2026-01-01.json": STEPS.encode(encoding)}
    write_zip(tmp_path / TAKEOUT, GOOD | wide)
    result = ingest(tmp_path)
    day = day_of(result, "2026-01-05")
    assert (day["steps"], day["wear_minutes"]) in ((600, 1440), (None, 1440))
    assert day["steps"] or set(codes(result)) & {"member_unreadable", "member_damaged"}


def test_a_mark_of_utf8_before_json_is_no_hindrance(tmp_path: Path) -> None:
    marked = {f"{GLOBAL}/steps-2026-01-01.json": codecs.BOM_UTF8 + STEPS.encode()}
    write_zip(tmp_path / TAKEOUT, GOOD | marked)
    assert day_of(ingest(tmp_path), "2026-01-05")["steps"] == 600


@pytest.mark.parametrize("encoding", ["utf-16", "cp037"])
def test_a_csv_nobody_can_read_gives_no_value(tmp_path: Path, encoding: str) -> None:
    write_zip(tmp_path / TAKEOUT, GOOD | {"Sleep Score/sleep_score.csv": SCORES.encode(encoding)})
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["sleep_score"].null_count() == 1
    assert codes(result) == ["member_unreadable"]
    assert file_row(result)["error_code"] == "member_unreadable"


def test_a_byte_of_an_old_code_page_spoils_no_number(tmp_path: Path) -> None:
    """A name in Latin-1 beside the numbers, as a spreadsheet of an old machine saves it."""
    text = "Name\xe9," + SCORES.replace("\n", "\nZo\xeb,", 1)
    write_zip(tmp_path / TAKEOUT, GOOD | {"Sleep Score/sleep_score.csv": text.encode("latin-1")})
    result = ingest(tmp_path)
    assert codes(result) == []
    assert file_row(result)["rows_read"] == 1441
