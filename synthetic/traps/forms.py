"""Every form an export can have, as a trap: an ordinary life that must be read alike from each."""

from collections.abc import Mapping

from synthetic.exports.forms import FORMS
from synthetic.exports.knowable import KNOWABLE, seen_through
from synthetic.exports.takeout.generations import GENERATIONS
from synthetic.traps.answers import Answer, LogTable, Problems, TablesEqual
from synthetic.traps.casts import having
from synthetic.traps.trap import Answers, Frames, Life, Trap, as_the_form_is

WHAT: Mapping[str, str] = {
    "A0": "The first site's flat folder (to about 2020), below the owner's name.",
    "A1": "The second site's folders by topic (to 2026), below the owner's name.",
    "A2": "The same with the Google account's files beside (early 2026).",
    "B": "Takeout by product (2023 to 2024).",
    "C": "Takeout with the Google account's CSV files (late 2024 to 2025).",
    "D": "The same with recorders and two algorithms (2026).",
    "E": "The product renamed, and files in shards (mid 2026).",
    "F": "A folder a family, and a file a month (from October 2026).",
    "fitabase": "Fitabase's batch of a file for each kind.",
    "fitabase_merged": "Fitabase's merged files, cut to one person.",
    "monthly_csv": "The CSV file that fitbit.com offered for a month.",
    "web_api": "Answers of the Web API, one file each.",
    "health_api": "Pages of the Google Health API.",
}
# The first site had no products beside the JSON files, and no list of devices.
NOT_IN_A0 = (
    "active_zone_minutes", "fatburn_active_zone_minutes", "cardio_active_zone_minutes",
    "peak_active_zone_minutes", "heart_rate_variability", "respiratory_rate", "spo2_avg", "spo2_min",
    "spo2_max", "skin_temperature_variation", "stress_management_score", "readiness_score", "device",
)  # fmt: skip
# The profile of the Web API and the ids in Fitabase files name their owner; a batch of Fitabase holds
# study data in a form that is not read, too.
TOLD = {
    "monthly_csv": ("identity_unchecked",),
    "health_api": ("identity_unchecked",),
    "fitabase": ("form_not_read",),
}
# The families hold grams, the truth pounds cut to a tenth.
GRAMS = {"weight_kg": 0.05}
LOGS: tuple[LogTable, ...] = ("sleep_sessions", "activities")


def _answers(form: str) -> Answers:
    def answers(_: Life) -> tuple[Answer, ...]:
        if form in GENERATIONS:
            # The first site's sleep logs do not say how they were made.
            lacking, logs = (NOT_IN_A0, LOGS[1:]) if form == "A0" else ((), LOGS)
            return TablesEqual(lacking=lacking, within=GRAMS, logs=logs), Problems()
        known = KNOWABLE[form]
        within = {column: distance for column, distance in known.items() if distance}
        return TablesEqual(columns=tuple(known), within=within, logs=()), Problems(TOLD.get(form, ()))

    return answers


def _seen_through_form(life: Life, frames: Frames) -> Frames:
    form = life.request.form
    if form in GENERATIONS:
        return frames
    return frames | {"daily_summary": seen_through(frames["daily_summary"], form)}


_OF_FORMS = tuple(
    Trap(
        name=f"form_{form.lower()}",
        what=WHAT[form],
        known="public exports, parsers and format notes of that time",
        form=form,
        pack=as_the_form_is,
        truth=_seen_through_form,
        answers=_answers(form),
    )
    for form in FORMS
)

# What the American form of the monthly file says as "13,845" a German account says as "13.845".
FORM_TRAPS = (
    *_OF_FORMS,
    Trap(
        name="thousands_with_points",
        what='The monthly CSV of a German account: "13.845" steps and "7,92" kilometres.',
        known="PhilippImhof/FromSamToGarm#1",
        form="monthly_csv",
        language="de_DE",
        cast=having(miles=False),
        pack=as_the_form_is,
        truth=_seen_through_form,
        answers=_answers("monthly_csv"),
    ),
    Trap(
        name="thousands_with_commas",
        what='The monthly CSV of a British account: "13,845" steps, days before months, and miles.',
        known="simonkrenger/apple-health-to-fitbit#2",
        form="monthly_csv",
        language="en_GB",
        cast=having(miles=True),
        pack=as_the_form_is,
        truth=_seen_through_form,
        answers=_answers("monthly_csv"),
    ),
)
