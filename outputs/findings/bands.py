"""Bands of a guideline: ascending classes of a number, each with its lower limit per unit.

Limits are compared in the unit that was reported, never after a conversion: 125.5 mg/dL of glucose must not
become 7.0 mmol/L. Each unit has the limits that the guideline itself gives for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from outputs.findings.rule import Finding, Severity
from outputs.rendering import shown_unit


@dataclass(frozen=True, slots=True)
class Band:
    """A class of values.

    lower: UCUM unit -> limit where the band begins; empty for the lowest band.
    strictly: the limit itself belongs to the band below.
    says: what the statement says of a value in the band.
    """

    category: str
    lower: Mapping[str, float] = field(default_factory=dict[str, float])
    severity: Severity = "info"
    fires: bool = False
    says: str = ""
    next_step: str | None = None
    strictly: bool = False


def finding_of(
    bands: Sequence[Band],
    place: int,
    unit: str,
    statement: str,
    *,
    subject: str,
    window_end: date,
    evidence: Sequence[Mapping[str, object]],
) -> Finding:
    """The finding of a value in a band: outcome, severity, category, next step and limits are the band's."""
    band = bands[place]
    return Finding(
        subject,
        window_end,
        "fired" if band.fires else "normal",
        statement,
        band.severity if band.fires else "info",
        category=band.category,
        next_step=band.next_step if band.fires else None,
        limits=limits_of(place, unit, bands),
        evidence=evidence,
    )


def units_of(bands: Sequence[Band]) -> frozenset[str]:
    """Units that every band has a limit in."""
    return frozenset.intersection(*(frozenset(band.lower) for band in bands[1:]))


def band_index(value: float, unit: str, bands: Sequence[Band]) -> int:
    """The place of the highest band whose lower limit the value reaches."""
    reached = [
        place
        for place, band in enumerate(bands)
        if not band.lower or value > band.lower[unit] or (value == band.lower[unit] and not band.strictly)
    ]
    return reached[-1]


def possible_bands(comparator: str, bound: float, unit: str, bands: Sequence[Band]) -> range:
    """The bands a value known only by a bound may lie in: ``<10``, ``>= 60``."""
    at_bound = band_index(bound, unit, bands)
    if comparator in (">", ">="):
        beyond = comparator == ">" and any(b.strictly and b.lower[unit] == bound for b in bands[1:])
        return range(at_bound + beyond, len(bands))
    excluded = comparator == "<" and bands[at_bound].lower.get(unit) == bound
    return range(at_bound + 1 - excluded)


def limits_of(place: int, unit: str, bands: Sequence[Band]) -> dict[str, float | str]:
    """Lower and upper limit of a band, as far as it has them, and their unit."""
    low = bands[place].lower.get(unit)
    high = bands[place + 1].lower[unit] if place + 1 < len(bands) else None
    ends = {"low": low, "high": high}
    return {**{end: limit for end, limit in ends.items() if limit is not None}, "unit": unit}


def range_words(place: int, unit: str, bands: Sequence[Band]) -> str:
    """The band's range in words: ``5.7 to below 6.5 %``, ``above 10 mg/L``, ``below 100 mg/dL``."""
    shown = shown_unit(unit)
    limits = limits_of(place, unit, bands)
    above = bands[place].strictly
    until = place + 1 < len(bands) and bands[place + 1].strictly
    if "low" not in limits:
        high = _with_unit(f"{limits['high']:g}", shown)
        return f"{high} or below" if until else f"below {high}"
    low = f"{'above ' if above else ''}{limits['low']:g}"
    if "high" not in limits:
        return _with_unit(low, shown) + ("" if above else " or above")
    return _with_unit(f"{low} to {'' if until else 'below '}{limits['high']:g}", shown)


def described(bands: Sequence[Band]) -> tuple[str, ...]:
    """Each band with its ranges and severity, for the list of rules."""
    units = sorted(units_of(bands))
    return tuple(
        f"{band.category}: {' / '.join(range_words(place, unit, bands) for unit in units)}"
        f" ({band.severity if band.fires else 'nothing found'})"
        for place, band in enumerate(bands)
    )


def _with_unit(words: str, unit: str) -> str:
    return f"{words} {unit}".rstrip()
