"""Facts of where the participant stands among others, with the source of the comparison in the words."""

from collections.abc import Mapping, Set
from typing import Any

import polars as pl

from outputs.facts.fact import Cell, Direction, Fact
from outputs.metrics import METRICS
from outputs.rendering import FINELY_RANKED, rounded, shown_place, shown_rank

DISCLOSURE_STEP = 5
# A metric and a group of people of the study that may be told of: metric, sex, age group.
Told = Set[tuple[str, str, str]]

_PEOPLE = {"female": "women", "male": "men"}


def told_groups(shareable: pl.DataFrame) -> Told:
    """The groups that ``shareable_percentiles`` tells of, by metric."""
    return set(shareable.select("metric", "sex", "age_group").iter_rows())


def peer_facts(percentiles: pl.DataFrame, told: Told) -> list[Fact]:
    """The rank of each metric and window of ``participant_percentiles`` that has one.

    What of it is for the participant, ``_for_participant`` says.
    """
    ranked = percentiles.filter(pl.col("rank").is_not_null())
    return [_peer(row, told) for row in ranked.iter_rows(named=True)]


def _peer(row: Mapping[str, Any], told: Told) -> Fact:
    metric = METRICS[row["metric"]]
    key = {name: row[name] for name in ("participant_id", "metric", "window")}
    place = shown_place(row["rank"], row["others"])
    return Fact(
        f"peer.{metric.metric}.{row['window']}",
        "peers",
        f"{metric.label}, rank among peers",
        f"{shown_rank(row['rank'], row['others'])} of {_others(row)}",
        Cell("participant_percentiles", key, "rank"),
        value_num=place,
        unit="percentile",
        decimals=0,
        direction=_direction(place),
        interval_low=rounded(row["rank_low"], 0),
        interval_high=rounded(row["rank_high"], 0),
        window=row["window"],
        window_start=row["window_start"],
        window_end=row["window_end"],
        days=row["days"],
        for_participant=_for_participant(row, told),
    )


def _for_participant(row: Mapping[str, Any], told: Told) -> bool:
    """Not scores; not laboratory results, which the printed range judges, not a group that may be of both
    sexes; not the ends of a small group, where a rank is that of an unusual person among few.
    """
    at_an_end = row["others"] < FINELY_RANKED and shown_place(row["rank"], row["others"]) in (0, 100)
    of_labs_or_scores = METRICS[row["metric"]].topic in ("labs", "surveys")
    return not of_labs_or_scores and not at_an_end and _may_be_told(row, told)


def _may_be_told(row: Mapping[str, Any], told: Told) -> bool:
    group = (row["metric"], row["stratum_sex"], row["stratum_age_group"])
    return row["stratum"] == "reference" or group in told


def _direction(place: float) -> Direction:
    if place == 50:
        return "within"
    return "above" if place > 50 else "below"


def _others(row: Mapping[str, Any]) -> str:
    """``214 women aged 35-44, reference population``.

    A number of people of the study is rounded down to 5, as it stands on pages of single participants.
    """
    people = _PEOPLE.get(row["stratum_sex"], "people")
    aged = "" if row["stratum_age_group"] == "all" else f" aged {row['stratum_age_group']}"
    if row["stratum"] == "reference":
        return f"{row['others']:,} {people}{aged}, reference population"
    at_least = row["others"] // DISCLOSURE_STEP * DISCLOSURE_STEP
    return f"at least {at_least:,} {people}{aged}, study cohort"
