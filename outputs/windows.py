"""Windows of days: what they are called, where they begin and how many days they need."""

import math
from dataclasses import dataclass
from datetime import date, timedelta

DATA_OLD_AFTER_DAYS = 14
SUFFICIENT_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Window:
    """The local days from start to end, both included."""

    name: str
    start: date
    end: date

    @property
    def days(self) -> int:
        """Length in days."""
        return (self.end - self.start).days + 1

    @property
    def sufficient_days(self) -> int:
        """Valid days (nights) a statement about the window needs: three of every four, rounded up."""
        return sufficient_days(self.days)

    def before(self) -> "Window":
        """The window of equal length that ends the day before this one."""
        return Window(f"before_{self.name}", self.start - timedelta(self.days), self.start - timedelta(1))


def last_days(length: int, end: date) -> Window:
    """The ``length`` local days ending with ``end``."""
    return Window(window_name(length), end - timedelta(length - 1), end)


def window_name(length: int) -> str:
    """``last_30_days`` for 30."""
    return f"last_{length}_days"


def sufficient_days(length: int) -> int:
    """ceil(0.75 N)."""
    return math.ceil(SUFFICIENT_SHARE * length)


def data_is_old(data_through: date | None, as_of: date) -> bool:
    """True above 14 days behind: then nothing is said of the last N days."""
    return data_through is not None and (as_of - data_through).days > DATA_OLD_AFTER_DAYS
