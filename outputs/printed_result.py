"""A laboratory result as the report prints it: what findings compare and the dossier shows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from outputs.metrics import METRICS
from outputs.rendering import shown_quantity, shown_unit

_FASTING_GLUCOSE_LOINC = "1558-6"
_UNIT_TEXT = re.compile(r"[\w%/^*.\[\]{}() -]{1,24}")


@dataclass(frozen=True, slots=True)
class PrintedResult:
    """A row of ``lab_results`` with a number: the value, or with a comparator the bound it stands for.

    unit is UCUM where the printed unit could be read (``comparable``), else the text as printed.
    canonical: the value in the study's unit, where it is no bound. collected_hour: on the wall, where known.
    decimals are those of the report, so that 5.0 stays 5.0; of a value computed by us, those of its metric.
    """

    analyte: str
    label: str
    value: float
    comparator: str | None
    unit: str
    comparable: bool
    decimals: int
    low: float | None
    high: float | None
    low_belongs: bool
    high_belongs: bool
    flag_printed: str | None
    flag_computed: str | None
    derived: bool
    fasting: bool | None
    fasting_source: str | None
    collected: date
    file_id: str
    row_no: int
    canonical: float | None
    collected_hour: float | None

    @property
    def shown(self) -> str:
        """Value and unit as on the report, such as ``5.9 %`` or ``<0.2 mg/L``."""
        return f"{self.comparator or ''}{shown_quantity(self.value, self.decimals, self.unit)}"

    @property
    def interval(self) -> str:
        """The printed interval, such as ``70 to 99 mg/dL`` or ``60 or above``; empty where there is none."""
        if self.low is not None and self.high is not None:
            return f"{self.shown_limit(self.low, with_unit=False)} to {self.shown_limit(self.high)}"
        if self.high is not None:
            return f"{'up to' if self.high_belongs else 'below'} {self.shown_limit(self.high)}"
        if self.low is not None:
            low = self.shown_limit(self.low)
            return f"{low} or above" if self.low_belongs else f"above {low}"
        return ""

    def shown_limit(self, limit: float, *, with_unit: bool = True) -> str:
        """A printed limit with its unit, with at least the decimals of the value."""
        return shown_quantity(limit, self.limit_decimals(limit), self.unit if with_unit else None)

    def limit_decimals(self, limit: float) -> int:
        """Decimals a printed limit is shown with."""
        return max(decimals_needed(limit), self.decimals)

    @property
    def shown_unit(self) -> str:
        """The unit as people write it."""
        return shown_unit(self.unit)

    @property
    def column(self) -> str:
        """The column of ``lab_results`` that holds the number."""
        return "value_num" if self.comparator is None else "bound_num"

    def key(self, participant_id: str) -> dict[str, str | int]:
        """Key of the row in ``lab_results``."""
        return {"participant_id": participant_id, "file_id": self.file_id, "row_no": self.row_no}


def printed_result(row: Mapping[str, Any]) -> PrintedResult:
    """A row of ``lab_results`` (of ``newest_results``) as a PrintedResult."""
    analyte = str(row["analyte_key"])
    metric = METRICS.get(analyte)
    value = row["value_num"] if row["comparator"] is None else row["bound_num"]
    derived = bool(row["derived"])
    shown_decimals = metric.decimals if metric and derived else decimals_of_text(row["raw_value"], value)
    return PrintedResult(
        analyte=analyte,
        label=metric.label if metric else analyte,
        value=float(value),
        comparator=row["comparator"],
        unit=row["unit_ucum"] or _readable_unit(row["raw_unit"]),
        comparable=row["unit_ucum"] is not None,
        decimals=shown_decimals,
        low=row["ref_low"],
        high=row["ref_high"],
        low_belongs=row["ref_low_incl"] is not False,
        high_belongs=row["ref_high_incl"] is not False,
        flag_printed=row["flag_printed"],
        flag_computed=row["flag_computed"],
        derived=derived,
        fasting=_fasting(row),
        fasting_source=row["fasting_source"],
        collected=row["collected_date"],
        file_id=row["file_id"],
        row_no=int(row["row_no"]),
        canonical=None if row["comparator"] else row["value_canonical"],
        collected_hour=_hour(row["collected_at"]),
    )


def decimals_of_text(printed: str | None, value: float) -> int:
    """Decimals a value was printed with; where the text does not tell, those the value needs (at most 6)."""
    for separator in (".", ","):
        for found in re.finditer(rf"\d*\{separator}(\d+)", printed or ""):
            if float(found.group().replace(separator, ".")) == abs(value):
                return min(len(found.group(1)), 6)
    return decimals_needed(value)


def decimals_needed(value: float) -> int:
    """The fewest decimals, at most 6, that write the value exactly."""
    return next((places for places in range(7) if round(value, places) == value), 6)


def _readable_unit(printed: str | None) -> str:
    """The unit as printed, unless it is too long or odd to be one: text of a file is not passed on."""
    if printed is None or _UNIT_TEXT.fullmatch(printed):
        return printed or ""
    return "(unit not read)"


def _hour(collected_at: datetime | None) -> float | None:
    """Hours since midnight; None where the report gives no time, which stands as midnight."""
    hour = None if collected_at is None else collected_at.hour + collected_at.minute / 60
    return hour or None


def _fasting(row: Mapping[str, Any]) -> bool | None:
    if row["loinc"] == _FASTING_GLUCOSE_LOINC:
        return True
    return {"yes": True, "no": False}.get(row["fasting"] or "unknown")
