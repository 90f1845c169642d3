"""Batch jobs of the Gemini API under names of ours, so that one can be found by whoever did not see it made.

pydantic-ai makes all jobs under one name; encoding, state and results are its own. Errors are pydantic-ai's.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO

import httpx2
from google.genai.errors import APIError
from google.genai.types import BatchJob, CreateBatchJobConfig, HttpOptions, HttpRetryOptions, UploadFileConfig
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.models.batch import Batch, EncodedBatchRequest
from pydantic_ai.models.google import (
    GoogleModel,
    _map_api_errors,  # pyright: ignore[reportPrivateUsage] # Nothing public does.
)

from health_agents.model.batches import Job

# The first attempt may have made the job, whatever came back.
_ONCE = HttpOptions(retry_options=HttpRetryOptions(attempts=1))


async def upload(model: GoogleModel, requests: Sequence[EncodedBatchRequest]) -> str:
    """Upload the requests of a job; returns the file's name."""
    lines = (f'{{"key":{json.dumps(one.custom_id)},"request":{one.body}}}' for one in requests)
    content = BytesIO("\n".join(lines).encode())
    config = UploadFileConfig(mime_type="application/jsonl", display_name="pha-cohort")
    with _map_api_errors(model.model_name, "google"):
        file = await model.client.aio.files.upload(file=content, config=config)
    if file.name is None:
        raise ModelAPIError(model.model_name, "an upload without a name")
    return file.name


async def delete(model: GoogleModel, file: str) -> None:
    """Delete an upload, which else counts for two days; that it is not there any more is as well."""
    with suppress(APIError, httpx2.TransportError):
        await model.client.aio.files.delete(name=file)


async def create(model: GoogleModel, job: Job) -> Batch:
    """Make a job of its uploaded requests. Only a refusal (4xx) says that it was not made."""
    if job.input_file is None:
        raise ValueError("a job is made of what was uploaded")
    config = CreateBatchJobConfig(display_name=_display_name(job), http_options=_ONCE)
    with _map_api_errors(model.model_name, "google"):
        made = await model.client.aio.batches.create(
            model=model.model_name, src=job.input_file, config=config
        )
    return _handle(model, made, job)


async def find(model: GoogleModel, job: Job) -> Batch | None:
    """The job as it was made, or None where none was."""
    with _map_api_errors(model.model_name, "google"):
        async for made in await model.client.aio.batches.list():
            if made.display_name == _display_name(job):
                return _handle(model, made, job)
    return None


def _display_name(job: Job) -> str:
    return f"pha-cohort-{job.name}"


def _handle(model: GoogleModel, made: BatchJob, job: Job) -> Batch:
    """What pydantic-ai knows a job by."""
    if made.name is None:
        raise ModelAPIError(model.model_name, "a job without a name")
    return Batch(
        id=made.name,
        model_name=model.model_name,
        provider_name=model.system,
        group=job.group,
        status="in_progress",
        created_at=made.create_time or datetime.now(UTC),
        request_count=len(job.requests),
    )
