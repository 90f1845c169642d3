"""Answers to questionnaires."""

from schemas.columns import day, flag, number, text, whole
from schemas.table import Table, TableInfo


class SurveyAnswers(Table):
    """Answers to questionnaires."""

    info = TableInfo(
        name="survey_answers",
        one_row_is="an answer to an item",
        references=(("participant_id", "participants"), ("file_id", "source_files")),
        warnings=("free-text answers are not published unless the study allows it",),
    )
    participant_id = text("The study's id of the participant.", key=True)
    instrument = text("Instrument or form.", key=True)
    event = text("Event of a longitudinal project; empty where there is none.", key=True)
    instance = whole("Instance of a repeating form, from 1.", "instance", key=True, low=1)
    item = text("Item.", key=True)
    value = text("Code or value as exported.")
    value_num = number("The value where it is a number.", "item", 4)
    label = text("Label of the chosen code.")
    missing_reason = text("Why there is no value: not_asked, not_answered, coded:<code>, hidden, free_text.")
    hidden_by_logic = flag(
        "The dictionary's branching logic hides the item here, also where a value was given all the same; "
        "null where it has none or it could not be evaluated."
    )
    answered_on = day("Day of the answer, where it is known.")
    file_id = text("The file it came from.", null=False)
