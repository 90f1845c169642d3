"""pydantic-ai over google-genai: an agent's question as requests that all pass the door.

A conversation is one question with at most one repair: an answer not in the declared form is sent back once
with what is wrong. Each request of it passes ``_Recorded``, which asks the store, the budget and the retries.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelRateLimitError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from health_agents.model.budget import Spend
from health_agents.model.calls import Call
from health_agents.model.gemini import gemini_client
from health_agents.model.outcomes import (
    ANSWERED,
    asked_wait,
    is_transient,
    outcome_of_answer,
    outcome_of_error,
)
from outputs.digests import canonical_json, digest
from schemas.errors import PhaError

if TYPE_CHECKING:
    from health_agents.model.door import ModelDoor

Output = TypeVar("Output", bound=BaseModel)

# What differs between two equal requests: times and ids made up on the way.
_FLEETING = {
    *("timestamp", "run_id", "conversation_id", "tool_call_id", "id", "usage", "metadata", "model_id"),
    *("provider_response_id", "provider_details", "provider_name", "provider_url", "canonical_system"),
}


class UnusableAnswerError(Exception):
    """An answer came that cannot be used; its text says why: empty, blocked, cut off, malformed."""


class Conversation:
    """One question of an agent, and the calls it took."""

    def __init__(self, door: "ModelDoor", agent: str, participant_id: str) -> None:
        self.door = door
        self.agent = agent
        self.participant_id = participant_id
        self.calls: list[Call] = []

    async def hold(self, system: str, prompt: str, output_type: type[Output]) -> Output:
        """Ask; returns the validated answer or raises the door's errors, whose texts hold no content."""
        asked = self.door.request
        settings = ModelSettings(temperature=asked.temperature, max_tokens=asked.max_output_tokens)
        try:
            async with _open_model(self.door) as model:
                recorded = _Recorded(model, self)
                agent = Agent(
                    recorded, output_type=output_type, instructions=system, retries=1, model_settings=settings
                )
                return (await agent.run(prompt)).output
        except ModelRateLimitError:
            raise PhaError("model_rate_limited") from None
        except ModelAPIError as error:
            raise PhaError("model_failed", outcome=outcome_of_error(error)) from None
        except UnusableAnswerError as error:
            raise PhaError("model_failed", outcome=str(error)) from None
        except ContentFilterError:
            raise PhaError("model_failed", outcome="blocked") from None
        except UnexpectedModelBehavior:
            self._set_answers_aside()
            raise PhaError("model_failed", outcome="malformed") from None

    def note(self, call: Call) -> None:
        """Keep a call in this conversation and in the door's record."""
        self.calls.append(call)
        self.door.record(call)

    def call(self, request_digest: str, attempt: int, outcome: str, **details: Any) -> Call:
        """A call of this conversation."""
        endpoint = self.door.endpoint
        return Call(
            call_id=digest(self.participant_id, self.agent, request_digest, attempt),
            participant_id=self.participant_id,
            agent=self.agent,
            model=self.door.name,
            endpoint=endpoint.host if endpoint else "scripted",
            left_machine=endpoint is not None and not endpoint.is_this_machine,
            request_digest=request_digest,
            cached=attempt == 0,
            outcome=outcome,
            **details,
        )

    def _set_answers_aside(self) -> None:
        for call in self.calls:
            self.door.answers.set_aside(call.request_digest)


class _Recorded(WrapperModel):
    """A model whose requests are looked up, paid for, tried again and written down."""

    def __init__(self, wrapped: Model, conversation: Conversation) -> None:
        super().__init__(wrapped)
        self._conversation = conversation
        self._door = conversation.door

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        endpoint = self._door.endpoint.url if self._door.endpoint else "scripted"
        request = _describe(self._door.name, endpoint, messages, model_settings, model_request_parameters)
        key = digest(request)
        kept = self._door.answers.find(key)
        if kept is not None:
            response = _read_response(kept)
            self._note(key, 0, ANSWERED, response, None)
            return response
        self._door.answers.keep_request(key, request)
        most = self._door.most(len(canonical_json(request)))
        attempt = 1
        while True:
            self._door.budget.reserve(most)
            started = time.perf_counter()
            try:
                response = await super().request(messages, model_settings, model_request_parameters)
            except ModelAPIError as error:
                wait = self._wait(error, key, attempt, most, time.perf_counter() - started)
                if wait is None:
                    raise
                await asyncio.sleep(wait)
                attempt += 1
            else:
                return self._receive(response, key, attempt, most, time.perf_counter() - started)

    def _wait(
        self, error: ModelAPIError, key: str, attempt: int, most: Spend, seconds: float
    ) -> float | None:
        """Write a failed attempt down; seconds until the next one, or None to give up."""
        # A request that timed out may have been answered and billed: its reservation stays.
        if not isinstance(error, ModelTimeoutError):
            self._door.budget.settle(most, Spend(0.0, 0))
        outcome = outcome_of_error(error)
        self._conversation.note(
            self._conversation.call(key, attempt, outcome, latency_seconds=round(seconds, 3))
        )
        return self._door.retries.wait_after(attempt, asked_wait(error)) if is_transient(error) else None

    def _receive(
        self, response: ModelResponse, key: str, attempt: int, most: Spend, seconds: float
    ) -> ModelResponse:
        """Pay and keep an answer; one that cannot be used is paid, too, but not kept as an answer."""
        outcome = outcome_of_answer(response)
        call = self._note(key, attempt, outcome, response, seconds)
        self._door.budget.settle(most, Spend(call.cost_usd, response.usage.total_tokens))
        self._door.answers.keep(key, ModelMessagesTypeAdapter.dump_json([response]))
        if outcome != ANSWERED:
            self._door.answers.set_aside(key)
            raise UnusableAnswerError(outcome)
        return response

    def _note(
        self, key: str, attempt: int, outcome: str, response: ModelResponse, seconds: float | None
    ) -> Call:
        tokens = response.usage.input_tokens, response.usage.output_tokens
        call = self._conversation.call(
            key,
            attempt,
            outcome,
            returned_model=response.model_name,
            input_tokens=tokens[0],
            output_tokens=tokens[1],
            cost_usd=self._door.cost(*tokens),
            latency_seconds=None if seconds is None else round(seconds, 3),
        )
        self._conversation.note(call)
        return call


@asynccontextmanager
async def _open_model(door: "ModelDoor") -> AsyncGenerator[Model]:
    """The scripted model, or Gemini through a client that lives as long as the conversation."""
    if door.endpoint is None:
        if door.scripted is None:
            raise PhaError("model_unknown", model=door.name)
        yield door.scripted
        return
    client = gemini_client(door.endpoint, door.request.timeout_seconds)
    try:
        yield GoogleModel(door.name, provider=GoogleProvider(client=client))
    finally:
        await client.aio.aclose()
        client.close()


def _describe(
    name: str,
    endpoint: str,
    messages: list[ModelMessage],
    settings: ModelSettings | None,
    parameters: ModelRequestParameters,
) -> dict[str, Any]:
    """All that decides the answer: model, endpoint, settings, system text, messages, declared form."""
    tools = [*parameters.function_tools, *parameters.output_tools]
    return {
        "model": name,
        "endpoint": endpoint,
        "settings": dict(settings or {}),
        "messages": _without_fleeting(ModelMessagesTypeAdapter.dump_python(messages, mode="json")),
        "output_mode": parameters.output_mode,
        "schemas": [[tool.name, tool.description, tool.parameters_json_schema] for tool in tools],
    }


def _without_fleeting(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_fleeting(item) for key, item in value.items() if key not in _FLEETING}
    if isinstance(value, list):
        return [_without_fleeting(item) for item in value]
    return value


def _read_response(kept: bytes) -> ModelResponse:
    (response,) = ModelMessagesTypeAdapter.validate_json(kept)
    if not isinstance(response, ModelResponse):
        raise TypeError("a kept answer is no model response")
    return response
