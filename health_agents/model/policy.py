"""Which model a study may use, where it is, and what must be there before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from schemas.errors import PhaError
from schemas.settings import Settings

RULES = "rules"


@dataclass(frozen=True, slots=True)
class Provider:
    """A family of models reached in one way: names with a prefix, an endpoint, a key."""

    prefix: str
    endpoint: str
    endpoint_variable: str
    key_variables: tuple[str, ...]


GEMINI = Provider(
    prefix="gemini-",
    endpoint="https://generativelanguage.googleapis.com/",
    endpoint_variable="GOOGLE_GEMINI_BASE_URL",
    key_variables=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
)
PROVIDERS = (GEMINI,)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go. The key is never shown."""

    provider: Provider
    url: str
    key: str

    def __repr__(self) -> str:
        return f"Endpoint({self.host})"

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def is_this_machine(self) -> bool:
        """The host is a loopback address: nothing leaves."""
        return is_loopback(urlsplit(self.url).hostname or "")


def check_model(settings: Settings, name: str, environ: Mapping[str, str]) -> None:
    """Raise the usage error that forbids this model, if there is one.

    model_not_allowed, model_unknown, model_agreement_missing or model_key_missing (PhaError).
    """
    if name == RULES:
        return
    if name not in settings.model.allow:
        raise PhaError("model_not_allowed", model=name)
    find_endpoint(settings, name, environ)


def find_endpoint(settings: Settings, name: str, environ: Mapping[str, str]) -> Endpoint:
    """The endpoint of an allowed model; raises where the agreement or the key is missing."""
    provider = next((p for p in PROVIDERS if name.startswith(p.prefix)), None)
    if provider is None:
        raise PhaError("model_unknown", model=name, prefixes=", ".join(p.prefix for p in PROVIDERS))
    key = next((environ[variable] for variable in provider.key_variables if environ.get(variable)), "")
    endpoint = Endpoint(provider, environ.get(provider.endpoint_variable) or provider.endpoint, key)
    if not endpoint.is_this_machine and not settings.model.agreement.strip():
        raise PhaError("model_agreement_missing", model=name)
    if not key:
        raise PhaError("model_key_missing", model=name, variable=" or ".join(provider.key_variables))
    return endpoint


def is_loopback(host: str) -> bool:
    """True for localhost and loopback addresses; a name that would need a look-up is not believed."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
