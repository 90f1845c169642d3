"""What became of a request, in the words of ``model_calls.outcome``, and what is worth another try."""

import re
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart

from health_agents.model.leaks import leaked_words

ANSWERED = "answered"
MALFORMED = "malformed"
# A model may quote a rule it was told; so many words in a row are its instructions.
LEAK_WORDS = 25
_UNUSABLE = {"length": "cut off", "content_filter": "blocked", "error": MALFORMED}
_REFUSAL = re.compile(
    r"\b(i'?m sorry|i apologi[sz]e|i (can ?not|can'?t|won'?t|will not)|i'?m (unable|not able)|as an ai)\b",
    re.IGNORECASE,
)
_REFUSED_WITHIN = 120
_HARD_STATUS = (401, 402, 403, 404)


def outcome_of_answer(response: ModelResponse, form: type[BaseModel], instructions: str) -> str:
    """answered, or why the answer is none: cut off, blocked, empty, leaked, refused, malformed."""
    if response.finish_reason in _UNUSABLE:
        return _UNUSABLE[response.finish_reason]
    forms = [part.args_as_json_str() for part in response.parts if isinstance(part, ToolCallPart)]
    prose = " ".join(part.content for part in response.parts if isinstance(part, TextPart)).strip()
    if not forms and not prose:
        return "empty"
    if leaked_words(" ".join([prose, *forms]), instructions, LEAK_WORDS) is not None:
        return "leaked"
    if not forms and not _fits(prose, form):
        return "refused" if _REFUSAL.search(prose[:_REFUSED_WITHIN].replace("\u2019", "'")) else MALFORMED
    return ANSWERED if not forms or _fits(forms[0], form) else MALFORMED


def _fits(written: str, form: type[BaseModel]) -> bool:
    try:
        form.model_validate_json(written)
    except ValidationError:
        return False
    return True


def outcome_of_error(error: ModelAPIError) -> str:
    """What went wrong, without the endpoint's own words."""
    if _is_out_of_quota(error):
        return "quota used up"
    if isinstance(error, ModelRateLimitError):
        return "rate limited"
    if isinstance(error, ModelTimeoutError):
        return "timed out"
    if isinstance(error, ModelConnectionError):
        return "unreachable"
    return f"status {error.status_code}" if isinstance(error, ModelHTTPError) else MALFORMED


def may_be_billed(error: ModelAPIError) -> bool:
    """The request may have been answered: in time for us or not, readable or not."""
    refused = isinstance(error, (ModelHTTPError, ModelConnectionError))
    return isinstance(error, ModelTimeoutError) or not refused


def is_hard(error: ModelAPIError) -> bool:
    """No request of this study can succeed: key, permission, model's name or quota."""
    if _is_out_of_quota(error) or isinstance(error, (ModelAuthenticationError, ModelNotFoundError)):
        return True
    return isinstance(error, ModelHTTPError) and error.status_code in _HARD_STATUS


def is_transient(error: ModelAPIError) -> bool:
    """The same request may succeed a little later."""
    kinds = (ModelRateLimitError, ModelServerError, ModelUnavailableError, ModelConnectionError)
    return isinstance(error, kinds) and not is_hard(error)


def may_pass(error: ModelAPIError) -> bool:
    """A request of a batch job that failed may succeed in another one: also one that never ran."""
    return is_transient(error) or not isinstance(error, ModelHTTPError)


def asked_wait(error: ModelAPIError) -> float | None:
    """Seconds the endpoint asks to wait: Retry-After, else RetryInfo in the error's details."""
    if error.retry_after is not None:
        return error.retry_after
    delays = [item["retryDelay"] for item in _details(error) if "retryDelay" in item]
    return float(str(delays[0]).removesuffix("s")) if delays else None


def _is_out_of_quota(error: ModelAPIError) -> bool:
    """Said outright, or a quota of a day: no wait of this run mends it."""
    quotas = [str(one.get("quotaId")) for item in _details(error) for one in item.get("violations") or ()]
    return isinstance(error, ModelQuotaExceededError) or any("PerDay" in quota for quota in quotas)


def _details(error: ModelAPIError) -> list[dict[str, Any]]:
    body = error.body if isinstance(error.body, dict) else {}
    fault = body.get("error")
    details = fault.get("details") if isinstance(fault, dict) else None
    return [item for item in details if isinstance(item, dict)] if isinstance(details, list) else []
