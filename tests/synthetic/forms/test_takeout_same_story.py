"""Any generation of one recording tells the same steps, heart rate and sleep."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from takeout_reader import Export, Row, plain, us
from takeout_tables import FAMILIES, GENERATIONS, LATER

from synthetic.exports.forms import write_export
from synthetic.exports.takeout.export import morning_after
from synthetic.life.recording import record
from synthetic.people.persona import make_person

ExportOf = Callable[[str], Export]

SEED = 29

NEVER_CHANGED = (
    r"(steps|distance|calories|altitude|heart_rate|.*_minutes|resting_heart_rate|demographic_vo2_max|run_vo2_max"
    r"|time_in_heart_rate_zones|height|swim_lengths_data|weight|exercise)-[\d-]+\.json"
    r"|estimated_oxygen_variation.*\.csv|sleep_score\.csv|Profile\.csv"
)
PRODUCTS = (
    r"(Active Zone Minutes|Heart Rate Variability (Details|Histogram)|(Minute|Daily) SpO2"
    r"|Daily Heart Rate Variability Summary|Daily Respiratory Rate Summary|Respiratory Rate Summary"
    r"|(Computed|Wrist|Device) Temperature) - .*\.csv|Stress Score\.csv|(Trackers|Devices)\.csv"
)


@pytest.mark.parametrize("generation", [name for name in GENERATIONS if name != "B"])
def test_json_files_are_the_same_in_every_generation(export_of: ExportOf, generation: str) -> None:
    known = export_of("B").bases(NEVER_CHANGED)
    assert export_of(generation).bases(NEVER_CHANGED) == known
    assert len(known) > 60


@pytest.mark.parametrize("generation", [name for name in GENERATIONS if name != "B"])
def test_sleep_logs_are_the_same_but_for_how_they_were_made(export_of: ExportOf, generation: str) -> None:
    def logs(name: str) -> list[dict[str, Any]]:
        return [
            {key: value for key, value in log.items() if key != "logType"}
            for log in export_of(name).json("sleep")
        ]

    assert logs(generation) == logs("B")


@pytest.mark.parametrize("generation", ["A1", "A2", "C", "D", "E", "F"])
def test_product_files_are_the_same_in_every_generation_that_has_them(
    export_of: ExportOf, generation: str
) -> None:
    known = export_of("B").bases(PRODUCTS)
    assert export_of(generation).bases(PRODUCTS) == known
    assert len(known) > 60


@pytest.mark.parametrize("generation", ["A2", "E", "F"])
def test_families_hold_the_rows_of_d(export_of: ExportOf, generation: str) -> None:
    for family in FAMILIES:
        assert lines(export_of(generation), family) == lines(export_of("D"), family), family


def lines(export: Export, family: str) -> list[str]:
    """Lines of a family's files but for their headers, with the app under its former name."""
    files = export.files(rf"{family}(_\d{{4}}-\d\d-\d\d)?\.csv")
    found = [line for path in sorted(files) for line in files[path].splitlines()[1:]]
    return [line.replace("Google Health App", "Fitbit App") for line in found]


@pytest.mark.parametrize("generation", [name for name in LATER if name != "D"])
def test_nights_and_exercises_hold_the_rows_of_d(export_of: ExportOf, generation: str) -> None:
    for name in ("UserSleeps", "UserSleepStages", "UserSleepScores", "UserExercises"):
        rows = [_plain_times(row) for row in export_of(generation).csv(rf"{name}_.*\.csv")]
        assert rows == [_plain_times(row) for row in export_of("D").csv(rf"{name}_.*\.csv")], name


def _plain_times(row: Row) -> dict[str, object]:
    return {
        key: plain(cell) if cell.count(":") >= 2 and cell[:4].isdigit() else cell for key, cell in row.items()
    }


def test_families_of_c_hold_the_watchs_rows_of_d(export_of: ExportOf) -> None:
    other = {
        "heart_rate_variability", "respiratory_rate_sleep_summary", "daily_heart_rate_variability", "weight",
        "height", "active_zone_minutes",
    }  # fmt: skip
    for family in set(FAMILIES) - other:
        later = [row for row in export_of("D").family(family) if row.pop("data source") != "MobileTrack"]
        for row in later:
            row.pop("readiness level", None)
        assert export_of("C").family(family) == later, family


def story(export: Export) -> Iterator[object]:
    """What an export says of steps, heart rate and sleep."""
    yield {us(row["dateTime"]): int(row["value"]) for row in export.json("steps")}
    yield [(row["dateTime"], row["value"]["bpm"]) for row in export.json("heart_rate")]
    yield {
        log["logId"]: (log["startTime"], log["endTime"], log["minutesAsleep"]) for log in export.json("sleep")
    }


def google_story(export: Export) -> Iterator[object]:
    """The same from the Google account's files."""
    steps = [row for row in export.family("steps") if row.get("data source") != "MobileTrack"]
    yield {plain(row["timestamp"]): int(row["steps"]) for row in steps}
    stamps = [
        (plain(row["timestamp"]), float(row["beats per minute"])) for row in export.family("heart_rate")
    ]
    yield [(f"{at:%m/%d/%y %H:%M:%S}", bpm) for at, bpm in stamps]
    first = [row for row in export.csv(r"UserSleeps_.*\.csv") if row.get("algorithm_version", "1")[-1] == "1"]
    yield [(plain(row["sleep_end"]) - plain(row["sleep_start"]), int(row["minutes_asleep"])) for row in first]


@settings(max_examples=6, deadline=None)
@given(
    number=st.integers(12, 400),
    one=st.sampled_from(GENERATIONS),
    other=st.sampled_from(("A2", "C", "D", "E", "F")),
    seconds=st.sampled_from((60, 15)),
)
def test_two_generations_of_anybody_tell_the_same(number: int, one: str, other: str, seconds: int) -> None:
    recording = record(make_person(number, 3, SEED), SEED)
    with TemporaryDirectory() as folder:
        exports = []
        for place, name in enumerate((one, other)):
            target = Path(folder) / str(place)
            write_export(recording, name, target, morning_after(recording), seconds)
            exports.append(Export(name, target))
        first, second = exports
    steps, beats, sleeps = story(first)
    assert [steps, beats, sleeps] == list(story(second))
    again = list(google_story(second))
    assert again[:2] == [steps, beats]
    assert isinstance(sleeps, dict)
    told = [(plain(end) - plain(start), asleep) for start, end, asleep in sorted(sleeps.values())]
    assert again[2] == told


def test_the_same_request_gives_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for place in ("one", "two"):
        recording = record(make_person(17, 3, SEED), SEED)
        (name,) = write_export(recording, "F", tmp_path / place, morning_after(recording))
        contents.append((tmp_path / place / name).read_bytes())
    assert contents[0] == contents[1]


def test_finer_sampling_keeps_the_mean_of_every_minute(tmp_path: Path) -> None:
    recording = record(make_person(17, 2, SEED), SEED)
    means = []
    for seconds in (60, 5):
        write_export(recording, "B", tmp_path / str(seconds), morning_after(recording), seconds)
        beats: dict[object, list[int]] = {}
        for row in Export("B", tmp_path / str(seconds)).json("heart_rate"):
            beats.setdefault(us(row["dateTime"]).replace(second=0), []).append(row["value"]["bpm"])
        assert {len(values) for values in beats.values()} == {60 // seconds}
        means.append({at: sum(values) / len(values) for at, values in beats.items()})
    assert means[0] == means[1]
