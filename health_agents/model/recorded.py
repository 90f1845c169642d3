"""A model whose requests are looked up, paid for, paced, tried again and written down."""

import asyncio
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from pydantic import BaseModel
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelRateLimitError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.batch import BatchRequest
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from health_agents.model.batch_jobs import read_result
from health_agents.model.budget import Spend
from health_agents.model.clients import SENDER
from health_agents.model.outcomes import (
    ANSWERED,
    MALFORMED,
    asked_wait,
    is_hard,
    is_transient,
    may_be_billed,
    may_pass,
    outcome_of_answer,
    outcome_of_error,
)
from health_agents.model.request import Request
from health_agents.model.run_processes import Waiting
from schemas.errors import PhaError

if TYPE_CHECKING:
    from health_agents.model.conversation import Conversation
    from health_agents.model.door import BatchMode

# An answer in the wrong form goes back to the model once: it is paid, kept and no end of the conversation.
_GOES_ON = (ANSWERED, MALFORMED)


class UnusableAnswerError(Exception):
    """An answer came that cannot be used; its text says why: empty, blocked, cut off, refused, leaked."""


class Recorded(WrapperModel):
    """The wrapper around the model of one conversation.

    form: what the answer must fit. instructions: what must not be found in it.
    """

    def __init__(
        self, wrapped: Model, conversation: "Conversation", form: type[BaseModel], instructions: str
    ) -> None:
        super().__init__(wrapped)
        self._conversation = conversation
        self._door = conversation.door
        self._form = form
        self._instructions = instructions

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The kept answer where there is one, else that of the endpoint; raises the door's errors."""
        endpoint = self._door.endpoint.url if self._door.endpoint else "scripted"
        request = Request(self._door.name, endpoint, messages, model_settings, model_request_parameters)
        kept = self._door.answers.find(request.key)
        if kept is not None:
            response = _read_response(kept)
            self._conversation.note_answer(request.key, self._outcome(response), response, cached=True)
            return response
        if self._door.batch is not None:
            return await self._from_batch(request, self._door.batch)
        return await self._ask(request)

    async def _from_batch(self, request: Request, mode: "BatchMode") -> ModelResponse:
        """What a batch job brought; else the request waits for the next one: PhaError model_waiting."""
        batches = mode.batches
        asked = BatchRequest(
            custom_id=request.key,
            messages=request.messages,
            model_settings=request.settings,
            model_request_parameters=request.parameters,
        )
        if (kept := batches.result(request.key)) is None:
            await self._wait_for_batch(request, asked, mode)
            raise PhaError("model_waiting")
        try:
            response = self.wrapped.batch_decode(read_result(kept), asked)
        except ModelAPIError as error:
            self._conversation.note(request.key, outcome_of_error(error))
            if is_hard(error):
                raise self._door.close("model_unavailable", reason=outcome_of_error(error)) from None
            if batches.take_result(request.key) >= self._door.retries.attempts or not may_pass(error):
                raise
            return await self._from_batch(request, mode)
        outcome = self._outcome(response)
        self._conversation.note_answer(request.key, outcome, response)
        try:
            return self._keep(request, response, outcome)
        finally:
            batches.take_result(request.key)

    async def _wait_for_batch(self, request: Request, asked: BatchRequest, mode: "BatchMode") -> None:
        if mode.batches.is_known(request.key):
            return
        self._door.require_open()
        most = self._door.most(request.characters, batch=True)
        self._door.budget.check(self._conversation.agent, self._conversation.participant_id, most)
        sender = self._conversation.sender(request.key)
        encoded = await self.wrapped.batch_encode(asked)
        mode.processes.ask_later(Waiting(sender, most, asdict(encoded)))

    async def _ask(self, request: Request) -> ModelResponse:
        """Try until an answer comes; raises what ended the last try."""
        attempt = 1
        while not isinstance(came := await self._try(request, attempt), ModelResponse):
            await asyncio.sleep(came)
            attempt += 1
        return came

    async def _try(self, request: Request, attempt: int) -> ModelResponse | float:
        """One try: the answer, or the seconds to wait before the next one."""
        self._door.require_open()
        with self._door.pace.place() as episode:
            self._door.require_open()
            most = self._door.most(request.characters)
            reservation = self._conversation.reserve(most)
            started = time.perf_counter()
            try:
                response = await self._send(request)
            except ModelAPIError as error:
                billed = most if may_be_billed(error) else Spend(0.0, 0)
                self._door.budget.settle(reservation, billed)
                self._note_failure(request, outcome_of_error(error), started)
                return self._wait_after(error, attempt, episode)
            except UnexpectedModelBehavior:
                self._door.budget.settle(reservation, most)
                self._note_failure(request, MALFORMED, started)
                raise UnusableAnswerError(MALFORMED) from None
            return self._receive(request, response, reservation, time.perf_counter() - started)

    async def _send(self, request: Request) -> ModelResponse:
        """Over the wire, within the time a request may take in all."""
        SENDER.set(self._conversation.sender(request.key))
        try:
            async with asyncio.timeout(self._door.request.timeout_seconds):
                return await self.wrapped.request(request.messages, request.settings, request.parameters)
        except TimeoutError:
            raise ModelTimeoutError(self.model_name, "timed out") from None

    def _wait_after(self, error: ModelAPIError, attempt: int, episode: int) -> float:
        """Seconds to wait; raises where another try cannot help, and closes the door where none could."""
        if is_hard(error):
            raise self._door.close("model_unavailable", reason=outcome_of_error(error)) from None
        asked = asked_wait(error)
        wait = self._door.retries.wait_after(attempt, asked) if is_transient(error) else None
        if wait is None:
            if self._door.retries.is_too_long(asked):
                raise self._door.close("model_rate_limited") from None
            raise error
        if not isinstance(error, ModelRateLimitError):
            return wait
        self._door.pace.limited(episode, wait)  # The pace makes everybody wait, this request too.
        return 0.0

    def _receive(
        self, request: Request, response: ModelResponse, reservation: str, seconds: float
    ) -> ModelResponse:
        """Pay and keep an answer; one that cannot be used is paid, too, but not kept as an answer."""
        outcome = self._outcome(response)
        call = self._conversation.note_answer(request.key, outcome, response, seconds=seconds)
        self._door.budget.settle(reservation, Spend(call.cost_usd, response.usage.total_tokens))
        self._door.pace.answered()
        return self._keep(request, response, outcome)

    def _keep(self, request: Request, response: ModelResponse, outcome: str) -> ModelResponse:
        self._door.answers.keep(request.key, ModelMessagesTypeAdapter.dump_json([response]))
        if outcome not in _GOES_ON:
            self._door.answers.set_aside(request.key)
            raise UnusableAnswerError(outcome)
        return response

    def _note_failure(self, request: Request, outcome: str, started: float) -> None:
        self._conversation.note(request.key, outcome, latency_seconds=time.perf_counter() - started)

    def _outcome(self, response: ModelResponse) -> str:
        return outcome_of_answer(response, self._form, self._instructions)


def _read_response(kept: bytes) -> ModelResponse:
    (response,) = ModelMessagesTypeAdapter.validate_json(kept)
    if not isinstance(response, ModelResponse):
        raise TypeError("a kept answer is no model response")
    return response
