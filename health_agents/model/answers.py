"""Answers of language models, kept by the digest of the whole request: none is ever paid twice.

``<digest>.answer.json`` is what came back. An answer that turned out useless becomes ``.useless.json`` and is
asked for again on the next run.
"""

import os
import uuid
from pathlib import Path


class Answers:
    """The kept answers below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, digest: str) -> bytes | None:
        """The kept answer to a request, or None."""
        try:
            return self._path(digest, "answer").read_bytes()
        except FileNotFoundError:
            return None

    def keep(self, digest: str, answer: bytes) -> None:
        """Keep an answer; the first one stays."""
        create(self._path(digest, "answer"), answer)

    def set_aside(self, digest: str) -> None:
        """Take an answer that could not be used out of the way, but keep it to look at."""
        path = self._path(digest, "answer")
        if path.exists():
            path.replace(self._path(digest, "useless"))

    def _path(self, digest: str, kind: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.{kind}.json"


def create(path: Path, content: bytes) -> None:
    """Write a file that nobody else may have begun; where it is there, it stays as it is."""
    temporary = _written(path, content)
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        pass
    finally:
        temporary.unlink()


def replace(path: Path, content: bytes) -> None:
    """Write a file instead of the one that is there: whole, or not at all."""
    _written(path, content).replace(path)


def _written(path: Path, content: bytes) -> Path:
    """The content beside its place, on disk."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    with temporary.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    return temporary
