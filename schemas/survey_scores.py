"""Scored instruments."""

from schemas.columns import day, number, text, whole
from schemas.table import Table, TableInfo


class SurveyScores(Table):
    """Scored instruments."""

    info = TableInfo(
        name="survey_scores",
        one_row_is="a scored instrument",
    )
    participant_id = text("The study's id of the participant.", key=True)
    instrument = text("Instrument.", key=True)
    event = text("Event of a longitudinal project; empty where there is none.", key=True)
    instance = whole("Instance of a repeating form, from 1.", "instance", key=True, low=1)
    score = number("Score; null where the missing rule forbids one.", "score", 2)
    category = text("Category by the published cut-offs.")
    items_missing = whole("Items without an answer.", "items", null=False, low=0)
    rule = text("Scoring and missing rule, with source.", null=False)
    answered_on = day("Day of the answers, where it is known.")
