"""Answers that a clinician must see today, before any of them is settled away."""

from collections.abc import Iterable

import polars as pl

from ingest.surveys.fates import Export
from schemas.errors import PhaError

INSTRUMENT, ITEM = "phq9", "phq9_9"


def alert_answers(exports: Iterable[Export]) -> list[dict[str, str]]:
    """A problem ``survey_alert_answer`` for every answer above 0 to PHQ-9 item 9 that anybody gave.

    Also for one that a later answer replaces, that contradicts another of its moment, that is no code of
    the dictionary or stands in a row of another form: the published table has the settled answer only, and
    it may be 0. Trial rows (previews) and records of nobody in the study do not count. A problem's subject
    is that of the alert on the published answer, ``item:event:instance:day``, so that both are one matter.
    """
    what = PhaError("survey_alert_answer", instrument="PHQ-9, item 9").what
    given = {answer for export in exports for answer in _positive(export.cells).iter_rows()}
    return [
        {
            "code": "survey_alert_answer",
            "participant_id": participant,
            "subject": f"{ITEM}:{event}:{instance}:{day}",
            "what": what,
        }
        for participant, event, instance, day in sorted(given, key=str)
    ]


def _positive(cells: pl.DataFrame) -> pl.DataFrame:
    return cells.filter(
        pl.col("instrument") == INSTRUMENT,
        pl.col("item") == ITEM,
        pl.col("number") > 0,
        pl.col("fate").is_in(["staged", "rejected"]),
    ).select("participant_id", "event", "instance", "answered_on")
