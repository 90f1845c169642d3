"""Which results stand on which report, with names, units and intervals as two families print them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from synthetic.labs.blood import DECIMALS
from synthetic.people.persona import Person

CRITICAL_POTASSIUM = 6.7
LOWEST_CRP = 0.3


@dataclass(frozen=True, slots=True)
class Interval:
    """A printed interval. Ends are text as printed; a strict end does not belong to the interval."""

    low: str | None = None
    high: str | None = None
    strict: bool = False

    def judge(self, value: float) -> str:
        """L, N or H."""
        if self.low is not None and (value < float(self.low) or (self.strict and value == float(self.low))):
            return "L"
        if self.high is not None and (
            value > float(self.high) or (self.strict and value == float(self.high))
        ):
            return "H"
        return "N"

    def printed(self, family: str) -> str:
        """As the family prints it."""
        if self.low is not None and self.high is not None:
            return f"{self.low}-{self.high}"
        sign = "<" if self.high is not None else ">"
        end = self.high if self.high is not None else self.low
        if self.strict:
            return f"{sign}{end}"
        return f"{sign} OR = {end}" if family == "quest" else f"{sign}={end}"


@dataclass(frozen=True, slots=True)
class Line:
    """How an analyte is printed. of_men is used for men where it differs."""

    key: str
    loinc: str
    name: str
    unit: str
    ucum: str
    interval: Interval
    of_men: Interval | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A printed result; value None where only a bound is printed."""

    panel: str
    line: Line
    interval: Interval
    raw_value: str
    value: float | None
    comparator: str | None
    bound: float | None
    flag: str | None

    @property
    def computed_flag(self) -> str:
        """Our reading of the value against the interval; a bound at or below the lower limit is normal."""
        return "N" if self.value is None else self.interval.judge(self.value)


@dataclass(frozen=True, slots=True)
class Report:
    """A laboratory report of one draw."""

    family: str
    person: Person
    specimen: str
    collected: datetime
    received: datetime
    reported: datetime
    fasting: bool
    results: tuple[Result, ...]


def between(low: str, high: str) -> Interval:
    """Both ends belong to it."""
    return Interval(low, high)


def below(high: str) -> Interval:
    """Strictly below."""
    return Interval(None, high, strict=True)


def above(low: str) -> Interval:
    """Strictly above."""
    return Interval(low, None, strict=True)


MG_DL, MMOL_L, U_L, G_DL = ("mg/dL", "mg/dL"), ("mmol/L", "mmol/L"), ("U/L", "U/L"), ("g/dL", "g/dL")

QUEST: dict[str, tuple[Line, ...]] = {
    "LIPID PANEL, STANDARD": (
        Line("total_cholesterol", "2093-3", "CHOLESTEROL, TOTAL", *MG_DL, below("200")),
        Line("hdl_cholesterol", "2085-9", "HDL CHOLESTEROL", *MG_DL, Interval("50"), Interval("40")),
        Line("triglycerides", "2571-8", "TRIGLYCERIDES", *MG_DL, below("150")),
        Line("ldl_cholesterol", "13457-7", "LDL-CHOLESTEROL", "mg/dL (calc)", "mg/dL", below("100")),
        Line("cholesterol_hdl_ratio", "9830-1", "CHOL/HDLC RATIO", "(calc)", "1", below("5.0")),
        Line("non_hdl_cholesterol", "43396-1", "NON HDL CHOLESTEROL", "mg/dL (calc)", "mg/dL", below("130")),
    ),
    "HS CRP": (Line("hs_crp", "30522-7", "HS CRP", "mg/L", "mg/L", below("3.0")),),
    "COMPREHENSIVE METABOLIC PANEL": (
        Line("glucose", "2345-7", "GLUCOSE", *MG_DL, between("65", "99")),
        Line("urea_nitrogen", "3094-0", "UREA NITROGEN (BUN)", *MG_DL, between("7", "25")),
        Line("creatinine", "2160-0", "CREATININE", *MG_DL, between("0.50", "1.05"), between("0.70", "1.30")),
        Line("egfr", "98979-8", "EGFR", "mL/min/1.73m2", "mL/min/{1.73_m2}", Interval("60")),
        Line("sodium", "2951-2", "SODIUM", *MMOL_L, between("135", "146")),
        Line("potassium", "2823-3", "POTASSIUM", *MMOL_L, between("3.5", "5.3")),
        Line("chloride", "2075-0", "CHLORIDE", *MMOL_L, between("98", "110")),
        Line("carbon_dioxide", "2028-9", "CARBON DIOXIDE", *MMOL_L, between("20", "32")),
        Line("calcium", "17861-6", "CALCIUM", *MG_DL, between("8.6", "10.3")),
        Line("total_protein", "2885-2", "PROTEIN, TOTAL", *G_DL, between("6.1", "8.1")),
        Line("albumin", "1751-7", "ALBUMIN", *G_DL, between("3.6", "5.1")),
        Line("globulin", "10834-0", "GLOBULIN", "g/dL (calc)", "g/dL", between("1.9", "3.7")),
        Line(
            "albumin_globulin_ratio", "1759-0", "ALBUMIN/GLOBULIN RATIO", "(calc)", "1", between("1.0", "2.5")
        ),
        Line("bilirubin_total", "1975-2", "BILIRUBIN, TOTAL", *MG_DL, between("0.2", "1.2")),
        Line(
            "alkaline_phosphatase",
            "6768-6",
            "ALKALINE PHOSPHATASE",
            *U_L,
            between("31", "125"),
            between("36", "130"),
        ),
        Line("ast", "1920-8", "AST", *U_L, between("10", "35"), between("10", "40")),
        Line("alt", "1742-6", "ALT", *U_L, between("6", "29"), between("9", "46")),
    ),
    "HEMOGLOBIN A1c": (Line("hba1c", "4548-4", "HEMOGLOBIN A1c", "% of total Hgb", "%", below("5.7")),),
    "INSULIN": (Line("insulin", "20448-7", "INSULIN", "uIU/mL", "u[IU]/mL", Interval(None, "18.4")),),
}

LABCORP: dict[str, tuple[Line, ...]] = {
    "CBC With Differential/Platelet": (
        Line("leukocytes", "6690-2", "WBC", "x10E3/uL", "10*3/uL", between("3.4", "10.8")),
        Line(
            "erythrocytes",
            "789-8",
            "RBC",
            "x10E6/uL",
            "10*6/uL",
            between("3.77", "5.28"),
            between("4.14", "5.80"),
        ),
        Line("hemoglobin", "718-7", "Hemoglobin", *G_DL, between("11.1", "15.9"), between("13.0", "17.7")),
        Line(
            "hematocrit", "4544-3", "Hematocrit", "%", "%", between("34.0", "46.6"), between("37.5", "51.0")
        ),
        Line("mcv", "787-2", "MCV", "fL", "fL", between("79", "97")),
        Line("mch", "785-6", "MCH", "pg", "pg", between("26.6", "33.0")),
        Line("mchc", "786-4", "MCHC", *G_DL, between("31.5", "35.7")),
        Line("rdw_cv", "788-0", "RDW", "%", "%", between("11.7", "15.4"), between("11.6", "15.4")),
        Line("platelets", "777-3", "Platelets", "x10E3/uL", "10*3/uL", between("150", "450")),
    ),
    "Comp. Metabolic Panel (14)": (
        Line("glucose", "2345-7", "Glucose", *MG_DL, between("70", "99")),
        Line("urea_nitrogen", "3094-0", "BUN", *MG_DL, between("6", "24")),
        Line("creatinine", "2160-0", "Creatinine", *MG_DL, between("0.57", "1.00"), between("0.76", "1.27")),
        Line("egfr", "98979-8", "eGFR", "mL/min/1.73", "mL/min/{1.73_m2}", above("59")),
        Line("sodium", "2951-2", "Sodium", *MMOL_L, between("134", "144")),
        Line("potassium", "2823-3", "Potassium", *MMOL_L, between("3.5", "5.2")),
        Line("chloride", "2075-0", "Chloride", *MMOL_L, between("96", "106")),
        Line("carbon_dioxide", "2028-9", "Carbon Dioxide, Total", *MMOL_L, between("20", "29")),
        Line("calcium", "17861-6", "Calcium", *MG_DL, between("8.7", "10.2")),
        Line("ast", "1920-8", "AST (SGOT)", "IU/L", "U/L", between("0", "40")),
        Line("alt", "1742-6", "ALT (SGPT)", "IU/L", "U/L", between("0", "32"), between("0", "44")),
    ),
    "TSH": (Line("tsh", "3016-3", "TSH", "uIU/mL", "u[IU]/mL", between("0.450", "4.500")),),
    "Vitamin D, 25-Hydroxy": (
        Line(
            "vitamin_d_25oh", "62292-8", "Vitamin D, 25-Hydroxy", "ng/mL", "ng/mL", between("30.0", "100.0")
        ),
    ),
}


def results_of(family: str, values: Mapping[str, float], person: Person) -> tuple[Result, ...]:
    """The results of a family's panels for one draw, in the order of printing."""
    panels = QUEST if family == "quest" else LABCORP
    return tuple(
        _result(family, panel, line, values[line.key], person)
        for panel, lines in panels.items()
        for line in lines
    )


def _result(family: str, panel: str, line: Line, value: float, person: Person) -> Result:
    interval = line.of_men if line.of_men is not None and not person.female else line.interval
    if line.key == "hs_crp" and value < LOWEST_CRP:
        return Result(panel, line, interval, f"<{LOWEST_CRP}", None, "<", LOWEST_CRP, None)
    judged = interval.judge(value)
    words = {"L": "L", "H": "H"} if family == "quest" else {"L": "Low", "H": "High"}
    flag = words.get(judged)
    if line.key == "potassium" and value >= CRITICAL_POTASSIUM:
        flag = "Critical"
    return Result(panel, line, interval, f"{value:.{DECIMALS[line.key]}f}", value, None, None, flag)
