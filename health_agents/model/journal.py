"""Lines of JSON in one file that many processes add to: nothing in it is ever changed."""

import fcntl
import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from outputs.digests import canonical_json


class Journal:
    """A file of lines. A line that a full disk cut off is passed over; the next begins anew."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add a line, in one write, so that lines of two processes never mix."""
        with self.held() as lines:
            lines.append(entry)

    def read(self) -> list[dict[str, Any]]:
        """All lines so far; none where the file is missing."""
        return self.read_from(0)[0]

    def read_from(self, offset: int) -> tuple[list[dict[str, Any]], int]:
        """Lines after ``offset`` bytes, and how far was read."""
        try:
            with self.path.open("rb") as stream:
                stream.seek(offset)
                content = stream.read()
        except FileNotFoundError:
            return [], 0
        whole = content[: content.rfind(b"\n") + 1]
        return [entry for line in whole.splitlines() if (entry := _entry(line))], offset + len(whole)

    @contextmanager
    def held(self) -> Generator["Lines"]:
        """Keep all others from writing: what is read meanwhile is all there is."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield Lines(descriptor)
        finally:
            os.close(descriptor)


class Lines:
    """The end of a journal that is held."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add a line; it is on disk when this returns."""
        size = os.fstat(self._descriptor).st_size
        cut_off = size > 0 and os.pread(self._descriptor, 1, size - 1) != b"\n"
        os.write(self._descriptor, (b"\n" if cut_off else b"") + canonical_json(entry).encode() + b"\n")
        os.fsync(self._descriptor)


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        return json.loads(line)
    except ValueError:
        return None
