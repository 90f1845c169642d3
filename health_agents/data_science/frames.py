"""The frames that a program is given: a participant's published rows under the names of the interface."""

from collections.abc import Mapping

import polars as pl

from schemas.activities import Activities
from schemas.daily_summary import DailySummary
from schemas.lab_results import LabResults
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.survey_scores import SurveyScores
from schemas.table import Table, conform, key_of

FRAMES: dict[str, type[Table]] = {
    "summary_df": DailySummary,
    "activities_df": Activities,
    "population_df": PopulationPercentiles,
    "profile_df": Participants,
    "labs_df": LabResults,
    "surveys_df": SurveyScores,
}


def program_frames(tables: Mapping[str, pl.DataFrame], population: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """One frame per argument of ``analysis``, sorted by key, without the participant's id.

    tables: rows of one participant by table name; a table that is missing is an empty frame. Days after
    data_through hold nothing yet and are left out; every other day of the observation period is a row.
    """
    given = {**tables, PopulationPercentiles.info.name: population}
    frames = {name: _frame(given.get(table.info.name), table) for name, table in FRAMES.items()}
    data_through = frames["profile_df"]["data_through"].max()
    frames["summary_df"] = frames["summary_df"].filter(pl.col("date") <= pl.lit(data_through, pl.Date))
    return frames


def _frame(rows: pl.DataFrame | None, table: type[Table]) -> pl.DataFrame:
    frame = pl.LazyFrame() if rows is None else rows.lazy()
    if rows is None:
        frame = conform(pl.LazyFrame(), table).clear()
    return conform(frame, table).sort(key_of(table)).drop("participant_id", strict=False).collect()
