"""What a kind of member is: how it is known, on which clock it is written, how it is read."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ingest.archive import Content
from ingest.fitbit.reading import Reading

# utc and local: digits of an instant, column ``utc`` or ``local``. day: a calendar day that is never shifted,
# column ``date``. disputed: digits whose Z is true in some exports and false in others, column ``stamp``.
# log: no clock of its own, it goes with the sleep log it names.
Clock = Literal["utc", "local", "day", "disputed", "log"]
Reader = Callable[[Content, str], Reading]

# Browsers and file managers add " (1)" to a copy; early exports had no date in the name.
COPY = r"(?: ?\(\d+\))?"
_DATE = r"\d{4}-\d{2}-\d{2}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of member.

    key: what makes two rows the same fact. best: of rows with one key the highest wins, in this order;
        ``newer`` is the rank of the export. table: the published table its rows are meant for.
    """

    name: str
    pattern: re.Pattern[str]
    clock: Clock
    read: Reader
    key: tuple[str, ...]
    best: tuple[str, ...] = ("newer",)
    table: str = "daily_summary"


def named(pattern: str, ending: str) -> re.Pattern[str]:
    """A pattern for whole file names, in any case, also of a browser's copy."""
    return re.compile(rf"^(?:{pattern}){COPY}\.{ending}$", re.IGNORECASE)


def json_name(stem: str) -> re.Pattern[str]:
    """``steps-2023-11-26.json``, ``steps.json``."""
    return named(rf"{stem}(?:-{_DATE})?", "json")


def product_name(title: str) -> re.Pattern[str]:
    """``Daily SpO2 - 2025-04-07-2025-07-15.csv``, ``Daily Readiness Score - 2023-11-27.csv``."""
    return named(rf"{title} - \d{{4}}-\d{{2}}-(?:\d{{2}})?(?: ?-? ?{_DATE})?", "csv")


def family_name(stem: str) -> re.Pattern[str]:
    """``steps_2025-07-01.csv``, ``weight.csv``: families of ``*_GoogleData``."""
    return named(rf"{stem}(?:_{_DATE})?", "csv")
