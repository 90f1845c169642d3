"""Printed units: alias -> UCUM, and conversion to an analyte's canonical unit by our own factors.

UCUM is a free code system (ucum.org). Factors between mass and amount of substance belong to the analyte
(analytes.csv), those between units of one dimension to the unit (units.csv).
"""

import csv
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.labs.analytes import Analyte

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_CASED = {"G/l": "10*9/L", "T/l": "10*12/L"}
_ANNOTATION = re.compile(r"\((?:calc|calculated)\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unit:
    """A UCUM unit: ``scale`` converts it to the base unit of its dimension."""

    ucum: str
    dimension: str
    scale: Decimal


@lru_cache(4096)
def parse_unit(printed: str) -> Unit | None:
    """The unit a printed text means, or None where it is not in our table. Digits are never repaired."""
    text = printed.strip()
    if text in _CASED:
        return units()[_CASED[text]]
    return _aliases().get(_normalised(text))


def in_canonical(value: Decimal, unit: Unit, analyte: "Analyte") -> Decimal | None:
    """A value in the analyte's canonical unit, or None where its dimension is not allowed for the analyte.

    other unit = canonical x factor + offset (affine for HbA1c: IFCC = 10.93 NGSP - 23.50, NGSP network).
    """
    if unit.dimension == "equivalents":
        return _from_equivalents(value, unit, analyte)
    canonical, other = units()[analyte.unit], units()[analyte.other_unit]
    if unit.dimension == canonical.dimension:
        return value * unit.scale / canonical.scale
    if unit.dimension == other.dimension:
        return (value * unit.scale / other.scale - analyte.offset) / analyte.factor
    return None


def fitted(unit: Unit, analyte: "Analyte") -> Unit:
    """The unit as it is meant for an analyte: enzymes printed in IU/L are in U/L."""
    if unit.ucum == "[IU]/L" and units()[analyte.unit].dimension == "catalytic":
        return units()["U/L"]
    return unit


@cache
def units() -> dict[str, Unit]:
    """UCUM text -> unit."""
    return {row["ucum"]: Unit(row["ucum"], row["dimension"], Decimal(row["scale"])) for row in _rows()}


def _from_equivalents(value: Decimal, unit: Unit, analyte: "Analyte") -> Decimal | None:
    if analyte.mmol_per_meq is None:
        return None
    moles = Unit("mmol/L", "substance", unit.scale)
    return in_canonical(value * analyte.mmol_per_meq, moles, analyte)


def _normalised(text: str) -> str:
    """One spelling: no blanks, no annotation, micro sign as u, ``10⁹`` and ``x 10E9`` as ``10^9``."""
    text = re.sub(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "10^" + m[1].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", text).casefold().replace("μ", "u")
    text = re.sub(r"10\((\d+)\)", r"10^\1", text)
    bare = _ANNOTATION.sub("", text).strip()
    text = re.sub(r"\s+", "", bare or text)
    return re.sub(r"^[x×*](?=10)", "", text)


@cache
def _aliases() -> dict[str, Unit]:
    return {
        _normalised(alias): units()[row["ucum"]] for row in _rows() for alias in row["aliases"].split("|")
    }


@cache
def _rows() -> list[dict[str, str]]:
    text = files("ingest.labs").joinpath("units.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
