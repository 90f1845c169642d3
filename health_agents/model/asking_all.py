"""Several questions of one piece of work: one that waits for a batch job keeps no other from going out."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager

from schemas.errors import PhaError


@contextmanager
def asking_all() -> Generator[Callable[[], AbstractContextManager[None]]]:
    """Gives the ``with`` that each question stands in; raises model_waiting after all, where one waits."""
    waits: list[PhaError] = []

    @contextmanager
    def each() -> Generator[None]:
        try:
            yield
        except PhaError as error:
            if error.code.name != "model_waiting":
                raise
            waits.append(error)

    yield each
    if waits:
        raise waits[0]
