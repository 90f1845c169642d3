"""What the planner is told: sources of participants, statistics of groups, nothing of one person."""

import json
import re
from datetime import timedelta

import polars as pl
import pytest
from program_tables import LAST_DAY, days, participants

from health_agents.data_science.agent.context import (
    FEWEST_PEOPLE,
    Context,
    Source,
    make_context,
    read_context,
)
from health_agents.data_science.agent.person_sources import (
    ENOUGH_DAYS,
    person_sources,
    population_sources,
    sources_there,
)
from schemas.lab_results import LabResults
from schemas.survey_scores import SurveyScores
from schemas.table import conform


def sources_of(daily: pl.DataFrame, people: pl.DataFrame | None = None, **more: pl.DataFrame) -> pl.DataFrame:
    tables = {"participants": participants() if people is None else people, "daily_summary": daily, **more}
    return person_sources({name: frame.lazy() for name, frame in tables.items()}).collect()


def row(sources: pl.DataFrame, name: str) -> dict[str, float | None]:
    found = sources.filter(pl.col("source") == name).select("values", "missing", "middle")
    return found.row(0, named=True) if len(found) else {}


class TestPersonSources:
    def test_values_missing_share_and_middle_are_of_the_last_90_days(self) -> None:
        steps = [1] * 30 + [None] * 9 + [100] * 41 + [200] * 40
        assert row(sources_of(days(steps=steps)), "summary_df.steps") == {
            "values": 81, "missing": pytest.approx(9 / 90), "middle": 100.0,
        }  # fmt: skip

    def test_a_measure_of_a_few_days_is_not_there(self) -> None:
        few, enough = ([None] * (120 - n) + [5] * n for n in (ENOUGH_DAYS - 1, ENOUGH_DAYS))
        there = sources_there(sources_of(days(steps=few, floors=enough)))["P1"]
        assert "summary_df.floors" in there
        assert "summary_df.steps" not in there

    def test_partial_days_and_days_after_data_through_do_not_count(self) -> None:
        daily = days(8, steps=[5] * 8, is_partial=[False] * 7 + [True])
        assert row(sources_of(daily), "summary_df.steps")["values"] == 7
        until = participants(data_through=LAST_DAY - timedelta(2))
        assert row(sources_of(daily, until), "summary_df.steps") == {}

    def test_missing_is_a_share_of_valid_days(self) -> None:
        daily = days(20, steps=[5] * 10 + [None] * 10, valid_day=[True] * 15 + [False] * 5)
        assert row(sources_of(daily), "summary_df.steps")["missing"] == pytest.approx(5 / 15)

    def test_analytes_and_instruments_are_sources_where_they_have_a_value(self) -> None:
        labs = pl.LazyFrame(
            {"participant_id": ["P1"] * 3, "file_id": ["f"] * 3, "row_no": [1, 2, 3],
             "analyte_key": ["glucose", "glucose", "ferritin"], "value_canonical": [90.0, 110.0, None]}
        )  # fmt: skip
        scores = pl.LazyFrame(
            {"participant_id": ["P1"], "instrument": ["phq9"], "event": [""], "instance": [1], "score": [4.0]}
        )
        sources = sources_of(
            days(10),
            lab_results=conform(labs, LabResults).collect(),
            survey_scores=conform(scores, SurveyScores).collect(),
        )
        assert row(sources, "labs_df.glucose") == {"values": 2, "missing": 0.0, "middle": 100.0}
        assert row(sources, "labs_df.ferritin") == {}
        assert row(sources, "surveys_df.phq9")["middle"] == 4.0

    def test_the_order_of_rows_means_nothing(self) -> None:
        daily = days(steps=list(range(120)))
        assert sources_of(daily).equals(sources_of(daily.sample(fraction=1, shuffle=True, seed=3)))

    def test_the_percentile_table_is_there_for_everybody(self) -> None:
        assert population_sources(["steps"]) == {"population_df.steps"}


def group(people: int, source: str = "summary_df.steps", low: float = 1000.0) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "participant_id": [f"P{n}" for n in range(people)], "source": [source] * people,
            "values": [90] * people, "missing": [0.1] * people,
            "middle": [low + 100 * n for n in range(people)],
        }
    )  # fmt: skip


def source(context: Context, name: str) -> Source:
    return next(one for one in context.sources if one.name == name)


class TestContext:
    def test_a_column_is_told_with_unit_tag_and_description(self) -> None:
        told = source(make_context(group(0), []), "summary_df.resting_heart_rate")
        assert (told.unit, told.tag, told.description) == ("bpm", "heart", "Resting heart rate.")
        assert not told.given
        assert source(make_context(group(0), []), "summary_df.valid_day").given

    def test_a_group_of_eleven_has_rounded_statistics_a_smaller_one_none(self) -> None:
        told = source(make_context(group(FEWEST_PEOPLE), []), "summary_df.steps")
        assert (told.people, told.missing, told.quartiles) == (10, 0.1, (1300.0, 1500.0, 1800.0))
        few = source(make_context(group(FEWEST_PEOPLE - 1), []), "summary_df.steps")
        assert (few.people, few.missing, few.quartiles) == (None, None, None)

    def test_quartiles_of_few_numbers_among_many_people_are_not_told(self) -> None:
        many = group(20).with_columns(
            middle=pl.when(pl.col("participant_id").str.len_chars() > 2).then(pl.col("middle"))
        )
        told = source(make_context(many, []), "summary_df.steps")
        assert (told.people, told.quartiles) == (20, None)

    def test_an_analyte_of_few_people_is_not_even_named(self) -> None:
        few, enough = (
            make_context(group(n, "labs_df.ferritin"), []) for n in (FEWEST_PEOPLE - 1, FEWEST_PEOPLE)
        )
        assert "labs_df.ferritin" not in few.names
        assert source(enough, "labs_df.ferritin").unit

    def test_no_two_people_can_be_told_apart_in_it(self) -> None:
        sources = group(40, low=1013.0)
        text = make_context(sources, ["steps"]).text()
        assert not [name for name in sources["participant_id"] if f'"{name}"' in text]
        assert not re.search(r"\d{4}-\d\d-\d\d", text)
        middles = {str(value) for value in sources["middle"]}
        assert not middles & {str(value) for value in re.findall(r"\d+\.\d+", text)}

    def test_it_is_limited_to_what_somebody_has_and_everybody_has(self) -> None:
        own = make_context(group(0), ["steps"]).limited_to({"summary_df.steps"})
        assert "summary_df.steps" in own.names
        assert "population_df.steps" in own.names
        assert "summary_df.floors" not in own.names

    def test_it_comes_back_from_its_json(self) -> None:
        context = make_context(group(20), ["steps"])
        assert read_context(json.loads(context.text())["sources"]) == context

    def test_names_the_rows_of_every_frame(self) -> None:
        frames = json.loads(make_context(group(0), []).text())["frames"]
        assert set(frames) == {
            "summary_df", "activities_df", "population_df", "profile_df", "labs_df", "surveys_df",
        }  # fmt: skip
        assert "participant_id" not in frames["summary_df"]["columns"]
