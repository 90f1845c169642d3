"""The people of the study, one row each, with what arrived from them."""

from schemas.columns import day, flag, number, text, whole
from schemas.table import Table, TableInfo


class Participants(Table):
    """The people of the study, one row each, with what arrived from them."""

    info = TableInfo(
        name="participants",
        one_row_is="a participant of the registry who was not erased",
        references=(),
        warnings=(
            "age is in completed years at data_through and capped at 90",
            "no name and no birth date is ever published",
        ),
    )
    participant_id = text("The study's id of the participant.", key=True)
    sex = text(
        "Sex assigned at birth, as registered: decides reference ranges and equations.",
        null=False,
        allowed=("female", "male", "intersex", "unknown"),
    )
    gender = text("Gender as registered, where it was asked.")
    age_at_enrolment = whole("Completed years at enrolment, capped at 90.", "years", low=0, high=90)
    age = whole(
        "Completed years at data_through (at as-of where nothing arrived), capped at 90.",
        "years",
        low=0,
        high=90,
    )
    age_approximate = flag(
        "True where only the birth year is known, so that age may be one too high.", null=False
    )
    age_group = text("Age group of the study's strata.")
    site = text("Study site.")
    group = text("Study group or arm.")
    status = text("Registered status.", null=False, allowed=("active", "completed", "withdrawn", "excluded"))
    enrolled_on = day("Day of enrolment.")
    observed_from = day("First day of the observation period.")
    observed_to = day("Last day of the observation period.")
    time_zone = text("IANA time zone used for local days where an export did not say otherwise.", null=False)
    data_through = day(
        "Last local day whose data are complete: min(day before the newest accepted timed row's day, as-of)."
    )
    days_behind = whole("as-of minus data_through.", "days", low=0)
    has_wearable = flag("An accepted wearable export is there.", null=False)
    has_labs = flag("An accepted lab result is there.", null=False)
    has_surveys = flag("An answer to a questionnaire is there.", null=False)
    days_observed = whole(
        "Dates of the observation period up to data_through of which wear is known.",
        "days",
        null=False,
        low=0,
    )
    valid_days = whole("Worn days among them.", "days", null=False, low=0)
    adherence = number("valid_days over days_observed.", "share", 4, low=0, high=1)
    identity = text(
        "Identity verdict over all accepted files.",
        allowed=(
            "matched",
            "unchecked",
            "identity_mismatch",
            "account_shared",
            "same_bytes",
            "overlap_conflict",
            "accepted",
            "set_aside_by_decision",
        ),
    )
