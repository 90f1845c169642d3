"""What is wrong with a release, in words that are safe to show."""

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.errors import PhaError

PROBLEMS_TOLD = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """A coded fault. ``subject`` is a table, a file of the release or a check; never a value.

    ``detail`` is what is told of it, ``what`` the code's sentence with it.
    """

    code: str
    subject: str
    detail: str

    @property
    def what(self) -> str:
        """The whole sentence."""
        return PhaError(self.code, file=self.subject, problem=self.detail).what


def damaged(file: str, problem: str) -> Problem:
    """A fault of a published release."""
    return Problem("release_damaged", file, problem)


def held(subject: str, problem: str) -> Problem:
    """A reason for holding a release back."""
    return Problem("release_held", subject, problem)


def why_held(problems: Sequence[Problem]) -> str:
    """The first problems of a held release in words, and how many there are more."""
    told = [problem.detail for problem in problems[:PROBLEMS_TOLD]]
    more = len(problems) - len(told)
    return "; ".join([*told, *([f"{more} more in the held folder's data_docs"] if more else [])])
