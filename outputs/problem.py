"""What is wrong with a release, in words that are safe to show."""

from dataclasses import dataclass

from schemas.errors import PhaError


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
