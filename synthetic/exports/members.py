"""What an export is made of: files one by one, and how the export was asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple


class Member(NamedTuple):
    """One file of an export: its path below the export's root, with ``/``, and its bytes."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """How an export was asked for.

    requested_utc: when, in UTC, aware. form: a key of FORMS. sampling_seconds: the finest step of heart rate.
    language: language and region of the account or, for an API, of the call (en_US, en_GB, de_DE).
    """

    requested_utc: datetime
    form: str
    sampling_seconds: int = 60
    language: str = "en_US"


def write_loose(members: Iterator[Member], folder: Path) -> list[str]:
    """Write the members as files below ``folder``, one at a time; returns their paths in order."""
    written: list[str] = []
    for member in members:
        path = folder / member.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(member.content)
        written.append(member.path)
    return written
