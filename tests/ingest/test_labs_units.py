"""Units and analytes: every conversion by hand, every code by its check digit."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ingest.labs
from ingest.labs.analytes import Analyte, analytes, recognise
from ingest.labs.units import Unit, in_canonical, parse_unit, units
from schemas.analytes import ANALYTES

TABLE = Path(ingest.labs.__file__).parent / "analytes.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))


def analyte(key: str) -> Analyte:
    return next(a for a in analytes() if a.key == key)


def unit(text: str) -> Unit:
    found = parse_unit(text)
    assert found is not None, text
    return found


@pytest.mark.parametrize(
    ("printed", "ucum"),
    [
        ("mg/dL", "mg/dL"),
        ("mg/dL (calc)", "mg/dL"),
        ("(calc)", "1"),
        ("% of total Hgb", "%"),
        ("K/uL", "10*3/uL"),
        ("x10E3/uL", "10*3/uL"),
        ("Thousand/uL", "10*3/uL"),
        ("10³/µL", "10*3/uL"),
        ("x 10^9/L", "10*9/L"),
        ("x10⁹/L", "10*9/L"),
        ("G/l", "10*9/L"),
        ("T/l", "10*12/L"),
        ("g/l", "g/L"),
        ("cells/uL", "/uL"),
        ("/cu.mm", "/uL"),
        ("lakhs/cumm", "10*5/uL"),
        ("mL/min/1.73m2", "mL/min/{1.73_m2}"),
        ("mL/min/1.73 m²", "mL/min/{1.73_m2}"),
        ("μmol/L", "umol/L"),
        ("µmol/L", "umol/L"),
        ("mcg/dL", "ug/dL"),
        ("uIU/mL", "u[IU]/mL"),
        ("IntlUnit/mL", "[IU]/mL"),
        ("mm/hr", "mm/h"),
    ],
)
def test_aliases(printed: str, ucum: str) -> None:
    assert unit(printed).ucum == ucum


@pytest.mark.parametrize("printed", ["", "mg", "furlongs", "mg/dl/", "mmol/1", "xlOE3/uL", "Not Estab."])
def test_unknown_units_are_none_and_digits_are_never_repaired(printed: str) -> None:
    assert parse_unit(printed) is None


@pytest.mark.parametrize(
    ("key", "value", "printed", "canonical"),
    [
        ("glucose", "5.5", "mmol/L", "99.08"),
        ("creatinine", "118", "umol/L", "1.3348"),
        ("total_cholesterol", "5.8", "mmol/L", "224.28"),
        ("hba1c", "47", "mmol/mol", "6.450"),
        ("hba1c", "5.8", "%", "5.8"),
        ("hemoglobin", "141", "g/L", "14.1"),
        ("hematocrit", "0.423", "L/L", "42.3"),
        ("leukocytes", "9000", "cumm", "9"),
        ("leukocytes", "7.2", "G/l", "7.2"),
        ("platelets", "1.5", "lakhs/cumm", "150"),
        ("neutrophils_absolute", "3715", "cells/uL", "3.715"),
        ("insulin", "60", "pmol/L", "10"),
        ("insulin", "10", "mIU/L", "10"),
        ("tsh", "2.31", "uIU/mL", "2.31"),
        ("sodium", "140", "mEq/L", "140"),
        ("calcium", "5", "mEq/L", "10.02"),
        ("urea", "9.4", "mmol/L", "56.46"),
        ("free_t4", "24.9", "pmol/L", "1.9347"),
        ("vitamin_d_25oh", "68", "nmol/L", "27.24"),
        ("alt", "28", "U/L", "28"),
    ],
)
def test_conversion(key: str, value: str, printed: str, canonical: str) -> None:
    amount = in_canonical(Decimal(value), unit(printed), analyte(key))
    assert amount is not None
    assert float(amount) == pytest.approx(float(canonical), rel=2e-4)


def test_no_conversion_between_other_dimensions() -> None:
    assert in_canonical(Decimal(5), unit("%"), analyte("glucose")) is None
    assert in_canonical(Decimal(5), unit("mg/dL"), analyte("lipoprotein_a_moles")) is None
    assert in_canonical(Decimal(5), unit("mEq/L"), analyte("glucose")) is None


@pytest.mark.parametrize(
    ("name", "printed", "loinc"),
    [
        ("GLUCOSE", "mg/dL", "2345-7"),
        ("Glucose", "mmol/L", "14749-6"),
        ("GLUCOSE, FASTING", "mg/dL", "1558-6"),
        ("Neutrophils", "%", "770-8"),
        ("Neutrophils", "x10E3/uL", "751-8"),
        ("Neutrophils (Absolute)", "x10E3/uL", "751-8"),
        ("Urea", "mmol/L", "22664-7"),
        ("UREA", "mg/dL", "3091-6"),
        ("UREA NITROGEN (BUN)", "mg/dL", "3094-0"),
        ("HbA1c", "%", "4548-4"),
        ("HbA1c (IFCC)", "mmol/mol", "59261-8"),
        ("LDL-CHOLESTEROL", "mg/dL", "13457-7"),
        ("LDL Cholesterol", "mg/dL", "2089-1"),
        ("Lipoprotein (a)", "nmol/L", "43583-4"),
        ("Lipoprotein (a)", "mg/dL", "10835-7"),
        ("Hemoglobin (Hb)", "g/dL", "718-7"),
        ("Creatinine, Ur", "mg/dL", "2161-8"),
        ("Vitamin D", "nmol/L", None),
    ],
)
def test_name_unit_and_specimen_choose_the_code(name: str, printed: str, loinc: str | None) -> None:
    meant = recognise(name, None, unit(printed))
    assert meant.analyte is not None
    assert meant.analyte.code_for(meant.unit) == loinc


@pytest.mark.parametrize(
    ("name", "panel", "printed", "reason"),
    [
        ("Neutrophils", None, None, "unit_missing"),
        ("WBC", "URINALYSIS", "10^3/uL", "analyte_unknown"),
        ("Creatinine (Urine)", None, "mg/dL", "analyte_unknown"),
        ("Glucose", None, "%", "unit_not_for_analyte"),
        ("eGFR", None, "mL/min", "unit_not_for_analyte"),
        ("Beta-hydroxybutyrate", None, "mmol/L", "analyte_unknown"),
        ("eGFR AFRICAN AMERICAN", None, "mL/min/1.73m2", "analyte_unknown"),
    ],
)
def test_what_is_not_recognised(name: str, panel: str | None, printed: str | None, reason: str) -> None:
    meant = recognise(name, panel, unit(printed) if printed else None)
    assert meant.reason == reason


def test_a_rate_without_area_is_indexed_only_where_its_name_says_so() -> None:
    meant = recognise("eGFRcreat (CKD-EPI)/1.73 m^2", None, unit("mL/min"))
    assert meant.analyte is not None
    assert meant.unit == units()["mL/min/{1.73_m2}"]


def test_check_digits() -> None:
    def check(code: str) -> int:
        digits = [int(d) for d in code.split("-")[0]]
        doubled = [sum(divmod(2 * d, 10)) if n % 2 == 0 else d for n, d in enumerate(reversed(digits))]
        return -sum(doubled) % 10

    codes = [row[name] for row in ROWS for name in ("loinc", "other_loinc") if row[name]]
    assert len(codes) > 100
    assert [code for code in codes if check(code) != int(code[-1])] == []
    assert len(codes) == len(set(codes))


def test_one_canonical_unit_for_a_key() -> None:
    by_key = {(a.key, a.unit) for a in analytes()}
    assert len(by_key) == len({key for key, _ in by_key})


def test_the_published_metrics_have_the_same_units() -> None:
    ours = {a.key: a.unit for a in analytes()}
    assert {a.key: a.unit for a in ANALYTES if ours.get(a.key) != a.unit} == {}


def test_every_unit_of_an_analyte_is_in_the_table() -> None:
    assert {row[name] for row in ROWS for name in ("unit", "other_unit")} <= units().keys()


@given(st.sampled_from(analytes()), st.decimals(min_value=1, max_value=10_000, places=3))
def test_there_and_back(one: Analyte, amount: Decimal) -> None:
    other = units()[one.other_unit]
    if other.dimension == units()[one.unit].dimension:
        expected = amount * other.scale / units()[one.unit].scale
    else:
        expected = (amount - one.offset) / one.factor
    assert in_canonical(amount, other, one) == expected
