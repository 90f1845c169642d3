"""What a kind of member is: how it is known, on which clock it is written, how it is read."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from ingest.archive import Content
from ingest.fitbit.reading import Reading

# utc and local: digits of an instant, column ``utc`` or ``local``. day: a calendar day that is never shifted,
# column ``date``. disputed: digits whose Z is true in some exports and false in others, column ``stamp``.
# stated: ``utc`` with ``offset``, the minutes local time is ahead. log: no clock of its own, it goes with the
# sleep log it names.
Clock = Literal["utc", "local", "day", "disputed", "stated", "log"]
Reader = Callable[[Content, str], Reading]

# Browsers and file managers add " (1)" to a copy; early exports had no date in the name.
_COPY = r"(?: ?\(\d+\))?"
_DATE = r"\d{4}-\d{2}-\d{2}"


@dataclass(frozen=True, slots=True)
class FileName:
    """Whole file names of a kind, in any case, also of a browser's copy. shown: as people read it."""

    pattern: str
    shown: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of member.

    key: what makes two rows the same fact. best: of rows with one key the highest wins, in this order;
        ``newer`` is the rank of the export. table: the published table its rows are meant for. sure_name: a
        member of this name but of another form is a fault; else it is just a file nobody knows.
    """

    name: str
    file: FileName
    clock: Clock
    read: Reader
    key: tuple[str, ...]
    best: tuple[str, ...] = ("newer",)
    table: str = "daily_summary"
    sure_name: bool = True


class Names:
    """Sets of file names, each under a word; one pass finds the word of a name."""

    def __init__(self, names: Iterable[tuple[str, FileName]]) -> None:
        sets: dict[str, list[str]] = {}
        for word, file in names:
            sets.setdefault(word, []).append(file.pattern)
        choices = (f"(?P<{word}>{'|'.join(patterns)})" for word, patterns in sets.items())
        self._pattern = re.compile("|".join(choices), re.IGNORECASE)

    def find(self, name: str) -> str | None:
        """The word under which a file name stands, or None."""
        found = self._pattern.fullmatch(name)
        return found.lastgroup if found else None


def named(stem: str, ending: str, shown: str | None = None) -> FileName:
    """Names of a stem, which is a pattern without groups."""
    return FileName(rf"(?:{stem}){_COPY}\.{ending}", shown or f"{stem}.{ending}")


def json_name(stem: str, shown: str | None = None) -> FileName:
    """``steps-2023-11-26.json``, ``steps.json``."""
    return named(rf"{stem}(?:-{_DATE})?", "json", f"{shown or stem}-DATE.json")


def product_name(title: str) -> FileName:
    """``Daily SpO2 - 2025-04-07-2025-07-15.csv``, ``Daily Readiness Score - 2023-11-27.csv``."""
    dates = rf"\d{{4}}-\d{{2}}-(?:\d{{2}})?(?: ?-? ?{_DATE})?"
    return named(rf"{title} - {dates}", "csv", f"{title} - DATE.csv")


def family_name(stem: str, shown: str | None = None) -> FileName:
    """``steps_2025-07-01.csv``, ``weight.csv``: families of ``*_GoogleData``."""
    return named(rf"{stem}(?:_{_DATE})?", "csv", f"{shown or stem}_DATE.csv")
