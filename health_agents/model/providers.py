"""The families of models, told apart by the model's name alone."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["gemini", "vertex", "openai", "anthropic"]


@dataclass(frozen=True, slots=True)
class Provider:
    """A family of models reached in one way.

    prefixes: how their names begin. endpoint: where they are, unless endpoint_variable says otherwise.
    key_variables: environment variables that may hold the key, the first set one counts.
    cut: what our name has before the provider's own. library: the package its client is in.
    takes_temperature: false where newer models refuse to be told one.
    price_list: the provider's name in genai-prices; servers of one's own have none.
    """

    kind: Kind
    prefixes: tuple[str, ...]
    endpoint: str
    endpoint_variable: str
    key_variables: tuple[str, ...]
    library: str
    cut: str = ""
    needs_key: bool = True
    has_batches: bool = False
    takes_temperature: bool = True
    price_list: str = ""


def _server(name: str, endpoint: str, *, needs_key: bool = False) -> Provider:
    """A server that speaks OpenAI's REST: its names are <server>/<model>."""
    return Provider(
        "openai",
        (f"{name}/",),
        endpoint,
        f"{name.upper()}_BASE_URL",
        (f"{name.upper()}_API_KEY",),
        "openai",
        cut=f"{name}/",
        needs_key=needs_key,
    )


PROVIDERS = (
    Provider(
        "gemini",
        ("gemini-",),
        "https://generativelanguage.googleapis.com/",
        "GOOGLE_GEMINI_BASE_URL",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "google.genai",
        has_batches=True,
        price_list="google",
    ),
    Provider(
        "vertex",
        ("vertex/",),
        "https://{place}aiplatform.googleapis.com/",
        "GOOGLE_VERTEX_BASE_URL",
        ("CLOUDSDK_AUTH_ACCESS_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS"),
        "google.genai",
        cut="vertex/",
        price_list="google",
    ),
    Provider(
        "openai",
        ("gpt-", "o1", "o3", "o4", "o5"),
        "https://api.openai.com/v1",
        "OPENAI_BASE_URL",
        ("OPENAI_API_KEY",),
        "openai",
        takes_temperature=False,
        price_list="openai",
    ),
    Provider(
        "anthropic",
        ("claude-",),
        "https://api.anthropic.com",
        "ANTHROPIC_BASE_URL",
        ("ANTHROPIC_API_KEY",),
        "anthropic",
        takes_temperature=False,
        price_list="anthropic",
    ),
    _server("ollama", "http://127.0.0.1:11434/v1"),
    _server("vllm", "http://127.0.0.1:8000/v1"),
    _server("llamacpp", "http://127.0.0.1:8080/v1"),
)


def provider_named(model: str) -> Provider | None:
    """The family that a model's name belongs to, or None."""
    return next((one for one in PROVIDERS if model.startswith(one.prefixes)), None)
