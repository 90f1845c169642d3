"""The calendar of the observation period, laid over what arrived."""

from datetime import UTC, date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outputs.observation import Ingested, observation_period, observe
from outputs.store import Result
from schemas.participant import Participant
from schemas.settings import Settings, StudySection
from schemas.table import conform
from schemas.tables import TABLES

SETTINGS = Settings(study=StudySection(name="Walk", time_zone="UTC"))
JAN = date(2026, 1, 1)


def person(**fields: object) -> Participant:
    return Participant("P1", "female", 1980, "UTC", **fields)  # pyright: ignore[reportArgumentType]


def frame(table: str, *rows: dict[str, object]) -> pl.LazyFrame:
    return conform(pl.LazyFrame(list(rows), infer_schema_length=None), TABLES[table])


def days(*states: str, first: date = JAN) -> pl.LazyFrame:
    rows = [
        {
            "participant_id": "P1",
            "date": first + timedelta(days=n),
            "day_state": state,
            "steps": 1000 + n,
            "wear_minutes": 0 if state == "not_worn" else None,
            "wear_from_steps": False,
            "break_before": False,
            "tz_change": False,
            "is_partial": False,
        }
        for n, state in enumerate(states)
        if state != "-"
    ]
    return frame("daily_summary", *rows)


def states(result: Result) -> list[str]:
    return result.tables["daily_summary"].lazy().collect()["day_state"].to_list()


def test_every_date_of_the_period_has_its_state() -> None:
    ingested = Ingested({"daily_summary": days("worn", "-", "partly_worn", "worn", "worn")}, date(2026, 1, 4))
    result = observe(
        person(enrolled_on=date(2026, 1, 2), consent_from=JAN), ingested, date(2026, 1, 7), SETTINGS
    )
    daily = result.tables["daily_summary"].lazy().collect()
    assert states(result) == ["worn", "not_worn", "partly_worn", "worn", *["not_arrived"] * 3]
    assert daily["valid_day"].to_list() == [True, False, False, True, None, None, None]
    assert daily["study_day"].to_list() == [-1, 0, 1, 2, 3, 4, 5]
    assert daily["steps"].to_list() == [1000, None, 1002, 1003, 1004, None, None]


def test_a_day_whose_wear_ingest_could_not_tell_is_neither_valid_nor_invalid() -> None:
    unknown = days("worn", "not_worn", "not_worn").with_columns(
        valid_day=pl.Series([True, None, False]), wear_minutes=pl.Series([700, None, 0])
    )
    ingested = Ingested({"daily_summary": unknown}, date(2026, 1, 3))
    result = observe(person(consent_from=date(2025, 12, 31)), ingested, date(2026, 1, 3), SETTINGS)
    daily = result.tables["daily_summary"].lazy().collect()
    assert states(result) == ["not_worn", "worn", "not_worn", "not_worn"]
    assert daily["valid_day"].to_list() == [False, True, None, False]


def test_as_of_cuts_by_when_things_happened() -> None:
    ingested = Ingested({"daily_summary": days("worn", "worn", "worn")}, date(2026, 1, 3))
    result = observe(person(consent_from=JAN), ingested, date(2026, 1, 2), SETTINGS)
    assert states(result) == ["worn", "worn"]
    assert result.document["data_through"] == date(2026, 1, 2)
    assert result.document["outside_period"] == {"daily_summary": 1}


@pytest.mark.parametrize(
    ("fields", "first", "last"),
    [
        ({"consent_from": JAN}, JAN, date(2026, 6, 1)),
        ({"enrolled_on": date(2026, 4, 1)}, JAN, date(2026, 6, 1)),
        ({}, date(2026, 1, 5), date(2026, 6, 1)),
        ({"consent_to": date(2026, 3, 1), "left_on": date(2026, 2, 1)}, date(2026, 1, 5), date(2026, 2, 1)),
    ],
)
def test_where_the_period_begins_and_ends(fields: dict[str, date], first: date, last: date) -> None:
    ingested = Ingested({"daily_summary": days("worn", first=date(2026, 1, 5))}, date(2026, 1, 5))
    period = observation_period(person(**fields), ingested, date(2026, 6, 1))
    assert (period.first, period.last) == (first, last)


def test_data_outside_consent_are_left_out_and_counted() -> None:
    draws = [
        {
            "participant_id": "P1",
            "file_id": "f",
            "row_no": n,
            "page": 1,
            "reader_version": 1,
            "source_kind": "text",
            "collected_date": day,
            "derived": False,
        }
        for n, day in enumerate([date(2025, 12, 31), JAN, None], start=1)
    ]
    ingested = Ingested({"lab_results": frame("lab_results", *draws)}, None)
    result = observe(person(consent_from=JAN), ingested, date(2026, 1, 2), SETTINGS)
    assert result.tables["lab_results"].lazy().collect()["row_no"].to_list() == [2, 3]
    assert result.document["outside_period"] == {"lab_results": 1}


def test_nobody_arrived_is_not_the_same_as_not_worn() -> None:
    result = observe(person(consent_from=JAN), Ingested({}, None), date(2026, 1, 3), SETTINGS)
    row = result.tables["participants"].lazy().collect().row(0, named=True)
    assert states(result) == ["not_arrived"] * 3
    assert (row["data_through"], row["days_observed"], row["adherence"]) == (None, 0, None)


def test_data_set_aside_are_called_so() -> None:
    files = frame(
        "source_files",
        {
            "file_id": "f", "participant_id": "P1", "source": "fitbit", "form": "zip", "bytes": 1,
            "content_digest": "c", "identity": "same_bytes", "rows_read": 0, "rows_staged": 0,
            "rows_merged": 0, "rows_rejected": 0, "rows_ignored": 0,
        },
    )  # fmt: skip
    result = observe(person(consent_from=JAN), Ingested({"source_files": files}, None), JAN, SETTINGS)
    assert states(result) == ["set_aside"]
    assert result.tables["participants"].lazy().collect()["identity"].item() == "same_bytes"


def test_weeks_count_three_of_every_four_days() -> None:
    monday = date(2026, 1, 5)
    worn = ["worn"] * 5 + ["not_worn"] * 2 + ["worn"] * 3 + ["partly_worn"]
    ingested = Ingested({"daily_summary": days(*worn, first=monday)}, monday + timedelta(days=10))
    result = observe(person(consent_from=monday), ingested, date(2026, 2, 1), SETTINGS)
    weeks = result.tables["participant_weeks"].lazy().collect()
    assert weeks["days_observed"].to_list() == [7, 4]
    assert weeks["valid_days"].to_list() == [5, 3]
    assert weeks["adherent"].to_list() == [False, True]


def test_days_of_unknown_wear_count_neither_for_nor_against_adherence() -> None:
    monday = date(2026, 1, 5)
    states_of = days(*["worn"] * 3, *["not_worn"] * 4, first=monday).with_columns(
        valid_day=pl.Series([True] * 3 + [None] * 3 + [False]),
        wear_minutes=pl.Series([700] * 3 + [None] * 3 + [0]),
    )
    ingested = Ingested({"daily_summary": states_of}, monday + timedelta(days=6))
    result = observe(person(consent_from=monday), ingested, date(2026, 2, 1), SETTINGS)
    week = result.tables["participant_weeks"].lazy().collect().row(0, named=True)
    assert (week["days_observed"], week["valid_days"], week["adherent"]) == (4, 3, True)
    row = result.tables["participants"].lazy().collect().row(0, named=True)
    assert (row["days_observed"], row["valid_days"], row["adherence"]) == (4, 3, 0.75)


def test_a_week_of_unknown_wear_is_neither_adherent_nor_not() -> None:
    monday = date(2026, 1, 5)
    unknown = days(*["not_worn"] * 7, first=monday).with_columns(
        valid_day=pl.lit(None, pl.Boolean), wear_minutes=pl.lit(None, pl.Int64)
    )
    ingested = Ingested({"daily_summary": unknown}, monday + timedelta(days=6))
    result = observe(person(consent_from=monday), ingested, date(2026, 2, 1), SETTINGS)
    week = result.tables["participant_weeks"].lazy().collect().row(0, named=True)
    assert (week["days_observed"], week["adherent"]) == (0, None)


def test_minutes_are_cut_by_the_local_day() -> None:
    minutes = [
        {"participant_id": "P1", "minute_utc": at, "utc_offset_minutes": 60, "steps": 1}
        for at in (datetime(2025, 12, 31, 22, 59, tzinfo=UTC), datetime(2025, 12, 31, 23, 0, tzinfo=UTC))
    ]
    ingested = Ingested({"steps_minutes": frame("steps_minutes", *minutes)}, JAN)
    result = observe(person(consent_from=JAN), ingested, JAN, SETTINGS)
    assert result.tables["steps_minutes"].lazy().collect().height == 1
    uncut = observe(person(), ingested, JAN, SETTINGS)
    assert "steps_minutes" not in uncut.tables


@given(offset=st.integers(0, 400), length=st.integers(1, 60), as_of=st.integers(-5, 90))
def test_the_calendar_is_whole_whatever_arrived(offset: int, length: int, as_of: int) -> None:
    ingested = Ingested({"daily_summary": days(*["worn"] * length)}, JAN + timedelta(days=length - 1))
    who = person(consent_from=JAN - timedelta(days=offset))
    result = observe(who, ingested, JAN + timedelta(days=as_of), SETTINGS)
    daily = result.tables["daily_summary"].lazy().collect()
    assert daily.height == max(0, offset + as_of + 1)
    assert daily["date"].is_unique().all()
    kept = daily["steps"].is_not_null().sum()
    assert kept + result.document["outside_period"].get("daily_summary", 0) == length
