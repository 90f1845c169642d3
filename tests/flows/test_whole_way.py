"""From a made study to its release: everything equals the truth, and a second run does no work."""

import json
import zipfile
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from study_runs import Made, pha, table_digests

from outputs.verify import verify_release
from schemas.settings import DEFAULT_QUESTIONS
from schemas.table import decimals_of, key_of
from schemas.tables import TABLES
from synthetic.canaries.search import find_canaries

pytestmark = [pytest.mark.prefect, pytest.mark.sandbox]

PEER_PERCENTILES_WANTED = 5


def published(made: Made, table: str) -> pl.DataFrame:
    return pl.read_parquet(made.release / "tables" / f"{table}.parquet")


def test_every_daily_value_equals_the_truth(made: Made) -> None:
    truth = pl.read_parquet(made.truth / "daily_summary.parquet")
    key = key_of(TABLES["daily_summary"])
    made_by_ingest = [
        name
        for name in truth.columns
        if name not in (*key, "study_day", "valid_day") and truth[name].count() > 0
    ]
    days = truth.select(key).join(published(made, "daily_summary"), on=key, how="left", maintain_order="left")
    known = days["day_state"].is_in(("worn", "partly_worn", "not_worn"))
    assert known.sum() > 80
    for name in made_by_ingest:
        assert_frame_equal(
            days.filter(known).select(*key, name),
            truth.filter(known).select(*key, name),
            check_dtypes=False,
            abs_tol=10 ** -(decimals_of(TABLES["daily_summary"]).get(name, 6) + 3),
            rel_tol=0,
        )


def test_every_lab_value_equals_the_truth_with_code_and_unit(made: Made) -> None:
    truth = pl.read_parquet(made.truth / "lab_results.parquet")
    columns = ["participant_id", "collected_date", "analyte_key", "loinc", "value_num", "raw_unit"]
    columns = [name for name in columns if name in truth.columns]
    printed = published(made, "lab_results").filter(~pl.col("derived")).select(columns).sort(columns)
    assert_frame_equal(printed, truth.select(columns).sort(columns), check_dtypes=False)
    assert printed.height > 100


def test_counts_close_for_every_file(made: Made) -> None:
    files = published(made, "source_files")
    kept = files["rows_staged"] + files["rows_merged"] + files["rows_rejected"] + files["rows_ignored"]
    assert (files["rows_read"] == kept).all()
    assert files["rows_read"].sum() > 100_000


def test_every_claim_of_every_text_is_verified(made: Made) -> None:
    claims = published(made, "claims")
    assert claims.filter(pl.col("verdict") != "verified").is_empty()
    assert published(made, "summaries")["status"].unique().to_list() == ["verified"]


def test_every_page_shows_peers_with_their_source(made: Made) -> None:
    people = published(made, "participants")
    current = people.filter(pl.col("days_behind") <= 14, pl.col("adherence") > 0.75)["participant_id"]
    assert len(current) > 0
    for participant in current:
        page = (made.release / "reports" / "clinician" / f"{participant}.html").read_text()
        assert page.count("reference population") >= PEER_PERCENTILES_WANTED
    for path in (made.release / "reports" / "participant").glob("*.html"):
        if path.stem in set(current):
            assert path.read_text().count("reference population, edition") >= PEER_PERCENTILES_WANTED


def test_alerts_are_on_the_board_without_their_values(made: Made) -> None:
    board = (made.out / "index.html").read_text()
    codes = {json.loads(path.read_text())["code"] for path in (made.out / "alerts").glob("*.json")}
    assert {"lab_critical_value", "survey_alert_answer"} <= codes
    assert "critical limits (potassium)" in board
    assert "PHQ-9" in board


def test_programs_ran_in_the_jail(made: Made) -> None:
    insights = published(made, "insights")
    assert set(insights["isolation"].drop_nulls()) == {"bubblewrap"}
    assert set(insights["question_id"]) == set(DEFAULT_QUESTIONS)


def test_nothing_personal_is_outside_the_study_folder(made: Made) -> None:
    registry = pl.read_csv(made.study / "participants.csv", infer_schema=False)
    secrets = [word for name in registry["name"].drop_nulls() for word in name.split()]
    secrets += registry["birth_date"].drop_nulls().to_list()
    texts = [p for p in made.out.rglob("*") if p.is_file() and p.suffix in (".html", ".json", ".md", ".csv")]
    texts = [path for path in texts if "private" not in path.relative_to(made.out).parts]
    assert len(texts) > 50
    for path in texts:
        content = path.read_text(encoding="utf-8")
        assert not [secret for secret in secrets if secret in content], path
    for path in (made.release / "tables").glob("*.parquet"):
        content = pl.read_parquet(path).write_csv()
        assert not [secret for secret in secrets if secret in content], path


def test_no_canary_left_the_study_folder(made: Made) -> None:
    canaries = json.loads((made.truth / "canaries.json").read_text(encoding="utf-8"))
    found = find_canaries(made.out, canaries)
    # What files are really called stands where only the operator looks.
    assert [each for each in found if not each[0].startswith("private/")] == []


def test_the_release_verifies_from_its_own_files(made: Made) -> None:
    assert verify_release(made.release) == []


def test_a_second_run_does_no_work_and_finds_its_release(made: Made, copy: Made) -> None:
    again = pha("run", copy.study, "--out", copy.out, "--json")
    assert again.returncode == 0, again.stderr
    outcome = json.loads(again.stdout)
    assert (outcome["worked"], outcome["failed"], outcome["existing"]) == (0, 0, True)
    assert table_digests(copy.out) == table_digests(made.out)


def test_one_changed_export_redoes_that_participant_alone(copy: Made) -> None:
    (export,) = (copy.study / "fitbit" / "P002").glob("*.zip")
    with zipfile.ZipFile(export, "a") as archive:
        archive.writestr("Takeout/Fitbit/Notes/new note.txt", "nothing of use")
    run = pha("run", copy.study, "--out", copy.out, "--json")
    assert run.returncode in (0, 3), run.stderr
    outcome = json.loads(run.stdout)
    ledger = pl.read_parquet(Path(outcome["release"]) / "tables" / "run_ledger.parquet")
    worked = ledger.filter(pl.col("state") == "done")
    assert set(worked["participant_id"]) <= {"P002", "_cohort"}
    assert set(worked.filter(pl.col("participant_id") == "P002")["stage"]) >= {"fitbit", "core"}
