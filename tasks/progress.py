"""How far a run is: told to whoever listens in this process (the terminal), stage by stage."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

Listener = Callable[[str, int, int], None]

_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Call ``listener(stage, done, total)`` whenever a part of a stage is done."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(stage: str, done: int, total: int) -> None:
    """Tell the listeners that ``done`` of ``total`` participants are through a stage."""
    for listener in _listeners:
        listener(stage, done, total)
