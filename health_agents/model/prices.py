"""What models cost, by the dated price lists of genai-prices. A model in none is unpriced, never free.

genai-prices belongs to pydantic-ai and is pinned in requirements.lock. It holds what the providers publish,
from a day on: also for long prompts, for what a provider reads from and writes to its own cache, and for
batch jobs. Thinking counts as output. Nothing is looked up over the network. US dollars.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from health_agents.model.providers import Provider, provider_named


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a request.

    input: all; of these the provider had ``cached`` in its own cache, and put ``written`` there.
    """

    input: int
    output: int
    cached: int = 0
    written: int = 0

    @property
    def total(self) -> int:
        """In and out."""
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model on a day."""

    price_list: str
    model: str
    day: date

    def cost(self, tokens: Tokens, *, batch: bool = False) -> float | None:
        """Cost of a request, by itself or in a batch job; None where the list has no such model."""
        from genai_prices import Usage, calc_price  # Loaded when something is paid.

        cached = min(tokens.cached, tokens.input)
        usage = Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cache_read_tokens=cached,
            cache_write_tokens=min(tokens.written, tokens.input - cached),
        )
        try:
            price = calc_price(
                usage,
                self.model,
                provider_id=self.price_list,
                genai_request_timestamp=datetime.combine(self.day, time(12), UTC),
                price_context={"processing": "batch"} if batch else None,
            )
        except LookupError:
            return None
        return float(price.total_price)


def price_of(provider: Provider | None, model: str, day: date, location: str = "global") -> Price | None:
    """Where the price of a model stands, or None where no list can have it.

    model: its name at the provider. location: Vertex AI charges more outside global for some models.
    """
    if provider is None or not provider.price_list or location != "global":
        return None
    return Price(provider.price_list, model, day)


def price_by_name(name: str, day: date, location: str) -> Price | None:
    """Where the price of a model stands, by its name in a study. location: that of Vertex AI."""
    provider = provider_named(name)
    if provider is None:
        return None
    where = location if provider.kind == "vertex" else "global"
    return price_of(provider, name.removeprefix(provider.cut), day, where)
