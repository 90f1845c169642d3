"""The analytes we know: printed name, unit dimension and specimen together choose one, never the name alone.

Codes are from LOINC (http://loinc.org), copyright Regenstrief Institute, Inc. and the LOINC Committee,
available at no cost under the licence at http://loinc.org/license.
"""

import csv
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from ingest.labs.units import Unit, fitted, in_canonical, units

_URINE = re.compile(r"\b(urine|urinalysis|ur|ua|u)\b")
_PARENTHESIS = re.compile(r"\s*\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Analyte:
    """An analyte and its canonical unit; ``other`` = canonical x factor + offset, with a code of its own."""

    key: str
    loinc: str | None
    other_loinc: str | None
    specimen: str
    unit: str
    other_unit: str
    factor: Decimal
    offset: Decimal
    mmol_per_meq: Decimal | None
    plausible_low: Decimal
    plausible_high: Decimal

    def is_plausible(self, amount: Decimal) -> bool:
        """Whether an amount in the canonical unit can be a living person's."""
        return self.plausible_low <= amount <= self.plausible_high

    def code_for(self, unit: Unit | None) -> str | None:
        """The LOINC code for a printed unit; None where we have no checked code for its dimension."""
        canonical = units()[self.unit].dimension
        if unit is None or unit.dimension in (canonical, "equivalents"):
            return self.loinc
        return self.other_loinc


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a printed name and unit were taken for; ``reason`` says why there is no analyte."""

    analyte: Analyte | None
    unit: Unit | None
    reason: str | None = None


def recognise(raw_name: str, panel: str | None, unit: Unit | None) -> Recognised:
    """The analyte of a printed row; none is better than a likely one."""
    specimen = specimen_of(f"{raw_name} {panel or ''}")
    named = [a for a in _named(raw_name) if (a.specimen == "urine") == (specimen == "urine")]
    if not named:
        return Recognised(None, unit, "analyte_unknown")
    if unit is None:
        return _without_unit(named)
    if unit.ucum == "mL/min" and "1.73" in raw_name:
        unit = units()["mL/min/{1.73_m2}"]
    fitting = [a for a in named if in_canonical(Decimal(1), fitted(unit, a), a) is not None]
    own = [a for a in fitting if units()[a.unit].dimension == fitted(unit, a).dimension] or fitting
    if len(own) != 1:
        return Recognised(None, unit, "analyte_ambiguous" if own else "unit_not_for_analyte")
    return Recognised(own[0], fitted(unit, own[0]))


def known_names() -> list[str]:
    """All normalised names of all analytes."""
    return list(_by_name())


def is_known_name(raw_name: str) -> bool:
    """Whether a printed name is one of an analyte we know, whatever the unit."""
    return bool(_named(raw_name))


def specimen_of(text: str) -> str | None:
    """``urine`` where a name or panel says so; otherwise the analyte's own specimen holds."""
    return "urine" if _URINE.search(normalised_name(text)) else None


def normalised_name(text: str) -> str:
    """One spelling of a printed name: no case, no punctuation between words, ordinary forms of letters."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("−", "-")
    return re.sub(r"[\s,;:.*_]+", " ", text).strip()


@cache
def analytes() -> tuple[Analyte, ...]:
    """All analytes, in the order of the file."""
    return tuple(analyte for analyte, _ in _table())


def _without_unit(named: list[Analyte]) -> Recognised:
    if len(named) == 1 and named[0].unit == "1":
        return Recognised(named[0], units()["1"])
    return Recognised(named[0] if len(named) == 1 else None, None, "unit_missing")


def _named(raw_name: str) -> list[Analyte]:
    """Analytes of that name; a bracket is dropped only where it is a second name of the same analyte."""
    whole = _by_name().get(normalised_name(raw_name), [])
    brackets = _PARENTHESIS.findall(raw_name)
    if whole or not brackets:
        return list(whole)
    outer = _by_name().get(normalised_name(_PARENTHESIS.sub(" ", raw_name)), [])
    inner = [a for bracket in brackets for a in _by_name().get(normalised_name(bracket), [])]
    return [a for a in outer if a in inner]


@cache
def _by_name() -> dict[str, list[Analyte]]:
    names: dict[str, list[Analyte]] = defaultdict(list)
    for analyte, synonyms in _table():
        for name in dict.fromkeys(normalised_name(synonym) for synonym in synonyms):
            names[name].append(analyte)
    return names


@cache
def _table() -> list[tuple[Analyte, list[str]]]:
    text = files("ingest.labs").joinpath("analytes.csv").read_text(encoding="utf-8")
    return [(_analyte(row), row["synonyms"].split("|")) for row in csv.DictReader(text.splitlines())]


def _analyte(row: dict[str, str]) -> Analyte:
    return Analyte(
        key=row["analyte_key"],
        loinc=row["loinc"] or None,
        other_loinc=row["other_loinc"] or None,
        specimen=row["specimen"],
        unit=row["unit"],
        other_unit=row["other_unit"],
        factor=Decimal(row["factor"]),
        offset=Decimal(row["offset"]),
        mmol_per_meq=Decimal(row["mmol_per_meq"]) if row["mmol_per_meq"] else None,
        plausible_low=Decimal(row["plausible_low"]),
        plausible_high=Decimal(row["plausible_high"]),
    )
