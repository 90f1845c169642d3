"""Fitabase files saved again by a spreadsheet: the rows stay, their text changes as in the public data."""

import csv
from datetime import date, datetime
from functools import cache
from io import StringIO

import pytest
from form_checks import northerner

from synthetic.exports.fitabase.files import merged
from synthetic.exports.fitabase.resaved import RESAVED, resaved
from synthetic.exports.members import Member


@cache
def files() -> dict[str, Member]:
    return {member.path.removesuffix("_merged.csv"): member for member in merged([northerner()])}


def rows(member: Member) -> list[list[str]]:
    return list(csv.reader(StringIO(member.content.decode(), newline="")))


def days(texts: list[str], form: str) -> list[date]:
    return [datetime.strptime(text, form).date() for text in texts]  # noqa: DTZ007 - labels


@pytest.mark.parametrize(("way", "form"), [("day_first", "%d/%m/%Y"), ("iso", "%Y-%m-%d")])
def test_days_are_written_in_another_order(way: str, form: str) -> None:
    again = rows(resaved(files()["dailyActivity"], way))
    assert again[0] == rows(files()["dailyActivity"])[0]
    assert days([row[1] for row in again[1:]], form) == list(northerner().days.dates)


def test_distances_are_cut_to_two_decimals_where_days_come_first() -> None:
    before, after = rows(files()["dailyActivity"]), rows(resaved(files()["dailyActivity"], "day_first"))
    place = before[0].index("TotalDistance")
    assert [float(row[place]) for row in after[1:]] == [round(float(row[place]), 2) for row in before[1:]]
    assert [row[2] for row in after] == [row[2] for row in before], "steps stay whole"


def test_the_id_gets_another_name() -> None:
    again = rows(resaved(files()["dailySteps"], "customer_id"))
    assert again[0] == ["Customer Id", "ActivityDay", "StepTotal"]
    assert again[1:] == rows(files()["dailySteps"])[1:]


@pytest.mark.parametrize("kind", ["sleepDay", "hourlySteps", "weightLogInfo", "minuteSleep"])
def test_a_time_stands_in_two_columns_the_second_without_a_name(kind: str) -> None:
    before, after = rows(files()[kind]), rows(resaved(files()[kind], "split_time"))
    assert after[0] == [*before[0][:2], "", *before[0][2:]]
    assert [f"{row[1]} {row[2]}" for row in after[1:]] == [row[1] for row in before[1:]]


def test_long_ids_lose_their_digits() -> None:
    before, after = rows(files()["weightLogInfo"]), rows(resaved(files()["weightLogInfo"], "short_numbers"))
    texts = [row[-1] for row in after[1:]]
    assert all(text.endswith("E+12") and len(text) == 11 for text in texts)
    assert [float(text) for text in texts] == pytest.approx([float(row[-1]) for row in before[1:]], rel=1e-5)


@pytest.mark.parametrize("way", sorted(RESAVED))
def test_every_row_is_kept_with_a_spreadsheet_s_line_ends(way: str) -> None:
    for kind in ("sleepDay", "weightLogInfo"):
        again = resaved(files()[kind], way)
        assert again.path == files()[kind].path
        assert len(rows(again)) == len(rows(files()[kind]))
        assert again.content.count(b"\r\n") == again.content.count(b"\n") == len(rows(again))
