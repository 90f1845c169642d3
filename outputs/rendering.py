"""How values are written for people: rounding, units and durations. The tables keep UCUM; pages do not."""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal

_SHOWN_UNITS = {
    "1": "",
    "minutes": "min",
    "degC": "°C",
    "u[IU]/mL": "µIU/mL",
    "m[IU]/L": "mIU/L",
    "m[IU]/mL": "mIU/mL",
    "[IU]/L": "IU/L",
    "[IU]/mL": "IU/mL",
    "k[IU]/L": "kIU/L",
    "mL/min/{1.73_m2}": "mL/min/1.73 m²",
    "kg/m2": "kg/m²",
    "10*3/uL": "10³/µL",
    "10*6/uL": "10⁶/µL",
    "10*9/L": "10⁹/L",
    "10*12/L": "10¹²/L",
    "ug/dL": "µg/dL",
    "ug/L": "µg/L",
    "umol/L": "µmol/L",
}
_SINGULAR = {
    "steps": "step",
    "floors": "floor",
    "points": "point",
    "categories": "category",
    "days": "day",
    "years": "year",
}
# From so many others on a rank is told to 1, and nobody stands at an end.
FINELY_RANKED = 100
_DURATIONS = (
    "sleep_minutes",
    "time_in_bed_minutes",
    "deep_sleep_minutes",
    "rem_sleep_minutes",
    "light_sleep_minutes",
    "awake_minutes",
    "sedentary_minutes",
    "lightly_active_minutes",
)
_CLOCK_TIMES = ("bed_minute", "wake_up_minute")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def rounded(value: float, decimals: int) -> float:
    """A value rounded half up on its shortest decimal form, as laboratories and people do: 0.125 -> 0.13."""
    step = Decimal(1).scaleb(-decimals)
    return float(Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP)) + 0.0


def shown_number(value: float, decimals: int) -> str:
    """The rounded value with its decimals and a comma between thousands."""
    return f"{rounded(value, decimals):,.{decimals}f}"


def shown_unit(unit: str | None) -> str:
    """A UCUM unit as people write it; a unit without another spelling stays as it is."""
    return _SHOWN_UNITS.get(unit or "", unit or "")


def shown_quantity(value: float, decimals: int, unit: str | None) -> str:
    """Number and unit, such as ``5.9 %`` or ``1,234 steps``; the number alone for a ratio."""
    words = shown_unit(unit)
    if rounded(value, decimals) == 1:
        words = _SINGULAR.get(words, words)
    return f"{shown_number(value, decimals)} {words}".rstrip()


def shown_duration(minutes: float) -> str:
    """Whole minutes as hours and minutes: 412 -> ``6 h 52 min``, -30 -> ``-30 min``."""
    whole = int(rounded(minutes, 0))
    hours, rest = divmod(abs(whole), 60)
    sign = "-" if whole < 0 else ""
    return f"{sign}{hours} h {rest} min" if hours else f"{sign}{rest} min"


def shown_clock_time(minute: float) -> str:
    """Minutes from midnight as a time of day: -75 -> ``22:45``."""
    hours, minutes = divmod(int(rounded(minute, 0)) % 1440, 60)
    return f"{hours:02d}:{minutes:02d}"


def shown_value(metric: str, value: float, decimals: int, unit: str | None) -> str:
    """A metric's value as people read it: long durations in hours, times of day as such."""
    if metric in _DURATIONS:
        return shown_duration(value)
    if metric in _CLOCK_TIMES:
        return shown_clock_time(value)
    return shown_quantity(value, decimals, unit)


def shown_difference(metric: str, value: float, decimals: int, unit: str | None) -> str:
    """The size of a difference of two values of a metric, without sign."""
    if metric in (*_DURATIONS, *_CLOCK_TIMES):
        return shown_duration(abs(value))
    return shown_quantity(abs(value), decimals, unit)


def shown_day(day: date) -> str:
    """30 April 2026. Not strftime: its month names follow the locale of the machine."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def shown_place(rank: float, others: int) -> float:
    """A rank as finely as the others allow: to 1 from 100 others, to 5 from 20, else to 10.

    0 and 100 are kept for being lower or higher than every one of fewer than 100 others.
    """
    step = 1 if others >= FINELY_RANKED else 5 if others >= 20 else 10
    if step == 1 or rank in (0, 100):
        return rounded(rank, 0)
    return min(max(rounded(rank / step, 0) * step, step), 100 - step)


def shown_rank(rank: float, others: int) -> str:
    """A rank in words, to be followed by "of" and the others; nobody stands at percentile 0 or 100."""
    whole = int(shown_place(rank, others))
    if others < FINELY_RANKED:
        ends = {0: "lower than all", 100: "higher than all"}
        return ends.get(whole, f"about the {ordinal(whole)} percentile")
    if whole < 1:
        return "below the 1st percentile"
    if whole > 99:
        return "above the 99th percentile"
    return f"{ordinal(whole)} percentile"


def ordinal(number: int) -> str:
    """1 -> 1st, 12 -> 12th, 63 -> 63rd."""
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
