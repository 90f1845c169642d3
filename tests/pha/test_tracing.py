"""Which fact is meant, which rows count for a day, and how a trace is told."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest
from click.testing import CliRunner
from made_release import published, rows

from ingest.fitbit.member_rows import LocalDay, rows_of_day
from pha.commands import trace
from pha.release_reader import Release, open_release
from pha.tracing import Cells, find_fact, whole_dossier
from pha.tracing.files import Files
from pha.tracing.insights import insight_grounds
from pha.tracing.records import local_day
from pha.tracing.step import Day, Origin, Records, Step, Trace
from pha.tracing.words import lines_of
from schemas.errors import PhaError
from schemas.table import empty
from schemas.tables import TABLES

DAY = date(2026, 3, 29)
MIDNIGHT = datetime(2026, 3, 29, tzinfo=UTC).replace(tzinfo=None)


def _facts(frames: dict[str, pl.DataFrame]) -> None:
    given = [
        ("steps.median.last_30_days", "Steps", "7,432 steps"),
        ("steps.median.whole", "Steps", "7,000 steps"),
        ("lab.ldl_cholesterol.value", "LDL cholesterol", "131 mg/dL"),
        ("steps.median", "Steps", "8,000"),
    ]
    made = [
        {"participant_id": person, "fact_id": name, "label": label, "rendered": shown}
        for person in ("P1", "P2", "P3")
        for name, label, shown in given
    ]
    frames["facts"] = rows("facts", *made)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    made = published(tmp_path_factory.mktemp("traced") / "out", change=_facts)
    return open_release(made.path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "fact_id"),
    [
        ("steps.median.whole", "steps.median.whole"),
        ("steps.median", "steps.median"),  # an id is an id, also where others begin like it
        ("ldl_cholesterol", "lab.ldl_cholesterol.value"),
        ("LDL cholesterol", "lab.ldl_cholesterol.value"),
        ("7,432", "steps.median.last_30_days"),
        ("7432", "steps.median.last_30_days"),
        ("131 mg/dL", "lab.ldl_cholesterol.value"),
        (" 131 ", "lab.ldl_cholesterol.value"),
    ],
)
def test_a_fact_is_found_by_id_name_or_number(release: Release, wanted: str, fact_id: str) -> None:
    assert find_fact(release, "P1", wanted)["fact_id"] == fact_id


def test_an_answer_of_an_own_question_leads_to_its_maker_and_the_days_its_plan_names() -> None:
    key = {"participant_id": "P1", "question_id": "walking"}
    fact = rows("facts", key | {"fact_id": "insight.walking.usual", "window_start": DAY, "window_end": DAY})
    answer = key | {"program_digest": "p" * 64, "plan": "Steps (summary_df.steps).", "written_by": "gemini-x"}
    tables = {
        "insights": rows("insights", answer | {"prompt_digest": "d" * 64}),
        "daily_summary": rows("daily_summary", {"participant_id": "P1", "date": DAY, "steps": 5}),
    }
    release = SimpleNamespace(scan=lambda name: tables.get(name, empty(TABLES[name])).lazy())
    cells, files = Cells(cast("Release", release), "P1"), Files("P1", None)
    found = insight_grounds(cells, files, fact.row(0, named=True), key)
    assert "written by gemini-x, prompts dddddddddddd" in found.said
    assert [(step.table, step.column) for step in found.rests_on] == [("daily_summary", "steps")]


@pytest.mark.slow
def test_what_is_not_clear_is_listed(release: Release) -> None:
    with pytest.raises(PhaError, match=r"3 facts:\n  steps.median\n  steps.median.last_30_days\n  "):
        find_fact(release, "P1", "steps")
    with pytest.raises(PhaError, match="fact_unknown") as unknown:
        find_fact(release, "P1", "99")
    assert "lab.ldl_cholesterol.value" in unknown.value.what
    with pytest.raises(PhaError, match="participant_unknown"):
        find_fact(release, "P9", "steps")


@pytest.mark.slow
def test_without_a_fact_the_whole_dossier_is_told(release: Release) -> None:
    run = CliRunner().invoke(trace.command, [str(release.path), "--participant", "P2"])
    assert run.exit_code == 0
    assert run.output.splitlines() == [
        "lab.ldl_cholesterol.value: 131 mg/dL",
        "steps.median: 8,000",
        "steps.median.last_30_days: 7,432 steps",
        "steps.median.whole: 7,000 steps",
    ]
    as_json = CliRunner().invoke(trace.command, [str(release.path), "--participant", "P2", "--json"])
    told = json.loads(as_json.output)
    assert (told["participant_id"], told["release"], len(told["facts"])) == ("P2", release.path.name, 4)
    assert told["facts"] == json.loads(json.dumps(whole_dossier(release, "P2")["facts"], default=str))
    assert "P1" not in as_json.output


@pytest.mark.slow
def test_a_core_release_has_no_facts(tmp_path: Path) -> None:
    core = open_release(published(tmp_path / "out", "core").path)
    with pytest.raises(PhaError, match="release_without_facts"):
        find_fact(core, "P1", "steps")


# ---- which rows count for a day ----


def _utc(*moments: str) -> pl.DataFrame:
    return pl.DataFrame({"utc": [datetime.fromisoformat(moment) for moment in moments]})


def test_instants_count_from_local_midnight_to_local_midnight() -> None:
    day = LocalDay(DAY, (MIDNIGHT - timedelta(hours=1), MIDNIGHT + timedelta(hours=22)))
    frame = _utc("2026-03-28T22:59", "2026-03-28T23:00", "2026-03-29T21:59", "2026-03-29T22:00")
    assert rows_of_day("steps", frame, day)["utc"].to_list() == frame["utc"].to_list()[1:3]
    assert rows_of_day("steps", frame, LocalDay(DAY, None)).is_empty()


def test_labels_stand_as_they_are_and_logs_go_by_their_id() -> None:
    day = LocalDay(DAY, None, sleep_ids=["7"])
    labels = pl.DataFrame({"date": [DAY, DAY + timedelta(days=1)]})
    assert rows_of_day("resting_heart_rate", labels, day).height == 1
    logs = pl.DataFrame({"sleep_id": ["7", "8"], "local": [MIDNIGHT, MIDNIGHT]})
    assert rows_of_day("sleep", logs, day)["sleep_id"].to_list() == ["7"]


def test_a_night_counts_for_the_day_it_ends_on() -> None:
    start = MIDNIGHT - timedelta(hours=2)
    frame = pl.DataFrame({"local": [start - timedelta(minutes=1), start, MIDNIGHT + timedelta(hours=6)]})
    day = LocalDay(DAY, None, nights={"local": (start, MIDNIGHT + timedelta(hours=6))})
    assert rows_of_day("hrv_details", frame, day).height == 2


def test_a_false_z_is_read_as_most_of_its_file_was() -> None:
    frame = pl.DataFrame({"stamp": [MIDNIGHT + timedelta(minutes=1), MIDNIGHT - timedelta(minutes=1)]})
    bounds = (MIDNIGHT - timedelta(hours=2), MIDNIGHT + timedelta(hours=22))
    assert rows_of_day("hrv_minutes_csv", frame, LocalDay(DAY, bounds, disputed="local")).height == 1
    assert rows_of_day("hrv_minutes_csv", frame, LocalDay(DAY, bounds, disputed="utc")).height == 2


def test_a_stated_offset_decides_by_itself() -> None:
    frame = pl.DataFrame({"utc": [MIDNIGHT - timedelta(minutes=30)] * 2, "offset": [60, 0]})
    assert rows_of_day("health_steps", frame, LocalDay(DAY, None))["offset"].to_list() == [60]


@pytest.mark.slow
def test_a_day_on_which_clocks_moved_has_both_offsets(tmp_path: Path) -> None:
    def spring(frames: dict[str, pl.DataFrame]) -> None:
        frames["daily_summary"] = rows(
            "daily_summary",
            *(
                {
                    "participant_id": person,
                    "date": DAY + timedelta(days=step),
                    "day_state": "worn",
                    "utc_offset_minutes": 60 if step < 0 else 120,
                    "tz_change": step == 0,
                }
                for person in ("P1", "P2", "P3")
                for step in (-1, 0, 1)
            ),
        )

    cells = Cells(open_release(published(tmp_path / "out", change=spring).path), "P1")
    lived = local_day(cells, Day(DAY, None, None, ()), "utc")
    assert lived.utc == (MIDNIGHT - timedelta(hours=1), MIDNIGHT + timedelta(hours=22))
    before = local_day(cells, Day(DAY - timedelta(days=1), None, None, ()), "utc")
    assert before.utc == (MIDNIGHT - timedelta(hours=25), MIDNIGHT - timedelta(hours=1))


# ---- words ----


def test_a_trace_is_told_step_by_step() -> None:
    records = Records("steps", 5, (1, 2, 3, 7, 9), ({"utc": MIDNIGHT, "steps": 4},))
    origin = Origin("fitbit", "f1", "a.zip", "m1", "Takeout/steps.json", "newer_export", records=(records,))
    days = (Day(DAY, 4, None, (origin,)), Day(DAY + timedelta(days=1), None, "no value", ()))
    below = Step("daily_summary", {"from": DAY}, "steps", "the days themselves", days=days)
    top = Step("participant_percentiles", {"participant_id": "P1"}, "value", "median", 4.0, rests_on=(below,))
    told = list(lines_of(Trace("r1", "P1", "steps.median.whole", "Steps", "4 steps", top)))
    assert told == [
        "Steps: 4 steps",
        "fact steps.median.whole of P1, release r1",
        "  participant_percentiles.value = 4",
        "    median",
        "    daily_summary.steps [from 2026-03-29]",
        "      the days themselves",
        "      2026-03-29: 4",
        "        from a.zip: Takeout/steps.json; rule newer_export",
        "          steps, 5 rows 1-3, 7, 9: utc 2026-03-29 00:00:00, steps 4 ...",
        "      2026-03-30: no value (not counted: no value)",
    ]


def test_long_windows_are_told_by_their_newest_days() -> None:
    days = tuple(Day(DAY + timedelta(days=n), n, None, ()) for n in range(40))
    top = Step("daily_summary", {}, "steps", "days", days=days)
    told = list(lines_of(Trace("r1", "P1", "f", "Steps", "4 steps", top)))
    assert "9 earlier days" in told[4]
    assert len(told) == 4 + 1 + 31


def test_without_names_ids_are_told() -> None:
    origin = Origin("fitbit", "f1", member_id="m1", rule="newer_export")
    top = Step("daily_summary", {}, "steps", "days", days=(Day(DAY, 4, None, (origin,)),))
    assert list(lines_of(Trace("r1", "P1", "f", "Steps", "4", top)))[-1] == (
        "      from file f1: member m1; rule newer_export"
    )
