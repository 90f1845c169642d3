"""What the planner is told of the data: tables, columns, and statistics of groups; never a row's value."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import polars as pl

from health_agents.data_science.agent.person_sources import KEYED, columns_of, is_given
from health_agents.data_science.frames import FRAMES
from outputs.digests import canonical_json
from schemas.analytes import ANALYTES
from schemas.table import unit_of

FEWEST_PEOPLE = 11
_ROUNDED_TO = 5
_TAGS = {
    "heart": ("resting_heart", "heart_rate", "vo2max", "average_heart"),
    "activity": ("steps", "distance", "calories", "floors", "active_", "sedentary", "lightly", "fairly",
                 "very_", "fatburn", "cardio", "peak", "duration", "elevation"),
    "sleep": ("sleep", "nap_", "time_in_bed", "deep_", "rem_", "light_sleep", "awake", "bed_", "wake_up"),
    "breathing": ("respiratory", "spo2"),
    "body": ("weight", "skin_temperature"),
    "stress": ("stress", "readiness"),
    "clock": ("date", "study_day", "utc_offset", "tz_change", "start_", "time_zone"),
    "quality": ("valid_day", "is_partial", "break_before", "day_state", "wear", "device"),
}  # fmt: skip
_KEYED_TAGS = {"labs_df": "laboratory", "surveys_df": "questionnaire", "population_df": "population"}


@dataclass(frozen=True, slots=True)
class Source:
    """A source as the planner sees it. people is rounded down to a multiple of five.

    people, missing and quartiles (of the participants' medians, two significant digits) are null where
    fewer than eleven people stand behind them.
    """

    name: str
    type: str
    unit: str | None
    tag: str
    description: str
    given: bool = False
    people: int | None = None
    missing: float | None = None
    quartiles: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """All sources a plan may name, and what the rows of each frame are."""

    sources: tuple[Source, ...]

    @property
    def names(self) -> frozenset[str]:
        """Names of all sources."""
        return frozenset(source.name for source in self.sources)

    @property
    def given(self) -> frozenset[str]:
        """Sources that everybody has: no plan needs to require them."""
        return frozenset(source.name for source in self.sources if source.given)

    def limited_to(self, there: Collection[str]) -> "Context":
        """The context of somebody who has these sources, and what everybody has."""
        return Context(tuple(one for one in self.sources if one.given or one.name in there))

    def text(self) -> str:
        """The context as canonical JSON."""
        return canonical_json({"frames": _frames(), "sources": [asdict(source) for source in self.sources]})


def make_context(sources: pl.DataFrame, metrics: Iterable[str]) -> Context:
    """The context of a group of people.

    sources: rows of ``person_sources``, only of people whose data may stand behind what a model is told.
    metrics: those of the percentile table. Laboratory and questionnaire sources of fewer than eleven
    people are left out: even their names would tell of single people.
    """
    told = {row["source"]: row for row in _group_statistics(sources).iter_rows(named=True)}
    columns = [_column(frame, name, told) for frame in FRAMES for name in columns_of(frame)]
    keyed = [_keyed(name, row) for name, row in sorted(told.items()) if name.split(".")[0] in KEYED]
    population = [_population(metric) for metric in sorted(set(metrics))]
    return Context((*columns, *keyed, *population))


def read_context(document: Iterable[Mapping[str, Any]]) -> Context:
    """A context from the ``sources`` of its JSON."""
    return Context(tuple(_read_source(dict(one)) for one in document))


def _read_source(one: dict[str, Any]) -> Source:
    quartiles = one.pop("quartiles")
    return Source(**one, quartiles=tuple(quartiles) if quartiles else None)


def _group_statistics(sources: pl.DataFrame) -> pl.DataFrame:
    quartiles = [
        pl.col("middle").cast(pl.Float64).quantile(q, "linear").round_sig_figs(2).alias(f"q{round(q * 100)}")
        for q in (0.25, 0.5, 0.75)
    ]
    return (
        sources.group_by("source")
        .agg(
            *quartiles,
            people=pl.len(),
            missing=pl.col("missing").cast(pl.Float64).mean().round(1),
            numbers=pl.col("middle").count(),
        )
        .filter(pl.col("people") >= FEWEST_PEOPLE)
        .with_columns(people=pl.col("people") // _ROUNDED_TO * _ROUNDED_TO)
        .sort("source")
    )


def _statistics(row: Mapping[str, Any] | None) -> dict[str, Any]:
    if row is None:
        return {}
    enough = row["numbers"] >= FEWEST_PEOPLE
    quartiles = (row["q25"], row["q50"], row["q75"]) if enough else None
    return {"people": row["people"], "missing": row["missing"], "quartiles": quartiles}


def _column(frame: str, column: str, told: Mapping[str, Mapping[str, Any]]) -> Source:
    declared = FRAMES[frame].columns()[column]
    name = f"{frame}.{column}"
    return Source(
        name,
        str(declared.dtype),
        unit_of(declared),
        _tag(column),
        declared.description or "",
        is_given(frame, column),
        **_statistics(told.get(name)),
    )


def _keyed(name: str, row: Mapping[str, Any]) -> Source:
    frame, key = name.split(".", 1)
    label, unit = _analytes().get(key, (key, None)) if frame == "labs_df" else (key, "points")
    column, value = KEYED[frame]
    description = f"{label}: rows with {column} == '{key}', value in {value}."
    return Source(name, "Float64", unit, _KEYED_TAGS[frame], description, **_statistics(row))


def _population(metric: str) -> Source:
    description = f"Percentiles of {metric}: rows with metric == '{metric}'."
    return Source(f"population_df.{metric}", "Float64", None, "population", description, given=True)


@cache
def _analytes() -> dict[str, tuple[str, str]]:
    return {analyte.key: (analyte.label, analyte.unit) for analyte in ANALYTES}


@cache
def _frames() -> dict[str, dict[str, Any]]:
    return {
        name: {"a row is": table.info.one_row_is, "mind": list(table.info.warnings),
               "columns": [column for column in table.columns() if column != "participant_id"]}
        for name, table in FRAMES.items()
    }  # fmt: skip


def _tag(column: str) -> str:
    return next((tag for tag, starts in _TAGS.items() if column.startswith(starts)), "person")
