"""Facts of who the participant is and how many days have data."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import polars as pl

from outputs.facts.fact import Cell, Fact
from outputs.metrics import WINDOW_WHOLE
from outputs.windows import Window, data_is_old, last_days
from schemas.participant import OLDEST_AGE_SHOWN


def profile_facts(person: Mapping[str, Any]) -> list[Fact]:
    """Age and sex of a row of ``participants``."""
    key = {"participant_id": person["participant_id"]}
    sex = Fact(
        "profile.sex",
        "profile",
        "Sex",
        person["sex"],
        Cell("participants", key, "sex"),
        value_text=person["sex"],
    )
    if person["age"] is None:
        return [sex]
    oldest = person["age"] >= OLDEST_AGE_SHOWN
    age = Fact(
        "profile.age",
        "profile",
        "Age",
        _shown_age(person["age"], person["age_approximate"]),
        Cell("participants", key, "age"),
        value_num=float(person["age"]),
        comparator=">=" if oldest else None,
        unit="years",
        decimals=0,
    )
    return [age, sex]


def _shown_age(age: int, approximate: bool) -> str:
    if age >= OLDEST_AGE_SHOWN:
        return f"{OLDEST_AGE_SHOWN} years or older"
    return f"{'about ' if approximate else ''}{age} years"


def wear_facts(
    person: Mapping[str, Any], daily: pl.DataFrame, window_days: Sequence[int], as_of: date
) -> list[Fact]:
    """Valid days of each window of days and of the whole observation up to data_through."""
    end = person["data_through"]
    if end is None:
        return []
    facts = [_whole(person)]
    if not data_is_old(end, as_of):
        facts += [_recent(person, daily, last_days(length, end)) for length in sorted(set(window_days))]
    return facts


def _recent(person: Mapping[str, Any], daily: pl.DataFrame, window: Window) -> Fact:
    inside = daily.filter(pl.col("date").is_between(window.start, window.end))
    valid = int(inside["valid_day"].sum() or 0)
    key = {"participant_id": person["participant_id"], "from": window.start, "to": window.end}
    return Fact(
        f"data.valid_days.{window.name}",
        "data",
        "Days with enough wear",
        f"{valid} of the last {window.days} days",
        Cell("daily_summary", key, "valid_day"),
        value_num=float(valid),
        unit="days",
        decimals=0,
        window=window.name,
        window_start=window.start,
        window_end=window.end,
        days=valid,
    )


def _whole(person: Mapping[str, Any]) -> Fact:
    valid, observed = person["valid_days"], person["days_observed"]
    return Fact(
        f"data.valid_days.{WINDOW_WHOLE}",
        "data",
        "Days with enough wear",
        f"{valid:,} of {observed:,} days",
        Cell("participants", {"participant_id": person["participant_id"]}, "valid_days"),
        value_num=float(valid),
        unit="days",
        decimals=0,
        window=WINDOW_WHOLE,
        window_start=person["observed_from"],
        window_end=person["data_through"],
        days=valid,
    )
