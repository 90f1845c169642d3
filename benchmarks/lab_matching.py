"""What a reader of lab reports made of one report, against the truth of every printed result."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]

ANSWER = ("value_num", "comparator", "bound_num", "value_text")
MEANING = ("collected_date", "unit_ucum", "analyte_key")
WHERE_BOTH_KNOW = ("collected_at", "loinc")
PRINT = ("collected_at", "loinc", "ref_low", "ref_high", "ref_text", "raw_unit", "flag_printed")
SAME_UNIT = {"u[IU]/mL": "m[IU]/L"}


@dataclass(slots=True)
class Score:
    """Counts over reports. Every printed result is accepted right, for review or missed.

    ``wrong``: accepted rows that are no printed result, or one with another answer, time, unit or analyte, by
    kind. ``repeated``: accepted once more, right. ``unlike``: accepted right, but time, code, interval, unit
    as printed or flag are not those of the truth. ``in_review`` has name and value as printed; ``noise`` is
    in review and no printed result. ``of_another``: accepted rows of a report in a stranger's folder.
    """

    reports: int = 0
    printed: int = 0
    right: int = 0
    in_review: int = 0
    missed: int = 0
    accepted: int = 0
    repeated: int = 0
    noise: int = 0
    of_another: int = 0
    wrong: Counter[str] = field(default_factory=Counter[str])
    unlike: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])
    examples: list[str] = field(default_factory=list[str])


def add_report(score: Score, truth: Sequence[Row], accepted: Sequence[Row], review: Sequence[Row]) -> None:
    """Count one report. A truth is compared in the columns it has; names and values regardless of blanks."""
    open_rows = list(range(len(truth)))
    for row in accepted:
        _add_accepted(score, truth, open_rows, row)
    for row in review:
        shown = (_squeezed(row["raw_name"]), _squeezed(row["raw_value"]))
        same = [n for n in open_rows if (_name(truth[n]), _squeezed(truth[n]["raw_value"])) == shown]
        score.in_review += bool(same)
        score.noise += not same
        score.reasons.update(row["reasons"].split(";"))
        open_rows = [n for n in open_rows if n not in same[:1]]
    score.reports += 1
    score.printed += len(truth)
    score.accepted += len(accepted)
    score.missed += len(open_rows)
    score.examples += [f"missed: {truth[n]['raw_name']} = {truth[n]['raw_value']}" for n in open_rows]


def _add_accepted(score: Score, truth: Sequence[Row], open_rows: list[int], row: Row) -> None:
    equal = [n for n, true in enumerate(truth) if not _faults(true, row)]
    still_open = [n for n in equal if n in open_rows]
    if still_open:
        open_rows.remove(still_open[0])
        score.right += 1
        score.unlike.update(_differing(truth[still_open[0]], row, PRINT))
    elif equal:
        score.repeated += 1
    else:
        faults = min((_faults(true, row) for true in truth), key=len, default=["raw_name"])
        named = any(_name(true) == _name(row) for true in truth)
        kind = " and ".join(faults) if named else "no such name"
        score.wrong[kind] += 1
        score.examples.append(f"WRONG ({kind}): {row['raw_name']} = {row['raw_value']} {row['raw_unit']}")


def _faults(true: Row, row: Row) -> list[str]:
    """In what an accepted row differs from a true one so that it is another result."""
    faults = ["raw_name"] * (_name(true) != _name(row))
    if true["missing_reason"] is not None or row["missing_reason"] is not None:
        same = (true["missing_reason"] is None) == (row["missing_reason"] is None)
    else:
        same = not _differing(true, row, ANSWER)
    known = [c for c in WHERE_BOTH_KNOW if true.get(c) is not None and row[c] is not None]
    # A layout may print no unit where there is no value.
    stated = [c for c in MEANING if not (c == "unit_ucum" and row["missing_reason"] and row[c] is None)]
    return faults + ["value"] * (not same) + _differing(true, row, (*stated, *known))


def _differing(true: Row, row: Row, columns: Sequence[str]) -> list[str]:
    return [c for c in columns if c in true and _plain(true[c]) != _plain(row[c])]


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return SAME_UNIT.get(value, _squeezed(value).replace("µ", "u"))
    return value


def _name(row: Row) -> str:
    return _squeezed(row["raw_name"])


def _squeezed(text: str | None) -> str:
    return re.sub(r"[\s^]", "", text or "")
