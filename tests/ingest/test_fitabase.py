"""Fitabase files: of one person and merged ones, as the service writes them and as spreadsheets save them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import polars as pl
import pytest
from fitbit_files import ANN, check_table, codes, day_of, ingest, sources, table, write_loose
from form_checks import ASKED, northerner
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit import ingest_fitbit
from ingest.fitbit.kinds import kinds_of
from ingest.fitbit.reading import OtherForm, Reading
from ingest.fitbit.wall_text import moments
from outputs.store import Result
from schemas.participant import Participant
from synthetic.exports.fitabase import files, resaved
from synthetic.exports.members import Member, Request

NINETIES, TWENTIES = datetime.fromisoformat("1995-01-01"), datetime.fromisoformat("2026-01-01")
KAGGLE = replace(ANN, aliases=("1503960366",), time_zone="America/Chicago")
STEPS = "Id,ActivityDay,StepTotal\n1503960366,4/12/2016,13162\n8877689391,4/12/2016,7\n"


def read_text(name: str, text: str) -> Reading:
    (kind,) = kinds_of(name)
    return kind.read(Content(text.encode()), name)


def test_a_merged_file_gives_each_person_their_own_rows(tmp_path: Path) -> None:
    write_loose(tmp_path, {"dailySteps_merged.csv": STEPS})
    result = ingest(tmp_path, KAGGLE)
    assert table(result, "daily_summary")["steps"].to_list() == [13162]
    row = table(result, "source_files").row(0, named=True)
    assert (row["identity"], row["ignored_json"]) == ("matched", '{"other_person":1}')


def test_a_file_of_another_id_is_not_used(tmp_path: Path) -> None:
    write_loose(tmp_path, {"dailySteps_merged.csv": STEPS})
    result = ingest(tmp_path, ANN)
    assert table(result, "daily_summary").is_empty()
    assert codes(result) == ["identity_mismatch"]


def test_the_first_part_of_a_file_name_is_an_id_too(tmp_path: Path) -> None:
    day = "ActivityDay,StepTotal\n4/12/2016,13162\n"
    write_loose(tmp_path, {"P1_dailySteps_20160412_20160412.csv": day})
    assert day_of(ingest(tmp_path), "2016-04-12")["steps"] == 13162
    assert codes(ingest(tmp_path, replace(ANN, participant_id="P2"))) == ["identity_mismatch"]


def test_files_of_others_among_ones_own_are_left_out(tmp_path: Path) -> None:
    for person, steps in (("P1", 100), ("P10", 200)):
        text = f"ActivityDay,StepTotal\n4/1{len(person)}/2016,{steps}\n"
        write_loose(tmp_path, {f"{person}_dailySteps_20160401_20160430.csv": text})
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["steps"].to_list() == [100]


def test_a_day_without_the_device_has_only_its_energy(tmp_path: Path) -> None:
    header = (
        "Id,ActivityDate,TotalSteps,TotalDistance,VeryActiveMinutes,FairlyActiveMinutes,"
        "LightlyActiveMinutes,SedentaryMinutes,Calories\n"
    )
    rows = "P1,4/12/2016,0,0,0,0,0,1440,1800\nP1,4/13/2016,5000,3.5,1,2,3,1000,2000\n"
    write_loose(tmp_path, {"dailyActivity_merged.csv": header + rows})
    result = ingest(tmp_path)
    off, worn = day_of(result, "2016-04-12"), day_of(result, "2016-04-13")
    assert (off["day_state"], off["steps"], off["sedentary_minutes"], off["calories_kcal"]) == (
        "not_worn", None, None, 1800.0,
    )  # fmt: skip
    assert (worn["distance_m"], worn["wear_from_steps"], worn["valid_day"]) == (3500.0, True, True)


def test_two_files_that_tell_a_day_are_no_sum(tmp_path: Path) -> None:
    write_loose(tmp_path, {"dailySteps_merged.csv": STEPS, "dailySteps_merged (1).csv": STEPS})
    result = ingest(tmp_path, KAGGLE)
    assert table(result, "daily_summary")["steps"].to_list() == [13162]
    assert table(result, "source_files")["rows_merged"].sum() == 1


def test_a_cell_that_is_no_number_rejects_its_row_and_nan_is_no_value() -> None:
    text = "Id,ActivityDay,StepTotal\nP1,4/12/2016,many\nP1,4/13/2016,NaN\nP1,4/14/2016,7\n"
    reading = read_text("dailySteps_merged.csv", text)
    assert reading.frame["steps"].to_list() == [7]
    assert [(r.row, r.rule, r.column) for r in reading.rejected] == [(1, "value_missing", "steps")]
    assert dict(reading.ignored) == {"no_value": 1}


def test_wide_minutes_are_narrow_ones(tmp_path: Path) -> None:
    wide = "Id,ActivityHour," + ",".join(f"Steps{n:02d}" for n in range(60))
    wide += "\nP1,4/13/2016 12:00:00 AM," + ",".join(str(n) for n in range(60)) + "\n"
    narrow = "Id,ActivityMinute,Steps\n" + "".join(f"P1,4/13/2016 12:{n:02d}:00 AM,{n}\n" for n in range(60))
    told: list[pl.DataFrame] = []
    for name, text in (("minuteStepsWide_merged.csv", wide), ("minuteStepsNarrow_merged.csv", narrow)):
        write_loose(tmp_path / name, {name: text})
        result = ingest(tmp_path / name)
        told.append(table(result, "steps_minutes"))
        assert day_of(result, "2016-04-13")["steps"] == sum(range(60))
    assert told[0].equals(told[1])
    assert told[0]["steps"].to_list() == list(range(60))


def test_seconds_of_heart_rate_make_minutes(tmp_path: Path) -> None:
    beats = (
        "Id,Time,Value\nP1,5/10/2016 6:55:26 AM,71\nP1,5/10/2016 6:55:31 AM,72\nP1,5/10/2016 6:56:00 AM,70\n"
    )
    write_loose(tmp_path, {"heartrate_seconds_merged.csv": beats})
    result = ingest(tmp_path)
    minutes = table(result, "heart_rate_minutes").select("minute_utc", "heart_rate", "samples").rows()
    assert [(at.isoformat(), *rest) for at, *rest in minutes] == [
        ("2016-05-10T10:55:00+00:00", 71.5, 2),
        ("2016-05-10T10:56:00+00:00", 70.0, 1),
    ]
    assert day_of(result, "2016-05-10")["wear_minutes"] == 2


def test_minutes_without_a_time_of_day_are_rejected_not_piled_up_at_midnight() -> None:
    reading = read_text("minuteStepsNarrow_merged.csv", "Id,ActivityMinute,at,Steps\nP1,4/13/2016,7:00,3\n")
    assert [entry.rule for entry in reading.rejected] == ["value_missing"]


def test_a_log_whose_id_a_spreadsheet_cut_stays_one_log(tmp_path: Path) -> None:
    header = "Id,Date,WeightKg,BMI,LogId\n"
    rows = "P1,5/2/2016 11:59:59 PM,52.6,22.65,1.46223E+12\nP1,5/3/2016 11:59:59 PM,52.5,22.6,1.46223E+12\n"
    write_loose(tmp_path, {"weightLogInfo_merged.csv": header + rows})
    result = ingest(tmp_path)
    assert table(result, "daily_summary")["weight_kg"].to_list() == [52.6, 52.5]


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["4/12/2016 12:00:00 AM", "4/13/2016 1:05:09 PM"], ["2016-04-12T00:00:00", "2016-04-13T13:05:09"]),
        (["12/04/2016", "13/04/2016"], ["2016-04-12T00:00:00", "2016-04-13T00:00:00"]),
        (["05/02/2016 23:59", "05/31/2016 00:00"], ["2016-05-02T23:59:00", "2016-05-31T00:00:00"]),
        (["2016-04-12", "2016-04-12 11:12PM"], ["2016-04-12T00:00:00", "2016-04-12T23:12:00"]),
        (["2010-10-13 11:12PM", "11-10-2010 9:10 pm", "13-10-2010 12:00 am"],
         ["2010-10-13T23:12:00", "2010-10-11T21:10:00", "2010-10-13T00:00:00"]),
        # Days that follow each other in one order lie months apart in the other.
        (["01-02-2025", "02-02-2025", "03-02-2025"],
         ["2025-02-01T00:00:00", "2025-02-02T00:00:00", "2025-02-03T00:00:00"]),
        (["4/1/2016"], ["2016-04-01T00:00:00"]),
        (["05/02/2016"], [None]),
        (["05-05-2016"], ["2016-05-05T00:00:00"]),
        (["13/13/2016", "31/31/2016"], [None, None]),
        (["13/01/2016", "01/13/2016"], [None, None]),
        (["4/12/2016 25:00:00", "soon", ""], [None, None, None]),
    ],
)  # fmt: skip
def test_days_are_read_as_the_file_as_a_whole_shows(texts: list[str], days: list[str | None]) -> None:
    found = moments(pl.Series("t", texts)).to_list()
    assert [moment and moment.isoformat() for moment in found] == days


@given(st.lists(st.datetimes(NINETIES, TWENTIES), min_size=1, max_size=30))
def test_the_services_own_text_is_read_back(times: list[datetime]) -> None:
    texts = [f"{t.month}/{t.day}/{t.year} {t.hour % 12 or 12}:{t:%M:%S} {t:%p}" for t in times]
    found = moments(pl.Series("t", texts)).to_list()
    unpadded = any(t.month < 10 or t.day < 10 for t in times)
    decided = unpadded or any(t.day > 12 for t in times)
    if decided:
        assert found == [t.replace(microsecond=0) for t in times]


@pytest.fixture(scope="module")
def merged() -> dict[str, Member]:
    request = Request(ASKED, "fitabase_merged", 60, "en_US")
    return {member.path: member for member in files.merged_of_one(northerner(), request)}


def owner_of(participant_id: str) -> Participant:
    return Participant(participant_id, "female", 1990, "America/New_York")


def as_texts(members: Mapping[str, Member]) -> dict[str, bytes]:
    return {name: member.content for name, member in members.items()}


@pytest.mark.parametrize(
    ("way", "names"),
    [
        ("day_first", ["dailyActivity", "dailySteps", "dailyCalories", "dailyIntensities"]),
        ("iso", ["dailyActivity", "dailySteps"]),
        ("customer_id", ["dailyActivity", "minuteSleep", "sleepDay"]),
        ("split_time", ["sleepDay", "minuteStepsNarrow", "weightLogInfo", "minuteStepsWide"]),
        ("short_numbers", ["weightLogInfo"]),
    ],
)
def test_a_file_saved_again_says_the_same(
    merged: dict[str, Member], tmp_path: Path, way: str, names: list[str]
) -> None:
    chosen = {f"{name}_merged.csv": merged[f"{name}_merged.csv"] for name in names}
    again = {name: resaved.resaved(member, way) for name, member in chosen.items()}
    who = owner_of(northerner().person.participant_id)
    told: list[pl.DataFrame] = []
    for part, members in (("first", chosen), ("again", again)):
        write_loose(tmp_path / part, as_texts(members))
        told.append(table(ingest(tmp_path / part, who), "daily_summary"))
    # A spreadsheet cuts kilometres to 0.01.
    same = told[0].with_columns(told[1]["distance_m"])
    assert same.equals(told[1])
    assert ((told[0]["distance_m"] - told[1]["distance_m"]).abs().fill_null(0) <= 5).all()
    assert told[0].height >= 3


def test_the_order_of_files_and_folders_changes_nothing(merged: dict[str, Member], tmp_path: Path) -> None:
    write_loose(tmp_path, as_texts(merged))
    who = owner_of(northerner().person.participant_id)
    files_there = sources(tmp_path)
    one, other = (ingest_fitbit(who, order, b"secret") for order in (files_there, files_there[::-1]))
    assert all(table(one, name).equals(table(other, name)) for name in one.tables)


@settings(max_examples=60)
@given(
    name=st.sampled_from(
        ["dailyActivity", "sleepDay", "minuteSleep", "weightLogInfo", "minuteStepsWide", "heartrate_seconds"]
    ),
    cut=st.integers(0, 2000),
    junk=st.binary(max_size=12),
)
def test_changed_bytes_never_break_a_reader_and_its_counts_close(
    merged: dict[str, Member], name: str, cut: int, junk: bytes
) -> None:
    content = merged[f"{name}_merged.csv"].content[:6000]
    spoilt = content[:cut] + junk + content[cut + len(junk) :]
    (kind,) = kinds_of(f"{name}_merged.csv")
    try:
        reading = kind.read(Content(spoilt), f"{name}_merged.csv")
    except OtherForm:
        return
    accepted = reading.frame["rows"].sum() if "rows" in reading.frame.columns else reading.frame.height
    rejected = sum(entry.rows for entry in reading.rejected)
    assert reading.rows == accepted + rejected + sum(reading.ignored.values()) + reading.merged


def furberg(samples: Path, folder: Path, person: str, *names: str) -> Result:
    base = samples / "fitbit" / "fitabase_2016_furberg"
    if not base.is_dir():
        pytest.skip("this sample is not on this machine")
    for name in names:
        write_loose(folder, {name: next(base.rglob(name)).read_bytes()})
    who = replace(KAGGLE, aliases=(person,))
    result = ingest_fitbit(who, sources(folder), b"secret")
    for name in result.tables:
        check_table(name, table(result, name))
    return result


@pytest.mark.samples
def test_the_repeated_rows_of_the_public_set_are_merged(samples: Path, tmp_path: Path) -> None:
    repeats = {"4388161847": 1, "4702921684": 1, "8378563200": 1, "1503960366": 0}
    for person, merged_rows in repeats.items():
        result = furberg(samples, tmp_path / person, person, "sleepDay_merged.csv")
        row = table(result, "source_files").row(0, named=True)
        assert (row["rows_read"], row["rows_merged"], row["rows_rejected"]) == (413, merged_rows, 0)


@pytest.mark.samples
def test_seconds_of_the_public_set(samples: Path, tmp_path: Path) -> None:
    result = furberg(samples, tmp_path, "8877689391", "heartrate_seconds_merged.csv")
    assert table(result, "heart_rate_minutes")["samples"].sum() == 1999
    first = table(result, "heart_rate_minutes").row(0, named=True)
    assert first["minute_utc"].isoformat() == "2016-05-10T11:55:00+00:00"
