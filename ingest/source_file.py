"""A file as a participant sent it: known by its place below their folder, its size and its content."""

from dataclasses import dataclass
from pathlib import Path

from outputs.digests import keyed_digest


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file to read.

    relative: path below the participant's folder, with forward slashes. It may hold names of people.
    set_aside: identity verdict of the cohort ("same_bytes") that forbids reading it, or None.
    """

    path: Path
    relative: str
    size: int
    sha256: str
    set_aside: str | None = None

    def __repr__(self) -> str:
        """Only the content: file names may hold names of people."""
        return f"SourceFile({self.sha256[:12]})"

    def file_id(self, secret: bytes, participant_id: str | None) -> str:
        """The published id: keyed digest of (participant_id, relative path, content)."""
        return keyed_digest(secret, "file", participant_id or "", self.relative, self.sha256)

    def content_digest(self, secret: bytes) -> str:
        """Keyed digest of the content alone: equal for equal bytes, whoever sent them."""
        return keyed_digest(secret, "content", self.sha256)


def member_id(secret: bytes, file_id: str, member_path: str) -> str:
    """The published id of a member of an archive: keyed digest of its path within the file."""
    return keyed_digest(secret, "member", file_id, member_path)
