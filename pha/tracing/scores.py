"""A score: the answers it is made of, each with its cell of the survey file."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from pha.tracing.cells import Cells, Row
from pha.tracing.files import Files
from pha.tracing.step import Origin, Records, Step

_OF_SCORE = ("instrument", "event", "instance")
_OF_ANSWER = (*_OF_SCORE, "item")


def score_step(cells: Cells, files: Files, key: Mapping[str, Any], column: str) -> Step:
    """A cell of survey_scores and the answers of its instrument, event and instance."""
    row = cells.row("survey_scores", key)
    answers = cells.rows("survey_answers", {name: row[name] for name in _OF_SCORE})
    below = [_answer(cells, files, answer, "value") for answer in answers]
    return Step("survey_scores", key, column, row["rule"], row[column], rests_on=tuple(below))


def answer_step(cells: Cells, files: Files, key: Mapping[str, Any], column: str) -> Step:
    """A cell of survey_answers, with its cell of the file."""
    return _answer(cells, files, cells.row("survey_answers", key), column)


def _answer(cells: Cells, files: Files, row: Row, column: str) -> Step:
    places = files.answer_places
    key = {"participant_id": cells.participant_id, **{name: row[name] for name in _OF_ANSWER}}
    origin = Origin("surveys", row["file_id"], files.name_of(row["file_id"]), printed=row["value"])
    if places is not None:
        origin = _in_the_file(origin, row, places)
    said = f"answered on {row['answered_on']}" if row["answered_on"] else "answered"
    value = row[column] if row["missing_reason"] is None else row["missing_reason"]
    return Step("survey_answers", key, column, said, value, origins=(origin,))


def _in_the_file(origin: Origin, answer: Row, places: pl.DataFrame) -> Origin:
    found = places.filter(
        pl.col("file_id") == origin.file_id,
        *(pl.col(name).cast(pl.String) == str(answer[name]) for name in _OF_ANSWER),
    )
    records = tuple(
        Records(f"column {place['column']}", 1, (place["row"],), ({"printed": place["raw"]},))
        for place in found.to_dicts()
    )
    return replace(origin, records=records)
