"""Readings of lab reports that are in doubt or superseded."""

from schemas.columns import day, json_text, number, text, whole
from schemas.table import Table, TableInfo


class LabReview(Table):
    """Readings of lab reports that are in doubt or superseded."""

    info = TableInfo(
        name="lab_review",
        one_row_is="a reading that was not published, with the reason",
        references=(("participant_id", "participants"), ("participant_id+file_id", "lab_files")),
    )
    participant_id = text("The study's id of the participant.", key=True)
    file_id = text("The report it came from.", key=True)
    row_no = whole("Number of the row within the report, from 1.", "row", key=True, low=1)
    page = whole("Page of the report, from 1.", "page", null=False, low=1)
    bbox_json = json_text("Where on the page, in points: x0, top, x1, bottom.")
    reasons = text("Reasons joined by ;.", null=False)
    analyte_key = text("Our key of the analyte, where it was recognised.")
    raw_name = text("Analyte as printed.")
    raw_value = text("Value as printed.")
    raw_unit = text("Unit as printed.")
    raw_reference = text("Reference interval as printed.")
    comparator = text("Set where the value is only a bound.", allowed=("<", "<=", ">", ">="))
    value_canonical = number("Value in canonical_unit, unconfirmed.", "canonical_unit", 6)
    bound_canonical = number("Bound in canonical_unit, unconfirmed.", "canonical_unit", 6)
    canonical_unit = text("The unit of the study for this analyte.")
    flag_printed = text(
        "Printed flag, in one vocabulary.", allowed=("L", "N", "H", "LL", "HH", "A", "critical")
    )
    collected_date = day("Day of collection, where it is clear.")
    suggestion = text("What the reader would take it for.")
    superseded_by = text("file_id of the report that replaces it.")
