"""A member of an archive: what its index says of it, and how to get its bytes."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from schemas.errors import PhaError

# Between the path of an archive within an archive and the paths of its members, as in Java's URLs.
NESTED_MARK = "!/"
_DRIVE = re.compile(r"^[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes of a member. ``damaged``: it ends early, the bytes are those before the break."""

    data: bytes
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """One file within an archive, or a loose file.

    path: as the archive writes it; of a member of an inner archive ``inner.zip!/path``.
    size: bytes unpacked, as the index says. mark: size and checksum by the index: equal for equal bytes;
        None where there is no index. refused: code of the reason it must not be read, or None.
    pour: writes its bytes piece by piece, and says whether they are all there. Valid until the next member is
        asked for; raises PhaError("member_damaged") where nothing of it can be trusted.
    """

    path: str
    size: int
    pour: Callable[[IO[bytes]], bool]
    refused: str | None = None
    mark: str | None = None

    def __repr__(self) -> str:
        """Only the size: paths may hold names of people."""
        return f"Member({self.size} bytes)"

    def read(self) -> Content:
        """Its bytes in memory; as ``pour``."""
        out = io.BytesIO()
        is_whole = self.pour(out)
        return Content(out.getvalue(), damaged=not is_whole)

    @property
    def name(self) -> str:
        """The file's own name, without folders."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def inner_archive(self) -> str | None:
        """The path of the archive within the archive it lies in, or None."""
        inner, found, _ = self.path.partition(NESTED_MARK)
        return inner if found else None


def is_unsafe(path: str) -> bool:
    """True for a path that leads out of the folder an archive would be unpacked to."""
    parts = path.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or bool(_DRIVE.match(path)) or "\x00" in path


def refused_member(path: str, size: int, code: str) -> Member:
    """A member that is not read whatever its kind."""

    def pour(_out: IO[bytes]) -> bool:
        raise PhaError(code)

    return Member(path, size, pour, code)
