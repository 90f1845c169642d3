"""The lines laboratories print: names, units, intervals of each catalogue, and amounts in those units.

Codes are from LOINC (http://loinc.org), copyright Regenstrief Institute, Inc. and the LOINC Committee,
available at no cost under the licence at http://loinc.org/license.
"""

import csv
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from functools import cache
from importlib.resources import files

from synthetic.labs.printing import Line, interval_of


@cache
def lines_of(catalogue: str) -> tuple[Line, ...]:
    """All lines of a catalogue, in the order of printing."""
    return tuple(_line(row) for row in _rows("lines.csv") if row["catalogue"] == catalogue)


def amount(line: Line, conventional: float) -> Decimal:
    """A value of blood.py (US units) in the unit of a line, rounded to its decimals.

    unit = US unit x factor + offset, by units.csv; a unit that is not there is the US one or equal to it.
    """
    factor, offset = _factors().get((line.key, line.ucum), (Decimal(1), Decimal(0)))
    exact = Decimal(repr(conventional)) * factor + offset
    return exact.quantize(Decimal(1).scaleb(-line.decimals), rounding=ROUND_HALF_EVEN)


@cache
def _factors() -> dict[tuple[str | None, str | None], tuple[Decimal, Decimal]]:
    return {
        (row["key"], row["ucum"]): (Decimal(row["factor"]), Decimal(row["offset"]))
        for row in _rows("units.csv")
    }


def _line(row: dict[str, str]) -> Line:
    return Line(
        panel=row["panel"],
        key=row["key"] or None,
        loinc=row["loinc"] or None,
        name=row["name"],
        unit=row["unit"] or None,
        ucum=row["ucum"] or None,
        decimals=int(row["decimals"] or 0),
        interval=interval_of(row["interval"]),
        of_men=interval_of(row["men"]),
        least=_limit(row["limits"], "<"),
        most=_limit(row["limits"], ">"),
        wide=row["printed"] == "wide",
        beside=row["printed"] == "beside",
        note=row["note"] or None,
        choices=tuple(row["choices"].split("|")) if row["choices"] else (),
    )


def _limit(text: str, sign: str) -> Decimal | None:
    match = re.search(rf"{sign}([\d.]+)", text)
    return Decimal(match[1]) if match else None


def _rows(name: str) -> Iterator[dict[str, str]]:
    text = files("synthetic.labs").joinpath(name).read_text(encoding="utf-8")
    return csv.DictReader(text.splitlines(), delimiter=";")
