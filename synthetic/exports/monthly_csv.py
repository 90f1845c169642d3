"""The file that fitbit.com offered as "Export a selection": at most 31 days, a section for each subject.

Numbers and dates follow the account's language, distance and weight its units, and nothing in the file says
which. Weights between weigh-ins are interpolated. Sleep comes newest first, in whole minutes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
import polars as pl

from synthetic.exports.daily import daily_totals
from synthetic.exports.logs import level_runs
from synthetic.exports.members import Member, Request
from synthetic.exports.web_api.units import KG_A_POUND, KG_A_STONE
from synthetic.life.recording import METRES_A_MILE, Recording
from synthetic.life.sleep import AWAKE, WAKE, SleepLog
from synthetic.people.body import Floats

LONGEST = 31
ACTIVITIES = (
    "Date,Calories Burned,Steps,Distance,Floors,Minutes Sedentary,Minutes Lightly Active,"
    "Minutes Fairly Active,Minutes Very Active,Activity Calories"
)
SLEEP = (
    "Start Time,End Time,Minutes Asleep,Minutes Awake,Number of Awakenings,Time in Bed,Minutes REM Sleep,"
    "Minutes Light Sleep,Minutes Deep Sleep"
)
FOOD_TOTALS = (
    ("Calories", "0"), ("Fat", "0 g"), ("Fiber", "0 g"), ("Carbs", "0 g"), ("Sodium", "0 mg"),
    ("Protein", "0 g"), ("Water", "0 fl oz"),
)  # fmt: skip
NOT_GIVEN = "N/A"


@dataclass(frozen=True, slots=True)
class Style:
    """How a language writes days (strftime), the noon behind a time, thousands and decimals."""

    day: str
    halves: tuple[str, str]
    thousands: str
    decimal: str

    def time(self, moment: datetime) -> str:
        """A day and a time of twelve hours, seconds cut."""
        half = self.halves[moment.hour >= 12]
        return f"{moment:{self.day}} {moment.hour % 12 or 12}:{moment.minute:02d}{half}"

    def number(self, value: float, decimals: int = 0) -> str:
        """A number with the separators of the language."""
        return f"{value:,.{decimals}f}".translate(str.maketrans(",.", self.thousands + self.decimal))


AMERICAN = Style("%Y-%m-%d", ("AM", "PM"), ",", ".")
STYLES = {
    "en_GB": Style("%d-%m-%Y", (" am", " pm"), ",", "."),
    "en_CA": Style("%m/%d/%Y", ("AM", "PM"), ",", "."),
    "de_DE": Style("%d-%m-%Y", (" am", " pm"), ".", ","),
}


def members(recording: Recording, request: Request) -> Iterator[Member]:
    """One file for each 31 days, all downloaded on one day, so that the browser numbers their names."""
    totals, style = daily_totals(recording), STYLES.get(request.language, AMERICAN)
    stem = f"fitbit_export_{request.requested_utc:%Y%m%d}"
    for number, first in enumerate(range(0, totals.height, LONGEST)):
        name = f"{stem} ({number}).csv" if number else f"{stem}.csv"
        days = totals[first : first + LONGEST]
        sections = _sections(recording, days, style, request.language)
        yield Member(name, "\n".join(_text(*section) for section in sections).encode())


Rows = Iterable[Sequence[str]]


def _text(title: str, header: str, rows: Rows) -> str:
    lines = (",".join(f'"{cell}"' for cell in row) for row in rows)
    return "\n".join([title, header, *lines]) + "\n"


def _sections(
    recording: Recording, days: pl.DataFrame, style: Style, language: str
) -> Iterator[tuple[str, str, Rows]]:
    dates = days["date"].to_list()
    yield "Body", "Date,Weight,BMI,Fat", _body(recording, dates, style, language)
    yield "Foods", "Date,Calories In", ((f"{day:{style.day}}", "0") for day in dates)
    yield "Activities", ACTIVITIES, _activities(recording, days, style)
    sleeps = [sleep for sleep in recording.sleeps if dates[0] <= sleep.wake_date <= dates[-1]]
    yield "Sleep", SLEEP, (_sleep(sleep, style) for sleep in reversed(sleeps))
    for day in dates:
        yield f"Food Log {day:%Y%m%d}", "Daily Totals", (("", *total) for total in FOOD_TOTALS)


def _body(recording: Recording, dates: list[date], style: Style, language: str) -> Iterator[tuple[str, ...]]:
    height_m = recording.person.body.height_cm / 100
    unit = KG_A_STONE if language == "en_GB" else KG_A_POUND if recording.person.miles else 1.0
    first = (dates[0] - recording.days.dates[0]).days
    for day, kilograms in zip(dates, _weights(recording)[first:].tolist(), strict=False):
        bmi = style.number(kilograms / height_m**2, 1)
        yield f"{day:{style.day}}", style.number(kilograms / unit, 1), bmi, "0"


def _weights(recording: Recording) -> Floats:
    """Kilograms of every day: straight lines between weigh-ins, without any the weight of the profile."""
    pounds = recording.nightly["weight_lb"].to_numpy()
    known = np.flatnonzero(~np.isnan(pounds))
    if not len(known):
        return np.full(len(pounds), recording.person.body.weight_kg)
    return np.interp(np.arange(len(pounds)), known, pounds[known] * KG_A_POUND)


def _activities(recording: Recording, days: pl.DataFrame, style: Style) -> Iterator[tuple[str, ...]]:
    unit = METRES_A_MILE if recording.person.miles else 1000.0
    for day in days.iter_rows(named=True):
        whole = ("floors", "sedentary", "lightly", "moderately", "very")
        yield (
            f"{day['date']:{style.day}}",
            style.number(day["energy"]),
            style.number(day["steps"]),
            style.number(day["distance_cm"] / 100 / unit, 2),
            *(style.number(day[name]) for name in whole),
            style.number(max(day["energy"] - day["basal"], 0)),
        )


def _sleep(sleep: SleepLog, style: Style) -> tuple[str, ...]:
    minutes = sleep.minutes_by_level()
    woke = WAKE if sleep.kind == "stages" else AWAKE
    awakenings = sum(level == woke for level, _, _ in level_runs(sleep.levels))
    return (
        style.time(sleep.start),
        style.time(sleep.end),
        style.number(sleep.minutes_asleep),
        style.number(sleep.minutes_awake),
        style.number(awakenings),
        style.number(sleep.minutes_in_bed),
        *(style.number(minutes[name]) if name in minutes else NOT_GIVEN for name in ("rem", "light", "deep")),
    )
