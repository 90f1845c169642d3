"""Batch jobs over the wire: send what waits, wait for what is under way, bring the answers home."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import httpx2
from google.genai.errors import APIError
from pydantic import TypeAdapter
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.models import Model
from pydantic_ai.models._batch_codec import (
    BatchJobError,
)  # Nothing public tells a failed job from a failed poll.
from pydantic_ai.models.batch import Batch, BatchResult
from pydantic_ai.models.google import GoogleModel

from health_agents.model.batches import Batches, Job, Waiting
from health_agents.model.budget import NOTHING, Spend, settle_in
from health_agents.model.clients import open_model
from health_agents.model.journal import Journal
from health_agents.model.outcomes import is_transient, may_be_billed, outcome_of_error
from health_agents.model.policy import Endpoint
from schemas.errors import PhaError

if TYPE_CHECKING:
    from health_agents.model.door import ModelDoor

MOST_REQUESTS = 2_000
_HANDLE = TypeAdapter(Batch)
_RESULT = TypeAdapter(BatchResult)
Returned = TypeVar("Returned")


async def fetch(door: "ModelDoor", batches: Batches, endpoint: Endpoint) -> bool:
    """Send what waits and wait for all jobs under way; whether agents have something new to work on.

    Raises nothing of the endpoint's: a refusal closes the door, and everybody is told at their next request.
    """
    waiting = batches.take_waiting()
    try:
        async with open_model(endpoint, door.request.timeout_seconds, door.sent) as model:
            await Jobs(door, batches, endpoint, model).send(list(waiting.values()))
            return await Jobs(door, batches, endpoint, model).land_all()
    except ModelAPIError as error:
        door.close("model_unavailable", reason=outcome_of_error(error))
        return bool(waiting)


@dataclass(frozen=True)
class Jobs:
    """The batch jobs of a door at an endpoint."""

    door: "ModelDoor"
    batches: Batches
    endpoint: Endpoint
    model: Model

    async def send(self, waiting: Sequence[Waiting]) -> None:
        """As many jobs as it takes. What the budget does not allow is left out: its next request is told."""
        with Journal(self.batches.folder / "sending").held():  # No two processes send the same.
            new = [one for one in waiting if not self.batches.is_known(one.sender.request_digest)]
            for start in range(0, len(new), MOST_REQUESTS):
                reserved = list(self._reserve(new[start : start + MOST_REQUESTS]))
                if reserved:
                    await self._send_one(reserved)

    async def land_all(self) -> bool:
        """Wait for the jobs under way, whoever sent them, and keep what they bring; whether any were."""
        place = self.endpoint.url, self.endpoint.model
        jobs = [job for job in self.batches.jobs() if (job.endpoint, job.model) == place]
        for job in jobs:
            await self._land(job)
        return bool(jobs)

    def _reserve(self, waiting: Sequence[Waiting]) -> Iterator[tuple[Waiting, str]]:
        for one in waiting:
            who = one.sender.agent, one.sender.participant_id
            try:
                yield one, self.door.budget.reserve(*who, one.most, job=True)
            except PhaError:
                continue

    async def _send_one(self, reserved: list[tuple[Waiting, str]]) -> None:
        for one, _ in reserved:
            self.door.sent.keep(one.sender, f"{self.endpoint.url}batches", one.encoded.body.encode())
        try:
            handle = await self._patiently(
                lambda: self.model.batch_create([one.encoded for one, _ in reserved])
            )
        except ModelAPIError as error:
            for one, reservation in reserved:
                self.door.budget.settle(reservation, one.most if may_be_billed(error) else NOTHING)
            raise
        self.batches.sent_here.add(handle.id)
        self.batches.keep_job(
            endpoint=self.endpoint.url,
            model=self.endpoint.model,
            account=str(self.door.budget.account),
            handle=_HANDLE.dump_python(handle, mode="json"),
            reservations={one.sender.request_digest: reservation for one, reservation in reserved},
        )

    async def _land(self, job: Job) -> None:
        handle = _HANDLE.validate_python(job.handle)
        wait = self.door.polling.first
        while (
            handle := await self._patiently(lambda known=handle: self.model.batch_status(known))
        ).status != "ended":
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, self.door.polling.longest)
        results = await self._results(handle)
        if handle.id not in self.batches.sent_here:
            await self._delete_input(handle)
        for request_digest, reservation in job.reservations.items():
            settle_in(Path(job.account), reservation, self._spent(results.get(request_digest)))
        self.batches.end_job(
            job, {digest: _as_json(results.get(digest), digest) for digest in job.reservations}
        )

    async def _results(self, handle: Batch) -> dict[str, BatchResult]:
        """By request digest; a job that failed as a whole brought nothing."""
        try:
            results = await self._patiently(lambda: self.model.batch_results(handle))
        except BatchJobError:
            return {}
        return {result.custom_id: result for result in results}

    async def _delete_input(self, handle: Batch) -> None:
        """Delete what another process uploaded; pydantic-ai does so for this process's own."""
        file = (handle.provider_details or {}).get("input_file")
        if isinstance(self.model, GoogleModel) and isinstance(file, str):
            with suppress(APIError, httpx2.TransportError):
                await self.model.client.aio.files.delete(name=file)

    def _spent(self, result: BatchResult | None) -> Spend:
        """What a result cost; what did not run costs nothing."""
        usage: dict[str, Any] = json.loads(result.body or "{}").get("usageMetadata") or {} if result else {}
        tokens_in = int(usage.get("promptTokenCount") or 0)
        tokens_out = int(usage.get("candidatesTokenCount") or 0) + int(usage.get("thoughtsTokenCount") or 0)
        return Spend(self.door.cost(tokens_in, tokens_out, batch=True), tokens_in + tokens_out)

    async def _patiently(self, call: Callable[[], Awaitable[Returned]]) -> Returned:
        """With the door's retries: a poll that fails says nothing of the job."""
        attempt = 1
        while True:
            try:
                return await call()
            except BatchJobError:
                raise
            except ModelAPIError as error:
                wait = self.door.retries.wait_after(attempt, None) if is_transient(error) else None
                if wait is None:
                    raise
            await asyncio.sleep(wait)
            attempt += 1


def _as_json(result: BatchResult | None, request_digest: str) -> dict[str, Any]:
    """A result for the store; a request the job gave nothing for expired."""
    return asdict(result or BatchResult(custom_id=request_digest, status="expired"))


def read_result(kept: dict[str, Any]) -> BatchResult:
    """A kept result as pydantic-ai decodes it."""
    return _RESULT.validate_python(kept)
