"""``fitbit_export_YYYYMMDD.csv``, which fitbit.com offered until 2026: a section for each subject.

Numbers and dates follow the account's language, distance and weight its units; nothing says which.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import polars as pl

from ingest.archive import Content
from ingest.fitbit.kind import FileName, Kind
from ingest.fitbit.reading import OtherForm, Reading, Rejected, Rows, missing, sift
from ingest.fitbit.sleep import LOG_SCHEMA, REJECT_LOG
from ingest.fitbit.stated_days import KEY, LENGTH, stated_days
from ingest.fitbit.units import METRES, distance_unit, height_m
from ingest.fitbit.wall_text import moments

NAME = FileName(r"fitbit_export_\d{8}(?: ?\(\d+\))?\.csv", "fitbit_export_DATE.csv")
_TITLES = ("Body", "Foods", "Activities", "Sleep")
_FOOD_LOG = re.compile(r"Food Log \d{8}")
_NO_NUMBER = ("", "n/a", "na", "--")
# Weights between weigh-ins are straight lines: none is known to be measured.
INTERPOLATED, NOT_READ = "interpolated", "no_result"
_WHOLE = {
    "steps": "Steps",
    "calories_kcal": "Calories Burned",
    "floors": "Floors",
    "sedentary_minutes": "Minutes Sedentary",
    "lightly_active_minutes": "Minutes Lightly Active",
    "fairly_active_minutes": "Minutes Fairly Active",
    "very_active_minutes": "Minutes Very Active",
}
_MINUTES = {
    "minutes_asleep": "Minutes Asleep",
    "minutes_awake": "Minutes Awake",
    "time_in_bed_minutes": "Time in Bed",
    "rem_minutes": "Minutes REM Sleep",
    "light_minutes": "Minutes Light Sleep",
    "deep_minutes": "Minutes Deep Sleep",
}


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part: its header, and its lines with their numbers in the file."""

    header: Sequence[str]
    lines: list[tuple[int, Sequence[str]]] = field(default_factory=list[tuple[int, Sequence[str]]])

    def column(self, name: str) -> list[str | None]:
        """The cells under a header, None where it is missing."""
        place = self.header.index(name) if name in self.header else None
        return [
            line[place].strip() if place is not None and place < len(line) else None for _, line in self.lines
        ]


def read_days(content: Content, _name: str) -> Reading:
    """Rows of ``stated_days`` of Activities; those of the other sections but Sleep are ignored by name."""
    sections = _sections(content)
    activities, body = sections.get("Activities", _NONE), sections.get("Body", _NONE)
    comma = _decimal_comma(sections)
    frame = pl.DataFrame(
        {
            "row": pl.Series([number for number, _ in activities.lines], dtype=pl.Int64),
            "date": moments(pl.Series("date", activities.column("Date"), dtype=pl.String)).dt.date(),
            **{name: _wholes(activities.column(header)) for name, header in _WHOLE.items()},
            LENGTH: _numbers(activities.column("Distance"), comma),
        }
    )
    weights = pl.DataFrame(
        {"weight": _numbers(body.column("Weight"), comma), "bmi": _numbers(body.column("BMI"), comma)}
    )
    unit = distance_unit(frame, height_m(weights))
    metres = pl.lit(METRES[unit] if unit else None, pl.Float64)
    frame = frame.with_columns((pl.col(LENGTH) * metres).alias("distance_m")).drop(LENGTH)
    food = sum(len(section.lines) for title, section in sections.items() if _is_food(title))
    other = {INTERPOLATED: len(body.lines), NOT_READ: food}
    reject = [missing("steps"), missing("sedentary_minutes")]
    reading = stated_days(_rows(frame, activities, content), "Activities", reject)
    lost = {rule: rows for rule, rows in other.items() if rows}
    ignored = {rule: reading.ignored.get(rule, 0) + lost.get(rule, 0) for rule in {*reading.ignored, *lost}}
    return Reading(
        reading.frame, reading.rows + sum(lost.values()), reading.rejected, ignored,
        damaged_from=reading.damaged_from,
    )  # fmt: skip


def read_sleep(content: Content, _name: str) -> Reading:
    """Logs in the columns of the JSON ones, in whole minutes; a log's start stands for its id.

    Stages are ``N/A`` for classic logs. No log is flagged as the main one: the longest is.
    """
    sections = _sections(content)
    section = sections.get("Sleep", _NONE)
    # One order of day and month holds for the whole file, so that all its days are read as one column.
    days = sections.get("Activities", _NONE).column("Date")
    texts = [*section.column("Start Time"), *section.column("End Time"), *days]
    found = moments(pl.Series("t", texts, dtype=pl.String))
    count = len(section.lines)
    start, end = found[:count], found[count : 2 * count]
    minutes = {name: _wholes(section.column(header)) for name, header in _MINUTES.items()}
    frame = pl.DataFrame(
        {"row": pl.Series([n for n, _ in section.lines], dtype=pl.Int64), "local": start, "local_end": end}
        | minutes
    ).with_columns(
        pl.col("local_end").dt.date().alias("date"),
        pl.format("sleep {}", pl.col("local").dt.strftime("%Y-%m-%dT%H:%M")).alias("sleep_id"),
        pl.when(pl.col("deep_minutes").is_null())
        .then(pl.lit("classic"))
        .otherwise(pl.lit("stages"))
        .alias("kind"),
        pl.lit(False).alias("flagged_main"),
    )
    columns = [
        (pl.col(name) if name in frame.columns else pl.lit(None, kind)).alias(name)
        for name, kind in LOG_SCHEMA.items()
    ]
    logs = frame.select("row", *columns).with_columns(pl.lit(False).alias("has_average"))
    needed = (missing("minutes_asleep"), missing("time_in_bed_minutes"))
    return sift(
        _rows(logs.with_columns(pl.col("epochs").fill_null([])), section, None), (*REJECT_LOG, *needed)
    )


MONTHLY_KINDS: tuple[Kind, ...] = (
    Kind("monthly_days", NAME, "day", read_days, KEY),
    Kind("monthly_sleep", NAME, "local", read_sleep, ("sleep_id",), table="sleep_sessions"),
)
_NONE = Section(())


def _rows(frame: pl.DataFrame, section: Section, content: Content | None) -> Rows:
    """Rows of a section; of a file that ends early one row more, which is lost."""
    if content is None or not content.damaged:
        return Rows(frame, len(section.lines))
    lost = max((number for number, _ in section.lines), default=0) + 1
    rejected = (Rejected(lost, "member_damaged"),)
    return Rows(frame, len(section.lines) + 1, rejected, damaged_from=lost)


def _sections(content: Content) -> dict[str, Section]:
    """Sections by title; of a file that ends early without its last line. Raises OtherForm."""
    return _parsed(content.data, damaged=content.damaged)


@lru_cache(maxsize=1)
def _parsed(data: bytes, *, damaged: bool) -> dict[str, Section]:
    try:
        lines = list(csv.reader(io.StringIO(data.decode("utf-8-sig", errors="replace"))))
    except csv.Error as error:
        raise OtherForm from error
    sections: dict[str, Section] = {}
    title: str | None = None
    for number, line in enumerate(lines[:-1] if damaged else lines, 1):
        if new := _title(line):
            title = new
        elif title is not None and any(cell.strip() for cell in line):
            _put(sections, title, number, line)
    if lines and not sections and any(any(line) for line in lines) and not damaged:
        raise OtherForm
    return sections


def _put(sections: dict[str, Section], title: str, number: int, line: Sequence[str]) -> None:
    """The first line of a section is its header; files put one behind the other repeat both."""
    header = [cell.strip() for cell in line]
    if title not in sections:
        sections[title] = Section(header)
    elif list(sections[title].header) != header:
        sections[title].lines.append((number, line))


def _title(line: Sequence[str]) -> str | None:
    if len(line) != 1:
        return None
    name = line[0].strip()
    return name if name in _TITLES or _FOOD_LOG.fullmatch(name) else None


def _is_food(title: str) -> bool:
    return title == "Foods" or _FOOD_LOG.fullmatch(title) is not None


def _wholes(cells: Sequence[str | None]) -> pl.Series:
    """Whole numbers without the separators of thousands, whatever they are; null where a cell is none."""
    found = [re.sub(r"(?<=\d)[.,\s\u00a0\u202f'](?=\d{3}(?:\D|$))", "", cell or "") for cell in cells]
    return pl.Series([int(n) if re.fullmatch(r"\d{1,15}", n) else None for n in found], dtype=pl.Int64)


def _decimal_comma(sections: dict[str, Section]) -> bool:
    """Whether a comma parts decimals: numbers of the file as a whole tell.

    Distances, weights and indices show it: a mark before one or two last digits is no mark of thousands.
    """
    columns = (("Activities", "Distance"), ("Body", "Weight"), ("Body", "BMI"))
    texts = [cell or "" for title, name in columns for cell in sections.get(title, _NONE).column(name)]
    return any(re.search(r",\d{1,2}$", text) for text in texts)


def _numbers(cells: Sequence[str | None], comma: bool) -> pl.Series:
    thousands, decimal = (".", ",") if comma else (",", ".")
    return pl.Series(
        [_number((cell or "").replace(thousands, "").replace(decimal, ".")) for cell in cells],
        dtype=pl.Float64,
    )


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None
