"""The rows of a release that its pages need, read once and handed out by participant."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from outputs.release_tables import place_of
from outputs.reports.trends import PeerBand
from schemas.table import empty
from schemas.tables import TABLES

Row = dict[str, Any]

_SHARED_KEY = ("metric", "window", "sex", "age_group")
_KEY = ("edition", *_SHARED_KEY)

DAILY_COLUMNS = (
    "participant_id",
    "date",
    "day_state",
    "valid_day",
    "is_partial",
    "break_before",
    "resting_heart_rate",
    "heart_rate_variability",
    "steps",
    "sleep_minutes",
)
PERSON_TABLES = (
    "lab_results",
    "survey_scores",
    "participant_percentiles",
    "findings",
    "facts",
    "insights",
    "summaries",
    "attention",
    "quality_checks",
    "source_files",
)


class ReleaseRows:
    """Tables of a release folder; a table that the release does not hold has no rows."""

    def __init__(self, release: Path) -> None:
        self._release = release
        self.participants = self.table("participants")
        self.metrics = {row["metric"]: row for row in self.table("metrics").to_dicts()}
        self._bands = _bands(self.table("population_percentiles"))
        self._shareable = _bands(self.table("shareable_percentiles"), _SHARED_KEY)
        daily = self.table("daily_summary").select(DAILY_COLUMNS).sort("participant_id", "date")
        self._by_person = {name: _by_person(self.table(name)) for name in PERSON_TABLES}
        self._by_person["daily_summary"] = _by_person(daily)

    def table(self, name: str) -> pl.DataFrame:
        """A whole one-file table."""
        path = place_of(self._release, name)
        return pl.read_parquet(path) if path.is_file() else empty(TABLES[name])

    def of(self, participant_id: str, table: str) -> list[Row]:
        """A participant's rows of a table, in the order of publication."""
        frame = self._by_person[table].get(participant_id)
        return frame.to_dicts() if frame is not None else []

    def peer_band(self, rank: Mapping[str, Any], *, public: bool) -> PeerBand | None:
        """The middle half of the group that a row of participant_percentiles was ranked in.

        The reference population has one value a person for all windows of days, under the window whole.
        public: of people of the study, only what ``shareable_percentiles`` tells of them.
        """
        window = rank["window"]
        if rank["stratum"] == "reference" and window.startswith("last_"):
            window = "whole"
        group = tuple(rank[name] or "all" for name in ("stratum_sex", "stratum_age_group"))
        if public and rank["stratum"] != "reference":
            return _band(self._shareable.get((rank["metric"], window, *group), {}))
        return _band(self._bands.get((rank["edition"], rank["metric"], window, *group), {}))


def _band(found: Mapping[str, float]) -> PeerBand | None:
    low, middle, high = (found.get(percentile) for percentile in ("25", "50", "75"))
    if low is None or middle is None or high is None:
        return None
    return PeerBand(low, middle, high)


def _by_person(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    parts = frame.partition_by("participant_id", as_dict=True, maintain_order=True)
    return {str(key[0]): part for key, part in parts.items()}


def _bands(percentiles: pl.DataFrame, key: Sequence[str] = _KEY) -> dict[tuple[str, ...], dict[str, float]]:
    wanted = percentiles.filter(
        pl.col("percentile").is_in(["25", "50", "75"]),
        pl.col("value").is_not_null(),
        pl.col("comparator").is_null(),
    )
    if "definition" in percentiles.columns:
        wanted = wanted.filter(pl.col("definition") == "person")
    bands: dict[tuple[str, ...], dict[str, float]] = {}
    for *group, percentile, value in wanted.select(*key, "percentile", "value").iter_rows():
        bands.setdefault(tuple(group), {})[percentile] = value
    return bands
