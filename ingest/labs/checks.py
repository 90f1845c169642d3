"""Row rules: what puts a reading in doubt. A doubtful reading is shown to a person, never mended.

R3 unit fits the analyte (analytes.py), R4 plausible limits, R5 size against the printed interval, R7 dates in
order, R8 results that contradict each other, R9 one analyte twice in a report.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations

from ingest.labs.row import LabRow
from ingest.labs.units import in_canonical
from schemas.participant import Participant

FACTOR_SHARE = Decimal("0.02")
SUSPECT_BELOW, SUSPECT_ABOVE = Decimal("0.05"), Decimal(20)
DIFFERENTIAL = tuple(
    f"{c}_percent" for c in ("neutrophils", "lymphocytes", "monocytes", "eosinophils", "basophils")
)

Values = Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """Results of one specimen that must agree: the analytes it needs, and whether their values do."""

    reason: str
    analytes: tuple[str, ...]
    holds: Callable[[Values], bool]


CROSS_CHECKS = (
    CrossCheck(
        "hematocrit_hemoglobin_disagree",
        ("hematocrit", "hemoglobin"),
        lambda v: Decimal("2.5") * v["hemoglobin"] <= v["hematocrit"] <= Decimal("3.7") * v["hemoglobin"],
    ),
    CrossCheck(
        "mcv_disagrees",
        ("mcv", "hematocrit", "erythrocytes"),
        lambda v: _within(v["mcv"] * v["erythrocytes"], 10 * v["hematocrit"], Decimal("0.05")),
    ),
    CrossCheck(
        "mchc_disagrees",
        ("mchc", "hemoglobin", "hematocrit"),
        lambda v: _within(v["mchc"] * v["hematocrit"], 100 * v["hemoglobin"], Decimal("0.05")),
    ),
    CrossCheck(
        "cholesterol_parts_exceed_total",
        ("total_cholesterol", "hdl_cholesterol", "ldl_cholesterol"),
        lambda v: v["total_cholesterol"] >= v["hdl_cholesterol"] + v["ldl_cholesterol"] - 5,
    ),
    CrossCheck(
        "mch_disagrees",
        ("mch", "hemoglobin", "erythrocytes"),
        lambda v: _within(v["mch"] * v["erythrocytes"], 10 * v["hemoglobin"], Decimal("0.1")),
    ),
    CrossCheck(
        "protein_parts_disagree",
        ("total_protein", "albumin", "globulin"),
        lambda v: _near(v["albumin"] + v["globulin"], v["total_protein"], Decimal("0.25")),
    ),
    CrossCheck(
        "albumin_globulin_ratio_disagrees",
        ("albumin_globulin_ratio", "albumin", "globulin"),
        lambda v: _near(v["albumin_globulin_ratio"] * v["globulin"], v["albumin"], Decimal("0.35")),
    ),
    CrossCheck(
        "urea_nitrogen_creatinine_ratio_disagrees",
        ("urea_nitrogen_creatinine_ratio", "urea_nitrogen", "creatinine"),
        lambda v: _within(
            v["urea_nitrogen_creatinine_ratio"] * v["creatinine"], v["urea_nitrogen"], Decimal("0.15")
        ),
    ),
    CrossCheck(
        "bilirubin_direct_exceeds_total",
        ("bilirubin_direct", "bilirubin_total"),
        lambda v: v["bilirubin_direct"] <= v["bilirubin_total"] + Decimal("0.1"),
    ),
    CrossCheck(
        "non_hdl_disagrees",
        ("non_hdl_cholesterol", "total_cholesterol", "hdl_cholesterol"),
        lambda v: _near(v["non_hdl_cholesterol"] + v["hdl_cholesterol"], v["total_cholesterol"], Decimal(6)),
    ),
    CrossCheck(
        "cholesterol_hdl_ratio_disagrees",
        ("cholesterol_hdl_ratio", "total_cholesterol", "hdl_cholesterol"),
        lambda v: _within(
            v["cholesterol_hdl_ratio"] * v["hdl_cholesterol"], v["total_cholesterol"], Decimal("0.1")
        ),
    ),
    CrossCheck(
        "anion_gap_disagrees",
        ("anion_gap", "sodium", "chloride", "carbon_dioxide"),
        lambda v: _is_anion_gap(v, v["carbon_dioxide"]),
    ),
    CrossCheck(
        "anion_gap_disagrees",
        ("anion_gap", "sodium", "chloride", "bicarbonate"),
        lambda v: _is_anion_gap(v, v["bicarbonate"]),
    ),
    CrossCheck(
        "differential_sum",
        DIFFERENTIAL,
        lambda v: 97 <= sum(v[part] for part in DIFFERENTIAL) <= 103,
    ),
)


def check_rows(rows: Sequence[LabRow], participant: Participant) -> list[LabRow]:
    """The rows of one report with the doubts that single values, dates and each other give."""
    alone = [_with(row, [*_value_doubts(row), *_date_doubts(row, participant)]) for row in rows]
    return _with_conflicts(_with_contradictions(_with_other_units(alone)))


def draw_of(row: LabRow) -> tuple[object, ...]:
    """What tells one specimen of a person from another: collection and the laboratory's number."""
    return (row.collected_at or row.collected_date, row.specimen_id)


def values_by_draw(rows: Iterable[LabRow]) -> dict[tuple[object, ...], dict[str, LabRow]]:
    """The undoubted numbers of each draw by analyte."""
    draws: dict[tuple[object, ...], dict[str, LabRow]] = defaultdict(dict)
    for row in rows:
        if row.analyte is not None and row.canonical is not None and not row.doubts:
            draws[draw_of(row)].setdefault(row.analyte.key, row)
    return draws


def _with(row: LabRow, doubts: Sequence[str]) -> LabRow:
    """The row with more doubts; none where a person has decided on it."""
    if row.decided:
        return row
    return replace(row, doubts=tuple(dict.fromkeys([*row.doubts, *doubts])))


def _value_doubts(row: LabRow) -> list[str]:
    doubts: list[str] = []
    analyte, amount = row.analyte, row.canonical
    if analyte is not None and amount is not None and not analyte.is_plausible(amount):
        doubts.append("implausible")
    if _is_decimal_suspect(row):
        doubts.append("decimal_suspect")
    return doubts


def _is_decimal_suspect(row: LabRow) -> bool:
    """Far from the printed interval, and the laboratory does not itself call it abnormal that way."""
    value, interval = row.reading.value.number, row.reading.interval
    if value is None or interval is None or interval.low is None or interval.high is None:
        return False
    if row.flag_computed == "N" or (row.flag_printed not in (None, "N") and not row.flag_mismatch):
        return False
    middle = (interval.low + interval.high) / 2
    return middle > 0 and not SUSPECT_BELOW <= value / middle <= SUSPECT_ABOVE


def _date_doubts(row: LabRow, participant: Participant) -> list[str]:
    day = row.collected_date
    if day is None:
        return []
    born = participant.birth_date
    early = day < born if born is not None else day.year < participant.birth_year
    late = row.reported_date is not None and day > row.reported_date
    return ["dates_inconsistent"] if early or late else []


def _with_other_units(rows: list[LabRow]) -> list[LabRow]:
    """One result in two units: both are in doubt where no amount rounds to both of the printed numbers."""
    groups: dict[tuple[object, ...], list[LabRow]] = defaultdict(list)
    for row in rows:
        if row.analyte is not None and row.canonical is not None and row.unit is not None and not row.doubts:
            groups[(*draw_of(row), row.analyte.key)].append(row)
    apart = {
        row.row_no
        for group in groups.values()
        for one, other in combinations(group, 2)
        if _dimension(one) != _dimension(other) and not _may_be_equal(one, other)
        for row in (one, other)
    }
    return [_with(row, ["units_disagree"] if row.row_no in apart else []) for row in rows]


def _dimension(row: LabRow) -> str | None:
    return row.unit.dimension if row.unit else None


def _may_be_equal(one: LabRow, other: LabRow) -> bool:
    """Whether the amounts each printed number may stand for meet, give or take 2 % for the factors in use."""
    (low, high), (other_low, other_high) = _rounded_from(one), _rounded_from(other)
    return low * (1 - FACTOR_SHARE) <= other_high and other_low * (1 - FACTOR_SHARE) <= high


def _rounded_from(row: LabRow) -> tuple[Decimal, Decimal]:
    """The canonical amounts that round to the printed number."""
    number, unit, analyte = row.reading.value.number, row.unit, row.analyte
    if number is None or unit is None or analyte is None:
        raise ValueError("a row without a number has no rounding")
    half = Decimal(5).scaleb(_exponent(number) - 1)
    ends = [in_canonical(number + step, unit, analyte) or Decimal(0) for step in (-half, half)]
    return min(ends), max(ends)


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _with_contradictions(rows: list[LabRow]) -> list[LabRow]:
    doubts: dict[int, list[str]] = defaultdict(list)
    for values in values_by_draw(rows).values():
        for check in CROSS_CHECKS:
            involved = [values[key] for key in check.analytes if key in values]
            if len(involved) < len(check.analytes):
                continue
            if not check.holds({key: row.canonical or Decimal(0) for key, row in values.items()}):
                for row in involved:
                    doubts[row.row_no].append(check.reason)
    return [_with(row, doubts[row.row_no]) for row in rows]


def _with_conflicts(rows: list[LabRow]) -> list[LabRow]:
    """The same test of the same draw with other values: both are in doubt, unless a person decided on one.

    Equal ones are merged later.
    """
    groups: dict[tuple[object, ...], list[LabRow]] = defaultdict(list)
    for row in rows:
        if row.loinc is not None and not row.doubts:
            groups[(*draw_of(row), row.loinc)].append(row)
    conflicting = {
        row.row_no
        for group in groups.values()
        if len({amount_of(r) for r in group}) > 1 and not any(r.decided for r in group)
        for row in group
    }
    return [_with(row, ["conflicting_results"] if row.row_no in conflicting else []) for row in rows]


def amount_of(row: LabRow) -> tuple[object, ...]:
    """What makes two results of a test equal: the canonical amount, bound, text or reason."""
    value = row.reading.value
    text = value.text.casefold() if value.text else None
    return (row.canonical, value.comparator, row.bound_canonical, text, value.missing)


def _is_anion_gap(v: Values, bicarbonate: Decimal) -> bool:
    """Na - Cl - HCO3, with or without K, give or take 2 for rounding."""
    gap = v["sodium"] - v["chloride"] - bicarbonate
    return gap - 2 <= v["anion_gap"] <= gap + v.get("potassium", Decimal("5.5")) + 2


def _near(one: Decimal, other: Decimal, distance: Decimal) -> bool:
    return abs(one - other) <= distance


def _within(one: Decimal, other: Decimal, share: Decimal) -> bool:
    return abs(one - other) <= share * other
