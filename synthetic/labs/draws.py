"""A participant's blood draws: two reports of different families and dates, with their truth."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from schemas.lab_results import LabResults
from schemas.table import conform
from synthetic.labs.blood import draw_blood
from synthetic.labs.later_draw import drawn_again
from synthetic.labs.layouts import CRITICAL_POTASSIUM, Report, results_of
from synthetic.labs.pdf import lab_pdf
from synthetic.people.body import Floats
from synthetic.people.persona import Person
from synthetic.people.profiles import index_of
from synthetic.randomness import generator


def reports_of(person: Person, days: int, seed: int) -> tuple[Report, ...]:
    """One report of each family: at enrolment fasting, and some weeks before, within the consent."""
    rng = generator(seed, "blood", person.number)
    drawn = _blood_of(person, rng)
    enrolled = person.enrolled_on
    earlier = max(person.first_day, enrolled - timedelta(days=max(3, days // 4)))
    first = _report("quest", person, _numbers(drawn), enrolled, True, rng)
    values = _numbers(drawn_again(rng, drawn, *_sex_and_age(person)))
    if person.planted.critical_potassium:
        values["potassium"] = CRITICAL_POTASSIUM
    return first, _report("labcorp", person, values, earlier, person.number % 3 == 0, rng)


def _blood_of(person: Person, rng: np.random.Generator) -> dict[str, Floats]:
    bodies = pl.DataFrame([asdict(person.body)])
    frame = draw_blood(rng, bodies, *_sex_and_age(person), np.array([index_of(person.profile)]))
    return {key: frame[key].to_numpy() for key in frame.columns}


def _sex_and_age(person: Person) -> tuple[Floats, Floats]:
    return np.array([float(person.female)]), np.array([float(person.age)])


def _numbers(drawn: Mapping[str, Floats]) -> dict[str, float]:
    return {key: float(column[0]) for key, column in drawn.items()}


def _report(
    family: str,
    person: Person,
    values: dict[str, float],
    day: date,
    fasting: bool,
    rng: np.random.Generator,
) -> Report:
    collected = datetime.combine(day, time(7, 30)) + timedelta(minutes=int(rng.integers(0, 120)))
    return Report(
        family=family,
        person=person,
        specimen=f"{'HD' if family == 'quest' else 'WM'}{int(rng.integers(100_000, 999_999))}",
        collected=collected,
        received=collected + timedelta(hours=6),
        reported=collected + timedelta(hours=int(rng.integers(22, 50))),
        fasting=fasting,
        results=results_of(family, values, person),
    )


def write_report(report: Report, folder: Path) -> pl.DataFrame:
    """Write the PDF into ``folder`` and return its true lab_results.

    ``file_id`` holds the file's name, since a file id needs the study's secret. Where a report gives a date
    without a time, only ``collected_date`` is set.
    """
    name = f"{report.family}_{report.collected:%Y-%m-%d}.pdf"
    content, pages = lab_pdf(report)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)
    timed = report.family == "quest"
    rows = [
        {
            "row_no": number,
            "page": page,
            "panel": result.panel,
            "raw_name": result.line.name,
            "raw_value": result.raw_value,
            "raw_flag": result.flag,
            "raw_unit": result.line.unit,
            "raw_reference": result.interval.printed(report.family),
            "loinc": result.line.loinc,
            "analyte_key": result.line.key,
            "comparator": result.comparator,
            "value_num": result.value,
            "bound_num": result.bound,
            "unit_ucum": result.line.ucum,
            "ref_low": None if result.interval.low is None else float(result.interval.low),
            "ref_high": None if result.interval.high is None else float(result.interval.high),
            "ref_low_incl": None if result.interval.low is None else not result.interval.strict,
            "ref_high_incl": None if result.interval.high is None else not result.interval.strict,
            "flag_printed": _printed_flag(result.flag),
            "flag_computed": result.computed_flag,
        }
        for number, (result, page) in enumerate(zip(report.results, pages, strict=True), start=1)
    ]
    return (
        pl.DataFrame(rows, infer_schema_length=None)
        .with_columns(
            participant_id=pl.lit(report.person.participant_id),
            file_id=pl.lit(name),
            source_kind=pl.lit("text"),
            collected_at=pl.lit(report.collected if timed else None, dtype=pl.Datetime("us")),
            collected_date=pl.lit(report.collected.date()),
            received_at=pl.lit(report.received if timed else None, dtype=pl.Datetime("us")),
            reported_at=pl.lit(report.reported if timed else None, dtype=pl.Datetime("us")),
            report_status=pl.lit("final"),
            fasting=pl.lit("yes" if report.fasting else "no"),
            derived=pl.lit(False),
        )
        .lazy()
        .pipe(conform, LabResults)
        .collect()
    )


def _printed_flag(flag: str | None) -> str | None:
    words = {"L": "L", "H": "H", "Low": "L", "High": "H", "Critical": "critical"}
    return None if flag is None else words[flag]
