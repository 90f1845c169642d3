"""Units as people write them: one canonical name for each, and where a unit stands behind a number."""

import re
from functools import lru_cache

# Canonical unit -> ways to write it. The longest spelling that fits wins.
UNITS: dict[str, tuple[str, ...]] = {
    "min": ("min", "mins", "minute", "minutes"),
    "h": ("h", "hr", "hrs", "hour", "hours"),
    "s": ("s", "sec", "seconds"),
    "day": ("day", "days", "valid day", "valid days", "worn days"),
    "night": ("night", "nights", "valid night", "valid nights"),
    "week": ("week", "weeks"),
    "month": ("month", "months"),
    "year": ("year", "years", "years old", "years of age", "a"),
    "bpm": ("bpm", "beats per minute", "beats/min"),
    "breaths/min": ("breaths/min", "breaths per minute", "brpm"),
    "percent": ("%", "percent", "per cent"),
    "percentage point": ("percentage point", "percentage points"),
    "percentile": ("percentile", "percentiles"),
    "step": ("step", "steps", "steps a day", "steps per day", "steps/day"),
    "floor": ("floor", "floors"),
    "point": ("point", "points", "score"),
    "category": ("category", "categories"),
    "person": (
        "person",
        "people",
        "persons",
        "women",
        "men",
        "woman",
        "man",
        "others",
        "participants",
        "adults",
    ),
    "time": ("times", "fold", "-fold"),
    "ms": ("ms", "millisecond", "milliseconds"),
    "kcal": ("kcal", "calories", "kilocalories"),
    "kg": ("kg", "kilograms"),
    "kg/m2": ("kg/m2", "kg/m²"),
    "cm": ("cm", "centimetres", "centimeters"),
    "m": ("m", "metres", "meters"),
    "km": ("km", "kilometres", "kilometers"),
    "mile": ("mile", "miles", "mi"),
    "celsius": ("°C", "degC", "Cel"),
    "fahrenheit": ("°F",),
    "mmHg": ("mmHg", "mm[Hg]"),
    "mg/dL": ("mg/dL",),
    "g/dL": ("g/dL",),
    "g/L": ("g/L",),
    "mg/L": ("mg/L",),
    "ug/dL": ("ug/dL", "µg/dL", "mcg/dL"),
    "ug/L": ("ug/L", "µg/L", "mcg/L"),
    "ng/mL": ("ng/mL",),
    "ng/dL": ("ng/dL",),
    "pg/mL": ("pg/mL",),
    "mmol/L": ("mmol/L",),
    "umol/L": ("umol/L", "µmol/L"),
    "nmol/L": ("nmol/L",),
    "pmol/L": ("pmol/L",),
    "mmol/mol": ("mmol/mol",),
    "mEq/L": ("mEq/L", "meq/L"),
    "U/L": ("U/L", "IU/L"),
    "mIU/L": ("mIU/L", "uIU/mL", "µIU/mL", "m[IU]/L", "u[IU]/mL"),
    "mL/kg/min": ("mL/kg/min",),
    "mL/min/1.73m2": ("mL/min/1.73m2", "mL/min/1.73 m2", "mL/min/1.73 m²", "mL/min/{1.73_m2}"),
    "10*3/uL": ("10*3/uL", "x10E3/uL", "thousand/uL", "K/uL", "10*9/L"),
    "10*6/uL": ("10*6/uL", "x10E6/uL", "million/uL", "M/uL", "10*12/L"),
    "fL": ("fL",),
    "pg": ("pg",),
}
_CANONICAL = {spelling.lower(): unit for unit, spellings in UNITS.items() for spelling in spellings}
# Spellings that are words of their own elsewhere ("a" for years) count only as the unit of a fact.
_FACT_ONLY = {"a", "mi"}


def canonical_unit(unit: str | None) -> str | None:
    """One spelling for a unit; None for none."""
    if unit is None or unit.strip() in {"", "1", "{score}", "ratio", "index", "unit", "count"}:
        return None
    return _CANONICAL.get(unit.strip().lower(), unit.strip().lower())


@lru_cache(maxsize=256)
def unit_pattern(fact_units: frozenset[str]) -> re.Pattern[str]:
    """A pattern for a unit right behind a number, the longest spelling first."""
    spellings = {s for group in UNITS.values() for s in group if s not in _FACT_ONLY}
    spellings |= {unit.strip() for unit in fact_units if unit.strip()}
    longest_first = sorted(spellings, key=lambda s: (-len(s), s))
    return re.compile(
        "[\\s\u00a0-]?[\\s\u00a0]?(" + "|".join(map(re.escape, longest_first)) + r")(?![\w/*])", re.IGNORECASE
    )
