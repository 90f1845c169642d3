"""What is wrong with a release, in words that are safe to show."""

from dataclasses import dataclass

from schemas.errors import PhaError


@dataclass(frozen=True, slots=True)
class Problem:
    """A coded fault. ``subject`` is a table, a file of the release or a check; never a value."""

    code: str
    subject: str
    what: str


def damaged(file: str, problem: str) -> Problem:
    """A fault of a published release."""
    return Problem("release_damaged", file, PhaError("release_damaged", file=file, problem=problem).what)


def held(subject: str, problem: str) -> Problem:
    """A reason for holding a release back."""
    return Problem("release_held", subject, PhaError("release_held", problem=problem).what)
