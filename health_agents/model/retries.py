"""When a request is worth another try, set in this one place for every agent."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retries:
    """Attempts in all and the waits between them, in seconds.

    A wait doubles from ``first_wait``; what the endpoint asks for (Retry-After) is honoured up to
    ``longest_wait``. Above that the request is given up for this run: its participant is tried next time.
    """

    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait_after(self, attempt: int, asked: float | None) -> float | None:
        """Seconds to wait after the attempt (from 1) that failed, or None to give up."""
        if attempt >= self.attempts:
            return None
        wait = min(self.first_wait * 2 ** (attempt - 1), self.longest_wait)
        if asked is not None:
            wait = max(asked, wait)
        return wait if wait <= self.longest_wait else None

    def is_too_long(self, asked: float | None) -> bool:
        """The endpoint asks for a wait that outlasts this run's patience."""
        return asked is not None and asked > self.longest_wait
