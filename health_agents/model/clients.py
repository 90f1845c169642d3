"""The models of pydantic-ai behind the door, each over one HTTP client that keeps what it sends."""

import os
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from functools import lru_cache, partial

import certifi
import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from health_agents.model.policy import Endpoint
from health_agents.model.sent import Sender, Sent

# On whose behalf the request is made that is about to be sent; None: for no single participant.
SENDER: ContextVar[Sender | None] = ContextVar("SENDER", default=None)
# Tries are counted and paid for by the door: no client may try again by itself.
_NO_RETRIES = ModelSettings(max_retries=0)


@asynccontextmanager
async def open_model(endpoint: Endpoint, timeout_seconds: float, sent: Sent) -> AsyncGenerator[Model]:
    """The model at an endpoint, through a client that lives as long as this context."""
    async with _http_client(endpoint, timeout_seconds, sent) as http:
        make = {"gemini": _google, "vertex": _google, "openai": _openai, "anthropic": _anthropic}
        yield make[endpoint.provider.kind](endpoint, timeout_seconds, http)


def _http_client(endpoint: Endpoint, timeout_seconds: float, sent: Sent) -> httpx2.AsyncClient:
    """A client that goes to this endpoint only: no redirects; a proxy only for an outside endpoint."""
    return httpx2.AsyncClient(
        timeout=timeout_seconds,
        follow_redirects=False,
        trust_env=not endpoint.is_this_machine,
        verify=_certificates(),
        event_hooks={"request": [partial(_keep_sent, sent)]},
    )


async def _keep_sent(sent: Sent, request: httpx2.Request) -> None:
    sender = SENDER.get()
    if sender is not None:
        sent.keep(sender, str(request.url), await request.aread())


def _google(endpoint: Endpoint, timeout_seconds: float, http: httpx2.AsyncClient) -> Model:
    from google import genai
    from google.genai import types
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider
    from pydantic_ai.providers.google_cloud import GoogleCloudProvider

    options = types.HttpOptions(
        base_url=endpoint.url,
        timeout=int(timeout_seconds * 1000),
        httpx_async_client=http,
        client_args={"verify": _certificates(), "trust_env": False},
        async_client_args={"ssl": _certificates()},  # Else the library reads them anew for every client.
    )
    if endpoint.provider.kind == "gemini":
        client = genai.Client(vertexai=False, api_key=endpoint.key, http_options=options)
        return GoogleModel(endpoint.model, provider=GoogleProvider(client=client), settings=_NO_RETRIES)
    client = genai.Client(
        vertexai=True,
        project=endpoint.project,
        location=endpoint.location,
        credentials=_google_credentials(endpoint),
        http_options=options,
    )
    return GoogleModel(endpoint.model, provider=GoogleCloudProvider(client=client), settings=_NO_RETRIES)


def _google_credentials(endpoint: Endpoint) -> object:
    """The token itself, or a file of credentials, which the library reads and renews."""
    from google.auth import load_credentials_from_file
    from google.oauth2.credentials import Credentials

    if not os.path.isfile(endpoint.key):  # noqa: PTH113
        return Credentials(endpoint.key)
    scopes = ["https://www.googleapis.com/auth/cloud-platform"]
    return load_credentials_from_file(endpoint.key, scopes=scopes)[0]


def _openai(endpoint: Endpoint, timeout_seconds: float, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    key = endpoint.key or "none"  # The client wants one; servers of one's own mostly ask for none.
    provider = OpenAIProvider(base_url=endpoint.url, api_key=key, http_client=http)
    return OpenAIChatModel(endpoint.model, provider=provider, settings=_NO_RETRIES)


def _anthropic(endpoint: Endpoint, timeout_seconds: float, http: httpx2.AsyncClient) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=endpoint.key, base_url=endpoint.url, http_client=http)
    return AnthropicModel(endpoint.model, provider=provider, settings=_NO_RETRIES)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """The machine's certificates and those of certifi, read once and not for every client."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
