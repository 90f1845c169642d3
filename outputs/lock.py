"""One writer at a time: an advisory lock that the system lets go of when its holder dies."""

import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(folder: Path) -> Generator[None]:
    """Hold the folder's lock against other processes and threads; the folder is made if missing."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
