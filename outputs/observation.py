"""The core tables of one participant: what arrived, cut to the observation period and laid on its calendar.

Ingest knows no as-of; this step does. It runs again when as-of, the registry row or an ingest piece changes,
and it is cheap. Rules of days: docs/dates.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import polars as pl

from outputs.cross_checks import Sources, cross_checks
from outputs.store import Result
from outputs.told_fasting import with_told_fasting
from schemas.daily_summary import DailySummary
from schemas.participant import Participant
from schemas.settings import Settings
from schemas.table import conform, empty
from schemas.tables import TABLES

RESULT_VERSION = 6

DAYS_BEFORE_ENROLMENT = 90
ADHERENT_SHARE = 0.75

_IDENTITY_ORDER = (
    "identity_mismatch",
    "account_shared",
    "same_bytes",
    "overlap_conflict",
    "unchecked",
    "accepted",
    "matched",
    "set_aside_by_decision",
)


@dataclass(frozen=True, slots=True)
class Ingested:
    """All that the ingest stages made for one participant.

    tables: the ingest tables by name, rows of this participant only.
    arrived_through: the local day before that of the newest accepted timed row, or None.
    profile_height_cm: the newest height of the Fitbit profile, or None.
    """

    tables: Mapping[str, pl.LazyFrame]
    arrived_through: date | None
    profile_height_cm: float | None = None

    def table(self, name: str) -> pl.LazyFrame:
        """A table, without rows where nothing was made."""
        return self.tables.get(name, empty(TABLES[name]).lazy())


@dataclass(frozen=True, slots=True)
class Period:
    """The observation period, both ends included, and the last day whose data are complete."""

    first: date | None
    last: date
    data_through: date | None

    def holds(self, day: pl.Expr) -> pl.Expr:
        """Whether a date lies in the period; true for a null date, which no window can exclude."""
        inside = day <= self.last
        if self.first is not None:
            inside = inside & (day >= self.first)
        return inside.fill_null(True)


def observation_period(participant: Participant, ingested: Ingested, as_of: date) -> Period:
    """From consent_from to the earliest of consent_to, left_on and as-of.

    Without consent_from it begins 90 days before enrolment, as in the paper; without that, on the first day
    with data. data_through lies within it: a window never looks at days after somebody left.
    """
    first = participant.consent_from
    if first is None and participant.enrolled_on is not None:
        first = participant.enrolled_on - timedelta(days=DAYS_BEFORE_ENROLMENT)
    if first is None:
        first = _first_day_with_data(ingested)
    ends = [end for end in (participant.consent_to, participant.left_on) if end is not None]
    last = min([as_of, *ends])
    arrived = ingested.arrived_through
    return Period(first, last, None if arrived is None else min(arrived, last))


def observe(participant: Participant, ingested: Ingested, as_of: date, settings: Settings) -> Result:
    """Core tables of a participant; document: rows that the observation period cut off, by table."""
    period = observation_period(participant, ingested, as_of)
    cut = {name: _cut(ingested.table(name), period, day) for name, day in _DAY_OF.items()}
    daily = _daily_summary(participant, ingested, period).collect()
    tables: dict[str, pl.DataFrame] = {
        **{name: kept for name, (kept, _) in cut.items() if name not in MINUTE_TABLES},
        # A minute table is written again only where rows were cut: else the ingest piece's file is published.
        **{name: kept for name, (kept, ignored) in cut.items() if name in MINUTE_TABLES and ignored},
        **{name: ingested.table(name).collect() for name in _WHOLE},
        "sleep_stages": ingested.table("sleep_stages")
        .join(cut["sleep_sessions"][0].lazy().select("sleep_id"), on="sleep_id", how="semi")
        .collect(),
        "daily_summary": daily,
        "participant_weeks": _weeks(daily, period),
    }
    tables["lab_results"] = (
        tables["lab_results"]
        .lazy()
        .pipe(with_told_fasting, tables["survey_answers"].lazy())
        .pipe(conform, TABLES["lab_results"])
        .collect()
    )
    sources = Sources(participant, tables, ingested.profile_height_cm)
    tables["quality_checks"] = pl.concat([tables["quality_checks"], cross_checks(sources)])
    tables["participants"] = _participants_row(participant, tables, period, as_of, settings)
    outside = {name: ignored for name, (_, ignored) in cut.items()}
    outside["daily_summary"] = _cut(ingested.table("daily_summary"), period, pl.col("date"))[1]
    document = {
        "outside_period": {name: ignored for name, ignored in outside.items() if ignored},
        "data_through": period.data_through,
    }
    return Result(tables, document)


MINUTE_TABLES = ("heart_rate_minutes", "steps_minutes")
_WHOLE = ("lab_files", "lab_review", "source_files", "rejected_rows", "quality_checks")


def _local_day(instant: str) -> pl.Expr:
    """Within a move, where the offset is unknown (null), the day in UTC: only a border of the period could
    lie otherwise.
    """
    return (pl.col(instant) + pl.duration(minutes=pl.col("utc_offset_minutes").fill_null(0))).dt.date()


_DAY_OF: dict[str, pl.Expr] = {
    "activities": _local_day("start_utc"),
    "sleep_sessions": pl.col("date"),
    "heart_rate_minutes": _local_day("minute_utc"),
    "steps_minutes": _local_day("minute_utc"),
    "lab_results": pl.col("collected_date"),
    "survey_answers": pl.col("answered_on"),
    "survey_scores": pl.col("answered_on"),
    "value_sources": pl.col("date"),
}


def _cut(frame: pl.LazyFrame, period: Period, day: pl.Expr) -> tuple[pl.DataFrame, int]:
    """Rows of the period, and how many lie outside: ignored by the rule outside_observation_period."""
    rows = frame.with_columns(_inside=period.holds(day)).collect()
    kept = rows.filter("_inside").drop("_inside")
    return kept, rows.height - kept.height


def _first_day_with_data(ingested: Ingested) -> date | None:
    days = [
        ingested.table(name).select(day=pl.col(column).min())
        for name, column in (
            ("daily_summary", "date"),
            ("lab_results", "collected_date"),
            ("survey_answers", "answered_on"),
        )
    ]
    return pl.concat(days).select(pl.col("day").min()).collect().item()


def _daily_summary(participant: Participant, ingested: Ingested, period: Period) -> pl.LazyFrame:
    """Every date of the period, with the day's values where there are any."""
    calendar = pl.LazyFrame({"date": _dates(period)}, schema={"date": pl.Date})
    return (
        calendar.join(ingested.table("daily_summary"), on="date", how="left")
        .with_columns(
            participant_id=pl.lit(participant.participant_id),
            # Ingest leaves both null where it saw activity but nothing that tells how long a device was worn.
            wear_unknown=(pl.col("day_state") == "not_worn").fill_null(False)
            & pl.all_horizontal(pl.col("valid_day", "wear_minutes").is_null()),
        )
        .pipe(_with_day_state, period, all_set_aside(ingested))
        .with_columns(
            study_day=(pl.col("date") - pl.lit(participant.enrolled_on, pl.Date)).dt.total_days(),
            valid_day=pl.when(
                ~pl.col("day_state").is_in(("not_arrived", "set_aside")), ~pl.col("wear_unknown")
            ).then(pl.col("day_state") == "worn"),
            is_partial=pl.col("is_partial").fill_null(False),
            break_before=pl.col("break_before").fill_null(False),
            tz_change=pl.col("tz_change").fill_null(False),
            wear_from_steps=pl.col("wear_from_steps").fill_null(False),
        )
        .sort("date")
        .pipe(conform, DailySummary)
    )


def _dates(period: Period) -> list[date]:
    if period.first is None:
        return []
    return [period.first + timedelta(days=n) for n in range((period.last - period.first).days + 1)]


def _with_day_state(daily: pl.LazyFrame, period: Period, set_aside: bool) -> pl.LazyFrame:
    """not_arrived after data_through; before it a day without a row was not worn."""
    if period.data_through is None:
        state = pl.lit("set_aside" if set_aside else "not_arrived")
    else:
        state = (
            pl.when(pl.col("date") > period.data_through)
            .then(pl.lit("not_arrived"))
            .otherwise(pl.col("day_state").fill_null("not_worn"))
        )
    return daily.with_columns(day_state=state)


def all_set_aside(ingested: Ingested) -> bool:
    """Exports came, and every one of them was set aside by an identity verdict."""
    verdicts = (
        ingested.table("source_files").filter(pl.col("source") == "fitbit").select("identity").collect()
    )["identity"]
    refused = verdicts.is_in([*_IDENTITY_ORDER[:4], "set_aside_by_decision"])
    return len(verdicts) > 0 and bool(refused.fill_null(False).all())


def _weeks(daily: pl.DataFrame, period: Period) -> pl.DataFrame:
    """Weeks from Monday, over the days up to data_through; adherent at three of every four days.

    Days of which nobody knows whether the device was worn count neither for nor against it.
    """
    if period.data_through is None:
        return empty(TABLES["participant_weeks"])
    observed = daily.filter(pl.col("date") <= period.data_through)
    return (
        observed.group_by("participant_id", week_start=pl.col("date").dt.truncate("1w"))
        .agg(
            days_observed=pl.col("valid_day").count().cast(pl.Int64),
            valid_days=pl.col("valid_day").sum().cast(pl.Int64),
        )
        .with_columns(
            adherent=pl.when(pl.col("days_observed") > 0).then(
                pl.col("valid_days") >= ADHERENT_SHARE * pl.col("days_observed")
            )
        )
        .sort("week_start")
        .pipe(lambda frame: conform(frame.lazy(), TABLES["participant_weeks"]).collect())
    )


def _participants_row(
    participant: Participant,
    tables: Mapping[str, pl.DataFrame],
    period: Period,
    as_of: date,
    settings: Settings,
) -> pl.DataFrame:
    age_day = period.data_through or as_of
    age = participant.age_on(age_day)
    daily = tables["daily_summary"]
    observed = daily.filter(pl.col("date") <= (period.data_through or date.min)).drop_nulls("valid_day")
    valid = int(observed["valid_day"].sum())
    enrolled = participant.enrolled_on
    row = {
        "participant_id": participant.participant_id,
        "sex": participant.sex,
        "gender": participant.gender,
        "age_at_enrolment": participant.age_on(enrolled) if enrolled else None,
        "age": age,
        "age_approximate": participant.age_approximate,
        "age_group": settings.strata.group_of(age),
        "site": participant.site,
        "group": participant.group,
        "status": participant.status,
        "enrolled_on": enrolled,
        "observed_from": period.first,
        "observed_to": period.last,
        "time_zone": participant.time_zone,
        "data_through": period.data_through,
        "days_behind": (as_of - period.data_through).days if period.data_through else None,
        "has_wearable": bool(daily["day_state"].is_in(("worn", "partly_worn")).any()),
        "has_labs": tables["lab_results"].height > 0,
        "has_surveys": tables["survey_answers"]["value"].is_not_null().any(),
        "days_observed": observed.height,
        "valid_days": valid,
        "adherence": valid / observed.height if observed.height else None,
        "identity": _worst_identity(tables["source_files"]),
    }
    return conform(pl.LazyFrame([row], infer_schema_length=None), TABLES["participants"]).collect()


def _worst_identity(files: pl.DataFrame) -> str | None:
    found = set(files["identity"].drop_nulls())
    return next((verdict for verdict in _IDENTITY_ORDER if verdict in found), None)
