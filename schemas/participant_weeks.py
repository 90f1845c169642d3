"""Wear of each week: did the participant keep the protocol of 3 of every 4 days?"""

from schemas.columns import day, flag, text, whole
from schemas.table import Table, TableInfo


class ParticipantWeeks(Table):
    """Wear of each week: did the participant keep the protocol of 3 of every 4 days?"""

    info = TableInfo(
        name="participant_weeks",
        one_row_is="a week (Monday to Sunday) that overlaps the observation period up to data_through",
    )
    participant_id = text("The study's id of the participant.", key=True)
    week_start = day("Monday of the week.", key=True)
    days_observed = whole(
        "Days of the week inside the observation period, up to data_through, of which wear is known.",
        "days",
        null=False,
        low=0,
        high=7,
    )
    valid_days = whole("Worn days among them.", "days", null=False, low=0, high=7)
    adherent = flag(
        "valid_days is at least three quarters of days_observed; null where no day's wear is known."
    )
