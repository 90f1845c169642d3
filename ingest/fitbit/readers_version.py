"""A word for the readers as they are now: it changes with every change of their code or of limits."""

from functools import cache
from pathlib import Path

from outputs.digests import digest, file_sha256

PROJECT = Path(__file__).resolve().parents[2]
# What rows a reader accepts of a member: the readers, how bytes are unpacked, the limits of columns.
_FOLDERS = ("ingest/archive", "ingest/fitbit", "schemas")


@cache
def readers_version(project: Path = PROJECT) -> str:
    """Digest of the source of all that makes a reading.

    A number raised by hand can be forgotten, and then old rows would be served for new ones; reading once
    more than needed costs time only.
    """
    files = sorted(path for folder in _FOLDERS for path in (project / folder).rglob("*.py"))
    return digest([(path.relative_to(project).as_posix(), file_sha256(path)) for path in files])
