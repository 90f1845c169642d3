"""How many requests are under way at once: the endpoint's limit is found by asking, not by a setting."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

MOST = 64


class Pace:
    """Shared by the threads of a process.

    Slow start: one more place for every answer, until the first 429. Each 429 episode halves the places once:
    the others of the episode were sent before the cut. Then one more place for every full round of answers.
    What the endpoint asks for (Retry-After) holds for all requests.
    """

    def __init__(self, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._changed = threading.Condition()
        self._places = 2.0
        self._starting = True
        self._under_way = 0
        self._episode = 0
        self._not_before = 0.0

    @contextmanager
    def place(self) -> Generator[int]:
        """Wait for a place and hold it; gives the episode, to be handed to ``answered`` or ``limited``."""
        with self._changed:
            while (wait := self._wait()) is not None:
                self._changed.wait(wait or None)
            self._under_way += 1
            episode = self._episode
        try:
            yield episode
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()

    def answered(self) -> None:
        """An answer came: there is room."""
        with self._changed:
            more = 1.0 if self._starting else 1.0 / self._places
            self._places = min(self._places + more, self._most)
            self._changed.notify_all()

    def limited(self, episode: int, wait: float) -> None:
        """The endpoint said 429 to a request of an episode, and all are to wait so many seconds."""
        with self._changed:
            self._not_before = max(self._not_before, self._clock() + wait)
            if episode == self._episode:
                self._episode += 1
                self._starting = False
                self._places = max(1.0, self._places / 2)

    @property
    def places(self) -> int:
        """Requests that may be under way now."""
        with self._changed:
            return int(self._places)

    def _wait(self) -> float | None:
        """None where a place is free; else the seconds until one may be, 0 where another must leave first."""
        until = self._not_before - self._clock()
        if until > 0:
            return until
        return 0.0 if self._under_way >= int(self._places) else None
