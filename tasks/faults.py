"""Any fault becomes one with a code, whose text is safe to keep and show."""

import errno
import traceback
from pathlib import Path

from schemas.errors import PhaError

ROOT = Path(__file__).parents[1]
_DISK = (errno.ENOSPC, errno.EROFS, errno.EDQUOT)


def as_coded(error: Exception) -> PhaError:
    """The fault itself where it has a code; else ``disk_full`` or ``unexpected``, by type and place alone.

    The text of an unknown fault may hold personal data; its type and place cannot.
    """
    if isinstance(error, PhaError):
        return error
    if isinstance(error, OSError) and error.errno in _DISK:
        return PhaError("disk_full")
    return PhaError("unexpected", type=type(error).__name__, place=place_of(error))


def place_of(error: BaseException) -> str:
    """Our innermost line of a traceback: folder/file.py:line."""
    ours = [
        f"{Path(frame.filename).relative_to(ROOT).as_posix()}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(ROOT) and ".venv" not in frame.filename
    ]
    return ours[-1] if ours else "?"
