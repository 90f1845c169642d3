"""Traps of values: placeholders that look like measurements, units that no mark tells, numbers as text."""

import re
from dataclasses import replace
from datetime import date, datetime

import polars as pl

from synthetic.people.persona import Person
from synthetic.traps.answers import Answer, Problems, Rows, TablesEqual
from synthetic.traps.casts import having, living_in
from synthetic.traps.edits import Records, changing, changing_records, in_turn, leaving_out
from synthetic.traps.trap import Frames, Life, Trap, tables_equal

MEASURED = "measured on public exports of 2015 to 2026"
DAILY_OXYGEN = r"/Daily SpO2 - |/daily_oxygen_saturation"
MINUTE_JSON = r"/(?:steps|distance|calories|altitude)-\d{4}-\d\d-\d\d\.json$"
DAILY_RESPIRATION = r"/Daily Respiratory Rate Summary - "
# The nights' mean is not the mean of the minutes that are left of it.
OXYGEN_OF_MINUTES = {"spo2_avg": 1.0}


def _weighs_in(person: Person) -> Person:
    return replace(person, has_scale=True, miles=False)


def _third_night(life: Life) -> date:
    """The third date with a respiratory rate."""
    return life.recording.nightly.drop_nulls("respiratory_rate")["date"][2]


def _minus_one(life: Life, content: bytes) -> bytes:
    stamp = f"{_third_night(life)}T00:00:00"
    return re.sub(rf"^{stamp},.*$", f"{stamp},-1.0", content.decode(), flags=re.MULTILINE).encode()


def _no_respiration(life: Life, frames: Frames) -> Frames:
    hidden = pl.when(pl.col("date") != _third_night(life)).then(pl.col("respiratory_rate"))
    daily = frames["daily_summary"].with_columns(hidden.alias("respiratory_rate"))
    return frames | {"daily_summary": daily}


def _third_worn_day(life: Life) -> date:
    return life.recording.nightly.drop_nulls("resting_heart_rate")["date"][2]


def _zero_resting(life: Life, records: Records) -> Records:
    stamp = f"{_third_worn_day(life):%m/%d/%y} 00:00:00"
    nothing = {"date": None, "value": 0.0, "error": 0.0}
    return [record | {"value": nothing} if record["dateTime"] == stamp else record for record in records]


def _score_without_resting(life: Life, content: bytes) -> bytes:
    """The score of the night knows none either."""
    header, *rows = content.decode().splitlines()
    return "\n".join([header, *(_blanked(life, row) for row in rows)]).encode() + b"\n"


def _blanked(life: Life, row: str) -> str:
    cells = row.split(",")
    if cells[1].startswith(_third_worn_day(life).isoformat()):
        cells[7] = ""
    return ",".join(cells)


def _no_resting(life: Life, frames: Frames) -> Frames:
    hidden = pl.when(pl.col("date") != _third_worn_day(life)).then(pl.col("resting_heart_rate"))
    daily = frames["daily_summary"].with_columns(hidden.alias("resting_heart_rate"))
    return frames | {"daily_summary": daily}


def _bare_numbers(_: Life, content: bytes) -> bytes:
    return re.sub(rb'"value" : "([\d.]+)"', rb'"value" : \1', content)


def _without_value(life: Life, records: Records) -> Records:
    """A further record that says when, and nothing else."""
    return [*records, {"dateTime": f"{life.dates[2]:%m/%d/%y} 23:59:30"}]


def _rejects_one(life: Life) -> tuple[Answer, ...]:
    return tables_equal(life), Rows(life.archive, "rejected", 1)


def _without_short_wakes(_: Life, records: Records) -> Records:
    return [
        record | {"levels": {name: part for name, part in record["levels"].items() if name != "shortData"}}
        for record in records
    ]


def _as_local_midnights(life: Life, content: bytes) -> bytes:
    """Days as the instants at which they began, as accounts have them that another vendor's app fills."""

    def instant(label: re.Match[str]) -> str:
        midnight = datetime.fromisoformat(label[1])
        return f"{life.recording.days.utc_of(midnight):%Y-%m-%dT%H:%M:%SZ}"

    return re.sub(r"^(\d{4}-\d\d-\d\d)T00:00:00Z", instant, content.decode(), flags=re.MULTILINE).encode()


def _resting_equal(_: Life) -> tuple[Answer, ...]:
    """The newest days were worked out again for one of the two files."""
    return TablesEqual(
        columns=("resting_heart_rate",), within={"resting_heart_rate": 0.25}, logs=()
    ), Problems()


def _oxygen_of_minutes(_: Life) -> tuple[Answer, ...]:
    return TablesEqual(columns=("spo2_avg",), within=OXYGEN_OF_MINUTES, logs=()), Problems()


VALUE_TRAPS = (
    Trap(
        name="distance_in_centimetres",
        what="Distance of a day is in centimetres while exercises are in the account's miles.",
        known="report in a tool's notes: kilometres a hundred times too large; " + MEASURED,
        cast=having(miles=True),
    ),
    Trap(
        name="pounds_in_a_metric_account",
        what="Weight is in pounds, cut to a tenth, also where everything else is metric.",
        known="pkpio/fitbit-googlefit#102; " + MEASURED,
        cast=_weighs_in,
    ),
    Trap(
        name="zero_resting_heart_rate",
        what="A day without a resting heart rate says null and 0.0, as do the days of the year to come.",
        known="elkimek/get-based#196; " + MEASURED,
        edit=in_turn(
            changing_records(r"/resting_heart_rate-", _zero_resting),
            changing(r"/sleep_score\.csv$", _score_without_resting),
        ),
        truth=_no_resting,
    ),
    Trap(
        name="padded_future",
        what="Files of thirty days are padded to their end: 1440 sedentary minutes on days yet to come.",
        known=MEASURED,
    ),
    Trap(
        name="oxygen_of_fifty",
        what="A sixth to a quarter of the oxygen minutes say 50.0, which means none; no daily file tells.",
        known="notes of two tools; " + MEASURED,
        form="D",
        edit=leaving_out(DAILY_OXYGEN),
        answers=_oxygen_of_minutes,
    ),
    Trap(
        name="respiration_of_minus_one",
        what="A night without a respiratory rate says -1.",
        known=MEASURED,
        edit=changing(DAILY_RESPIRATION, _minus_one),
        truth=_no_respiration,
    ),
    Trap(
        name="seventy_without_contact",
        what="The watch off the wrist says 70 bpm with confidence 0: neither heart rate nor wear.",
        known=MEASURED,
        sampling_seconds=15,
    ),
    Trap(
        name="record_without_value",
        what="A record of steps has a time and no value: it is no minute of 0 steps.",
        known="Clarity-Digital-Twin/big-mood-detector#87",
        edit=changing_records(r"/steps-", _without_value),
        answers=_rejects_one,
    ),
    Trap(
        name="nights_without_short_wakes",
        what="Logs with stages lack the list of short wakes: their minutes are told all the same.",
        known="carissalow/rapids#247",
        edit=changing_records(r"/sleep-", _without_short_wakes),
    ),
    Trap(
        name="days_as_instants",
        what="Days of the resting heart rate are told as the instant at which they began: 16:00 UTC of the "
        "day before in Singapore. The JSON file is not there.",
        known="format note of a tool for accounts that another vendor's app fills",
        form="D",
        cast=living_in("Asia/Singapore"),
        edit=in_turn(
            leaving_out(r"/resting_heart_rate-\d{4}-\d\d-\d\d\.json$"),
            changing(r"/daily_resting_heart_rate", _as_local_midnights),
        ),
        answers=_resting_equal,
    ),
    Trap(
        name="bare_numbers",
        what="Minute values are numbers where the vendor writes text.",
        known="PMData: calories as number or as text",
        edit=changing(MINUTE_JSON, _bare_numbers),
    ),
)
