"""The gate: a sound release passes, and a fault of each kind stops one."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_release import PEOPLE, SETTINGS, Frames, content, published, rows

from outputs.gate import Check, read_check, run_gate
from outputs.gate_words import FAULTS, REMEDIES
from outputs.large_tables import SLICE_ROWS
from outputs.release_checks import enrolment, members_close, minute_files
from outputs.release_history import coverage, known_shares, magnitudes
from outputs.release_tables import link_minute_files, write_tables

# Whole releases pass great-expectations.
pytestmark = pytest.mark.slow

DRIFT = SETTINGS.drift
SECRET = "31337.75"
REPORTED = f": {REMEDIES['reference']}"


def written(out: Path, change: Callable[[Frames], None] | None = None, kind: str = "full") -> Path:
    """A release folder with its tables, before any check."""
    made = content(out, kind, change)
    folder = out / "written"
    write_tables(folder, kind, made.tables)
    link_minute_files(folder, kind, made.minute_files)
    return folder


def failed(checks: list[Check]) -> set[tuple[str, str, str]]:
    return {(check.table, check.check, check.subject) for check in checks if not check.passed}


def add(frames: Frames, table: str, *given: dict[str, Any]) -> None:
    frames[table] = pl.concat([frames[table], rows(table, *given)])


def put(frames: Frames, table: str, **columns: Any) -> None:
    """Overwrite columns, without the rounding and casting of a writer."""
    frames[table] = frames[table].with_columns(**columns)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published release that a later one is compared with."""
    return published(tmp_path_factory.mktemp("sound")).path


def every_fault(frames: Frames) -> None:
    """One fault of each kind, each in another table."""
    add(frames, "metrics", {"metric": "steps"})
    put(frames, "participants", time_zone=pl.lit(None, pl.String))
    put(frames, "summaries", status=pl.lit("nearly"))
    put(frames, "daily_summary", resting_heart_rate=pl.lit(float(SECRET)))
    add(frames, "facts", {"participant_id": "P9", "fact_id": "steps.median"})
    put(frames, "source_files", rows_staged=pl.lit(949, pl.Int64))
    put(frames, "lab_files", rows_read=pl.lit(5, pl.Int64))
    add(
        frames,
        "source_files",
        {
            "file_id": "f",
            "source": "labs",
            "rows_read": 1000,
            "rows_rejected": 600,
            "rows_staged": 400,
            "members_json": '{"members":3,"read":{"sleep":1},"ignored":{"never_read":1},"refused":{}}',
        },
    )
    add(
        frames,
        "insights",
        {"participant_id": "P2", "question_id": "q", "outcome": "answered", "statement": "It rose by 9."},
    )
    unverified = {"verdict": "no_such_fact", "sentence": "It rose by 9.", "text": "insight:q", "claim_no": 1}
    add(frames, "claims", {"participant_id": "P2", **unverified})
    put(frames, "participants", has_wearable=pl.col("participant_id") != "P3")


def test_a_sound_release_passes_every_check(sound: Path) -> None:
    checks = json.loads((sound / "data_docs" / "results.json").read_bytes())["checks"]
    assert all(check["passed"] and check["evaluated"] for check in checks)
    assert {check["check"] for check in checks} == {
        "declared_form",
        "reference",
        "counts_close",
        "minute_files",
        "enrolment",
        "rejected_share",
        "disclosure",
        "key_unique",
        "not_null",
        "allowed_words",
    }


@pytest.fixture(scope="module")
def faulty_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A written release with every fault."""
    return written(tmp_path_factory.mktemp("faulty"), every_fault)


@pytest.fixture(scope="module")
def faulty(faulty_folder: Path) -> list[Check]:
    """Its checks."""
    return run_gate(faulty_folder, "full", None, DRIFT)


def test_each_fault_is_found_by_its_own_check_and_by_no_other(faulty: list[Check]) -> None:
    assert failed(faulty) == {
        ("metrics", "key_unique", "metric"),
        ("declared_form", "declared_form", "metrics: primary_key"),
        ("participants", "not_null", "time_zone"),
        ("declared_form", "declared_form", "participants: time_zone|nullability"),
        ("summaries", "allowed_words", "status"),
        ("declared_form", "declared_form", "summaries: status|regex"),
        ("declared_form", "declared_form", "daily_summary: resting_heart_rate|max"),
        ("declared_form", "declared_form", "source_files: rows_close"),
        ("references", "reference", "facts.participant_id"),
        ("counts", "counts_close", "source_files.rows"),
        ("counts", "counts_close", "lab_files.rows"),
        ("counts", "counts_close", "source_files.members"),
        ("counts", "counts_close", "claims.unverified_in_text"),
        ("rejected", "rejected_share", "labs"),
        ("enrolment", "enrolment", "unaccounted"),
    }


def test_faults_are_counted(faulty: list[Check]) -> None:
    checks = {(check.check, check.subject): check for check in faulty}
    assert (checks["not_null", "time_zone"].unexpected, checks["not_null", "time_zone"].examined) == (3, 3)
    told = {str(check).removesuffix(REPORTED) for check in faulty if not check.passed}
    assert "keys that come twice: metrics.metric (2 of 2 rows)" in told
    assert "rows out of their declared form: daily_summary: resting_heart_rate|max (120 rows)" in told
    assert "rows that point at a row that is not there: facts.participant_id (1 row)" in told
    begun = [text.partition(": look")[0].partition(": find")[0] for text in told]
    assert (
        "people neither present nor explained: enrolled people without data and without a reason (1 person)"
        in begun
    )
    assert any("labs (60 % of its rows were rejected; allowed: at most 50 %): " in text for text in told)


def test_no_value_reaches_the_results(faulty: list[Check]) -> None:
    text = "\n".join(repr(check) for check in faulty)
    assert SECRET not in text
    assert "nearly" not in text
    assert "P9" not in text


# ---- tables too large for great-expectations ----


def verdicts(checks: list[Check]) -> list[tuple[str, str, str, bool]]:
    return sorted((check.table, check.check, check.subject, check.passed) for check in checks)


def test_a_table_counted_by_polars_gets_the_same_verdicts(faulty_folder: Path, faulty: list[Check]) -> None:
    counted = run_gate(faulty_folder, "full", None, DRIFT, shown_rows=0)
    assert verdicts(counted) == verdicts(faulty)
    told = {str(check).removesuffix(REPORTED) for check in counted if not check.passed}
    assert {
        "keys that come twice: metrics.metric (2 rows)",
        "empty cells that must not be: participants.time_zone (3 rows)",
        "words that are not declared: summaries.status (1 row)",
    } <= told
    assert not any("nearly" in repr(check) for check in counted)


# ---- enrolled = present + explained ----


def without_data(frames: Frames) -> None:
    put(frames, "participants", has_wearable=pl.col("participant_id") != "P3")


def test_a_person_without_data_and_without_a_reason_is_not_accounted_for(tmp_path: Path) -> None:
    counts = enrolment(written(tmp_path, without_data))
    assert counts == {"unaccounted": 1, "not_enrolled": 0}


EXPLANATIONS: dict[str, Callable[[Frames], None]] = {
    "a matter": lambda frames: add(frames, "attention", {"attention_id": "a", "participant_id": "P3"}),
    "a failed stage": lambda frames: add(
        frames, "run_ledger", {"participant_id": "P3", "stage": "labs", "state": "failed"}
    ),
    "work that waits": lambda frames: add(
        frames, "run_ledger", {"participant_id": "P3", "stage": "labs", "state": "pending"}
    ),
    "they left": lambda frames: put(
        frames,
        "participants",
        status=pl.when(participant_id="P3").then(pl.lit("withdrawn")).otherwise("status"),
    ),
    "lab results": lambda frames: put(frames, "participants", has_labs=pl.lit(True)),
    "an observation that begins after the as-of": lambda frames: put(
        frames, "participants", observed_from=pl.lit(date(2026, 6, 1)), observed_to=pl.lit(date(2026, 5, 20))
    ),
}


@pytest.mark.parametrize("explanation", EXPLANATIONS)
def test_a_person_without_wearable_data_is_accounted_for_by(tmp_path: Path, explanation: str) -> None:
    def change(frames: Frames) -> None:
        without_data(frames)
        EXPLANATIONS[explanation](frames)

    assert enrolment(written(tmp_path, change))["unaccounted"] == 0


def test_a_person_lost_on_the_way_is_not_accounted_for(tmp_path: Path) -> None:
    counts = enrolment(written(tmp_path, lambda frames: put_only(frames, "participants", "P1")))
    assert counts == {"unaccounted": 2, "not_enrolled": 0}


def test_a_person_out_of_nowhere_is_a_fault(tmp_path: Path) -> None:
    folder = written(tmp_path, lambda frames: add(frames, "participants", {"participant_id": "P9"}))
    assert enrolment(folder)["not_enrolled"] == 1


# ---- members of an archive ----


@pytest.mark.parametrize(
    ("members", "closes"),
    [
        ({"members": 4, "read": {"sleep": 2}, "ignored": {"never_read": 1}, "refused": {"too_big": 1}}, True),
        (
            {"members": 5, "read": {"sleep": 2}, "ignored": {"never_read": 1}, "refused": {"too_big": 1}},
            False,
        ),
        ({"members": 0}, True),
        ({"sleep": {"members": 2, "read": 2}, "other": {"members": 3, "ignored": 2}}, False),
        ({"read": {"sleep": 2}}, True),
    ],
)
def test_members_close(members: dict[str, Any], closes: bool) -> None:
    assert members_close(members) is closes


# ---- minute files ----


def spoil_minutes(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame], person: str = "P1") -> None:
    path = folder / "tables" / "heart_rate_minutes" / f"{person}.parquet"
    frame = pl.read_parquet(path)
    path.unlink()  # the file of the store stays as it is
    change(frame).write_parquet(path)


MINUTE_FAULTS: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], str]] = {
    "another type": (lambda frame: frame.with_columns(pl.col("samples").cast(pl.Int32)), "form"),
    "a column too few": (lambda frame: frame.drop("samples"), "form"),
    "an empty cell": (lambda frame: frame.with_columns(samples=pl.lit(None, pl.Int64)), "form"),
    "beyond the limits": (lambda frame: frame.with_columns(heart_rate=pl.lit(261.0)), "form"),
    "a key twice": (lambda frame: pl.concat([frame[:5], frame[4:]]), "keys"),
    "out of order": (lambda frame: frame.reverse(), "keys"),
    "rows of another": (lambda frame: frame.with_columns(participant_id=pl.lit("P3")), "participant"),
}


@pytest.mark.parametrize("fault", MINUTE_FAULTS)
def test_a_fault_of_a_minute_file_is_counted_by_polars(tmp_path: Path, fault: str) -> None:
    change, column = MINUTE_FAULTS[fault]
    folder = written(tmp_path)
    assert minute_files(folder, "full").select("form", "keys", "participant").sum().row(0) == (0, 0, 0)
    spoil_minutes(folder, change)
    found = minute_files(folder, "full")
    assert found.filter(participant_id="P1")[column][0] > 0
    assert found.filter(participant_id="P2").select("form", "keys", "participant").row(0) == (0, 0, 0)


def test_a_minute_file_of_nobody_is_a_fault(tmp_path: Path) -> None:
    folder = written(tmp_path, lambda frames: put_only(frames, "participants", "P2"))
    assert dict(minute_files(folder, "full").select("participant_id", "participant").iter_rows()) == {
        "P1": 1,
        "P2": 0,
    }


def put_only(frames: Frames, table: str, person: str) -> None:
    frames[table] = frames[table].filter(participant_id=person)


def test_faulty_minute_files_stop_the_release(tmp_path: Path) -> None:
    folder = written(tmp_path, kind="core")
    spoil_minutes(folder, MINUTE_FAULTS["a key twice"][0])
    assert failed(run_gate(folder, "core", None, DRIFT)) == {("minute_files", "minute_files", "keys")}


# ---- against the last release ----


def later_faults(frames: Frames) -> None:
    """Distances in another unit, values gone, people gone, more rows rejected."""
    put(frames, "daily_summary", steps=pl.col("steps") // 3)
    put(
        frames,
        "daily_summary",
        resting_heart_rate=pl.when(pl.col("date") < date(2026, 1, 15)).then("resting_heart_rate"),
    )
    put(frames, "source_files", rows_staged=pl.lit(800, pl.Int64), rows_rejected=pl.lit(200, pl.Int64))


@pytest.mark.parametrize("shown_rows", [SLICE_ROWS, 0], ids=["shown whole", "counted by Polars"])
def test_faults_against_the_last_release(tmp_path: Path, sound: Path, shown_rows: int) -> None:
    checks = run_gate(written(tmp_path, later_faults), "full", sound, DRIFT, shown_rows)
    assert failed(checks) == {
        ("daily_summary", "null_share", "resting_heart_rate"),
        ("magnitude", "magnitude", "daily_summary.steps"),
        ("rejected", "rejected_share", "fitbit"),
    }
    gone = next(check for check in checks if check.check == "null_share" and not check.passed)
    assert (gone.measured, gone.low) == (0.35, 0.75)
    told = {check.check: str(check) for check in checks if not check.passed}
    assert told["null_share"] == (
        "values gone missing since the last release: daily_summary.resting_heart_rate"
        " (35 % of its rows have a value; allowed: at least 75 %):"
        " compare the newest exports with older ones: a column may have another name or form"
    )
    assert told["rejected_share"].startswith(
        "too large a share of rows rejected: fitbit (20 % of its rows were rejected; allowed: at most "
    )
    assert told["magnitude"].startswith(
        "typical size has jumped since the last release: daily_summary.steps"
        " (0.33 times the typical size at the last release; allowed: at least 0.5 times, at most 2 times): "
    )


def with_ranks(factor: float) -> Callable[[Frames], None]:
    """Glucose of twelve people, in another unit for some."""

    def change(frames: Frames) -> None:
        given = (
            {"participant_id": f"Q{n}", "metric": "glucose", "window": "newest", "value": (90.0 + n) * factor}
            for n in range(12)
        )
        add(frames, "participant_percentiles", *given)

    return change


def test_a_drift_of_the_population_stops_a_release_unless_the_study_allows_it(tmp_path: Path) -> None:
    before = written(tmp_path / "before", with_ranks(1.0))
    now = written(tmp_path / "now", with_ranks(0.05551))
    drifted = [check for check in run_gate(now, "full", before, DRIFT) if check.check == "unit_jumps"]
    assert [(check.subject, check.passed, check.measured) for check in drifted] == [("glucose", False, 1.0)]
    assert str(drifted[0]) == (
        "values have changed as between two units since the last release: glucose"
        " (100 % of the people; allowed: at most 10 %): compare a few people's values with their exports or"
        " reports; if the data are right, set the limit in [drift] of study.toml"
    )
    allowed = run_gate(now, "full", before, DRIFT.model_copy(update={"unit_jumps": 1.0}))
    assert all(check.passed for check in allowed if check.check == "unit_jumps")


def test_every_check_has_words_and_a_remedy() -> None:
    assert FAULTS.keys() == REMEDIES.keys()
    for check in FAULTS:
        told = str(Check("t", check, "unaccounted", passed=False, measured=1, low=0.5))
        assert told.startswith(f"{FAULTS[check]}: enrolled people without data and without a reason (1")
        assert told.endswith(f": {REMEDIES[check]}")


def test_ranks_that_went_because_data_got_old_hold_no_release(tmp_path: Path) -> None:
    ranked = [
        {"participant_id": "P1", "metric": "steps", "window": f"w{n}", "value": 5.0, "rank": 50.0}
        for n in range(120)
    ]
    old = [{**row, "value": None, "rank": None, "no_rank_reason": "data_old"} for row in ranked]
    before = written(tmp_path / "before", lambda frames: add(frames, "participant_percentiles", *ranked))
    now = written(tmp_path / "now", lambda frames: add(frames, "participant_percentiles", *old))
    assert not [
        check
        for check in run_gate(now, "full", before, DRIFT)
        if check.check == "null_share" and not check.passed
    ]


def test_rows_gone_since_the_last_release(tmp_path: Path, sound: Path) -> None:
    folder = written(tmp_path, lambda frames: put_only(frames, "daily_summary", "P1"))
    assert failed(run_gate(folder, "full", sound, DRIFT)) == {("coverage", "coverage", "daily_summary")}


def test_days_not_worn_do_not_count_as_values_gone(tmp_path: Path, sound: Path) -> None:
    idle = [
        {"participant_id": person, "date": date(2026, 3, day), "day_state": "not_arrived"}
        for person in PEOPLE
        for day in range(1, 31)
    ]
    folder = written(tmp_path, lambda frames: add(frames, "daily_summary", *idle))
    assert failed(run_gate(folder, "full", sound, DRIFT)) == set()


def test_reasons_of_absence_may_empty_themselves(tmp_path: Path) -> None:
    asked = [
        {
            "participant_id": "P1",
            "instrument": "phq9",
            "event": "",
            "instance": n,
            "item": "one",
            "file_id": "file-P1",
        }
        for n in range(1, 121)
    ]

    def unanswered(frames: Frames) -> None:
        add(frames, "survey_answers", *({**row, "missing_reason": "not_answered"} for row in asked))

    def answered(frames: Frames) -> None:
        add(frames, "survey_answers", *({**row, "value": "1"} for row in asked))

    before = written(tmp_path / "before", unanswered)
    now = written(tmp_path / "now", answered)
    assert known_shares(before, "survey_answers").keys() == known_shares(now, "survey_answers").keys()
    assert "missing_reason" not in known_shares(before, "survey_answers")
    assert known_shares(now, "survey_answers")["value"] == 1


def test_too_few_rows_are_not_compared(tmp_path: Path) -> None:
    folder = written(tmp_path, lambda frames: put_only(frames, "daily_summary", "P1"))
    assert known_shares(folder, "daily_summary") == {}
    assert "daily_summary" not in coverage(folder, folder, "full")
    assert magnitudes(folder, folder, "full") == {}


# ---- reading great-expectations' results ----


def test_what_could_not_be_evaluated_has_not_passed() -> None:
    entry = {
        "success": False,
        "expectation_config": {"kwargs": {"column": "steps"}, "meta": {"check": "not_null"}},
        "result": {},
        "exception_info": {"('metric', ())": {"raised_exception": True, "exception_message": SECRET}},
    }
    check = read_check("daily_summary", entry, {})
    assert (check.passed, check.evaluated) == (False, False)
    assert str(check).startswith(
        "empty cells that must not be: daily_summary.steps (could not be evaluated): "
    )
    assert SECRET not in repr(check)


def test_the_gate_is_only_imported_when_it_is_run() -> None:
    program = (
        "import sys, outputs.release, outputs.verify, pha; sys.exit('great_expectations' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], check=False, cwd=Path(__file__).parents[2]).returncode
        == 0
    )
