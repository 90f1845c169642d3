"""What a right reader makes of a trap: typed, and checkable from what is published alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any, Literal

from schemas.errors import CODES

IdentityVerdict = Literal[
    "matched", "unchecked", "identity_mismatch", "account_shared", "same_bytes", "overlap_conflict"
]
LogTable = Literal["sleep_sessions", "activities"]


@dataclass(frozen=True, slots=True)
class TablesEqual:
    """The participant's published rows are those of the truth.

    columns: of daily_summary that must agree; empty for all of them. lacking: of them, those that the export
    can't tell and that stay null. within: how far a column may lie off, in its unit (seconds for times).
    worn_days: only days of the truth that were worn count. logs: tables of logs that agree row by row.
    """

    columns: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    within: Mapping[str, float] = field(default_factory=dict[str, float])
    worn_days: bool = False
    logs: tuple[LogTable, ...] = ("sleep_sessions", "activities")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whose a file is found to be. file: its path below the participant's folder."""

    file: str
    identity: IdentityVerdict


@dataclass(frozen=True, slots=True)
class Problems:
    """The codes of schemas/errors.py that are told about the participant's exports: these and no others."""

    codes: tuple[str, ...] = ()

    @property
    def who_acts(self) -> tuple[str, ...]:
        """The roles that the codes call."""
        return tuple(CODES[code].role for code in self.codes)


@dataclass(frozen=True, slots=True)
class Rows:
    """At least so many rows of a file met this fate."""

    file: str
    fate: Literal["staged", "merged", "rejected", "ignored"]
    at_least: int


@dataclass(frozen=True, slots=True)
class Members:
    """Exactly so many members of a file are refused, and at least so many ignored by a rule."""

    file: str
    refused: int = 0
    ignored_at_least: int = 0


@dataclass(frozen=True, slots=True)
class Clock:
    """Which clock the times of a kind of file with a ``Z`` are found to be in."""

    kind: str
    reading: Literal["utc", "local"]


@dataclass(frozen=True, slots=True)
class DayState:
    """The state of some days."""

    dates: tuple[date, ...]
    state: Literal["worn", "partly_worn", "not_worn", "not_arrived", "set_aside"]


@dataclass(frozen=True, slots=True)
class Published:
    """Days of daily_summary that hold data once the observation period is applied; None: nothing is."""

    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """What becomes of a laboratory report, and the code that tells of it or of readings in doubt."""

    file: str
    verdict: Literal["accepted", "set_aside"]
    code: str | None

    @property
    def who_acts(self) -> tuple[str, ...]:
        """The role that the code calls."""
        return (CODES[self.code].role,) if self.code else ()


Answer = TablesEqual | Verdict | Problems | Rows | Members | Clock | DayState | Published | ReportVerdict


def as_json(answer: Answer) -> dict[str, Any]:
    """An answer as ``truth/traps.json`` holds it: its name, then its fields."""
    told = {column.name: _plain(getattr(answer, column.name)) for column in fields(answer)}
    roles = {"who_acts": list(answer.who_acts)} if isinstance(answer, Problems | ReportVerdict) else {}
    return {"answer": type(answer).__name__, **told, **roles}


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
