"""The true answers and scores, in the form of the published tables, as far as an export form can tell them.

Identifiers and files are left out; free text is withheld, as a study does unless it allows it.
"""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from schemas.survey_answers import SurveyAnswers
from schemas.survey_scores import SurveyScores
from schemas.table import conform, empty
from synthetic.surveys.answers import Filling, Record
from synthetic.surveys.items import Item, box_column
from synthetic.surveys.questionnaire import BASELINE
from synthetic.surveys.reach import Reach
from synthetic.surveys.scores import score_of


def survey_answers(records: Sequence[Record], reach: Reach) -> pl.DataFrame:
    """Table survey_answers; ``file_id`` is the file's name, since real ids need the study's secret."""
    rows = [
        {**where, **answer, "file_id": reach.file_name}
        for record in records
        for filling in reach.fillings(record)
        for where in [_where(record, filling, reach)]
        for answer in _answers(filling, reach)
    ]
    return pl.DataFrame(rows, infer_schema_length=None).lazy().pipe(conform, SurveyAnswers).collect()


def survey_scores(records: Sequence[Record], reach: Reach) -> pl.DataFrame:
    """Table survey_scores; ``rule`` says where the rule was published, in words of our own."""
    rows = [row for record in records for row in _scores(record, reach)]
    if not rows:
        return empty(SurveyScores)
    return pl.DataFrame(rows, infer_schema_length=None).lazy().pipe(conform, SurveyScores).collect()


def _where(record: Record, filling: Filling, reach: Reach) -> dict[str, object]:
    return {
        "participant_id": record.person.participant_id,
        "instrument": filling.form.name,
        "event": reach.events.get(filling.event, ""),
        "instance": filling.instance,
        "answered_on": filling.sent.date() if filling.sent else None,
    }


def _answers(filling: Filling, reach: Reach) -> Iterator[dict[str, object]]:
    for item in filling.form.items:
        if reach.holds(item):
            yield from _boxes(filling, item) if item.kind == "checkbox" else [_one(filling, item, reach)]


def _boxes(filling: Filling, item: Item) -> Iterator[dict[str, object]]:
    """A row a box: 1 where ticked, 0 where the form was seen and it was not."""
    ticked = filling.values.get(item.name)
    for code, _ in item.choices:
        value = str(int(code in ticked)) if isinstance(ticked, frozenset) else None
        yield {
            "item": box_column(item.name, code),
            "value": value,
            "value_num": None if value is None else float(value),
            "label": None,
            "missing_reason": "not_answered" if value is None else None,
            "hidden_by_logic": None,
        }


def _one(filling: Filling, item: Item, reach: Reach) -> dict[str, object]:
    value = filling.values.get(item.name)
    reason: str | None = None
    if not isinstance(value, str):
        value, reason = None, _why_missing(filling, item, reach)
    elif item.is_free_text:
        value, reason = None, "free_text"
    labels = {str(code): label for code, label in item.options}
    counts = value is not None and (item.is_number or bool(labels))
    return {
        "item": item.name,
        "value": reach.as_written(item, value) if value is not None else None,
        "value_num": float(value) if value is not None and counts else None,
        "label": labels.get(value or ""),
        "missing_reason": reason,
        "hidden_by_logic": item.name in filling.hidden if item.shown_if and filling.sent else None,
    }


def _why_missing(filling: Filling, item: Item, reach: Reach) -> str:
    if filling.sent and item.name in filling.hidden:
        return "not_asked"
    code = filling.declined.get(item.name)
    return f"coded:{code}" if code is not None and reach.redcap else "not_answered"


def _scores(record: Record, reach: Reach) -> Iterator[Mapping[str, object]]:
    index = _body_mass_index(record)
    for filling in reach.fillings(record):
        found = score_of(filling, record.person, index if filling.event == BASELINE else None)
        if found is not None:
            yield {
                **_where(record, filling, reach),
                "score": found.score,
                "category": found.category,
                "items_missing": found.items_missing,
                "rule": "truth of a made study, by the published rule",
            }


def _body_mass_index(record: Record) -> float | None:
    """Of the height and weight they gave at baseline."""
    told = next(f.values for f in record.fillings if f.form.name == "demographics")
    height, weight = told.get("height_cm"), told.get("weight_kg")
    if not isinstance(height, str) or not isinstance(weight, str):
        return None
    return float(weight) / (float(height) / 100) ** 2
