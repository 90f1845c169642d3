"""Gemini through google-genai: the client that pydantic-ai's model speaks with."""

import ssl
from functools import lru_cache

import certifi
from google import genai
from google.genai import types

from health_agents.model.policy import Endpoint


def gemini_client(endpoint: Endpoint, timeout_seconds: float) -> genai.Client:
    """A client that goes to this endpoint only: no redirects; a proxy only for an outside endpoint."""
    certificates = _certificates()
    http = {
        "trust_env": not endpoint.is_this_machine,
        "follow_redirects": False,
        "verify": certificates,
        "ssl": certificates,
    }
    options = types.HttpOptions(
        base_url=endpoint.url,
        timeout=int(timeout_seconds * 1000),
        client_args=http,
        async_client_args=http,
    )
    return genai.Client(vertexai=False, api_key=endpoint.key, http_options=options)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """The machine's certificates and those of certifi, read once and not for every client."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
