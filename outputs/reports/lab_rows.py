"""Lab results as a clinician reads them: by draw, newest first, as printed, with the value before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from markupsafe import Markup

from outputs.metrics import METRICS
from outputs.rendering import shown_number, shown_quantity, shown_unit
from outputs.reports import words
from outputs.reports.release_rows import Row
from outputs.reports.small_plots import range_bar

FLAG_WORDS = {
    "L": "low",
    "H": "high",
    "LL": "critically low",
    "HH": "critically high",
    "A": "abnormal",
    "critical": "critical",
    "N": "",
    "indeterminate": "",
}
NOT_PRINTED = "computed by us"


@dataclass(frozen=True, slots=True)
class LabRow:
    """A result as printed. ``flag`` is the word for the printed flag, or ours where none is printed."""

    name: str
    value: str
    unit: str
    reference: str
    flag: str
    note: str
    bar: Markup | None
    before: str


@dataclass(frozen=True, slots=True)
class Draw:
    """The results of one day of collection, by panel."""

    day: str
    panels: list[tuple[str, list[LabRow]]]


def draws(results: Sequence[Row]) -> list[Draw]:
    """All draws, newest first; results within a panel as on the report."""
    oldest = date.min
    ordered = sorted(results, key=lambda r: (r["file_id"], r["row_no"]))
    ordered.sort(key=lambda r: r["collected_date"] or oldest, reverse=True)
    found: list[Draw] = []
    for collected, group in groupby(ordered, key=lambda r: r["collected_date"]):
        panels: dict[str, list[LabRow]] = {}
        for result in group:
            title = NOT_PRINTED if result["derived"] else result["panel"] or ""
            panels.setdefault(title, []).append(_lab_row(result, ordered))
        found.append(Draw(words.day(collected), list(panels.items())))
    return found


def lab_rows(results: Sequence[Row]) -> list[tuple[Row, LabRow]]:
    """Results with how they are shown, newest draw first, as on the reports."""
    ordered = sorted(results, key=lambda r: (r["file_id"], r["row_no"]))
    ordered.sort(key=lambda r: r["collected_date"] or date.min, reverse=True)
    return [(result, _lab_row(result, ordered)) for result in ordered]


def _lab_row(result: Row, ordered: Sequence[Row]) -> LabRow:
    printed = result["raw_value"] or words.plain(result["missing_reason"])
    derived = result["derived"]
    return LabRow(
        name=result["raw_name"] or result["name_norm"] or words.plain(result["analyte_key"]),
        value=_derived_value(result) if derived else printed,
        unit=shown_unit(result["canonical_unit"]) if derived else result["raw_unit"] or "",
        reference=result["raw_reference"] or result["ref_text"] or "",
        flag=FLAG_WORDS.get(result["flag_printed"] or result["flag_computed"] or "N", ""),
        note="flag printed otherwise than the range says" if result["flag_mismatch"] else "",
        bar=range_bar(result["value_num"], result["ref_low"], result["ref_high"]),
        before=_before(result, ordered),
    )


def _derived_value(result: Row) -> str:
    value = result["value_canonical"]
    return shown_number(value, 1 if abs(value) < 20 else 0) if value is not None else words.NO_VALUE


def _before(result: Row, ordered: Sequence[Row]) -> str:
    """The newest earlier result of the analyte, with its day.

    As printed where the printed unit is the same, else in the study's unit: laboratories spell one unit in
    several ways, and print one analyte in several units.
    """
    if result["analyte_key"] is None or result["collected_date"] is None or result["derived"]:
        return ""
    for other in ordered:
        if _is_earlier(other, result) and (value := _value_beside(other, result)):
            return f"{value} ({words.day(other['collected_date'])})"
    return ""


def _is_earlier(other: Row, result: Row) -> bool:
    day = other["collected_date"]
    same = other["analyte_key"] == result["analyte_key"] and not other["derived"]
    return same and day is not None and day < result["collected_date"]


def _value_beside(other: Row, result: Row) -> str | None:
    """An earlier result as it may stand beside a later one; None where they have no unit in common."""
    ucum = result["unit_ucum"]
    if other["raw_unit"] == result["raw_unit"] or (ucum is not None and other["unit_ucum"] == ucum):
        return other["raw_value"]
    unit = other["canonical_unit"]
    amount = other["value_canonical"] if other["comparator"] is None else other["bound_canonical"]
    if amount is None or unit is None or unit != result["canonical_unit"]:
        return None
    decimals = METRICS[other["analyte_key"]].decimals
    return f"{other['comparator'] or ''}{shown_quantity(amount, decimals, unit)}"
