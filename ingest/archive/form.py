"""What a file is by its first bytes, whatever it is called."""

import re
from pathlib import Path
from typing import Literal

from schemas.errors import PhaError

Form = Literal["zip", "tgz", "tar", "loose"]

ARCHIVE_NAME = re.compile(r"\.(zip|tgz|tar|tar\.gz)$", re.IGNORECASE)
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06")
_GZIP_MAGIC = b"\x1f\x8b"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
# 7z, rar, xz and bzip2: people pack with them, nothing here unpacks them.
_OTHER_ARCHIVES = (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\xfd7zXZ\x00", b"BZh")
_HEAD_BYTES = 512


def form_of(path: Path, name: str) -> Form:
    """The form of a file.

    Raises PhaError: file_empty; archive_form_unknown (7z, rar ...); not_a_zip where it has the ending of an
    archive and is none; file_unreadable for what is no ordinary file. OSError where it can't be opened.
    """
    if path.exists() and not path.is_file():
        raise PhaError("file_unreadable")
    with path.open("rb") as stream:
        return form_of_bytes(stream.read(_HEAD_BYTES), name)


def form_of_bytes(head: bytes, name: str) -> Form:
    """The same from the first 512 bytes of a file."""
    if not head:
        raise PhaError("file_empty")
    if head[:4] in _ZIP_MAGIC:
        return "zip"
    if head[:2] == _GZIP_MAGIC:
        return "tgz"
    if head[_TAR_MAGIC_AT : _TAR_MAGIC_AT + len(_TAR_MAGIC)] == _TAR_MAGIC:
        return "tar"
    if head.startswith(_OTHER_ARCHIVES):
        raise PhaError("archive_form_unknown")
    if ARCHIVE_NAME.search(name):
        raise PhaError("not_a_zip")
    return "loose"
