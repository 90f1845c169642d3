"""Stages ingest and core of single people, and as-of between them."""

import json
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from small_study import AS_OF, Ingested, order_of, send

from outputs.decisions import Decision, append_decision
from outputs.store import COHORT, Result
from schemas.errors import PhaError
from tasks.as_of import decide_as_of
from tasks.core import core_one, ingested_of, piece_of
from tasks.decided_readings import lost_decisions
from tasks.ingest import ingest_one, ingest_surveys
from tasks.ledger import LedgerRow, keys_of
from tasks.order import Order
from tests.ingest.lab_pdfs import Sheet, draw

pytestmark = pytest.mark.slow


def on(order: Order, day: str, **changes: object) -> Order:
    return {**order, "as_of": day, **changes}  # pyright: ignore[reportReturnType]


def cores(run: Ingested, day: str) -> list[LedgerRow]:
    order = on(run.order, day)
    return [core_one(run.workspace, order, keys_of(run.rows), name) for name in run.ids]


class TestIngest:
    def test_a_bad_file_is_a_problem_and_the_stage_succeeds(self, study: Path) -> None:
        send(study, "fitbit/P1/takeout.zip", b"<html>Sign in</html>")
        order, workspace = order_of(study)
        rows = {row["stage"]: row for row in ingest_one(order, "P1")}
        assert {row["state"] for row in rows.values()} == {"done"}
        piece = workspace.store.find("fitbit", "P1", rows["fitbit"]["key"])
        assert piece is not None
        assert [problem["code"] for problem in piece.document["problems"]] == ["not_a_zip"]

    def test_nothing_new_is_read_of_a_withdrawn_person(self, study: Path) -> None:
        send(study, "fitbit/P3/takeout.zip", b"new")
        order, workspace = order_of(study)
        assert {row["state"] for row in ingest_one(order, "P3")} <= {"pending", "not_due"}
        assert not (workspace.store.root / "fitbit" / "P3").exists()

    def test_whom_the_run_does_not_cover_is_pending(self, study: Path) -> None:
        order, _ = order_of(study, only=["P1"])
        assert [row["state"] for row in ingest_one(order, "P2")] == ["pending", "pending"]

    def test_a_killed_process_is_a_failure_that_is_tried_again(self, study: Path) -> None:
        order, _ = order_of(study)
        assert [row["reason_code"] for row in ingest_one(order, "P1", "killed")] == ["process_died"] * 2
        assert [row["state"] for row in ingest_one(order, "P1")] == ["done", "done"]

    def test_surveys_are_of_the_cohort_whomever_the_run_covers(self, study: Path) -> None:
        (row,) = ingest_surveys.fn(order_of(study, only=["P1"])[0])
        assert (row["participant_id"], row["state"]) == (COHORT, "done")

    def test_a_second_time_nothing_is_done(self, ingested: Ingested) -> None:
        again = [row for name in ingested.ids for row in ingest_one(ingested.order, name)]
        assert {row["state"] for row in again} == {"reused"}
        assert keys_of(again).items() <= keys_of(ingested.rows).items()


class TestAsOf:
    def test_a_given_date_is_kept(self, study: Path) -> None:
        order, _ = order_of(study, as_of=date(2026, 1, 2))
        assert decide_as_of.fn(order, {}) == order

    def test_else_it_is_the_newest_day_that_arrived_of_any_kind(self, ingested: Ingested) -> None:
        order, keys, store = ingested.order, keys_of(ingested.rows), ingested.workspace.store
        days: list[date] = []
        for stage, owners in keys.items():
            pieces = [piece for owner, key in owners.items() if (piece := store.find(stage, owner, key))]
            days += [date.fromisoformat(p.document["arrived_through"]) for p in pieces if stage == "fitbit"]
            for table, column in (("lab_results", "collected_date"), ("survey_answers", "answered_on")):
                days += store.scan(pieces, table).collect()[column].drop_nulls().to_list()
        assert decide_as_of.fn(order, keys)["as_of"] == max(days).isoformat()

    def test_a_draw_later_than_the_wearable_counts(self, ingested: Ingested) -> None:
        labs = {"labs": keys_of(ingested.rows)["labs"]}
        decided = decide_as_of.fn(ingested.order, labs)["as_of"]
        assert decided is not None
        assert decided <= (decide_as_of.fn(ingested.order, keys_of(ingested.rows))["as_of"] or "")

    def test_without_any_data_there_is_nothing_to_publish(self, study: Path) -> None:
        order, _ = order_of(study, as_of=None)
        with pytest.raises(PhaError, match="nothing_to_publish"):
            decide_as_of.fn(order, {})

    def test_failed_work_says_nothing(self, study: Path) -> None:
        order, workspace = order_of(study, as_of=None)
        workspace.store.put_failure("fitbit", "P1", "k", PhaError("process_died"))
        with pytest.raises(PhaError, match="nothing_to_publish"):
            decide_as_of.fn(order, {"fitbit": {"P1": "k"}})


class TestCore:
    def test_an_earlier_as_of_is_another_piece_cut_there(self, ingested: Ingested) -> None:
        late, early = cores(ingested, "2026-06-28")[0], cores(ingested, "2026-06-22")[0]
        assert late["key"] != early["key"]
        piece = ingested.workspace.store.find("core", early["participant_id"], early["key"])
        assert piece is not None
        days = ingested.workspace.store.scan([piece], "daily_summary").collect()["date"]
        assert days.max() == date(2026, 6, 22)

    def test_the_same_as_of_is_found_again(self, ingested: Ingested) -> None:
        cores(ingested, "2026-06-27")
        assert {row["state"] for row in cores(ingested, "2026-06-27")} == {"reused"}

    def test_a_persons_answers_are_theirs_alone(self, ingested: Ingested) -> None:
        keys, workspace = keys_of(ingested.rows), ingested.workspace
        surveys = piece_of(workspace, keys, "surveys", "P001")
        assert surveys is not None
        assert surveys.owner == COHORT
        answers = ingested_of(workspace, [surveys], "P001").table("survey_answers").collect()
        assert answers["participant_id"].unique().to_list() == ["P001"]
        assert workspace.store.scan([surveys], "survey_answers").collect()["participant_id"].n_unique() == 2

    def test_answers_of_others_do_not_make_it_again(self, ingested: Ingested) -> None:
        workspace, keys = ingested.workspace, keys_of(ingested.rows)
        piece = piece_of(workspace, keys, "surveys", "P001")
        assert piece is not None
        frames = {name: workspace.store.scan([piece], name).collect() for name in piece.tables}
        own = {
            name: frame.filter(pl.col("participant_id") == "P001")
            for name, frame in frames.items()
            if "participant_id" in frame.columns
        }
        workspace.store.put("surveys", COHORT, "own-only", Result({**frames, **own}, piece.document))
        order = on(ingested.order, "2026-06-28")
        changed = {**keys, "surveys": {COHORT: "own-only"}}
        of_one = [core_one(workspace, order, these, "P001")["key"] for these in (keys, changed)]
        of_other = [core_one(workspace, order, these, "P002")["key"] for these in (keys, changed)]
        assert of_one[0] == of_one[1]
        assert of_other[0] != of_other[1]

    def test_a_run_that_does_not_cover_someone_finds_or_leaves_them(self, ingested: Ingested) -> None:
        order = on(ingested.order, "2026-06-19", only=["P001"])
        assert core_one(ingested.workspace, order, keys_of(ingested.rows), "P002")["state"] == "pending"

    def test_someone_without_any_file_has_core_tables_too(self, study: Path) -> None:
        order, workspace = order_of(study)
        keys = keys_of(ingest_one(order, "P1"))
        row = core_one(workspace, order, keys, "P1")
        piece = workspace.store.find("core", "P1", row["key"])
        assert piece is not None
        person = workspace.store.scan([piece], "participants").collect()
        assert person.select("participant_id", "has_wearable", "data_through").row(0) == ("P1", False, None)

    def test_the_whole_registry_row_of_a_person_counts(self, ingested: Ingested, tmp_path: Path) -> None:
        order, workspace = order_of(_moved(ingested, tmp_path))
        before = core_one(
            ingested.workspace, on(ingested.order, AS_OF.isoformat()), keys_of(ingested.rows), "P001"
        )
        keys = keys_of(row for name in ingested.ids for row in ingest_one(order, name))
        keys["surveys"] = keys_of(ingest_surveys.fn(order))["surveys"]
        assert core_one(workspace, order, keys, "P001")["key"] != before["key"]


def _moved(run: Ingested, folder: Path) -> Path:
    """The same study, but P001 is registered at another site."""
    study = folder / "study"
    study.mkdir()
    for path in run.workspace.study.root.iterdir():
        (study / path.name).symlink_to(path)
    registry = (study / "participants.csv").read_text().splitlines()
    place = registry[0].split(",").index("site")
    lines = [registry[0]]
    for line in registry[1:]:
        cells = line.split(",")
        cells[place] = "elsewhere" if cells[0] == "P001" else cells[place]
        lines.append(",".join(cells))
    (study / "participants.csv").unlink()
    (study / "participants.csv").write_text("\n".join(lines) + "\n")
    return study


def test_an_alert_does_not_wait_for_the_other_participants(study: Path) -> None:
    """An unread report is told as soon as its own participant was looked at."""
    send(study, "labs/P2/report.pdf", b"")
    order, workspace = order_of(study)
    ingest_one(order, "P2")
    told = [json.loads(path.read_text()) for path in (workspace.out / "alerts").glob("*.json")]
    assert [(alert["participant_id"], alert["code"]) for alert in told] == [("P2", "lab_pdf_empty")]


def test_a_decision_on_a_reading_counts_from_the_next_run_on(study: Path) -> None:
    """Only the participant's own lab piece is made anew; a decision on a lost report is told."""
    rows = [("Test", "Result", "Units", "Reference"), ("Sodium", "1390", "mmol/L", "135-146")]
    head = ("LOVELACE, ADA", "DOB: 02/03/1990 Sex: F", "Collected: 03/14/2026 08:10")
    (study / "labs" / "P1").mkdir(parents=True, exist_ok=True)
    draw(study / "labs" / "P1" / "a.pdf", Sheet(rows, head=head))
    order, workspace = order_of(study)
    before = {row["stage"]: row for row in ingest_one(order, "P1")}
    piece = workspace.store.find("labs", "P1", before["labs"]["key"])
    assert piece is not None
    doubtful = workspace.store.scan([piece], "lab_review").collect().row(0, named=True)
    target = f"{doubtful['file_id']}:{doubtful['row_no']}"
    for decided in (target, f"{'ab' * 16}:1"):
        append_decision(
            study / "decisions.csv",
            Decision(
                "correct", decided, "Kim", AS_OF, expect="Sodium: 1390 mmol/L", value="sodium 139 mmol/L"
            ),
        )
    order, workspace = order_of(study)
    after = {row["stage"]: row for row in ingest_one({**order, "started": "later"}, "P1")}
    assert after["fitbit"]["key"] == before["fitbit"]["key"]
    piece = workspace.store.find("labs", "P1", after["labs"]["key"])
    assert piece is not None
    (row,) = workspace.store.scan([piece], "lab_results").collect().to_dicts()
    assert (row["value_num"], row["review_reasons"]) == (139.0, "corrected_by_decision")
    assert piece.document["problems"] == []
    assert [(p.code, p.subject) for p in lost_decisions(workspace)] == [
        ("decision_outdated", f"{'ab' * 16}:1")
    ]
