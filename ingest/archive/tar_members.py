"""Members of a tar, plain or gzipped, in one pass: it has no index, so nothing is known ahead."""

import gzip
import lzma
import tarfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, Any

from ingest.archive.limits import MAX_MEMBER_BYTES, MAX_MEMBERS, MAX_RATIO, MAX_STREAM_BYTES, Budget
from ingest.archive.limits import RATIO_COUNTS_FROM_BYTES as FREE_BYTES
from ingest.archive.member import Member, is_unsafe
from schemas.errors import PhaError

# Read in small pieces where a stream may break, so that little before the break is lost.
_PIECE = 1 << 10
_LONGEST_HEADER = 1 << 20
_HEADERS_OF_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_BROKEN = (zlib.error, EOFError, lzma.LZMAError, OSError, tarfile.TarError)


class _Header(tarfile.TarInfo):
    """A header that is checked: the library takes a broken one for the end, and reads a long one whole."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> "_Header":
        is_end = len(buf) == tarfile.BLOCKSIZE and not any(buf)
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if is_end:
                raise
            raise PhaError("zip_truncated") from error
        if header.type in _HEADERS_OF_HEADERS and header.size > _LONGEST_HEADER:
            raise PhaError("zip_too_large")
        return header


class _Counted:
    """A stream that gives out no more than its budget."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, budget: Budget) -> None:
        self._stream, self._budget = stream, budget

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._budget.take(len(data))
        return data


def tar_members(stream: IO[bytes], size: int, budget: Budget, *, zipped: bool) -> Iterator[Member]:
    """The members in order; where the file is cut off, those before the break, then PhaError zip_truncated.

    size: of the file, by which it is judged how much may come out of it.
    """
    limit = min(MAX_STREAM_BYTES, max(FREE_BYTES, size * MAX_RATIO))
    try:
        source = gzip.GzipFile(fileobj=stream, mode="rb") if zipped else stream
        counted: Any = _Counted(source, Budget(limit))
        with tarfile.open(fileobj=counted, mode="r|", tarinfo=_Header, errors="replace") as archive:
            yield from _members(archive, budget)
    except _BROKEN as error:
        raise PhaError("zip_truncated") from error


def _members(archive: tarfile.TarFile, budget: Budget) -> Iterator[Member]:
    number = 0
    while (info := archive.next()) is not None:
        number += 1
        if number > MAX_MEMBERS:
            raise PhaError("zip_too_large")
        # The library keeps all headers it saw, and nobody asks for them again.
        vars(archive)["members"].clear()
        if not info.isdir():
            yield Member(info.name, info.size, partial(_pour, archive, info, budget), _refused(info))


def _refused(info: tarfile.TarInfo) -> str | None:
    """Links, devices and pipes lead out of an archive as surely as a path does."""
    if is_unsafe(info.name) or not info.isfile():
        return "zip_unsafe_path"
    return "zip_too_large" if info.size > MAX_MEMBER_BYTES or info.issparse() else None


def _pour(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget, out: IO[bytes]) -> bool:
    """Write the bytes of a member; where the archive ends early, those before the break, and return False."""
    budget.take(info.size)
    stream = archive.extractfile(info)
    if stream is None:
        raise PhaError("member_damaged", kind="archive", row=1)
    got = 0
    try:
        while chunk := stream.read(_PIECE):
            got += out.write(chunk)
    except (EOFError, tarfile.ReadError):
        return False
    except _BROKEN as error:
        raise PhaError("member_damaged", kind="archive", row=1) from error
    return got >= info.size
