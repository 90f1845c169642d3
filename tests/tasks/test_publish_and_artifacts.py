"""What a release is made of and what Prefect's pages show of it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import made_release
import polars as pl
import pytest
from small_study import AS_OF, order_of, send

from outputs.release import ReleaseContent, run_id
from outputs.release_tables import write_tables
from schemas.table import key_of
from schemas.tables import TABLES
from tasks.artifacts import cohort_status, data_quality, model_spend, rejected_rows
from tasks.core import core_one
from tasks.ingest import ingest_one, ingest_surveys
from tasks.ledger import LedgerRow, keys_of, pieces_of
from tasks.order import Order
from tasks.publish import ledger_table, release_content, results_to
from tasks.workspace import Workspace

pytestmark = pytest.mark.slow


def row(state: str, code: str | None = None, **changes: Any) -> LedgerRow:
    plain = LedgerRow(
        participant_id="P1", stage="labs", key="k", state=state, reason_code=code, seconds=1.2345
    )
    return {**plain, **changes}  # pyright: ignore[reportReturnType]


def core_run(study: Path, only: list[str] | None = None) -> tuple[Workspace, Order, list[LedgerRow]]:
    """The small study up to its core tables."""
    order, workspace = order_of(study, only=only)
    order["kind"] = "core"
    rows = [one for name in ("P1", "P2") for one in ingest_one(order, name)] + ingest_surveys.fn(order)
    rows += [core_one(workspace, order, keys_of(rows), name) for name in ("P1", "P2")]
    return workspace, order, rows


def content_of(study: Path, only: list[str] | None = None) -> ReleaseContent:
    workspace, order, rows = core_run(study, only)
    return release_content(workspace, order, keys_of(rows), rows)


def send_weights(study: Path, *rows: str) -> None:
    """A survey of one number, which must be 30 to 250."""
    titles = (
        "Variable / Field Name,Form Name,Field Type,Field Label,"
        '"Choices, Calculations, OR Slider Labels",Text Validation Type OR Show Slider Number,'
        "Text Validation Min,Text Validation Max,Identifier?"
    )
    fields = ("record_id,base,text,Record,,,,,", "weight_kg,base,text,Weight,,number,30,250,")
    send(study, "surveys/dictionary.csv", "\n".join((titles, *fields)).encode())
    export = ("record_id,weight_kg,base_complete", *(f"{row},2" for row in rows))
    send(study, "surveys/answers.csv", "\n".join(export).encode())


class TestLedgerTable:
    def test_a_failure_says_what_to_do(self) -> None:
        table = ledger_table([row("failed", "process_died"), row("done", participant_id="P2")]).collect()
        assert key_of(TABLES["run_ledger"]) == ["participant_id", "stage"]
        steps = dict(zip(table["participant_id"], table["next_step"], strict=True))
        assert "PHA_WORKERS" in steps["P1"]
        assert steps["P2"] is None

    def test_the_keys_of_pieces_are_not_published(self) -> None:
        assert "key" not in ledger_table([row("done")]).collect().columns

    @pytest.mark.parametrize("state", ["done", "reused", "failed", "pending", "not_due"])
    def test_every_state_is_a_word_of_the_table(self, state: str) -> None:
        assert state in (TABLES["run_ledger"].columns()["state"].metadata or {})["allowed"]

    def test_a_run_in_which_nothing_failed_has_its_form_too(self) -> None:
        table = ledger_table([row("done")]).collect()
        assert table.schema["reason_code"] == pl.String


class TestContent:
    def test_pieces_come_in_the_order_of_stage_and_owner(self, study: Path) -> None:
        workspace, _, rows = core_run(study)
        pieces = pieces_of(workspace.store, keys_of(reversed(rows)))
        assert [(piece.stage, piece.owner) for piece in pieces] == sorted(
            (piece.stage, piece.owner) for piece in pieces
        )
        assert len(pieces) == 7

    def test_a_key_without_a_piece_is_left_out(self, study: Path) -> None:
        _, workspace = order_of(study)
        assert pieces_of(workspace.store, {"labs": {"P1": "gone"}}) == []

    def test_everybody_with_their_reader(self, study: Path) -> None:
        assert results_to(order_of(study)[1]) == {"P1": "none", "P2": "none", "P3": "none"}

    def test_the_same_work_is_the_same_release_whoever_did_it_and_when(self, study: Path) -> None:
        first = content_of(study)
        again = content_of(study)
        assert run_id(again) == run_id(first)
        assert again.about != first.about

    def test_who_a_run_covers_is_no_part_of_its_id(self, study: Path) -> None:
        assert run_id(content_of(study)) == run_id(content_of(study, only=["P1"]))

    def test_the_budget_is_no_part_of_its_id_but_the_windows_are(self, study: Path) -> None:
        before, toml = run_id(content_of(study)), (study / "study.toml").read_text()
        (study / "study.toml").write_text(toml + "[budget]\nusd = 1.0\n")
        assert run_id(content_of(study)) == before
        (study / "study.toml").write_text(toml + "[windows]\nmain = 7\n")
        assert run_id(content_of(study)) != before

    def test_a_decision_is_another_release(self, study: Path) -> None:
        before = run_id(content_of(study))
        (study / "decisions.csv").write_text("decision,target,by,on\nacknowledge,m1,Ada,2026-06-01\n")
        assert run_id(content_of(study)) != before

    def test_a_new_file_is_another_release(self, study: Path) -> None:
        before = run_id(content_of(study))
        send(study, "fitbit/P1/takeout.zip", b"x")
        assert run_id(content_of(study)) != before

    def test_problems_of_files_call_for_attention(self, study: Path) -> None:
        send(study, "labs/P1/report.pdf", b"")
        content = content_of(study)
        matters = content.tables["attention"].collect()
        assert "lab_pdf_empty" in matters.filter(participant_id="P1")["code"].to_list()
        assert content.as_of == AS_OF

    @pytest.mark.parametrize("worked", [("P1", "P2"), ("P2",)])
    def test_an_answer_out_of_range_is_one_rejected_row_with_or_without_core_tables(
        self, study: Path, worked: tuple[str, ...]
    ) -> None:
        send_weights(study, "P1,850", "P2,70")
        workspace, order, rows = core_run(study)
        rows = [row for row in rows if row["stage"] != "core" or row["participant_id"] in worked]
        table = release_content(workspace, order, keys_of(rows), rows).tables["rejected_rows"].collect()
        assert table.select("participant_id", "place", "rule").rows() == [
            ("P1", "row 1 weight_kg", "fits_dictionary")
        ]
        assert TABLES["rejected_rows"].filter(table).failure.counts() == {}

    def test_a_rejected_answer_of_an_erased_person_is_not_published(self, study: Path) -> None:
        with (study / "study.toml").open("a") as toml:
            toml.write('[privacy]\non_withdrawal = "erase"\n')
        send_weights(study, "P3,850")
        content = content_of(study)
        assert content.tables["rejected_rows"].collect().is_empty()
        assert content.tables["source_files"].collect()["rows_rejected"].sum() == 1

    def test_nothing_personal_is_in_what_run_json_keeps(self, study: Path) -> None:
        content = content_of(study)
        kept = json.dumps([dict(content.inputs), dict(content.about)], default=str)
        assert "Ada" not in kept
        assert "1990" not in kept


class TestArtifacts:
    @pytest.fixture
    def release(self, tmp_path: Path) -> Path:
        frames = made_release.frames("full")
        frames["attention"] = made_release.rows(
            "attention",
            *(
                {"attention_id": code, "participant_id": "P1", "code": code, "state": state}
                for code, state in (("data_old", "new"), ("adherence_low", "open"), ("not_a_zip", "resolved"))
            ),
        )
        frames["quality_checks"] = made_release.rows(
            "quality_checks",
            *(
                {"participant_id": person, "check": "sleep", "outcome": outcome}
                for person, outcome in (("P1", "ok"), ("P2", "ok"), ("P3", "differs"))
            ),
        )
        frames["rejected_rows"] = made_release.rows(
            "rejected_rows",
            *(
                {
                    "file_id": f"f{n}",
                    "place": "1",
                    "rule": "steps_low",
                    "table": "steps_minutes",
                    "code": "c",
                    "rows": n,
                }
                for n in (2, 3)
            ),
        )
        frames["model_calls"] = made_release.rows(
            "model_calls",
            {
                "call_id": "a",
                "model": "m",
                "cached": False,
                "input_tokens": 100,
                "output_tokens": 20,
                "cost_usd": 0.5,
            },
            {
                "call_id": "b",
                "model": "m",
                "cached": True,
                "input_tokens": 1,
                "output_tokens": 1,
                "cost_usd": None,
            },
        )
        write_tables(tmp_path / "release", "full", {name: frame.lazy() for name, frame in frames.items()})
        return tmp_path / "release"

    def test_status_names_what_waits_and_nothing_that_is_settled(self, release: Path) -> None:
        people = {line["participant_id"]: line for line in cohort_status(release)}
        assert people["P1"]["waiting"] == "adherence_low, data_old"
        assert people["P2"]["waiting"] == ""
        json.dumps(list(people.values()))

    def test_quality_counts_people_by_outcome(self, release: Path) -> None:
        assert data_quality(release).splitlines()[2:] == ["| sleep | differs | 1 |", "| sleep | ok | 2 |"]

    def test_rejected_rows_are_summed_by_rule(self, release: Path) -> None:
        (line,) = rejected_rows(release)
        assert (line["rule"], line["rows"]) == ("steps_low", 5)

    def test_spend_is_summed_by_model(self, release: Path) -> None:
        assert model_spend(release).splitlines()[-1] == "| m | 2 | 1 | 122 | 0.5 |"

    def test_a_release_without_calls_says_so(self, release: Path, tmp_path: Path) -> None:
        frames = {name: frame.lazy() for name, frame in made_release.frames("full").items()}
        write_tables(tmp_path / "quiet", "full", frames)
        assert model_spend(tmp_path / "quiet") == "No language model was called."
        core = {name: frame.lazy() for name, frame in made_release.frames("core").items()}
        write_tables(tmp_path / "core", "core", core)
        assert model_spend(tmp_path / "core") == "A core release makes no calls."

    def test_no_value_is_shown(self, release: Path) -> None:
        shown = (
            f"{cohort_status(release)}{data_quality(release)}{rejected_rows(release)}{model_spend(release)}"
        )
        assert "60.25" not in shown
        assert "7000" not in shown


def test_a_moment_is_kept_with_its_zone(study: Path) -> None:
    assert datetime.fromisoformat(order_of(study)[0]["started"]).tzinfo == UTC
