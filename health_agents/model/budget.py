"""The budget of a run: every request reserves what it could cost at most, before it is sent."""

import threading
from dataclasses import dataclass

from schemas.errors import PhaError
from schemas.settings import BudgetSection


@dataclass(frozen=True, slots=True)
class Spend:
    """Money (None: unknown price), tokens in and out, and requests."""

    usd: float | None
    tokens: int
    calls: int = 1


class Budget:
    """What a run may still spend. Shared by threads; a limit is never passed, not even by one request."""

    def __init__(self, limits: BudgetSection) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._usd = 0.0
        self._tokens = 0
        self._calls = 0

    def reserve(self, most: Spend) -> None:
        """Set aside the most a request can cost; raises budget_reached with the limit it would pass."""
        with self._lock:
            usd = self._usd + (most.usd or 0.0)
            tokens, calls = self._tokens + most.tokens, self._calls + most.calls
            if calls > self._limits.calls:
                raise PhaError("budget_reached", limit=f"{self._limits.calls} calls")
            if tokens > self._limits.tokens:
                raise PhaError("budget_reached", limit=f"{self._limits.tokens} tokens")
            if usd > self._limits.usd:
                raise PhaError("budget_reached", limit=f"{self._limits.usd:.2f} USD")
            self._usd, self._tokens, self._calls = usd, tokens, calls

    def settle(self, most: Spend, spent: Spend) -> None:
        """Replace a reservation by what the request really took."""
        with self._lock:
            self._usd += (spent.usd or 0.0) - (most.usd or 0.0)
            self._tokens += spent.tokens - most.tokens
            self._calls += spent.calls - most.calls

    @property
    def spent(self) -> Spend:
        """What is spent or set aside now."""
        with self._lock:
            return Spend(self._usd, self._tokens, self._calls)
