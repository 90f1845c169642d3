"""Which processes live: a file for each, whose lock the system lets go of when its process ends."""

import fcntl
import os
import threading
import uuid
import weakref
from contextlib import suppress
from pathlib import Path


class Holder:
    """This process among those that share a folder, for as long as this object and its process live."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._me = uuid.uuid4().hex
        self._holds = False
        self._once = threading.Lock()

    @property
    def name(self) -> str:
        """This process's name; its lock is held from the first call on."""
        with self._once:  # A second lock of the same process would wait for the first for ever.
            if not self._holds:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                descriptor = os.open(self._folder / self._me, os.O_WRONLY | os.O_CREAT, 0o600)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                weakref.finalize(self, os.close, descriptor)
                self._holds = True
        return self._me

    def is_dead(self, name: str) -> bool:
        """The process of that name is no more."""
        if name == self._me:
            return False
        with suppress(OSError), (self._folder / name).open() as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return not (self._folder / name).exists()
