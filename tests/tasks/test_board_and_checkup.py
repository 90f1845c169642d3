"""Alerts are raised right after ingest; the board tells how far a run is; a dry run tells what is wrong."""

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_study import TOML, Ingested, order_of, send, write_study

from outputs.board import alert_lines, status_lines
from outputs.board_state import Held
from schemas.errors import PhaError
from tasks.board import progress, raise_alerts, renew_board, show_end, started
from tasks.checkup import Checkup, check_up
from tasks.failure import show_failure
from tasks.ingest import ingest_one, ingest_surveys
from tasks.ledger import LedgerRow
from tasks.order import Order
from tasks.path_case import path_case_problems
from tasks.workspace import folder_problems, open_workspace


def row(stage: str, state: str, participant_id: str = "P1") -> LedgerRow:
    return LedgerRow(
        participant_id=participant_id, stage=stage, key="", state=state, reason_code=None, seconds=0.0
    )


def ingest_all(order: Order) -> list[LedgerRow]:
    return [found for name in ("P1", "P2", "P3") for found in ingest_one(order, name)] + ingest_surveys.fn(
        order
    )


def alerts(out: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((out / "alerts").glob("*.json"))]


def told_alerts(out: Path) -> set[str]:
    """The ids of the alerts on the board in OUT."""
    matters = json.loads((out / "status.json").read_text())["matters"]
    return {matter["attention_id"] for matter in matters if matter["kind"] == "alert"}


def send_phq9(study: Path, *people: str) -> None:
    """A PHQ-9 whose item 9 each of the people answered with 2."""
    titles = (
        "Variable / Field Name,Form Name,Field Type,Field Label,"
        '"Choices, Calculations, OR Slider Labels",Text Validation Type OR Show Slider Number,'
        "Text Validation Min,Text Validation Max,Identifier?"
    )
    item = 'phq9_9,phq9,radio,Thoughts,"0, No | 1, Few | 2, More | 3, Most",,,,'
    fields = "\n".join((titles, "record_id,phq9,text,Record,,,,,", item))
    send(study, "surveys/dictionary.csv", fields.encode())
    rows = "".join(f"{person},2026-06-01 10:00:00,2,2\n" for person in people)
    send(study, "surveys/answers.csv", f"record_id,phq9_timestamp,phq9_9,phq9_complete\n{rows}".encode())


class TestAlerts:
    def test_an_unreadable_report_is_an_alert_before_any_other_stage(self, study: Path) -> None:
        send(study, "labs/P1/Ada Lovelace.pdf", b"")
        order, workspace = order_of(study)
        renew_board.fn(order, ingest_all(order))
        (alert,) = alerts(workspace.out)
        assert (alert["participant_id"], alert["code"]) == ("P1", "lab_pdf_empty")
        assert not (workspace.store.root / "core").exists()
        board = (workspace.out / "index.html").read_text()
        assert "P1" in board
        assert "Ada" not in board + json.dumps(alert)

    def test_it_is_raised_once(self, study: Path) -> None:
        send(study, "labs/P1/report.pdf", b"")
        order, workspace = order_of(study)
        rows = ingest_all(order)
        for _ in range(2):
            renew_board.fn(order, rows)
        assert len(alerts(workspace.out)) == 1

    def test_people_who_left_the_study_raise_none(self, study: Path) -> None:
        send(study, "labs/P1/report.pdf", b"")
        people = (study / "participants.csv").read_text()
        (study / "participants.csv").write_text(people.replace("1990-02-03,active", "1990-02-03,excluded"))
        order, workspace = order_of(study)
        assert raise_alerts(workspace, ingest_all(order)) == ([], [])
        assert alerts(workspace.out) == []

    def test_alerts_of_a_run_whose_release_is_held_are_on_the_board(self, study: Path) -> None:
        order, workspace = order_of(study)
        show_end(workspace, started(order), ingest_all(order))
        assert told_alerts(workspace.out) == set()
        send_phq9(study, "P1", "P2")
        send(study, "labs/P1/report.pdf", b"")
        order, workspace = order_of(study)
        held = Held("2026-06-30-full-fff", "It was held back.", "Read the checks.")
        show_end(workspace, started(order), ingest_all(order), [held])
        raised = {alert["alert_id"] for alert in alerts(workspace.out)}
        assert len(raised) == 3
        assert told_alerts(workspace.out) == raised
        lines = "\n".join(status_lines(workspace.out, datetime.now(UTC)))
        assert "ALERTS (3)" in lines
        assert "HELD: 2026-06-30-full-fff" in lines
        assert "\n".join(alert_lines(workspace.out)) in lines
        assert all(f"{person}: " in "\n".join(alert_lines(workspace.out)) for person in ("P1", "P2"))

    def test_a_study_without_reports_raises_none(self, study: Path) -> None:
        order, workspace = order_of(study)
        assert raise_alerts(workspace, ingest_all(order)) == ([], [])


class TestProgress:
    def test_it_counts_what_is_done_and_failed_by_stage_in_their_order(self) -> None:
        rows = [
            row("fitbit", "done"),
            row("labs", "failed"),
            row("fitbit", "reused"),
            row("fitbit", "pending"),
        ]
        told = [(one.stage, one.done, one.failed, one.total) for one in progress(rows)]
        assert told == [("fitbit", 2, 0, 3), ("labs", 0, 1, 1)]

    def test_people_a_stage_is_not_for_are_not_waited_for(self) -> None:
        (told,) = progress([row("summaries", "done"), row("summaries", "not_due")])
        assert (told.done, told.total) == (1, 1)

    def test_the_status_file_says_the_same(self, study: Path) -> None:
        order, workspace = order_of(study)
        renew_board.fn(order, ingest_all(order))
        run = json.loads((workspace.out / "status.json").read_text())["run"]
        assert run["state"] == "running"
        assert run["started_at"] == started(order).isoformat()
        assert [stage["stage"] for stage in run["stages"]] == ["fitbit", "labs", "surveys"]


class TestFailure:
    def show(self, study: Path, error: Exception) -> str:
        """The board after a run that ended with an error, as Prefect's hook makes it."""
        run = SimpleNamespace(
            parameters={"study": str(study), "out": str(study.parent / "out")}, start_time=None
        )
        state = SimpleNamespace(result=lambda raise_on_failure: error)
        show_failure(None, run, state)
        board = study.parent / "out" / "index.html"
        return board.read_text() if board.is_file() else ""

    def test_the_board_says_what_happened_and_what_to_do(self, study: Path) -> None:
        board = self.show(study, PhaError("disk_full"))
        assert "The disk is full" in board
        assert "finished work is kept" in board

    def test_the_text_of_an_unknown_fault_is_not_shown(self, study: Path) -> None:
        board = self.show(study, ValueError("Ada Lovelace, /home/ada"))
        assert "ValueError" in board
        assert "Ada" not in board

    def test_what_is_held_is_left_on_the_board(self, study: Path) -> None:
        assert self.show(study, PhaError("release_held", problem="x")) == ""

    def test_alerts_raised_before_a_run_failed_are_on_its_board(self, study: Path) -> None:
        send(study, "labs/P1/report.pdf", b"")
        ingest_one(order_of(study)[0], "P1")
        self.show(study, PhaError("disk_full"))
        assert told_alerts(study.parent / "out") == {a["alert_id"] for a in alerts(study.parent / "out")}
        assert told_alerts(study.parent / "out")

    def test_a_study_that_cannot_be_read_has_no_board(self, study: Path) -> None:
        (study / "participants.csv").unlink()
        assert self.show(study, PhaError("registry_missing")) == ""


class TestCheckup:
    def check(self, study: Path) -> Checkup:
        return check_up(study, study.parent / "out")

    def told(self, study: Path) -> set[tuple[str, str]]:
        return {(remark.where, remark.problem.code.name) for remark in self.check(study).remarks}

    def test_each_problem_is_told_with_its_place(self, study: Path) -> None:
        send(study, "fitbit/P1/takeout.zip", b"<html>Sign in</html>")
        send(study, "labs/P1/report.pdf", b"")
        send(study, "labs/Grace Hopper/report.pdf", b"%PDF-1.7")
        send(study, "labs/Grace Hopper.pdf", b"%PDF-1.7")
        (study / "fitbit" / "P2").mkdir()
        assert self.told(study) == {
            ("labs/Grace Hopper.pdf", "file_of_nobody"),
            ("fitbit/P1/takeout.zip", "not_a_zip"),
            ("labs/P1/report.pdf", "lab_pdf_empty"),
            ("labs/Grace Hopper", "folder_unregistered"),
            ("fitbit/P2", "folder_empty"),
        }

    def test_active_people_without_a_folder_are_named_withdrawn_ones_are_not(self, study: Path) -> None:
        assert self.told(study) == {("P1", "folder_missing"), ("P2", "folder_missing")}

    def test_a_person_whose_folder_lost_its_zeros_is_asked_for_no_other(self, tmp_path: Path) -> None:
        people = "participant_id,sex,birth_year\n007,female,1990\n"
        study = write_study(tmp_path / "study", people=people)
        for source in ("fitbit", "labs"):
            send(study, f"{source}/7/a.pdf", b"%PDF-")
        assert self.told(study) == {(f"{s}/7", "folder_spoilt_id") for s in ("fitbit", "labs")}
        problems = folder_problems(open_workspace(study, study.parent / "out"))
        assert {(p.participant_id, p.stage, p.code) for p in problems} == {
            ("007", source, "folder_spoilt_id") for source in ("fitbit", "labs")
        }

    def test_after_a_run_each_problem_has_the_name_of_its_file(self, study: Path) -> None:
        send(study, "labs/P1/report 3.pdf", b"%PDF-1.7 damaged")
        send(study, "labs/P1/more/Ada.pdf", b"%PDF-1.7 damaged too")
        send(study, "surveys/answers.csv", b"record_id,smoke\nP1,1\n")
        assert {code for _, code in self.told(study)} == {"folder_missing", "survey_no_dictionary"}
        ingest_all(order_of(study)[0])
        before = sorted((study.parent / "out").rglob("*"))
        assert self.told(study) >= {
            ("labs/P1/report 3.pdf", "lab_not_pdf"),
            ("labs/P1/more/Ada.pdf", "lab_not_pdf"),
            ("surveys/answers.csv", "survey_no_dictionary"),
        }
        assert sorted((study.parent / "out").rglob("*")) == before

    def test_what_is_seen_at_first_sight_and_in_ingest_is_told_once(self, study: Path) -> None:
        send(study, "labs/P1/report.pdf", b"")
        ingest_all(order_of(study)[0])
        told = [r.problem.code.name for r in self.check(study).remarks if r.where == "labs/P1/report.pdf"]
        assert told == ["lab_pdf_empty"]

    def test_what_was_told_of_a_file_since_replaced_is_over(self, study: Path) -> None:
        send(study, "labs/P1/report.pdf", b"%PDF-1.7 damaged")
        ingest_all(order_of(study)[0])
        send(study, "labs/P1/report.pdf", b"%PDF-1.7 sent again")
        assert "lab_not_pdf" not in {code for _, code in self.told(study)}

    def test_equal_files_of_two_people_are_both_named(self, study: Path) -> None:
        for place in ("fitbit/P1/a.json", "fitbit/P2/b.json"):
            send(study, place, b"{}" * 1_000)
        assert {place for place, code in self.told(study) if code == "same_bytes"} == {
            "fitbit/P1/a.json",
            "fitbit/P2/b.json",
        }

    @pytest.mark.parametrize(
        ("toml", "code"),
        [
            (TOML + "[colours]\n", "settings_unknown_key"),
            ("[study\n", "settings_not_toml"),
            (TOML.replace("UTC", "Mars/Base"), "settings_invalid"),
            (TOML + '[model]\nname = "gemini-3-pro"\n', "model_not_allowed"),
        ],
    )
    def test_settings_that_stop_a_run(self, tmp_path: Path, toml: str, code: str) -> None:
        checkup = self.check(write_study(tmp_path / "study", toml))
        assert checkup.stops
        assert [remark.problem.code.name for remark in checkup.remarks] == [code]

    def test_decisions_that_cannot_be_read_stop_a_run(self, study: Path) -> None:
        (study / "decisions.csv").write_text("decision,target\nx,y\n")
        checkup = self.check(study)
        assert checkup.stops
        assert checkup.remarks[0].problem.code.name == "decisions_invalid"

    def test_all_problems_of_settings_and_registry_are_told_at_once(self, tmp_path: Path) -> None:
        study = write_study(tmp_path / "study", TOML + "a = 1\nb = 2\n", "participant_id,sex\nP1,women\n")
        assert len(self.check(study).remarks) >= 3

    def test_it_says_what_a_run_would_read(self, study: Path) -> None:
        send(study, "fitbit/P1/takeout.zip", b"x")
        send(study, "fitbit/P2/takeout.zip", b"y")
        assert "would be read: fitbit of 2, labs of 0" in self.check(study).notes
        ingest_one(order_of(study)[0], "P1")
        assert "would be read: fitbit of 1, labs of 0" in self.check(study).notes

    def test_it_says_who_is_there_what_it_costs_and_whether_the_disk_suffices(self, study: Path) -> None:
        notes = self.check(study).notes
        assert "3 participants, 2 active" in notes
        assert "language model: none; no call, no cost" in notes
        assert any(note.startswith("disk: ") for note in notes)

    def test_a_study_without_accepted_data_has_nothing_to_publish(self, study: Path) -> None:
        assert self.check(study).nothing_to_publish
        send(study, "labs/P1/report.pdf", b"%PDF-1.7 damaged")
        assert not self.check(study).nothing_to_publish, "nobody knows before it is read"
        ingest_all(order_of(study)[0])
        assert self.check(study).nothing_to_publish

    def test_a_dated_answer_is_something_to_publish(self, study: Path) -> None:
        send_phq9(study, "P1")
        for _ in range(2):
            assert not self.check(study).nothing_to_publish
            ingest_all(order_of(study)[0])

    def test_columns_that_are_not_used_are_named(self, tmp_path: Path) -> None:
        study = write_study(
            tmp_path / "study", people="participant_id,sex,birth_year,shoe\nP1,female,1990,38\n"
        )
        assert any("shoe" in note for note in self.check(study).notes)


class TestCheckupOfSurveys:
    DICTIONARY = (
        "Variable / Field Name,Form Name,Field Type,Field Label,"
        '"Choices, Calculations, OR Slider Labels",Text Validation Type OR Show Slider Number,'
        "Text Validation Min,Text Validation Max,Identifier?\n"
        "record_id,base,text,Record,,,,,\nage,base,text,Age,,integer,,,\n"
    )

    def put(self, study: Path, export: str) -> None:
        send(study, "surveys/answers.csv", export.encode())
        send(study, "surveys/dictionary.csv", self.DICTIONARY.encode())

    def test_files_answers_and_people_are_counted(self, study: Path) -> None:
        self.put(study, "record_id,age,base_complete\nP1,36,2\nold1,36,2\nP2,46,2\n")
        found = check_up(study, study.parent / "out")
        assert not any(remark.where.startswith("surveys") for remark in found.remarks)
        assert "surveys: 2 files, 2 answers of 2 participants" in found.notes

    def test_records_of_nobody_and_spoilt_cells_are_told_with_the_file(self, study: Path) -> None:
        self.put(study, "record_id,age,base_complete\nP1,many,2\nX9,46,2\n")
        found = check_up(study, study.parent / "out").remarks
        assert {(remark.where, remark.problem.code.name) for remark in found} >= {
            ("surveys/answers.csv", "survey_unknown_record"),
            ("surveys/answers.csv", "survey_value_invalid"),
        }

    def test_an_alert_answer_names_its_person_before_and_after_a_run(self, study: Path) -> None:
        send_phq9(study, "P1", "P2")
        places = [("surveys of P1", "survey_alert_answer"), ("surveys of P2", "survey_alert_answer")]
        for _ in range(2):
            found = check_up(study, study.parent / "out").remarks
            told = [(r.where, r.problem.code.name) for r in found]
            assert [place for place in told if place[1] == "survey_alert_answer"] == places
            ingest_surveys.fn(order_of(study)[0])

    def test_a_study_without_surveys_says_so(self, study: Path) -> None:
        assert "surveys: no file" in check_up(study, study.parent / "out").notes

    def test_what_a_run_has_read_is_not_read_again(self, ingested: Ingested) -> None:
        (note,) = [
            n for n in check_up(ingested.workspace.study.root, ingested.workspace.out).notes if "surveys" in n
        ]
        assert note == "surveys: 2 files, read already"


class TestPathsThatDifferByCase:
    def told(self, study: Path) -> list[tuple[str, str]]:
        return [(where, problem.code.name) for where, problem in path_case_problems(study)]

    def test_files_and_folders_alike_but_for_case(self, study: Path) -> None:
        for place in (
            "labs/P1/a.pdf",
            "labs/P1/A.pdf",
            "fitbit/P1/x.zip",
            "fitbit/p1/x.zip",
            "fitbit/P2/x.zip",
        ):
            send(study, place, b"x")
        if len(list((study / "fitbit").iterdir())) < 3:
            pytest.skip("this file system does not tell case apart")
        twin = "path_case_twin"
        assert sorted(self.told(study)) == sorted(
            [("labs/P1/A.pdf", twin), ("labs/P1/a.pdf", twin), ("fitbit/P1", twin), ("fitbit/p1", twin)]
        )

    def test_a_folder_a_run_would_look_past(self, study: Path) -> None:
        send(study, "Labs/P1/a.pdf", b"x")
        assert self.told(study) == [("Labs", "path_other_case")]
        assert "labs" in PhaError("path_other_case", expected="labs").what

    def test_an_ordinary_study_has_none(self, study: Path) -> None:
        send(study, "labs/P1/a.pdf", b"x")
        send(study, "labs/P2/A.pdf", b"x")
        assert self.told(study) == []
