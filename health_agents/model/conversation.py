"""An agent's question as requests that all pass the door.

A conversation is one question with at most one repair: an answer not in the declared form is sent back once
with what is wrong. Each request of it passes ``Recorded``, which asks the store, the budget and the retries.
"""

import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.exceptions import (
    ContentFilterError,
    ModelAPIError,
    ModelRateLimitError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from health_agents.model.budget import Spend
from health_agents.model.calls import MOST_REQUESTS_EACH, Call
from health_agents.model.clients import open_model
from health_agents.model.outcomes import MALFORMED, outcome_of_error
from health_agents.model.prices import Tokens
from health_agents.model.recorded import Recorded, UnusableAnswerError
from health_agents.model.sent import Sender
from schemas.errors import PhaError

if TYPE_CHECKING:
    from health_agents.model.door import ModelDoor

Output = TypeVar("Output", bound=BaseModel)


class Conversation:
    """One question of an agent, and the calls it took."""

    def __init__(self, door: "ModelDoor", agent: str, participant_id: str) -> None:
        self.door = door
        self.agent = agent
        self.participant_id = participant_id
        self.calls: list[Call] = []

    async def hold(self, system: str, prompt: str, output_type: type[Output]) -> Output:
        """Ask; returns the validated answer or raises the door's errors, whose texts hold no content."""
        settings = _settings_of(self.door)
        try:
            async with _open_model(self.door) as model:
                recorded = Recorded(model, self, output_type, system)
                agent = Agent(
                    recorded,
                    output_type=output_type,
                    instructions=system,
                    retries=MOST_REQUESTS_EACH - 1,
                    model_settings=settings,
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
            raise PhaError("model_failed", outcome=MALFORMED) from None

    def reserve(self, most: Spend) -> str:
        """Set aside what a request of this conversation can cost; raises budget_reached."""
        return self.door.budget.reserve(self.agent, self.participant_id, most)

    def sender(self, request_digest: str) -> Sender:
        """On whose behalf a request is made, for the audit."""
        return Sender(self.participant_id, self.agent, self.door.name, self.door.is_outside, request_digest)

    def note_answer(
        self,
        request_digest: str,
        outcome: str,
        response: ModelResponse,
        *,
        cached: bool = False,
        seconds: float | None = None,
    ) -> Call:
        """Write down a request that was answered, now or on an earlier day."""
        usage = response.usage
        tokens = Tokens(
            usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens
        )
        batch = (response.provider_details or {}).get("processing") == "batch"
        return self.note(
            request_digest,
            outcome,
            cached=cached,
            returned_model=response.model_name,
            input_tokens=tokens.input,
            cached_input_tokens=tokens.cached,
            output_tokens=tokens.output,
            cost_usd=self.door.cost(tokens, batch=batch),
            latency_seconds=seconds,
        )

    def note(self, request_digest: str, outcome: str, *, cached: bool = False, **details: Any) -> Call:
        """Keep a call in this conversation and in the door's record."""
        call = Call(
            call_id=uuid.uuid4().hex,
            participant_id=self.participant_id,
            agent=self.agent,
            model=self.door.name,
            endpoint=self.door.endpoint.host if self.door.endpoint else "scripted",
            left_machine=self.door.is_outside,
            request_digest=request_digest,
            cached=cached,
            outcome=outcome,
            **details,
        )
        self.calls.append(call)
        self.door.record(call)
        return call

    def _set_answers_aside(self) -> None:
        for call in self.calls:
            self.door.answers.set_aside(call.request_digest)


def _settings_of(door: "ModelDoor") -> ModelSettings:
    settings = ModelSettings(max_tokens=door.request.max_output_tokens)
    if door.endpoint is None or door.endpoint.provider.takes_temperature:
        settings["temperature"] = door.request.temperature
    return settings


@asynccontextmanager
async def _open_model(door: "ModelDoor") -> AsyncGenerator[Model]:
    """The scripted model, or the endpoint's through a client that lives as long as the conversation."""
    if door.scripted is not None:
        yield door.scripted
    elif door.endpoint is not None:
        async with open_model(door.endpoint, door.request.timeout_seconds, door.sent) as model:
            yield model
    else:
        raise PhaError("model_unknown", model=door.name, prefixes="")
