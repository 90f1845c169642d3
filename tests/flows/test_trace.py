"""From every fact of a made study back to its files: each member is there and holds the value."""

import csv
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pdfplumber
import polars as pl
import pytest
from study_runs import Made, pha

from ingest.fitbit.member_rows import read_rows, rows_of_day
from pha.release_reader import Release, open_release
from pha.tracing import Cells, Files, find_fact, out_of, trace_fact
from pha.tracing.days import days_step
from pha.tracing.records import local_day
from pha.tracing.step import Origin, Step, Trace, origins_of, steps_of

pytestmark = [pytest.mark.prefect, pytest.mark.sandbox]

# A limit of a program, or a number of a population, is of no file.
OF_NO_FILE = ("limit.", "insight.")


@pytest.fixture(scope="module")
def release(made: Made) -> Release:
    return open_release(made.out)


@pytest.fixture(scope="module")
def traces(release: Release) -> list[Trace]:
    """Every fact of everybody, by the release and the names in OUT/private alone."""
    facts = release.scan("facts").collect().partition_by("participant_id", as_dict=True)
    return [trace for (owner,), own in facts.items() for trace in _traces(release, str(owner), own)]


def _traces(release: Release, owner: str, own: pl.DataFrame) -> Iterator[Trace]:
    cells, files = Cells(release, owner), Files(owner, out_of(release.path))
    for fact in own.iter_rows(named=True):
        yield trace_fact(cells, files, fact)


def test_every_fact_resolves_to_a_cell_that_the_release_holds(traces: list[Trace], release: Release) -> None:
    assert len(traces) == release.scan("facts").select(pl.len()).collect().item() > 500
    for trace in traces:
        for step in steps_of(trace.cell):
            assert step.column in release.scan(step.table).collect_schema().names(), trace.fact_id


def test_what_comes_from_files_leads_to_files_by_their_real_names(traces: list[Trace], made: Made) -> None:
    told = Counter(origin.source for trace in traces for origin in origins_of(trace.cell))
    assert set(told) == {"fitbit", "labs", "surveys", "registry"}
    for trace in traces:
        if not any(True for _ in origins_of(trace.cell)):
            findings = trace.cell.table == "findings" and not trace.cell.rests_on
            assert findings or trace.fact_id.startswith(OF_NO_FILE), trace.fact_id
        for origin in origins_of(trace.cell):
            assert origin.name is not None
            if origin.source == "labs":
                assert (made.study / "labs" / trace.participant_id / origin.name).is_file()
            elif origin.source != "fitbit":
                folder = made.study / ("surveys" if origin.source == "surveys" else "")
                assert (folder / origin.name).is_file()


def test_every_member_is_in_the_archive(traces: list[Trace], made: Made) -> None:
    places = {
        (trace.participant_id, origin.name, origin.member)
        for trace in traces
        for origin in origins_of(trace.cell)
        if origin.source == "fitbit"
    }
    assert len(places) > 100
    archives: dict[Path, set[str]] = {}
    for owner, name, member in places:
        path = made.study / "fitbit" / owner / str(name)
        if path not in archives:
            archives[path] = set(zipfile.ZipFile(path).namelist())
        assert member in archives[path]


def test_a_fact_rests_on_days_whose_median_it_is(traces: list[Trace]) -> None:
    medians = [trace for trace in traces if ".median." in trace.fact_id]
    assert len(medians) > 100
    for trace in medians:
        (days,) = trace.cell.rests_on
        counted = [day.value for day in days.days if day.left_out is None]
        assert pl.Series(counted).median() == pytest.approx(trace.cell.value, abs=1e-4), trace.fact_id
        assert all(day.origins for day in days.days if day.left_out is None), trace.fact_id


def test_a_computed_result_rests_on_the_printed_ones(traces: list[Trace]) -> None:
    computed = [
        step for trace in traces for step in steps_of(trace.cell) if step.said.startswith("computed by us")
    ]
    assert computed
    for step in computed:
        assert len(step.rests_on) == len(step.said.split("; "))


def test_the_box_of_a_report_holds_what_is_printed(traces: list[Trace], made: Made) -> None:
    places = {
        (trace.participant_id, origin)
        for trace in traces
        for origin in origins_of(trace.cell)
        if origin.source == "labs"
    }
    assert len(places) > 30
    for owner, origin in sorted(places, key=lambda place: (place[0], str(place[1])))[::7]:
        with pdfplumber.open(made.study / "labs" / owner / str(origin.name)) as pdf:
            page = pdf.pages[(origin.page or 0) - 1]
            words = page.crop(origin.box or page.bbox, strict=False).extract_text() if page.chars else ""
        value = str(origin.printed).split()[-1]
        assert not words or value in words, origin


# ---- the rows themselves, where the study is at hand ----


@pytest.fixture(scope="module")
def person(release: Release, made: Made) -> tuple[Cells, Files]:
    return Cells(release, "P002"), Files("P002", out_of(release.path), made.study)


def test_rows_of_every_measure_are_found_on_its_days(person: tuple[Cells, Files]) -> None:
    cells, files = person
    last = cells.table("participants")["data_through"].item()
    measures = cells.table("value_sources")["metric"].unique().sort().to_list()
    assert len(measures) > 20
    for measure in measures:
        days = days_step(cells, files, measure, last - timedelta(days=2), last, "").days
        for day in days:
            for origin in day.origins:
                covered = origin.rule == "covered_day_without_row_is_zero"
                assert covered or origin.records, (measure, day.date)


def test_the_rows_of_a_day_add_up_to_its_steps(person: tuple[Cells, Files]) -> None:
    cells, files = person
    last = cells.table("participants")["data_through"].item()
    for day in days_step(cells, files, "steps", last - timedelta(days=4), last, "").days:
        lived = local_day(cells, day, "utc")
        minutes = [
            rows_of_day("steps", read_rows(file, origin.member)["steps"], lived)
            for origin in day.origins
            if (file := files.sent(origin.file_id)) is not None and origin.member is not None
        ]
        rows = pl.concat(minutes).unique("utc")
        assert rows["steps"].sum() == day.value


def test_a_day_value_stands_in_its_row(person: tuple[Cells, Files]) -> None:
    cells, files = person
    last = cells.table("participants")["data_through"].item()
    (day,) = days_step(cells, files, "sedentary_minutes", last, last, "").days
    (records,) = day.origins[0].records
    assert (records.kind, records.count, records.values[0]["sedentary_minutes"]) == (
        "sedentary_minutes",
        1,
        day.value,
    )
    assert len(records.numbers) == 1


def test_an_answer_stands_in_its_row_and_column(release: Release, made: Made) -> None:
    scores = release.scan("facts").filter(pl.col("topic") == "surveys").collect()
    fact = scores.row(0, named=True)
    owner = fact["participant_id"]
    files = Files(owner, out_of(release.path), made.study)
    trace = trace_fact(Cells(release, owner), files, fact)
    answers = [step for step in trace.cell.rests_on if step.table == "survey_answers"]
    assert answers
    for step in answers:
        (origin,) = step.origins
        (record,) = origin.records
        with (made.study / "surveys" / str(origin.name)).open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        row = rows[record.numbers[0] - 1]
        assert row[record.kind.removeprefix("column ")] == step.value


# ---- the command ----


def test_the_command_tells_it_in_words_and_as_json(made: Made) -> None:
    told = pha("trace", made.out, "--participant", "P002", "steps.median.last_7_days", "--study", made.study)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("Steps: ")
    assert "Global Export Data/steps-" in told.stdout
    assert " rows " in told.stdout
    as_json = pha("trace", made.out, "--participant", "P002", "steps.median.last_7_days", "--json")
    trace = json.loads(as_json.stdout)
    assert trace["fact_id"] == "steps.median.last_7_days"
    assert len(trace["cell"]["rests_on"][0]["days"]) == 7


def test_a_release_away_from_its_out_gives_no_name(made: Made, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.symlink_to(made.release)
    copied = Release(alone, *_of(open_release(made.out)))
    assert out_of(tmp_path / "releases" / "x") is None
    fact = find_fact(copied, "P002", "steps.median.last_7_days")
    trace = trace_fact(Cells(copied, "P002"), Files("P002"), fact)
    assert {origin.name for origin in _origins(trace.cell)} == {None}
    assert {origin.member for origin in _origins(trace.cell)} == {None}


def _of(release: Release) -> tuple:
    return release.as_of, release.kind, release.edition


def _origins(step: Step) -> list[Origin]:
    return list(origins_of(step))
