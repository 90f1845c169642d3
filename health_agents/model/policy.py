"""Which model a study may use, where it is, and what must be there before anything is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from urllib.parse import urlsplit

from health_agents.model.providers import PROVIDERS, Provider, provider_named
from schemas.errors import PhaError
from schemas.settings import Settings

RULES = "rules"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go, and the model's name there. The key is never shown."""

    provider: Provider
    model: str
    url: str
    key: str
    project: str = ""
    location: str = ""

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

    model_not_allowed, model_unknown, model_library_missing, model_agreement_missing, model_key_missing or
    model_batch_unavailable (PhaError).
    """
    if name == RULES:
        return
    if name not in settings.model.allow:
        raise PhaError("model_not_allowed", model=name)
    provider = find_endpoint(settings, name, environ).provider
    if settings.model.batch and not provider.has_batches:
        raise PhaError("model_batch_unavailable", model=name)


def find_endpoint(settings: Settings, name: str, environ: Mapping[str, str]) -> Endpoint:
    """The endpoint of an allowed model; raises where the agreement, the key or a library is missing."""
    provider = _provider_of(name)
    location = environ.get("GOOGLE_CLOUD_LOCATION") or "global"
    endpoint = Endpoint(
        provider,
        name.removeprefix(provider.cut),
        environ.get(provider.endpoint_variable) or provider.endpoint.format(place=_place(location)),
        next((environ[variable] for variable in provider.key_variables if environ.get(variable)), ""),
        environ.get("GOOGLE_CLOUD_PROJECT", ""),
        location,
    )
    if not endpoint.is_this_machine and not settings.model.agreement.strip():
        raise PhaError("model_agreement_missing", model=name)
    if provider.needs_key and not endpoint.key:
        raise PhaError("model_key_missing", model=name, variable=" or ".join(provider.key_variables))
    if provider.kind == "vertex" and not endpoint.project:
        raise PhaError("model_key_missing", model=name, variable="GOOGLE_CLOUD_PROJECT")
    return endpoint


def _provider_of(name: str) -> Provider:
    provider = provider_named(name)
    if provider is None:
        known = ", ".join(prefix for one in PROVIDERS for prefix in one.prefixes)
        raise PhaError("model_unknown", model=name, prefixes=known)
    if find_spec(provider.library) is None:
        raise PhaError("model_library_missing", model=name, library=provider.library)
    return provider


def _place(location: str) -> str:
    """How Vertex AI's host begins: global has no prefix."""
    return "" if location == "global" else f"{location}-"


def is_loopback(host: str) -> bool:
    """True for localhost and loopback addresses; a name that would need a look-up is not believed."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
