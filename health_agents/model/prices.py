"""What models cost, dated. A model that is not here is unpriced: its cost is unknown, never zero.

US dollars per million tokens of text, by the provider's price list as of PRICES_AS_OF. Thinking counts as
output. A batch job costs BATCH_SHARE of it. Discounts for cached prompts are left out: no cost is too low.
"""

from dataclasses import dataclass
from datetime import date

PRICES_AS_OF = date(2026, 11, 30)
LONG_PROMPT_TOKENS = 200_000
BATCH_SHARE = 0.5
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """A price from a day on. The long prices hold for the whole request above LONG_PROMPT_TOKENS of input."""

    model: str
    since: date
    input: float
    output: float
    long_input: float | None = None
    long_output: float | None = None

    def cost(self, input_tokens: int, output_tokens: int, *, batch: bool = False) -> float:
        """Cost of a request in US dollars, by itself or in a batch job."""
        long = input_tokens > LONG_PROMPT_TOKENS
        per_input = self.long_input if long and self.long_input is not None else self.input
        per_output = self.long_output if long and self.long_output is not None else self.output
        whole = (input_tokens * per_input + output_tokens * per_output) / _MILLION
        return whole * BATCH_SHARE if batch else whole


_START = date(2025, 6, 17)
_RISE = date(2027, 1, 1)
_PRICES = (
    Price("gemini-2.5-pro", _START, 1.25, 10.0, 2.5, 15.0),
    Price("gemini-2.5-flash", _START, 0.30, 2.50),
    Price("gemini-2.5-flash-lite", _START, 0.10, 0.40),
    Price("gemini-3.1-pro-preview", _START, 2.0, 12.0, 4.0, 18.0),
    Price("gemini-3.1-flash-lite", _START, 0.25, 1.50),
    Price("gemini-3.5-flash", _START, 1.50, 9.0),
    Price("gemini-3.5-flash-lite", _START, 0.30, 2.50),
    *(
        price
        for model in ("gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash")
        for price in (Price(model, _START, 0.75, 3.75), Price(model, _RISE, 1.50, 7.50))
    ),
)


def price_of(model: str, day: date) -> Price | None:
    """The price of a model on a day, or None where we know none. Only the exact name counts."""
    known = [price for price in _PRICES if price.model == model and price.since <= day]
    return max(known, key=lambda price: price.since, default=None)
