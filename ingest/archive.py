"""Archives as they were sent: zips, tgz and loose files, read member by member and never unpacked to disk.

Only members that are asked for are decompressed, whole and one at a time. Nothing in an archive's index is
trusted: paths that lead out of it, members beyond the limits and locked members are refused, with a code.
"""

import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from schemas.errors import PhaError

MAX_MEMBERS = 500_000
MAX_MEMBER_BYTES = 1 << 30
MAX_READ_BYTES = 20 << 30
# Deflate reaches 1,032:1 on one repeated byte; the exports' most even files (calories at rest) stay below 60.
MAX_RATIO = 400
RATIO_COUNTS_FROM_BYTES = 16 << 20
# Read in small pieces where a stream may break, so that little before the break is lost.
PIECE_BYTES = 1 << 10

ARCHIVE_NAME = re.compile(r"\.(zip|tgz|tar\.gz)$", re.IGNORECASE)
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP_MAGIC = b"\x1f\x8b"
_BROKEN_STREAM = (zlib.error, EOFError, lzma.LZMAError, zipfile.BadZipFile, OSError, tarfile.ReadError)


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes of a member. ``damaged``: it ends early, the bytes are those before the break."""

    data: bytes
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """One file within an archive, or a loose file.

    refused: code of the reason it must not be read, or None. ``read`` is valid until the next member is
    asked for; it raises PhaError("member_damaged") where nothing of it can be trusted.
    """

    path: str
    size: int
    read: Callable[[], Content]
    refused: str | None = None

    def __repr__(self) -> str:
        """Only the size: paths may hold names of people."""
        return f"Member({self.size} bytes)"

    @property
    def name(self) -> str:
        """The file's own name, without folders."""
        return PurePosixPath(self.path.replace("\\", "/")).name


def form_of(path: Path, name: str) -> str:
    """What a file is by its first bytes: zip, tgz or loose.

    A file with the ending of an archive that is none raises PhaError("not_a_zip").
    """
    with path.open("rb") as stream:
        magic = stream.read(4)
    if magic in _ZIP_MAGIC:
        return "zip"
    if magic[:2] == _GZIP_MAGIC:
        return "tgz"
    if ARCHIVE_NAME.search(name):
        raise PhaError("not_a_zip")
    return "loose"


def members(path: Path, form: str, name: str) -> Iterator[Member]:
    """The members of a file, in the order they lie in it. Raises PhaError with the code of what is wrong."""
    if form == "zip":
        yield from _zip_members(path)
    elif form == "tgz":
        yield from _tar_members(path)
    else:
        yield _loose_member(path, name)


def is_unsafe(path: str) -> bool:
    """True for a path that leads out of the folder an archive would be unpacked to."""
    parts = path.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or bool(re.match(r"^[A-Za-z]:", path)) or "\x00" in path


def _zip_members(path: Path) -> Iterator[Member]:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise PhaError("zip_truncated") from error
    with archive:
        index = [info for info in archive.infolist() if not info.is_dir()]
        if len(index) > MAX_MEMBERS:
            raise PhaError("zip_too_large")
        budget = _Budget()
        for info in index:
            yield _zip_member(archive, info, budget)


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: "_Budget") -> Member:
    refused = None
    if is_unsafe(info.filename):
        refused = "zip_unsafe_path"
    elif info.flag_bits & 0x1:
        refused = "zip_encrypted"
    elif _too_large(info.file_size, info.compress_size):
        refused = "zip_too_large"

    def read() -> Content:
        budget.take(info.file_size)
        try:
            return Content(archive.read(info))
        except _BROKEN_STREAM:
            return _read_broken(archive, info)
        except (NotImplementedError, RuntimeError) as error:
            raise PhaError("member_damaged", kind="archive", row=1) from error

    return Member(info.filename, info.file_size, read, refused)


def _read_broken(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Content:
    try:
        with archive.open(info) as stream:
            return _read_to_the_break(stream.read, info.file_size)
    except (zipfile.BadZipFile, OSError) as error:
        raise PhaError("member_damaged", kind="archive", row=1) from error


def _tar_members(path: Path) -> Iterator[Member]:
    budget = _Budget()
    try:
        with gzip.open(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for number, info in enumerate(archive):
                if number >= MAX_MEMBERS:
                    raise PhaError("zip_too_large")
                if info.isfile():
                    yield _tar_member(archive, info, budget)
    except (*_BROKEN_STREAM, tarfile.TarError, gzip.BadGzipFile) as error:
        raise PhaError("zip_truncated") from error


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: "_Budget") -> Member:
    refused = None
    if is_unsafe(info.name):
        refused = "zip_unsafe_path"
    elif info.size > MAX_MEMBER_BYTES:
        refused = "zip_too_large"

    def read() -> Content:
        budget.take(info.size)
        stream = archive.extractfile(info)
        if stream is None:
            raise PhaError("member_damaged", kind="archive", row=1)
        return _read_to_the_break(stream.read, info.size)

    return Member(info.name, info.size, read, refused)


def _loose_member(path: Path, name: str) -> Member:
    size = path.stat().st_size
    refused = "zip_too_large" if size > MAX_MEMBER_BYTES else None

    def read() -> Content:
        try:
            return Content(path.read_bytes())
        except OSError as error:
            raise PhaError("file_unreadable") from error

    return Member(name, size, read, refused)


def _read_to_the_break(read: Callable[[int], bytes], size: int) -> Content:
    """Read a stream; where it ends early, what came before.

    A stream that is garbled or fails its checksum holds a wrong byte, and nobody can say where: a digit may
    have changed long before the fault shows. Nothing of it is used.
    """
    chunks: list[bytes] = []
    got = 0
    try:
        while chunk := read(PIECE_BYTES):
            chunks.append(chunk)
            got += len(chunk)
    except (EOFError, tarfile.ReadError):
        return Content(b"".join(chunks), damaged=True)
    except _BROKEN_STREAM as error:
        raise PhaError("member_damaged", kind="archive", row=1) from error
    return Content(b"".join(chunks), damaged=got < size)


def _too_large(size: int, compressed: int) -> bool:
    if size > MAX_MEMBER_BYTES:
        return True
    return size > RATIO_COUNTS_FROM_BYTES and size > MAX_RATIO * max(compressed, 1)


class _Budget:
    """How much may be unpacked from one file."""

    def __init__(self) -> None:
        self.left = MAX_READ_BYTES

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise PhaError("zip_too_large")
