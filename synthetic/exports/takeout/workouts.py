"""What the account keeps of a workout beside its log: fitness after a run, laps of a swim that was none."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import polars as pl

from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_exercise import exercise_id
from synthetic.exports.takeout.google_family import Rows, family
from synthetic.exports.takeout.json_text import CHUNK_DAYS, YEAR_DAYS, chunk_starts, json_file, pretty
from synthetic.life.recording import ExerciseLog

RUN, ON_LAND = "Run", "Weights"
RUN_FACTOR = 1.03
LAP_SECONDS, STROKES = 11, 6
INTO_THE_EXERCISE = timedelta(minutes=5)


def run_fitness(export: Export) -> Files:
    """Estimates at the end of runs, in UTC, in files of a year."""
    runs = list(_runs(export))
    for first in chunk_starts(export.created, export.last_day, YEAR_DAYS):
        texts = [
            pretty({"dateTime": f"{end:%m/%d/%y %H:%M:%S}", "value": _estimate(number, value)})
            for end, number, value in runs
            if first <= end.date() < first + timedelta(days=YEAR_DAYS)
        ]
        if texts:
            yield json_file(f"run_vo2_max-{first}.json", texts)


def _estimate(number: int, value: float) -> dict[str, float]:
    return {
        "exerciseId": number,
        "runVO2Max": round(value * 1.01, 5),
        "runVO2MaxError": 2.5,
        "filteredRunVO2Max": value,
        "filteredRunVO2MaxError": 1.8,
    }


def run_fitness_rows(export: Export) -> Files:
    """The same in the Google account."""
    rows = [(end, value) for end, _, value in _runs(export)]
    frame = pl.DataFrame(rows, {"timestamp": pl.Datetime("ms"), "run VO2 max": pl.Float64}, orient="row")
    yield from family(
        export, "run_vo2max", Rows(frame, export.generation.app), "life", "%Y-%m-%dT%H:%M:%S%.3fZ"
    )


def _runs(export: Export) -> Iterator[tuple[datetime, int, float]]:
    """End in UTC, the Google account's id, ml/kg/min: of runs on days with an estimate."""
    fitness = dict(export.recording.nightly.select("date", "vo2max").iter_rows())
    for log in export.recording.exercises:
        value = fitness.get(log.exercise.start.date())
        if log.exercise.sport.name == RUN and value is not None:
            end = export.utc_of(log.exercise.start) + timedelta(seconds=log.exercise.seconds)
            yield end, exercise_id(log), round(value * RUN_FACTOR, 5)


def swim_lengths(export: Export) -> Files:
    """Laps in UTC that the device saw in other sports: on land, of a stroke it can't name."""
    laps = _laps(export)
    value = {
        "lapDurationSec": LAP_SECONDS,
        "strokeCount": STROKES,
        "swimStrokeType": "UNKNOWN",
        "swimAlgorithmType": "EUCLID",
    }
    for first in chunk_starts(export.created, export.last_day, CHUNK_DAYS):
        texts = [
            pretty({"dateTime": f"{at:%m/%d/%y %H:%M:%S}", "value": value})
            for at in laps
            if first <= at.date() < first + timedelta(days=CHUNK_DAYS)
        ]
        if texts:
            yield json_file(f"swim_lengths_data-{first}.json", texts)


def swim_length_rows(export: Export) -> Files:
    """The same in the Google account."""
    watches = [export.watch_on(log.exercise.start.date()).name for log in _on_land(export)]
    frame = pl.DataFrame({"timestamp": _laps(export)}, {"timestamp": pl.Datetime("ms")}).with_columns(
        pl.lit(f"00:00:{LAP_SECONDS:02d}.000").alias("lap time"),
        pl.lit(STROKES).alias("stroke count"),
        pl.lit("SWIM_STROKE_TYPE_UNSPECIFIED").alias("stroke type"),
    )
    yield from family(export, "swim_lengths_data", Rows(frame, pl.Series(watches, dtype=pl.String)))


def _laps(export: Export) -> list[datetime]:
    """One five minutes into each exercise on land, in UTC."""
    return [export.utc_of(log.exercise.start) + INTO_THE_EXERCISE for log in _on_land(export)]


def _on_land(export: Export) -> list[ExerciseLog]:
    return [log for log in export.recording.exercises if log.exercise.sport.name == ON_LAND]
