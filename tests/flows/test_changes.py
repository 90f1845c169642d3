"""What a change in the study does to the next release: a model, a withdrawal, a decision, a new day."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from gemini_batches import GeminiBatches, answering
from gemini_server import GeminiServer, failure, structured
from scripted_analyst import ASKED, drafted
from study_runs import GIVEN, Made, copy_of, kill_when, pha

pytestmark = [pytest.mark.prefect, pytest.mark.sandbox]

MODEL = "gemini-2.5-flash"
DRAFT = {
    "sections": [{"id": "overall", "sentences": [{"text": "Age: 33 years.", "fact_ids": ["profile.age"]}]}]
}


def change_registry(of: Made, participant: str, **cells: str) -> None:
    path = of.study / "participants.csv"
    registry = pl.read_csv(path, infer_schema=False)
    missing = [pl.lit(None, pl.String).alias(name) for name in cells if name not in registry.columns]
    registry = registry.with_columns(missing)
    own = pl.col("participant_id") == participant
    changed = registry.with_columns(
        pl.when(own)
        .then(pl.lit(value))
        .otherwise(pl.col(name) if name in registry.columns else None)
        .alias(name)
        for name, value in cells.items()
    )
    changed.write_csv(path)


def run(of: Made, *options: str, environ: dict[str, str] | None = None) -> dict[str, Any]:
    done = pha("run", of.study, "--out", of.out, "--json", *options, environ=environ)
    assert done.returncode in (0, 3), done.stderr
    return json.loads(done.stdout)


def table(outcome: dict[str, Any], name: str) -> pl.DataFrame:
    return pl.read_parquet(Path(outcome["release"]) / "tables" / f"{name}.parquet")


class Changed(NamedTuple):
    """What a run made of several changes, what the next one said, and the requests each sent."""

    of: Made
    outcome: dict[str, Any]
    again: dict[str, Any]
    sent: list[Any]
    sent_again: int


def decide(of: Made, *words: str) -> None:
    done = pha("decide", *words, "--by", "Dr. Example", "--study", of.study, "--out", of.out)
    assert done.returncode == 0, done.stderr


def critical_value(of: Made) -> str:
    """The matter that P003's critical value is."""
    matters = pl.read_parquet(of.release / "tables" / "attention.parquet")
    return matters.filter(pl.col("code") == "lab_critical_value")["attention_id"][0]


@pytest.fixture(scope="module")
def changed(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """P001 agreed to a model, P002 left, P003's critical value is acknowledged, a text of P004 is signed."""
    of = copy_of(made, tmp_path_factory.mktemp("changed"))
    settings = of.study / "study.toml"
    settings.write_text(settings.read_text() + f'\n[model]\nallow = ["rules", "{MODEL}"]\n')
    change_registry(of, "P001", external_model="yes")
    change_registry(of, "P002", status="withdrawn", left_on="2026-06-20")
    (of.study / "fitbit" / "P002" / "new.zip").write_bytes(b"whatever came after")
    decide(of, "acknowledge", critical_value(of))
    decide(of, "sign-off", "P004", "--reader", "clinician")
    with GeminiServer(structured(DRAFT)) as server:
        environ = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "no-secret"}
        outcome = run(of, "--model", MODEL, environ=environ)
        sent = list(server.requests)
        again = run(of, "--model", MODEL, environ=environ)
        return Changed(of, outcome, again, sent, len(server.requests) - len(sent))


def test_a_model_writes_for_those_who_agreed_and_is_asked_once(changed: Changed) -> None:
    assert len(changed.sent) == 2
    assert changed.sent_again == 0
    sent = json.dumps(changed.sent)
    assert "P001" not in sent
    assert "no-secret" not in sent
    written = table(changed.outcome, "summaries")
    by_model = written.filter(pl.col("written_by") == MODEL)
    assert set(by_model["participant_id"]) == {"P001"}
    assert set(by_model["status"]) == {"verified"}
    assert set(written.filter(pl.col("participant_id") != "P001")["written_by"]) == {"rules"}
    assert not table(changed.outcome, "model_calls")["left_machine"].any()
    assert changed.again["existing"]


@pytest.mark.parametrize(
    ("allow", "environ", "code"),
    [
        ('["rules"]', {}, "model_not_allowed"),
        (f'["{MODEL}"]', {"GEMINI_API_KEY": "k"}, "model_agreement_missing"),
        (f'["{MODEL}"]', {"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}, "model_key_missing"),
    ],
)
def test_a_model_that_may_not_be_asked_is_refused(
    copy: Made, allow: str, environ: dict[str, str], code: str
) -> None:
    settings = copy.study / "study.toml"
    settings.write_text(settings.read_text() + f"\n[model]\nallow = {allow}\n")
    bare = {"GEMINI_API_KEY": "", "GOOGLE_API_KEY": "", "GOOGLE_GEMINI_BASE_URL": ""}
    done = pha("run", copy.study, "--out", copy.out, "--model", MODEL, environ={**bare, **environ})
    assert done.returncode == 2
    assert code in done.stderr


def test_of_a_withdrawn_participant_nothing_new_is_read_and_what_was_is_kept(changed: Changed) -> None:
    outcome = changed.outcome
    days = table(outcome, "daily_summary").filter(pl.col("participant_id") == "P002")
    assert days["date"].max() == pl.Series(["2026-06-20"]).str.to_date().item()
    assert days["steps"].sum() > 0
    for name in ("summaries", "participant_percentiles", "insights", "findings"):
        assert "P002" not in set(table(outcome, name)["participant_id"])
    assert "P002" not in (changed.of.out / "index.html").read_text()
    assert not (Path(outcome["release"]) / "reports" / "clinician" / "P002.html").exists()


def test_what_was_decided_counts_in_the_next_release(changed: Changed, made: Made) -> None:
    outcome = changed.outcome
    after = table(outcome, "attention").filter(pl.col("attention_id") == critical_value(made))
    assert after["state"].to_list() == ["acknowledged"]
    texts = table(outcome, "summaries").filter(pl.col("participant_id") == "P004")
    signatures = dict(texts.select("reader", "signed_by").iter_rows())
    assert signatures == {"clinician": "Dr. Example", "participant": None}
    page = (Path(outcome["release"]) / "reports" / "clinician" / "P004.html").read_text()
    assert "Draft, not reviewed by a clinician" not in page
    assert "Dr. Example" in page


@pytest.mark.proof
def test_withdrawn_data_are_erased_where_the_study_says_so(copy: Made) -> None:
    settings = copy.study / "study.toml"
    settings.write_text(settings.read_text() + '\n[privacy]\non_withdrawal = "erase"\n')
    change_registry(copy, "P003", status="withdrawn")
    outcome = run(copy)
    for path in (Path(outcome["release"]) / "tables").glob("*.parquet"):
        rows = pl.read_parquet(path)
        if "participant_id" in rows.columns:
            assert "P003" not in set(rows["participant_id"]), path.name


@pytest.mark.proof
def test_only_some_participants_leave_the_release_whole(copy: Made) -> None:
    outcome = run(copy, "--only", "P001")
    assert outcome["existing"]
    fresh = Made(copy.study, copy.truth, copy.out.parent / "fresh")
    partial = run(fresh, "--only", "P001")
    assert partial["pending"] > 0
    ledger = table(partial, "run_ledger")
    assert set(ledger.filter(pl.col("state") == "pending")["participant_id"]) == {"P002", "P003", "P004"}


@pytest.mark.proof
def test_an_earlier_as_of_does_not_take_the_place_of_a_later_one(copy: Made) -> None:
    latest = copy.release
    outcome = run(copy, "--as-of", "2026-06-20")
    assert Path(outcome["release"]) != latest
    assert copy.release == latest
    days = table(outcome, "daily_summary")
    assert days["date"].max() == pl.Series(["2026-06-20"]).str.to_date().item()
    assert table(outcome, "lab_results")["collected_date"].max() <= days["date"].max()


@pytest.mark.proof
def test_a_budget_pauses_a_run_and_batch_jobs_finish_it(copy: Made) -> None:
    """Two texts wait for want of budget, with code; with more of it and batch jobs the same day goes on."""
    change_registry(copy, "P001", external_model="yes")
    settings = copy.study / "study.toml"
    before = settings.read_text()
    allow = f'\n[model]\nallow = ["rules", "{MODEL}"]\n'
    with GeminiBatches(answering(DRAFT)) as server:
        environ = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "no-secret"}
        settings.write_text(before + allow + "[budget]\ncalls = 0\n")
        paused = run(copy, "--model", MODEL, environ=environ)
        assert server.paths == []
        settings.write_text(before + allow + "batch = true\n[budget]\ncalls = 2\n")
        done = run(copy, "--model", MODEL, environ=environ)
        sent = len(server.paths)
        again = run(copy, "--model", MODEL, environ=environ)
        assert len(server.paths) == sent
    of_person = (pl.col("participant_id") == "P001") & (pl.col("stage") == "summaries")
    ledger = table(paused, "run_ledger").filter(of_person)
    assert ledger["state"].to_list() == ["pending"]
    assert ledger["reason_code"].to_list() == ["budget_reached"]
    assert "P001" not in set(table(paused, "summaries")["participant_id"])
    assert [len(lines) for lines in server.jobs.values()] == [2]
    assert set(table(done, "summaries").filter(pl.col("participant_id") == "P001")["written_by"]) == {MODEL}
    assert table(done, "model_calls").filter(~pl.col("cached"))["cost_usd"].to_list() == [0.0004, 0.0004]
    assert again["existing"]


@pytest.mark.proof
def test_own_questions_in_batch_jobs_survive_a_kill(copy: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers ask and the run's process sends; killed after its first job, the next sends what is new."""

    def answer(key: str, request: Mapping[str, Any]) -> dict[str, Any]:
        is_summary = '"sections"' in json.dumps(request["tools"])
        return {"response": (structured(DRAFT) if is_summary else drafted(request)).body}

    for participant in ("P001", "P002"):
        change_registry(copy, participant, external_model="yes")
    own = f'[questions.own.walking]\ntitle = "Walking"\nwords = "{ASKED["walking"].words}"\n'
    with (copy.study / "study.toml").open("a") as toml:
        toml.write(f'\n[model]\nname = "{MODEL}"\nallow = ["rules", "{MODEL}"]\nbatch = true\n')
        toml.write(f'[questions]\nids = []\nmode = "per_participant"\n{own}')
    with GeminiBatches(answer, looks=0) as server:
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        monkeypatch.setenv("GEMINI_API_KEY", "no-secret")
        monkeypatch.setitem(GIVEN, "PHA_WORKERS", "2")
        kill_when(copy.study, copy.out, "_answers/_batch/done/*.json")
        done = run(copy)
    answers = table(done, "insights").filter(pl.col("question_id") == "walking").sort("participant_id")
    assert answers["reason"].to_list() == ["too_few_days"] * 2 + ["model_not_allowed"] * 2
    keys = [line["key"] for lines in server.jobs.values() for line in lines]
    assert len(set(keys)) == len(keys), "nothing was sent twice"
    sizes = [len(lines) for lines in server.jobs.values()]
    assert sizes == [1, 2, 4, 2], "plan; program and statement; texts; a wrong age mended"


@pytest.mark.proof
def test_a_refused_key_leaves_everybody_pending_and_its_call_in_the_record(copy: Made) -> None:
    for participant in ("P001", "P002"):
        change_registry(copy, participant, external_model="yes")
    settings = copy.study / "study.toml"
    settings.write_text(settings.read_text() + f'\n[model]\nallow = ["rules", "{MODEL}"]\n')
    with GeminiServer(failure(403)) as server:
        environ = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "no-secret"}
        outcome = run(copy, "--model", MODEL, environ=environ)
        assert len(server.requests) <= 2, "the two that were under way at once"
    waits = table(outcome, "run_ledger").filter(pl.col("reason_code") == "model_unavailable")
    assert set(waits["participant_id"]) == {"P001", "P002"}
    assert set(waits["state"]) == {"pending"}
    calls = table(outcome, "model_calls")
    assert calls.height == len(server.requests)
    assert set(calls["outcome"]) == {"status 403"}
