"""What became of a request, in the words of ``model_calls.outcome``."""

from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelResponse

ANSWERED = "answered"
_UNUSABLE = {"length": "cut off", "content_filter": "blocked", "error": "malformed"}


def outcome_of_answer(response: ModelResponse) -> str:
    """answered, or why an answer cannot be used."""
    if response.finish_reason in _UNUSABLE:
        return _UNUSABLE[response.finish_reason]
    usable = [p for p in response.parts if p.part_kind == "tool-call" or getattr(p, "content", None)]
    return ANSWERED if usable else "empty"


def outcome_of_error(error: ModelAPIError) -> str:
    """What went wrong, without the endpoint's own words."""
    if isinstance(error, ModelRateLimitError):
        return "rate limited"
    if isinstance(error, ModelTimeoutError):
        return "timed out"
    if isinstance(error, ModelConnectionError):
        return "unreachable"
    return f"status {error.status_code}" if isinstance(error, ModelHTTPError) else "refused"


def is_transient(error: ModelAPIError) -> bool:
    """The same request may succeed a little later."""
    kinds = (ModelRateLimitError, ModelServerError, ModelUnavailableError, ModelConnectionError)
    return isinstance(error, kinds)


def asked_wait(error: ModelAPIError) -> float | None:
    """Seconds the endpoint asks to wait: Retry-After, else RetryInfo in the error's details."""
    if error.retry_after is not None:
        return error.retry_after
    body = error.body if isinstance(error.body, dict) else {}
    details = body.get("error", {}).get("details") or []
    delays = [item["retryDelay"] for item in details if isinstance(item, dict) and "retryDelay" in item]
    return float(str(delays[0]).removesuffix("s")) if delays else None
