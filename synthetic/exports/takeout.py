"""A participant's export as Google sends it: one zip of the layout in use from mid 2023 to 2024."""

import zipfile
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import chain
from pathlib import Path

import numpy as np

from synthetic.exports import csv_files, json_files, log_files
from synthetic.exports.account import account_created, synced_utc
from synthetic.life.recording import Recording
from synthetic.local_days import Ints
from synthetic.randomness import generator

ROOT = "Takeout/Fitbit"
LOOSE_CONTACT_SHARE = 0.15

READMES = {
    "Heart Rate Variability/Daily Heart Rate Variability Summary README.txt": (
        "The daily summary files hold one row for each night of sleep: RMSSD in milliseconds, the heart rate "
        "outside REM sleep and the entropy of the beat intervals.\n"
    ),
    "Oxygen Saturation (SpO2)/Daily SpO2 README.txt": (
        "The daily files hold the oxygen saturation of the blood in percent for each night of sleep.\n"
    ),
    "Active Zone Minutes (AZM)/Active Zone Minutes README.txt": (
        "One row for each minute that earned active zone minutes, with its zone and the minutes earned.\n"
    ),
    "Stress Score/Stress Score Readme.txt": "A row a day: the stress management score and its parts.\n",
    "Daily Readiness/Daily Readiness README.txt": "No data.\n",
}


def write_takeout(recording: Recording, folder: Path, seed: int) -> str:
    """Write the export's zip into ``folder``; returns its name. Bytes depend on the recording alone."""
    synced = synced_utc(recording)
    requested = synced + timedelta(hours=9, minutes=recording.person.number % 50)
    name = f"takeout-{requested:%Y%m%dT%H%M%SZ}-001.zip"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = requested.timetuple()[:6]
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
        for path, text in _members(recording, synced, seed):
            info = zipfile.ZipInfo(
                path, (stamp[0], stamp[1], stamp[2], stamp[3], stamp[4], stamp[5] // 2 * 2)
            )
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, text.encode())
    return name


def _members(recording: Recording, synced: datetime, seed: int) -> Iterator[tuple[str, str]]:
    created, person = account_created(recording), recording.person
    yield "Takeout/archive_browser.html", "<html><body><h1>Archive</h1></body></html>\n"
    yield "Takeout/Tasks/Tasks.json", '{"kind": "tasks#taskLists", "items": []}\n'
    for name, text in _global_export(recording, created, seed):
        yield f"{ROOT}/Global Export Data/{name}", text
    for name, text in chain(
        csv_files.active_zone_minutes(recording, created),
        csv_files.heart_rate_variability(recording, created),
        csv_files.respiratory_rate(recording),
        csv_files.oxygen_saturation(recording),
        csv_files.sleep_score(recording),
        csv_files.stress_score(recording),
        csv_files.profile(person, created),
        csv_files.trackers(person, created, synced),
        READMES.items(),
    ):
        yield f"{ROOT}/{name}", text


def _global_export(recording: Recording, created: date, seed: int) -> Iterator[tuple[str, str]]:
    rng = generator(seed, "samples", recording.person.number)
    seconds = rng.integers(0, 60, len(recording.days.day))
    confidence = np.where(rng.random(len(seconds)) < LOOSE_CONTACT_SHARE, 1, rng.integers(2, 4, len(seconds)))
    return chain(
        json_files.steps_and_distance(recording, created),
        json_files.calories(recording, created),
        json_files.altitude(recording, created),
        json_files.intensity_files(recording, created),
        json_files.resting_heart_rate(recording, created),
        json_files.cardio_fitness(recording, created),
        json_files.heart_rate(recording, seconds, _placeholders(recording), confidence),
        json_files.weight(recording, created),
        log_files.sleep_files(recording, created),
        log_files.exercise_files(recording),
    )


def _placeholders(recording: Recording) -> Ints:
    """The first two minutes off the wrist: the device still answers, with 70 and confidence 0.

    Only on days that were worn at all, so that a day off has no file.
    """
    worn = recording.minutes.worn
    came_off = np.flatnonzero(worn[:-1] & ~worn[1:]) + 1
    places = np.unique(np.concatenate([came_off, came_off + 1]))
    places = places[places < len(worn)]
    usable = ~worn[places] & recording.arrived[places] & (recording.wear[recording.days.day[places]] > 0)
    return places[usable].astype(np.int64)
