"""A request as data: what decides its answer, and its digest."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from outputs.digests import canonical_json, digest

# What differs between two equal requests: times and ids made up on the way.
_FLEETING = {
    *("timestamp", "run_id", "conversation_id", "tool_call_id", "id", "usage", "metadata", "model_id"),
    *("provider_response_id", "provider_details", "provider_name", "provider_url", "canonical_system"),
}
# How often a client tries again decides no answer.
_OF_THE_CLIENT = {"max_retries"}


@dataclass(frozen=True)
class Request:
    """One request of a conversation to a model at an endpoint."""

    model: str
    endpoint: str
    messages: list[ModelMessage]
    settings: ModelSettings | None
    parameters: ModelRequestParameters

    @cached_property
    def described(self) -> dict[str, Any]:
        """All that decides the answer: model, endpoint, settings, system text, messages, declared form."""
        tools = [*self.parameters.function_tools, *self.parameters.output_tools]
        settings = {
            name: value for name, value in (self.settings or {}).items() if name not in _OF_THE_CLIENT
        }
        return {
            "model": self.model,
            "endpoint": self.endpoint,
            "settings": settings,
            "messages": _without_fleeting(ModelMessagesTypeAdapter.dump_python(self.messages, mode="json")),
            "output_mode": self.parameters.output_mode,
            "schemas": [[tool.name, tool.description, tool.parameters_json_schema] for tool in tools],
        }

    @cached_property
    def key(self) -> str:
        """Digest of the whole request."""
        return digest(self.described)

    @property
    def characters(self) -> int:
        """Its length, for the most it can cost."""
        return len(canonical_json(self.described))


def _without_fleeting(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_fleeting(item) for key, item in value.items() if key not in _FLEETING}
    if isinstance(value, list):
        return [_without_fleeting(item) for item in value]
    return value
