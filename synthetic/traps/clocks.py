"""Traps of the clock: kinds in UTC beside kinds in local time, a Z that lies, changes of clocks, journeys."""

from datetime import date
from typing import Literal

from synthetic.traps.answers import Answer, Clock, Problems, TablesEqual
from synthetic.traps.casts import living_in, travelling
from synthetic.traps.edits import leaving_out
from synthetic.traps.trap import Answers, Life, Trap, all_equal

MEASURED = "measured on public exports of 2015 to 2026"
SLEEP_JSON = r"/sleep-\d{4}-\d\d-\d\d\.json$"
OF_THE_NIGHT: tuple[str, ...] = (
    "sleep_minutes",
    "time_in_bed_minutes",
    "awake_minutes",
    "bed_minute",
    "wake_up_minute",
)
# The families cut times to whole minutes.
WITHIN_A_MINUTE: dict[str, float] = dict.fromkeys(OF_THE_NIGHT, 1.0)


def _nights_equal(_: Life) -> tuple[Answer, ...]:
    return TablesEqual(columns=OF_THE_NIGHT, within=WITHIN_A_MINUTE, logs=()), Problems()


def _variability_in(reading: Literal["utc", "local"]) -> Answers:
    return lambda life: (*all_equal(life), Clock("heart_rate_variability", reading))


def _days_and_exercises_equal(_: Life) -> tuple[Answer, ...]:
    """No file tells the moment of a flight: a sleep beside it may have no instant. Days are certain."""
    return TablesEqual(within={"weight_kg": 0.05}, logs=("activities",)), Problems()


CLOCK_TRAPS = (
    Trap(
        name="utc_beside_local",
        what="Steps, distance, heart rate and exercises stand in UTC, calories, sleep and zone minutes in "
        "local time, and no mark tells which.",
        known=MEASURED,
        cast=living_in("Pacific/Auckland"),
    ),
    Trap(
        name="score_with_false_z",
        what="The sleep score's time is local and ends in Z: read as UTC it belongs to no sleep.",
        known=MEASURED,
        cast=living_in("Asia/Tokyo"),
    ),
    Trap(
        name="false_z_of_2025",
        what="The variability of the night is local time with a false Z, as in the exports of 2025.",
        known=MEASURED,
        form="C",
        answers=_variability_in("local"),
    ),
    Trap(
        name="true_z_of_2026",
        what="The same file is UTC, as in the exports of 2026: no rule for the kind holds for both.",
        known=MEASURED,
        form="D",
        answers=_variability_in("utc"),
    ),
    Trap(
        name="sleeps_in_false_utc",
        what="Nights of UserSleeps say +00:00 and hold local time; their stages carry an offset that must "
        "not be applied. The JSON logs are not there to tell.",
        known=MEASURED,
        form="C",
        edit=leaving_out(SLEEP_JSON),
        answers=_nights_equal,
    ),
    Trap(
        name="dst_spring_north",
        what="New York loses an hour in the night of 8 March 2026; its calories have 1440 rows all the same.",
        known=MEASURED,
        last_day=date(2026, 3, 11),
    ),
    Trap(
        name="dst_autumn_north",
        what="New York has an hour twice in the night of 2 November 2025.",
        known=MEASURED,
        last_day=date(2025, 11, 5),
    ),
    Trap(
        name="dst_spring_south",
        what="Sydney loses an hour in the night of 5 October 2025; the north has none then.",
        known=MEASURED,
        last_day=date(2025, 10, 8),
        cast=living_in("Australia/Sydney"),
    ),
    Trap(
        name="dst_autumn_south",
        what="Sydney has an hour twice in the night of 5 April 2026.",
        known=MEASURED,
        last_day=date(2026, 4, 8),
        cast=living_in("Australia/Sydney"),
    ),
    Trap(
        name="date_line_westward",
        what="A journey from Los Angeles to Auckland and back: a date without noon, and a long one.",
        known="jlai/fitness-dashboard#92; measured on an account that moved by twelve hours",
        form="C",
        days=12,
        cast=travelling("America/Los_Angeles", "Pacific/Auckland", 4, 8),
        answers=_days_and_exercises_equal,
    ),
    Trap(
        name="date_line_eastward",
        what="A journey from Auckland to Los Angeles and back: the long date first.",
        known="jlai/fitness-dashboard#92; measured on an account that moved by twelve hours",
        form="C",
        days=12,
        cast=travelling("Pacific/Auckland", "America/Los_Angeles", 4, 9),
        answers=_days_and_exercises_equal,
    ),
)
