"""Batch jobs over the wire: send what waits, wait for what is under way, bring the answers home."""

import asyncio
import json
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import TypeAdapter
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.models._batch_codec import (
    BatchJobError,
)  # Nothing public tells a failed job from a failed poll.
from pydantic_ai.models.batch import Batch, BatchResult, EncodedBatchRequest
from pydantic_ai.models.google import GoogleModel

from health_agents.model import gemini_jobs
from health_agents.model.batches import Batches, Job
from health_agents.model.budget import NOTHING, Spend
from health_agents.model.clients import open_model
from health_agents.model.journal import Journal
from health_agents.model.outcomes import is_transient, outcome_of_error
from health_agents.model.policy import Endpoint
from health_agents.model.prices import Tokens
from health_agents.model.run_processes import Waiting
from schemas.errors import PhaError

if TYPE_CHECKING:
    from health_agents.model.door import BatchMode, ModelDoor

MOST_REQUESTS = 2_000
_HANDLE = TypeAdapter(Batch)
_RESULT = TypeAdapter(BatchResult)
Returned = TypeVar("Returned")


async def fetch(door: "ModelDoor", mode: "BatchMode", endpoint: Endpoint) -> bool:
    """Send what waits and wait for all jobs under way; whether agents have something new to work on.

    Raises nothing of the endpoint's: a refusal closes the door, and everybody is told at their next request.
    """
    waiting = mode.processes.take_waiting()
    try:
        async with open_model(endpoint, door.request.timeout_seconds, door.sent) as model:
            if not isinstance(model, GoogleModel):
                raise PhaError("model_batch_unavailable", model=door.name)
            jobs = Jobs(door, mode.batches, endpoint, model)
            with Journal(mode.batches.folder / "sending").held():  # No two processes send the same.
                found = await jobs.look_for_lost()
                await jobs.send(waiting)
            return await jobs.land_all() or found or bool(waiting)
    except ModelAPIError as error:
        door.close("model_unavailable", reason=outcome_of_error(error))
        return bool(waiting)


@dataclass(frozen=True)
class Jobs:
    """The batch jobs of a door at an endpoint."""

    door: "ModelDoor"
    batches: Batches
    endpoint: Endpoint
    model: GoogleModel

    async def look_for_lost(self) -> bool:
        """Find the jobs of which nobody wrote down whether they were made; whether there were any.

        Their process was killed, or the answer to it was lost. Only one process at a time does this or sends.
        """
        lost = [job for job in self._jobs() if job.handle is None]
        for job in lost:
            if (handle := await self._find(job)) is not None:
                self._keep_handle(job, handle)
            else:
                await self._forget(job)
        return bool(lost)

    async def send(self, waiting: Sequence[Waiting]) -> None:
        """As many jobs as it takes. What the budget does not allow is left out: its next request is told."""
        new = [one for one in waiting if not self.batches.is_known(one.sender.request_digest)]
        for start in range(0, len(new), MOST_REQUESTS):
            await self._send_one(new[start : start + MOST_REQUESTS])

    async def land_all(self) -> bool:
        """Wait for the jobs under way, whoever sent them, and keep what they bring; whether any were."""
        landed = False
        for job in self._jobs():
            if job.handle is not None:
                await self._land(job, _HANDLE.validate_python(job.handle))
                landed = True
        return landed

    def _jobs(self) -> list[Job]:
        place = self.endpoint.url, self.endpoint.model
        return [job for job in self.batches.jobs() if (job.endpoint, job.model) == place]

    async def _send_one(self, waiting: Sequence[Waiting]) -> None:
        job = Job(
            name=uuid.uuid4().hex,
            endpoint=self.endpoint.url,
            model=self.endpoint.model,
            account=str(self.door.budget.account),
            requests=tuple(one.sender.request_digest for one in waiting),
            group=waiting[0].encoded["group"],
        )
        self.batches.keep(job)  # From here on somebody will settle what is set aside for it.
        reserved = [one for one in waiting if self._reserve(job, one)]
        if not reserved:
            self.batches.drop(job)
            return
        job = replace(job, requests=tuple(one.sender.request_digest for one in reserved))
        job = await self._upload(job, reserved)
        self._keep_handle(job, await self._make(job))

    def _reserve(self, job: Job, one: Waiting) -> bool:
        """Whether the budget allows a request."""
        lasting = job.reservation(one.sender.request_digest)
        try:
            self.door.budget.reserve(one.sender.agent, one.sender.participant_id, one.most, lasting=lasting)
        except PhaError:
            return False
        return True

    async def _upload(self, job: Job, reserved: Sequence[Waiting]) -> Job:
        for one in reserved:
            self.door.sent.keep(one.sender, f"{self.endpoint.url}batches", one.encoded["body"].encode())
        encoded = [EncodedBatchRequest(**one.encoded) for one in reserved]
        try:
            file = await self._patiently(lambda: gemini_jobs.upload(self.model, encoded))
        except ModelAPIError:
            await self._forget(job)
            raise
        job = replace(job, input_file=file)
        self.batches.keep(job)
        return job

    async def _make(self, job: Job) -> Batch:
        """Make the job; look for it first where an earlier try may have made it, whatever came back."""
        is_unsure = False

        async def attempt() -> Batch:
            nonlocal is_unsure
            if is_unsure and (found := await gemini_jobs.find(self.model, job)) is not None:
                return found
            try:
                return await gemini_jobs.create(self.model, job)
            except ModelAPIError as error:
                is_unsure = is_unsure or not _is_refusal(error)
                raise

        try:
            return await self._patiently(attempt)
        except ModelAPIError:
            if not is_unsure:
                await self._forget(job)
            raise

    async def _find(self, job: Job) -> Batch | None:
        """The job, if it was made. What was made a moment ago may not be listed yet: that takes two looks."""
        if job.input_file is None:
            return None
        found = await self._patiently(lambda: gemini_jobs.find(self.model, job))
        if found is None:
            await asyncio.sleep(self.door.polling.first)
            found = await self._patiently(lambda: gemini_jobs.find(self.model, job))
        return found

    def _keep_handle(self, job: Job, handle: Batch) -> None:
        self.batches.keep(replace(job, handle=_HANDLE.dump_python(handle, mode="json")))

    async def _forget(self, job: Job) -> None:
        """A job that was never made costs nothing, and what was uploaded for it does not stay there."""
        for request_digest in job.requests:
            job.settle(request_digest, NOTHING)
        if job.input_file is not None:
            await gemini_jobs.delete(self.model, job.input_file)
        self.batches.drop(job)

    async def _land(self, job: Job, handle: Batch) -> None:
        wait = self.door.polling.first
        while (
            handle := await self._patiently(lambda known=handle: self.model.batch_status(known))
        ).status != "ended":
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, self.door.polling.longest)
        results = await self._results(handle)
        if job.input_file is not None:
            await gemini_jobs.delete(self.model, job.input_file)
        for request_digest in job.requests:
            job.settle(request_digest, self._spent(results.get(request_digest)))
        self.batches.end(job, {digest: _as_json(results.get(digest), digest) for digest in job.requests})

    async def _results(self, handle: Batch) -> dict[str, BatchResult]:
        """By request digest; a job that failed as a whole brought nothing."""
        try:
            results = await self._patiently(lambda: self.model.batch_results(handle))
        except BatchJobError:
            return {}
        return {result.custom_id: result for result in results}

    def _spent(self, result: BatchResult | None) -> Spend:
        """What a result cost; what did not run costs nothing."""
        usage: dict[str, Any] = json.loads(result.body or "{}").get("usageMetadata") or {} if result else {}
        counts = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "cachedContentTokenCount")
        prompt, answer, thoughts, cached = (int(usage.get(name) or 0) for name in counts)
        tokens = Tokens(prompt, answer + thoughts, cached)
        return Spend(self.door.cost(tokens, batch=True), tokens.total)

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


def _is_refusal(error: ModelAPIError) -> bool:
    """The endpoint answered that it will not: nothing was made."""
    return isinstance(error, ModelHTTPError) and error.status_code < 500


def _as_json(result: BatchResult | None, request_digest: str) -> dict[str, Any]:
    """A result for the store; a request the job gave nothing for expired."""
    return asdict(result or BatchResult(custom_id=request_digest, status="expired"))


def read_result(kept: dict[str, Any]) -> BatchResult:
    """A kept result as pydantic-ai decodes it."""
    return _RESULT.validate_python(kept)
