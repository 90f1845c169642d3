"""pha diff: what changed in tables, findings and texts, and because of what."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_release import DAYS, PEOPLE, SETTINGS, Frames, frames, minute_files, rows

from outputs.datapackage import describe_file
from outputs.digests import file_sha256
from outputs.release_diff import compare_releases, lines_of
from outputs.release_diff.causes import causes, redone
from outputs.release_diff.makers import changed_statements
from outputs.release_diff.people import Change, person_changes
from outputs.release_diff.tables import COHORT, TableDiff, compare_tables, joined
from outputs.release_tables import write_tables
from schemas.errors import PhaError

SECTIONS = '[{"sentences":[{"text":"8,000 steps."},{"text":"%s"}]}]'


def _changed(frames: Frames) -> None:
    """P1 walked more on one day, P2 has a day less, and P3 another file, fact, finding and sentence."""
    days = frames["daily_summary"]
    first = (pl.col("participant_id") == "P1") & (pl.col("date") == date(2026, 1, 1))
    last = (pl.col("participant_id") == "P2") & (pl.col("date") == days["date"].max())
    frames["daily_summary"] = days.filter(~last).with_columns(
        steps=pl.when(first).then(pl.lit(9999, pl.Int64)).otherwise("steps")
    )
    of_p3 = pl.col("participant_id") == "P3"
    facts = frames["facts"]
    frames["facts"] = facts.with_columns(rendered=pl.when(of_p3).then(pl.lit("9,000")).otherwise("rendered"))
    files = frames["source_files"]
    other = files.filter(of_p3).with_columns(file_id=pl.lit("file-new"), content_digest=pl.lit("new"))
    frames["source_files"] = pl.concat([files.filter(~of_p3), other])
    frames["findings"] = _finding("fired", "Steps are few.")
    frames["summaries"] = _summary("9,000 now.")


def _finding(outcome: str, statement: str) -> pl.DataFrame:
    row = {"participant_id": "P3", "rule_id": "few_steps", "subject": "steps", "statement": statement}
    return rows("findings", row | {"outcome": outcome, "evidence_json": '{"inputs":[],"limits":{}}'})


def _summary(sentence: str) -> pl.DataFrame:
    return rows(
        "summaries",
        {"participant_id": "P3", "reader": "clinician", "sections_json": SECTIONS % sentence},
    )


def _first(frames: Frames) -> None:
    frames["findings"] = _finding("normal", "Steps are many.")
    frames["summaries"] = _summary("Nothing else.")


def _release(folder: Path, change: Callable[[Frames], None], inputs: dict[str, str], **told: Any) -> Path:
    """A release folder as far as it is compared: tables and run.json."""
    made = frames("full")
    change(made)
    write_tables(folder, "full", {name: frame.lazy() for name, frame in made.items()})
    settings = SETTINGS.model_dump(mode="json")
    run = {"kind": "full", "as_of": "2026-02-09", "edition": "2026-02", "settings": settings, "about": {}}
    paths = sorted(folder.rglob("*.parquet"))
    digests = {str(path.relative_to(folder)): describe_file(folder, path) for path in paths}
    run |= {"identity": {"inputs": inputs}, "tables": digests}
    (folder / "run.json").write_text(json.dumps(run | told, default=str))
    return folder


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    inputs = {f"{stage}/{person}": "1" for stage in ("fitbit", "dossier") for person in PEOPLE}
    folder = tmp_path_factory.mktemp("diff") / "before"
    about = {"versions": {"polars": "1"}, "prompts": {"the writer of summaries": "a"}}
    known = ["acknowledge m1, 2026-01-01", "accept f1:2, 2026-01-02"]
    about = {**about, "code": {"the program": "x"}, "decisions": known}
    return _release(folder, _first, {**inputs, "decisions": "d"}, about=about)


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> Path:
    inputs = {f"{stage}/{person}": "1" for stage in ("fitbit", "dossier") for person in PEOPLE}
    inputs |= {"fitbit/P3": "2", "dossier/P3": "2", "dossier/P1": "2", "decisions": "e"}
    folder = tmp_path_factory.mktemp("diff") / "now"
    about = {"versions": {"polars": "2"}, "prompts": {"the writer of summaries": "b"}}
    known = ["acknowledge m1, 2026-01-01", "correct f1:2, 2026-01-03"]
    about = {**about, "code": {"the program": "y"}, "decisions": known}
    return _release(folder, _changed, inputs, edition="2026-03", about=about)


def _by_name(tables: tuple[TableDiff, ...] | list[TableDiff]) -> dict[str, TableDiff]:
    return {table.table: table for table in tables}


def test_rows_are_counted_by_fate_column_and_person(before: Path, now: Path) -> None:
    tables = _by_name(compare_releases(before, now).tables)
    days = tables["daily_summary"]
    assert (days.rows_before, days.rows_now) == (DAYS * 3, DAYS * 3 - 1)
    assert (days.added, days.removed, days.changed) == (0, 1, 1)
    assert days.columns == {"steps": 1}
    assert days.people == {"P1": (0, 0, 1), "P2": (0, 1, 0)}
    assert tables["source_files"].people == {"P3": (1, 1, 0)}
    assert set(tables) == {"daily_summary", "source_files", "facts", "findings", "summaries"}


def test_causes_are_named_with_what_they_were(before: Path, now: Path) -> None:
    told = {(cause.what, cause.before, cause.now) for cause in compare_releases(before, now).causes}
    assert told == {
        ("files: 1 new, 1 gone, of 1 participants", None, None),
        ("edition", "2026-02", "2026-03"),
        ("decisions of people (decisions.csv)", None, None),
        ("new decision: correct f1:2, 2026-01-03", None, None),
        ("decision taken back: accept f1:2, 2026-01-02", None, None),
        ("source of the program", "x", "y"),
        ("version of polars", "1", "2"),
        ("prompt of the writer of summaries", "a", "b"),
    }


def test_a_setting_is_named_as_in_study_toml() -> None:
    run = {"as_of": "a", "edition": None, "identity": {"inputs": {}}, "about": {}}
    old = run | {"settings": {"windows": {"main": 30, "days": [7, 30]}, "surveys": {"files": {}}}}
    new = run | {"settings": {"windows": {"main": 30, "days": [7]}, "surveys": {"files": {"a": 1}}}}
    assert [(c.what, c.before, c.now) for c in causes(old, new)] == [
        ("setting surveys.files", {}, None),
        ("setting surveys.files.a", None, 1),
        ("setting windows.days", [7, 30], [7]),
    ]


def test_stages_are_told_in_the_order_of_the_work(before: Path, now: Path) -> None:
    runs = [json.loads((path / "run.json").read_text()) for path in (before, now)]
    assert redone(*runs) == {"P3": ["fitbit", "dossier"], "P1": ["dossier"]}
    assert compare_releases(before, now).stages == {"fitbit": 1, "dossier": 2}


def test_a_person_is_told_by_file_finding_fact_and_sentence(before: Path, now: Path) -> None:
    people = {person.participant_id: person for person in compare_releases(before, now).told}
    assert set(people) == {"P1", "P2", "P3"}
    changes = people["P3"].changes
    assert Change("finding", "few_steps.steps", "normal: Steps are many.", "fired: Steps are few.") in changes
    assert Change("fact", "steps.median", "8,000", "9,000") in changes
    assert Change("text", "for the clinician", "Nothing else.", None, ("data",)) in changes
    assert Change("text", "for the clinician", None, "9,000 now.", ("data",)) in changes
    assert [c.name for c in changes if c.what == "file"] == ["file-P3", "file-new"]
    assert not [c for c in changes if "8,000 steps." in (c.before, c.now)]


def test_people_with_most_changed_rows_come_first(before: Path, now: Path) -> None:
    told = compare_releases(before, now).told
    assert [person.participant_id for person in told] == ["P3", "P1", "P2"]


def test_one_participant_can_be_asked_for(before: Path, now: Path) -> None:
    diff = compare_releases(before, now, "P2")
    assert [(person.participant_id, person.rows) for person in diff.told] == [("P2", 1)]
    with pytest.raises(PhaError, match="participant_unknown"):
        compare_releases(before, now, "P9")


def test_a_release_against_itself_has_no_difference(before: Path) -> None:
    diff = compare_releases(before, before)
    assert diff.is_same
    assert (diff.causes, diff.told, diff.people) == ((), (), 0)
    assert "Every table holds the same." in list(lines_of(diff))


def test_the_way_back_swaps_added_and_removed(before: Path, now: Path) -> None:
    there, back = (_by_name(compare_releases(*pair).tables) for pair in ((before, now), (now, before)))
    assert set(there) == set(back)
    for name, table in there.items():
        assert (table.added, table.removed, table.changed) == (
            back[name].removed,
            back[name].added,
            back[name].changed,
        )


def test_no_release_is_a_coded_fault(before: Path, tmp_path: Path) -> None:
    with pytest.raises(PhaError, match="release_missing"):
        compare_releases(before, tmp_path)


def test_words_are_bounded_and_a_summary_comes_first(before: Path, now: Path) -> None:
    told = list(lines_of(compare_releases(before, now)))
    assert told[0] == f"from {before.name}"
    assert told.index("Because of") < told.index("Tables") < told.index("3 participants have other rows.")
    assert "  edition: 2026-02 -> 2026-03" in told
    assert "  daily_summary: 120 -> 119 rows; 1 removed, 1 changed" in told
    assert "  other texts, as: data changed 1" in told
    assert "  text for the clinician (data changed)" in told
    assert max(map(len, told)) < 200


# ---- what made an answer or a text another one ----

MADE = {"written_by": "rules", "prompt_digest": None, "result_version": 1}
ANSWER = {"participant_id": "P1", "question_id": "q", "statement": "a", "program_digest": "x", **MADE}
TEXT = {"participant_id": "P1", "reader": "clinician", **MADE}


def _only_table(folder: Path, table: str, *held: dict[str, Any]) -> list[Path]:
    """Releases that hold a row of one table and nothing else."""
    made = []
    for number, row in enumerate(held):
        made.append(folder / f"{table}{number}")
        (made[-1] / "tables").mkdir(parents=True)
        rows(table, row).write_parquet(made[-1] / "tables" / f"{table}.parquet")
    return made


def test_an_answer_is_told_with_what_made_it_another_one(tmp_path: Path) -> None:
    changes = {
        ("model", "prompt"): {"written_by": "gemini-2.5-pro", "prompt_digest": "p"},
        ("prompt", "plan", "program"): {"prompt_digest": "q", "plan": "other", "program_digest": "y"},
        ("question",): {"question": "Another?"},
        ("program",): {"program_digest": "z"},
        ("code",): {"result_version": 2},
        ("data",): {},
    }
    held = [ANSWER | {"statement": "b"} | change for change in changes.values()]
    before, *others = _only_table(tmp_path, "insights", ANSWER, *held)
    for told, now in zip(changes, others, strict=True):
        assert changed_statements(before, now) == {"insights": dict.fromkeys(sorted(told), 1)}
        assert person_changes(before, now, ["P1"])["P1"] == [Change("answer", "q", "a", "b", told)]


def test_a_text_is_told_with_what_made_it_another_one(tmp_path: Path) -> None:
    old, new = TEXT | {"sections_json": SECTIONS % "Old."}, TEXT | {"sections_json": SECTIONS % "New."}
    before, *others = _only_table(
        tmp_path, "summaries", old, new, new | {"written_by": "m"}, old | {"written_by": "m"}
    )
    told = [changed_statements(before, now) for now in others]
    assert told == [{"summaries": {"data": 1}}, {"summaries": {"model": 1}}, {}]
    changes = person_changes(before, others[1], ["P1"])["P1"]
    assert [change.because for change in changes] == [("model",), ("model",)]


def test_an_answer_of_one_release_only_has_no_cause(tmp_path: Path) -> None:
    before, now = _only_table(tmp_path, "insights", ANSWER, ANSWER | {"question_id": "r"})
    assert changed_statements(before, now) == {}
    assert [change.because for change in person_changes(before, now, ["P1"])["P1"]] == [(), ()]


def test_what_an_older_release_does_not_tell_is_no_cause(tmp_path: Path) -> None:
    before, now = _only_table(tmp_path, "insights", ANSWER, ANSWER | {"statement": "b", "prompt_digest": "p"})
    path = before / "tables" / "insights.parquet"
    pl.read_parquet(path).drop("prompt_digest", "result_version").write_parquet(path)
    assert changed_statements(before, now) == {"insights": {"data": 1}}
    run = {"as_of": "a", "edition": None, "settings": {}, "identity": {"inputs": {}}}
    programs = {"about": {"programs": {"q": "x"}}}
    assert causes(run | {"about": {}}, run | programs) == []
    assert [c.what for c in causes(run | programs, run | {"about": {"programs": {"q": "y"}}})] == [
        "program of the question q"
    ]


# ---- tables of one file a participant, and other columns ----


def _files(folder: Path, table: str, frames: dict[str, pl.DataFrame]) -> dict[str, dict[str, object]]:
    told: dict[str, dict[str, object]] = {}
    for name, frame in frames.items():
        place = f"{table}/{name}" if name else table
        path = folder / "tables" / f"{place}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        frame.write_parquet(path)
        told[str(path.relative_to(folder))] = {"rows": frame.height, "hash": file_sha256(path)}
    return told


def _only(tables: list[TableDiff]) -> TableDiff:
    (table,) = [table for table in tables if not table.is_same]
    return table


def test_minutes_are_compared_file_by_file(tmp_path: Path) -> None:
    paths = minute_files(tmp_path)["heart_rate_minutes"]
    minutes = pl.read_parquet(paths["P1"])
    other = minutes.with_columns(heart_rate=pl.col("heart_rate") + 1).head(7)
    old = _files(tmp_path / "a", "heart_rate_minutes", {"P1": minutes, "P2": minutes})
    new = _files(tmp_path / "b", "heart_rate_minutes", {"P1": other, "P2": minutes, "P3": minutes.head(2)})
    table = _only(compare_tables(tmp_path / "a", tmp_path / "b", (old, new), "core"))
    assert (table.rows_before, table.rows_now) == (20, 19)
    assert (table.added, table.removed, table.changed) == (2, 3, 7)


def test_columns_of_another_version_are_named_and_left_out(tmp_path: Path) -> None:
    days = rows("daily_summary", {"participant_id": "P1", "date": date(2026, 1, 1), "steps": 5})
    old = _files(tmp_path / "a", "daily_summary", {"": days.drop("weight_kg")})
    new = _files(tmp_path / "b", "daily_summary", {"": days.drop("floors")})
    table = _only(compare_tables(tmp_path / "a", tmp_path / "b", (old, new), "core"))
    assert (table.new_columns, table.lost_columns) == (("weight_kg",), ("floors",))
    assert (table.added, table.removed, table.changed) == (0, 0, 0)


def test_another_key_is_said_and_not_guessed(tmp_path: Path) -> None:
    days = rows("daily_summary", {"participant_id": "P1", "date": date(2026, 1, 1)})
    old = _files(tmp_path / "a", "daily_summary", {"": days.rename({"date": "day"})})
    new = _files(tmp_path / "b", "daily_summary", {"": days})
    table = _only(compare_tables(tmp_path / "a", tmp_path / "b", (old, new), "core"))
    assert "key changed" in str(table.note)


def test_rows_of_nobody_are_the_cohorts(tmp_path: Path) -> None:
    files = rows("source_files", {"file_id": "a", "source": "surveys"}, {"file_id": "b", "source": "surveys"})
    old = _files(tmp_path / "a", "source_files", {"": files.head(1)})
    new = _files(tmp_path / "b", "source_files", {"": files})
    assert _only(compare_tables(tmp_path / "a", tmp_path / "b", (old, new), "core")).people == {
        COHORT: (1, 0, 0)
    }


def _people(count: int) -> Iterator[dict[str, object]]:
    for number in range(count):
        yield {"participant_id": f"P{number:04}", "date": date(2026, 1, 1), "steps": number}


def test_many_people_are_compared_part_by_part_to_the_same_counts(tmp_path: Path) -> None:
    days = rows("daily_summary", *_people(450))
    moved = days.filter(pl.col("steps") != 17).with_columns(steps=pl.col("steps") // 2 * 2)
    old = _files(tmp_path / "a", "daily_summary", {"": days})
    new = _files(tmp_path / "b", "daily_summary", {"": moved})
    table = _only(compare_tables(tmp_path / "a", tmp_path / "b", (old, new), "core"))
    odd = 450 // 2 - 1  # one of them is gone
    assert (table.added, table.removed, table.changed, table.columns) == (0, 1, odd, {"steps": odd})


def test_a_null_is_a_value_of_its_own() -> None:
    old = pl.LazyFrame({"key": ["a", None], "value": [None, 1]})
    new = pl.LazyFrame({"key": ["a", None], "value": [1, None]})
    both = joined(old, new, ["key"]).collect()
    assert both.height == 2
    assert both["was"].all()
    assert both["is"].all()
