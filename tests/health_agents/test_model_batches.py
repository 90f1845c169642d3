"""Batch mode with the real client: agents side by side, one job, half the price; a kill loses nothing."""

import gc
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from gemini_batches import GeminiBatches, answering
from gemini_server import Reply, failure, structured
from made_up_dossier import dossier
from pydantic import BaseModel

from health_agents.domain_expert import ModelWriter, write_summaries
from health_agents.model import ModelDoor, Retries, gemini_jobs
from health_agents.model.door import Polling
from health_agents.model.holders import Holder
from schemas.errors import PhaError
from schemas.settings import Settings

ROOT = Path(__file__).parents[2]
MODEL = "gemini-2.5-flash"
GOOD = {"text": "all is well", "number": 3}
BAD = {"text": "no number"}
QUICK = Retries(attempts=3, first_wait=0.01, longest_wait=1.0)
LIVE_COST = (1000 * 0.30 + 200 * 2.50) / 1e6


class Form(BaseModel):
    """The declared form of the tests."""

    text: str
    number: int


def door_to(url: str, cache: Path, *, batch: bool = True, **budget: Any) -> ModelDoor:
    settings = Settings.model_validate(
        {
            "study": {"name": "S", "time_zone": "UTC"},
            "model": {"name": MODEL, "allow": [MODEL], "batch": batch},
            "budget": budget,
        }
    )
    return ModelDoor(
        settings,
        cache,
        environ={"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "secret-key"},
        account="2026-11-30",
        retries=QUICK,
        polling=Polling(first=0.01, longest=0.05),
        today=date(2026, 12, 1),
    )


def one_pass(door: ModelDoor, count: int = 4) -> list[str]:
    """What becomes of so many participants when each is asked about once."""

    def one(number: int) -> str:
        try:
            return door.ask("tester", f"P-{number}", "the instructions", f"prompt {number}", Form).output.text
        except PhaError as error:
            return error.code.name

    return [one(number) for number in range(count)]


def rounds(door: ModelDoor, count: int = 4) -> list[str]:
    """Pass after pass, as long as that gets further."""
    came = one_pass(door, count)
    while "model_waiting" in came and door.fetch_batches():
        came = one_pass(door, count)
    return came


def test_a_cohort_is_one_job_at_half_the_price(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        door = door_to(server.url, tmp_path)
        assert one_pass(door) == ["model_waiting"] * 4
        assert server.paths == [], "nothing is sent before all were asked"
        assert door.fetch_batches()
        assert one_pass(door) == ["all is well"] * 4
    (lines,) = server.jobs.values()
    assert len(lines) == 4
    assert {call.outcome for call in door.calls} == {"answered"}
    assert [call.cost_usd for call in door.calls] == [pytest.approx(LIVE_COST / 2)] * 4
    assert door.budget.spent.usd == pytest.approx(2 * LIVE_COST)
    assert door.budget.spent.tokens == 4 * 1200
    assert server.deleted == ["files/in0"]


def test_tokens_of_the_endpoints_cache_cost_less_in_a_job_too(tmp_path: Path) -> None:
    reply = structured(GOOD, cached=800).body
    with GeminiBatches(lambda key, request: {"response": reply}) as server:
        door = door_to(server.url, tmp_path)
        rounds(door, 1)
    cost = (200 * 0.15 + 800 * 0.03 + 200 * 1.25) / 1e6
    assert [call.cost_usd for call in door.calls] == [pytest.approx(cost)]
    assert [call.cached_input_tokens for call in door.calls] == [800]
    assert door.budget.spent.usd == pytest.approx(cost)


def test_a_line_of_the_job_is_what_would_have_been_sent_alone(tmp_path: Path) -> None:
    """Pins pydantic-ai's private converters: the same request on both ways, and the same kept answer."""
    with GeminiBatches(answering(GOOD)) as server:
        rounds(door_to(server.url, tmp_path / "batch"), 1)
    from gemini_server import GeminiServer

    with GeminiServer(structured(GOOD)) as live:
        one_pass(door_to(live.url, tmp_path / "live", batch=False), 1)
    ((line,),) = server.jobs.values()
    (alone,) = live.requests
    assert line["request"]["contents"] == alone["contents"]
    assert line["request"]["systemInstruction"] == alone["systemInstruction"]
    assert line["request"]["generationConfig"] == alone["generationConfig"]
    declared, declared_alone = (r["tools"][0]["functionDeclarations"] for r in (line["request"], alone))
    assert _snake(declared) == _snake(declared_alone)


def test_a_second_run_makes_no_call_in_either_mode(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        rounds(door_to(server.url, tmp_path))
        sent = len(server.paths)
        for batch in (True, False):
            again = door_to(server.url, tmp_path, batch=batch, calls=4)
            assert one_pass(again) == ["all is well"] * 4
            assert not again.fetch_batches()
            assert all(call.cached for call in again.calls)
            assert [call.cost_usd for call in again.calls] == [pytest.approx(LIVE_COST / 2)] * 4
        assert len(server.paths) == sent


def test_what_was_sent_is_kept_for_each_participant(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        door = door_to(server.url, tmp_path)
        rounds(door)
    (sending,) = door.sent.read("P-2")
    lines = {line["key"]: line["request"] for line in server.jobs["batches/b0"]}
    assert json.loads(sending.body) == lines[sending.request_digest]
    assert "prompt 2" in sending.body.decode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any("secret-key" in path.read_text() for path in files)


def asked_by_another_process(server: GeminiBatches, cache: Path) -> "subprocess.Popen[bytes]":
    """A process that asks about four participants and waits for their job."""
    program = f"""
import sys; sys.path.insert(0, "tests/health_agents")
from pathlib import Path
from test_model_batches import door_to, rounds
rounds(door_to({server.url!r}, Path({str(cache)!r})))
"""
    return subprocess.Popen([sys.executable, "-c", program], cwd=ROOT)


def is_written_down(cache: Path) -> bool:
    return any(json.loads(path.read_bytes())["handle"] for path in (cache / "_batch" / "jobs").glob("*.json"))


@pytest.mark.parametrize("moment", ["made, but not written down", "under way"])
def test_a_kill_loses_nothing_and_sends_nothing_twice(tmp_path: Path, moment: str) -> None:
    """A process is killed on the way; another one fetches its job and sends nothing."""
    with GeminiBatches(answering(GOOD), looks=10**9) as server:
        if moment != "under way":
            server.silence = Reply({}, delay_seconds=600)
        killed = asked_by_another_process(server, tmp_path)
        while not (is_written_down(tmp_path) if moment == "under way" else server.jobs):
            assert killed.poll() is None
            time.sleep(0.01)
        killed.kill()
        killed.wait()
        assert is_written_down(tmp_path) == (moment == "under way")
        server.looks, server.silence = 0, None
        door = door_to(server.url, tmp_path)
        assert rounds(door) == ["all is well"] * 4
        assert server.paths.count("POST /upload/v1/files") == 1
        assert list(server.jobs) == ["batches/b0"]
        assert server.deleted == ["files/in0"], "what was uploaded does not stay there"
    assert door.budget.spent.calls == 4
    assert door.budget.spent.usd == pytest.approx(2 * LIVE_COST)


def test_a_job_that_was_never_made_is_made_by_the_next_process(tmp_path: Path) -> None:
    """The end came after the upload: what was set aside is free, what was uploaded is deleted."""
    with GeminiBatches(answering(GOOD)) as server:
        dead = door_to(server.url, tmp_path)
        one_pass(dead)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gemini_jobs, "create", interrupted)
            with pytest.raises(KeyboardInterrupt):
                dead.fetch_batches()
        assert server.jobs == {}
        door = door_to(server.url, tmp_path, calls=4)
        assert rounds(door) == ["all is well"] * 4
    assert [len(lines) for lines in server.jobs.values()] == [4]
    assert server.deleted == ["files/in0", "files/in1"]
    assert door.budget.spent.calls == 4


async def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_job_whose_answer_is_lost_is_not_made_again(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        server.silence = failure(503)
        assert rounds(door_to(server.url, tmp_path)) == ["all is well"] * 4
    assert list(server.jobs) == ["batches/b0"]


def test_all_processes_of_a_run_send_one_job(tmp_path: Path) -> None:
    """Workers ask, another process sends: what one left behind that is gone goes out no more."""
    with GeminiBatches(answering(GOOD)) as server:
        workers = [door_to(server.url, tmp_path) for _ in range(2)]
        gone = door_to(server.url, tmp_path)
        assert one_pass(workers[0], 2) + one_pass(workers[1], 4) == ["model_waiting"] * 6
        one_pass(gone, 6)
        del gone
        gc.collect()
        assert door_to(server.url, tmp_path).fetch_batches()
        assert [one_pass(worker) for worker in workers] == [["all is well"] * 4] * 2
    assert [len(lines) for lines in server.jobs.values()] == [4]


def test_threads_of_a_process_are_one_holder(tmp_path: Path) -> None:
    for turn in range(50):
        holder = Holder(tmp_path / str(turn))
        with ThreadPoolExecutor(8) as pool:
            names = set(pool.map(lambda _, one=holder: one.name, range(8)))
        assert [path.name for path in (tmp_path / str(turn)).iterdir()] == list(names)
        assert not Holder(tmp_path / str(turn)).is_dead(holder.name)


def test_a_refusal_is_told_to_all_processes_of_a_run(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        server.refusal = failure(403)
        worker, sender = (door_to(server.url, tmp_path) for _ in range(2))
        one_pass(worker)
        assert sender.fetch_batches()
        assert one_pass(worker) == ["model_unavailable"] * 4
        del sender
        gc.collect()
        server.refusal = None
        assert rounds(door_to(server.url, tmp_path)) == ["all is well"] * 4, "the next run asks again"


def test_an_answer_in_the_wrong_form_is_sent_back_in_the_next_job(tmp_path: Path) -> None:
    def mending(key: str, request: Mapping[str, Any]) -> dict[str, Any]:
        mended = "functionResponse" in json.dumps(request) or "prompt 0" in json.dumps(request)
        return {"response": structured(GOOD if mended else BAD).body}

    with GeminiBatches(mending) as server:
        door = door_to(server.url, tmp_path)
        assert rounds(door) == ["all is well"] * 4
    assert [len(lines) for lines in server.jobs.values()] == [4, 3]
    fresh = [call.outcome for call in door.calls if not call.cached]
    assert sorted(fresh) == ["answered"] * 4 + ["malformed"] * 3


def test_a_request_that_never_ran_goes_out_again_and_is_given_up_in_the_end(tmp_path: Path) -> None:
    def forgetful(key: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        if "prompt 1" in json.dumps(request):
            return None
        if "prompt 2" in json.dumps(request):
            return {"error": {"code": 14, "message": "made up"}}
        return {"response": structured(GOOD).body}

    with GeminiBatches(forgetful) as server:
        door = door_to(server.url, tmp_path)
        assert rounds(door) == ["all is well", "model_failed", "model_failed", "all is well"]
    assert [len(lines) for lines in server.jobs.values()] == [4, 2, 2]
    assert door.budget.spent.tokens == 2 * 1200, "what never ran is free"


def test_a_job_that_fails_as_a_whole_is_sent_again(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        door = door_to(server.url, tmp_path)
        one_pass(door, 2)
        server.state = "FAILED"
        assert door.fetch_batches()
        server.state = "SUCCEEDED"
        assert rounds(door, 2) == ["all is well"] * 2
    assert len(server.jobs) == 2


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_job_ends_all_asking(tmp_path: Path, status: int) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        server.refusal = failure(status)
        door = door_to(server.url, tmp_path)
        assert rounds(door) == ["model_unavailable"] * 4
        assert not door.fetch_batches()
    assert door.budget.spent.tokens == 0
    assert server.deleted == ["files/in0"], "what was uploaded does not stay there"


def test_the_budget_holds_for_jobs_and_a_raised_one_goes_on(tmp_path: Path) -> None:
    with GeminiBatches(answering(GOOD)) as server:
        door = door_to(server.url, tmp_path, calls=2)
        assert sorted(rounds(door)) == ["all is well"] * 2 + ["budget_reached"] * 2
        assert [len(lines) for lines in server.jobs.values()] == [2]
        assert rounds(door_to(server.url, tmp_path, calls=4)) == ["all is well"] * 4
        assert [len(lines) for lines in server.jobs.values()] == [2, 2]


def test_an_answer_nobody_can_use_is_asked_for_again_on_the_next_run(tmp_path: Path) -> None:
    cut = structured(GOOD, finish="MAX_TOKENS").body
    with GeminiBatches(lambda key, request: {"response": cut}) as server:
        door = door_to(server.url, tmp_path)
        assert rounds(door, 1) == ["model_failed"]
        assert [call.outcome for call in door.calls] == ["cut off"]
        server.worker = answering(GOOD)
        assert rounds(door_to(server.url, tmp_path), 1) == ["all is well"]


def _snake(declared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Both spellings of a key are the same to the API."""
    return [
        {key.replace("parametersJsonSchema", "parameters_json_schema"): one[key] for key in one}
        for one in declared
    ]


def test_both_readers_texts_of_a_participant_go_out_in_one_job(tmp_path: Path) -> None:
    draft = {"sections": [{"id": "missing", "sentences": [{"text": "Nothing.", "fact_ids": ["x"]}]}]}
    with GeminiBatches(answering(draft)) as server:
        door = door_to(server.url, tmp_path)
        with pytest.raises(PhaError, match="model_waiting"):
            write_summaries(dossier(), ModelWriter(door))
        assert door.fetch_batches()
    assert [len(lines) for lines in server.jobs.values()] == [2]
