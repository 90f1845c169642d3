"""Every family of models through its real client against a local server: chosen by the model's name alone."""

import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from gemini_server import GeminiServer, Reply, answer, failure, structured
from pydantic import BaseModel

from health_agents.model import ModelDoor, Retries, check_model
from health_agents.model import policy as policy_of_models
from schemas.errors import PhaError
from schemas.settings import Settings

GOOD = {"text": "all is well", "number": 3}
QUICK = Retries(attempts=3, first_wait=0.01, longest_wait=1.0)
OPENAI = pytest.mark.skipif(find_spec("openai") is None, reason="the extra models is not installed")
ANTHROPIC = pytest.mark.skipif(find_spec("anthropic") is None, reason="the extra models is not installed")


class Form(BaseModel):
    """The declared form of the tests."""

    text: str
    number: int


def settings(name: str, **more: Any) -> Settings:
    model = {"name": name, "allow": [name], **more}
    return Settings.model_validate({"study": {"name": "S", "time_zone": "UTC"}, "model": model})


def ask(door: ModelDoor, prompt: str = "the prompt") -> Form:
    return door.ask("tester", "P-1", "the instructions", prompt, Form).output


def door_to(name: str, environ: Mapping[str, str], cache: Path) -> ModelDoor:
    return ModelDoor(settings(name), cache, environ=environ, retries=QUICK)


# ---- servers that speak OpenAI's REST -----------------------------------------------------------------


def completion(message: Mapping[str, Any], finish: str = "stop") -> Reply:
    """An answer of chat/completions."""
    return Reply(
        {
            "id": "c-1",
            "object": "chat.completion",
            "created": 1_780_000_000,
            "model": "the-version-that-answered",
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1000},
        }
    )


def called(arguments: str, finish: str = "tool_calls") -> Reply:
    """A call of the output function."""
    function = {"name": "final_result", "arguments": arguments}
    calls = [{"id": "t-1", "type": "function", "function": function}]
    return completion({"content": None, "tool_calls": calls}, finish)


OPENAI_GOOD = called(json.dumps(GOOD))


@OPENAI
@pytest.mark.parametrize(
    ("name", "variable", "theirs", "cost"),
    [
        ("gpt-4.1", "OPENAI", "gpt-4.1", (900 * 2.0 + 100 * 8.0) / 1e6),
        ("gpt-5", "OPENAI", "gpt-5", (900 * 1.25 + 100 * 10.0) / 1e6),
        ("o3", "OPENAI", "o3", (900 * 2.0 + 100 * 8.0) / 1e6),
        ("ollama/llama3.3:70b", "OLLAMA", "llama3.3:70b", None),
        ("vllm/google/gemma-3-27b-it", "VLLM", "google/gemma-3-27b-it", None),
        ("llamacpp/default", "LLAMACPP", "default", None),
    ],
)
def test_a_name_leads_to_a_server_that_speaks_openai(
    tmp_path: Path, name: str, variable: str, theirs: str, cost: float | None
) -> None:
    with GeminiServer(OPENAI_GOOD) as server:
        environ = {f"{variable}_BASE_URL": f"{server.url}/v1", f"{variable}_API_KEY": "k-7"}
        door = door_to(name, environ, tmp_path)
        assert ask(door) == Form(**GOOD)
        assert ask(door_to(name, environ, tmp_path)) == Form(**GOOD)
    assert server.paths == ["/v1/chat/completions"], "the second answer was kept"
    assert server.headers[0]["authorization"] == "Bearer k-7"
    (request,) = server.requests
    assert request["model"] == theirs
    assert "P-1" not in json.dumps(request)
    (call,) = door.calls
    assert (call.model, call.outcome, call.cost_usd) == (name, "answered", cost and pytest.approx(cost))
    assert (call.input_tokens, call.output_tokens) == (900, 100)
    (sending,) = door.sent.read("P-1")
    assert json.loads(sending.body) == request
    assert not any("k-7" in path.read_text() for path in tmp_path.rglob("*.json*"))


@OPENAI
def test_a_server_of_ones_own_needs_neither_key_nor_agreement() -> None:
    check_model(settings("ollama/llama3.3"), "ollama/llama3.3", {})
    with pytest.raises(PhaError, match="model_agreement_missing"):
        check_model(settings("vllm/x"), "vllm/x", {"VLLM_BASE_URL": "http://gpu.example.org/v1"})
    with pytest.raises(PhaError, match="model_key_missing"):
        check_model(settings("gpt-5", agreement="DPA"), "gpt-5", {})


@OPENAI
def test_openai_is_tried_again_by_our_retries_alone(tmp_path: Path) -> None:
    with GeminiServer(failure(500), failure(429, retry_after="0"), OPENAI_GOOD) as server:
        door = door_to("vllm/x", {"VLLM_BASE_URL": server.url}, tmp_path)
        assert ask(door) == Form(**GOOD)
        assert len(server.requests) == 3
    assert [call.outcome for call in door.calls] == ["status 500", "rate limited", "answered"]


@OPENAI
@pytest.mark.parametrize(
    ("reply", "code", "outcome"),
    [
        (called('{"text": "cut', "length"), "model_failed", "cut off"),
        (called('{"text": "no number"'), "model_failed", "malformed"),
        (completion({"content": "I cannot do that."}), "model_failed", "refused"),
        (completion({"content": None, "refusal": "No."}), "model_failed", "blocked"),
        (completion({"content": ""}), "model_failed", "empty"),
        (completion({"content": "x"}, "content_filter"), "model_failed", "blocked"),
        (failure(401), "model_unavailable", "status 401"),
        (
            Reply(
                {"error": {"message": "m", "type": "insufficient_quota", "code": "insufficient_quota"}}, 429
            ),
            "model_unavailable",
            "quota used up",
        ),
    ],
)
def test_what_openai_says_has_the_same_names(tmp_path: Path, reply: Reply, code: str, outcome: str) -> None:
    with GeminiServer(reply) as server:
        door = door_to("vllm/x", {"VLLM_BASE_URL": server.url}, tmp_path)
        with pytest.raises(PhaError) as caught:
            ask(door)
    assert caught.value.code.name == code
    assert outcome in caught.value.details.values()
    assert {call.outcome for call in door.calls} == {outcome}


# ---- Claude -------------------------------------------------------------------------------------------


def message(content: list[dict[str, Any]], stop: str = "tool_use") -> Reply:
    """An answer of messages."""
    usage = {"input_tokens": 900, "output_tokens": 100}
    body = {"id": "m-1", "type": "message", "role": "assistant", "model": "claude-x", "content": content}
    return Reply({**body, "stop_reason": stop, "stop_sequence": None, "usage": usage})


@ANTHROPIC
@pytest.mark.parametrize("name", ["claude-sonnet-4-6", "claude-opus-4-7"])
def test_claude_by_its_name(tmp_path: Path, name: str) -> None:
    use = {"type": "tool_use", "id": "t-1", "name": "final_result", "input": GOOD}
    with GeminiServer(failure(529), message([use])) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k-7"}
        door = door_to(name, environ, tmp_path)
        assert ask(door) == Form(**GOOD)
    assert server.paths[-1].partition("?")[0] == "/v1/messages"
    assert server.requests[-1]["model"] == name
    assert [call.outcome for call in door.calls] == ["status 529", "answered"]


@ANTHROPIC
@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (message([{"type": "text", "text": "x"}], "max_tokens"), "cut off"),
        (message([], "refusal"), "blocked"),
        (message([], "end_turn"), "empty"),
    ],
)
def test_what_claude_says_has_the_same_names(tmp_path: Path, reply: Reply, outcome: str) -> None:
    with GeminiServer(reply) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k"}
        with pytest.raises(PhaError) as caught:
            ask(door_to("claude-sonnet-4-6", environ, tmp_path))
    assert caught.value.details["outcome"] == outcome


# ---- Vertex AI ----------------------------------------------------------------------------------------


def test_vertex_goes_to_the_project_with_the_token(tmp_path: Path) -> None:
    with GeminiServer(structured(GOOD)) as server:
        environ = {
            "GOOGLE_VERTEX_BASE_URL": server.url,
            "CLOUDSDK_AUTH_ACCESS_TOKEN": "t-9",
            "GOOGLE_CLOUD_PROJECT": "study-1",
            "GOOGLE_CLOUD_LOCATION": "europe-west4",
        }
        door = door_to("vertex/gemini-2.5-flash", environ, tmp_path)
        assert ask(door) == Form(**GOOD)
    place = (
        "projects/study-1/locations/europe-west4/publishers/google/models/gemini-2.5-flash:generateContent"
    )
    assert server.paths[0].endswith(place)
    assert server.headers[0][
        "authorization" if "authorization" in server.headers[0] else "Authorization"
    ] == ("Bearer t-9")


def test_vertex_needs_a_project_and_an_agreement() -> None:
    name = "vertex/gemini-2.5-pro"
    token = {"CLOUDSDK_AUTH_ACCESS_TOKEN": "t"}
    with pytest.raises(PhaError, match="model_agreement_missing"):
        check_model(settings(name), name, token)
    with pytest.raises(PhaError, match="GOOGLE_CLOUD_PROJECT"):
        check_model(settings(name, agreement="DPA"), name, token)
    check_model(settings(name, agreement="DPA"), name, token | {"GOOGLE_CLOUD_PROJECT": "p"})


@pytest.mark.parametrize(
    ("location", "host"),
    [("", "aiplatform.googleapis.com"), ("europe-west4", "europe-west4-aiplatform.googleapis.com")],
)
def test_where_vertex_is(location: str, host: str) -> None:
    name = "vertex/gemini-2.5-pro"
    environ = {
        "CLOUDSDK_AUTH_ACCESS_TOKEN": "t",
        "GOOGLE_CLOUD_PROJECT": "p",
        "GOOGLE_CLOUD_LOCATION": location,
    }
    assert policy_of_models.find_endpoint(settings(name, agreement="DPA"), name, environ).host == host


# ---- refusals -----------------------------------------------------------------------------------------


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    missing: Callable[[str], None] = lambda library: None  # noqa: E731
    monkeypatch.setattr(policy_of_models, "find_spec", missing)
    with pytest.raises(PhaError, match="openai, which reaches gpt-5") as caught:
        check_model(settings("gpt-5", agreement="DPA"), "gpt-5", {"OPENAI_API_KEY": "k"})
    assert caught.value.code.name == "model_library_missing"
    assert "extra models" in caught.value.next_step


def test_only_the_gemini_api_has_batch_jobs() -> None:
    check_model(
        settings("gemini-2.5-flash", batch=True, agreement="D"), "gemini-2.5-flash", {"GEMINI_API_KEY": "k"}
    )
    vertex = settings("vertex/gemini-2.5-pro", batch=True, agreement="D")
    environ = {"CLOUDSDK_AUTH_ACCESS_TOKEN": "t", "GOOGLE_CLOUD_PROJECT": "p"}
    with pytest.raises(PhaError, match="model_batch_unavailable"):
        check_model(vertex, "vertex/gemini-2.5-pro", environ)


def test_the_form_written_as_plain_text_is_an_answer(tmp_path: Path) -> None:
    with GeminiServer(answer([{"text": json.dumps(GOOD)}])) as server:
        environ = {"GOOGLE_GEMINI_BASE_URL": server.url, "GEMINI_API_KEY": "k"}
        door = door_to("gemini-2.5-flash", environ, tmp_path)
        assert ask(door) == Form(**GOOD)
    assert [call.outcome for call in door.calls] == ["answered"]
