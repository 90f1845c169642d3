"""Which files belong to one export, by their names: parts share a time, product folders a download."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from ingest.archive import ARCHIVE_NAME
from ingest.fitbit.kinds import PRODUCT_FOLDERS

_TAKEOUT = re.compile(
    r"takeout-(\d{8}T\d{6}Z)(?:-\d+)?-(\d{3})(?: ?\(\d+\))?\.(?:zip|tgz|tar)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Container:
    """What a name says. group: equal for what belongs to one export; part: of a split one, from 1."""

    group: tuple[str, str]
    made_at: datetime | None = None
    part: int | None = None


@lru_cache(maxsize=64)
def container_of(relative: str, inner: str | None) -> Container:
    """The container of a file as it was sent, or of an archive within it, which is an export of its own."""
    name = relative if inner is None else inner
    if takeout := _TAKEOUT.search(name):
        return Container(("takeout", takeout.group(1)), _made_at(takeout.group(1)), int(takeout.group(2)))
    if inner is not None:
        return Container(("inner", f"{relative}!/{inner}"))
    if ARCHIVE_NAME.search(relative):
        return Container(("archive", relative))
    top = relative.split("/")[0] if "/" in relative else ""
    return Container(("folder", "" if top.lower() in PRODUCT_FOLDERS else top))


def missing_parts(parts: Iterable[int]) -> tuple[int, ...]:
    """Numbers below the highest that are not there; whether parts follow the highest, no name says."""
    there = set(parts)
    return tuple(number for number in range(1, max(there, default=1)) if number not in there)


def generation_of(paths: Iterable[str], *, names_recorders: bool) -> str | None:
    """Layout generation by folder names (A0 to F), or None where the folders say nothing.

    names_recorders: a column names the recorder of each row, which parts D from C.
    """
    text = "\n".join(paths).lower()
    if "user-site-export/" in text:
        return "A0"
    if "google data/" in text:
        return "A2"
    if "myfitbitdata/" in text:
        return "A1"
    if "google health/" in text:
        return "F" if re.search(r"activity_googledata/[^/\n]+/", text) else "E"
    if "_googledata/" in text:
        return "D" if names_recorders else "C"
    return "B" if "global export data/" in text else None


def _made_at(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None
