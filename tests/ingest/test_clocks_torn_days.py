"""Days to which rows of unknown day may belong: those rows go, with what rests on them, and nothing else."""
# ruff: noqa: DTZ001 - digits in files carry no zone

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import (
    beats,
    check_table,
    codes,
    day_of,
    file_row,
    ingest,
    minutes,
    pretty,
    profile,
    sleep_log,
    table,
    write_zip,
)

from ingest.clocks.zone_history import Stay, ZoneHistory
from ingest.fitbit.torn_days import torn_days
from outputs.store import Result

GLOBAL = "Global Export Data"
TAKEOUT = "takeout-20260601T103201Z-001.zip"
TOKYO = 9


def to_tokyo() -> dict[str, str]:
    """Two days in New York (UTC-4), two not worn, two in Tokyo (UTC+9): nobody knows when the move was."""
    days = {
        "2026-05-04": datetime(2026, 5, 4, 4),
        "2026-05-05": datetime(2026, 5, 5, 4),
        "2026-05-08": datetime(2026, 5, 7, 15),
        "2026-05-09": datetime(2026, 5, 8, 15),
    }
    return {f"{GLOBAL}/heart_rate-{day}.json": beats(first, 1440) for day, first in days.items()}


def walks(*firsts: datetime) -> dict[str, str]:
    """Ten minutes of steps from each moment on."""
    rows = [
        {"dateTime": f"{first + timedelta(minutes=n):%m/%d/%y %H:%M:%S}", "value": "100"}
        for first in firsts
        for n in range(10)
    ]
    return {f"{GLOBAL}/steps-2026-05-04.json": pretty(rows)}


def read(tmp_path: Path, members: Mapping[str, str]) -> Result:
    write_zip(tmp_path / TAKEOUT, profile() | to_tokyo() | dict(members))
    result = ingest(tmp_path)
    for name in result.tables:
        check_table(name, table(result, name))
    row = file_row(result)
    fates = [row[f"rows_{fate}"] for fate in ("staged", "merged", "rejected", "ignored")]
    assert row["rows_read"] == sum(fate for fate in fates if isinstance(fate, int))
    return result


def test_a_journey_during_which_nothing_was_recorded_costs_no_day(tmp_path: Path) -> None:
    result = read(tmp_path, walks(datetime(2026, 5, 5, 12), datetime(2026, 5, 8, 3)))
    assert codes(result) == []
    days = table(result, "daily_summary").sort("date")
    assert days.select("date", "day_state", "wear_minutes", "steps").rows() == [
        (date(2026, 5, 4), "worn", 1440, None),
        (date(2026, 5, 5), "worn", 1440, 1000),
        (date(2026, 5, 8), "worn", 1440, 1000),
        (date(2026, 5, 9), "worn", 1440, None),
    ]


def test_a_row_on_the_same_day_by_both_clocks_stays(tmp_path: Path) -> None:
    """At 10:00 UTC it is 06:00 in New York and 19:00 in Tokyo."""
    result = read(tmp_path, walks(datetime(2026, 5, 6, 10)))
    assert codes(result) == []
    day = day_of(result, "2026-05-06")
    assert (day["day_state"], day["steps"], day["utc_offset_minutes"]) == ("worn", 1000, None)


def test_a_row_of_unknown_day_goes_and_takes_only_its_measure_of_both_days(tmp_path: Path) -> None:
    """At 20:00 UTC it is the evening of the 6th in New York and the morning of the 7th in Tokyo."""
    calories = {f"{GLOBAL}/calories-2026-05-04.json": minutes(datetime(2026, 5, 6), [1.5] * 1440)}
    resting = {
        f"{GLOBAL}/resting_heart_rate-2026-05-04.json": pretty(
            [{"dateTime": "05/07/26 00:00:00", "value": {"date": "05/07/26", "value": 55.0, "error": 5.0}}]
        )
    }
    nights = {
        f"{GLOBAL}/sleep-2026-05-04.json": pretty(
            [sleep_log(1, "2026-05-06T23:00:00", "2026-05-07T06:00:00")]
        )
    }
    known, unknown = datetime(2026, 5, 6, 10), datetime(2026, 5, 6, 20)
    result = read(tmp_path, walks(known, unknown) | calories | resting | nights)
    (problem,) = result.document["problems"]
    assert (problem["code"], problem["what"].split(":")[0]) == ("clock_unclear", "steps")
    assert json.loads(str(file_row(result)["ignored_json"])) == {"clock_unclear": 10}
    sixth, seventh = day_of(result, "2026-05-06"), day_of(result, "2026-05-07")
    for day in (sixth, seventh):
        assert (day["steps"], day["day_state"], day["valid_day"]) == (None, "set_aside", None)
        assert (day["wear_minutes"], day["tz_change"]) == (None, True)
    assert sixth["calories_kcal"] == 2160
    assert (seventh["resting_heart_rate"], seventh["sleep_minutes"]) == (55.0, 400)
    # Rows whose day is known stay in the table of minutes.
    kept = table(result, "steps_minutes")["minute_utc"].dt.replace_time_zone(None)
    assert kept.to_list() == [known + timedelta(minutes=n) for n in range(10)]
    assert day_of(result, "2026-05-05")["day_state"] == day_of(result, "2026-05-08")["day_state"] == "worn"


def test_a_day_judged_by_heart_rate_keeps_its_state_where_only_steps_are_unknown(tmp_path: Path) -> None:
    """The watch was worn to the end of the 5th; steps of the phone at 17:00 UTC may be of the 6th or 7th."""
    result = read(tmp_path, walks(datetime(2026, 5, 5, 12), datetime(2026, 5, 6, 17)))
    fifth = day_of(result, "2026-05-05")
    assert (fifth["steps"], fifth["wear_minutes"], fifth["day_state"]) == (1000, 1440, "worn")
    assert [day_of(result, f"2026-05-0{n}")["day_state"] for n in (6, 7)] == ["set_aside", "set_aside"]


def test_another_source_that_tells_the_measure_whole_is_taken(tmp_path: Path) -> None:
    """Energy in UTC lacks minutes of unknown day, that on the wall clock none."""
    stamps = [datetime(2026, 5, 6, 20) + timedelta(minutes=n) for n in range(30)]
    family = "".join(f"{moment:%Y-%m-%dT%H:%M:%SZ},1.5\n" for moment in stamps)
    csv = {"Physical Activity_GoogleData/calories_2026-05-01.csv": f"timestamp,calories\n{family}"}
    wall = {f"{GLOBAL}/calories-2026-05-04.json": minutes(datetime(2026, 5, 6), [1.5] * 1440)}
    alone = read(tmp_path / "alone", csv)
    assert day_of(alone, "2026-05-06")["calories_kcal"] is None
    both = read(tmp_path / "both", csv | wall)
    assert day_of(both, "2026-05-06")["calories_kcal"] == 2160
    assert [each["code"] for each in both.document["problems"]] == []


# The days themselves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hour", "of_nights", "days"), [(20, False, [6, 7]), (20, True, [6, 7, 8]), (10, False, [6])]
)
def test_days_an_instant_within_a_move_may_belong_to(hour: int, of_nights: bool, days: list[int]) -> None:
    moved = ZoneHistory(
        (
            Stay("America/New_York", "profile"),
            Stay(TOKYO * 60, "offsets", datetime(2026, 5, 6, 4), datetime(2026, 5, 7, 15)),
        )
    )
    rows = pl.DataFrame(
        {"utc": [datetime(2026, 5, 6, hour), None]}, schema={"utc": pl.Datetime("us")}, strict=False
    )
    torn = torn_days("steps", rows, moved, of_nights=of_nights)
    assert torn.rows() == [("steps", date(2026, 5, day)) for day in days]


def test_rows_of_a_day_no_clock_explains_may_be_of_those_beside_it() -> None:
    days = frozenset(date(2026, 5, n) for n in (5, 6, 7))
    history = ZoneHistory((Stay("America/New_York", "profile"),), contradicted_days=days)
    rows = pl.DataFrame({"utc": [datetime(2026, 5, 6, 12)]}, schema={"utc": pl.Datetime("us")})
    assert torn_days("steps", rows, history, of_nights=False)["date"].to_list() == sorted(days)
