"""The index at the end of a zip: what lies in it, and where.

Own code, since the standard library refuses a whole archive for one wrongly coded name, holds an object of a
kilobyte for each member, and reads nothing of an archive that was cut off. Source: PKWARE APPNOTE 6.3.10,
sections 4.3 and 4.5.3.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from ingest.archive.limits import MAX_INDEX_BYTES, MAX_MEMBERS
from schemas.errors import PhaError

LOCAL_MAGIC = b"PK\x03\x04"
LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
_ENTRY_MAGIC = b"PK\x01\x02"
_ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
_END_MAGIC = b"PK\x05\x06"
_END = struct.Struct("<4sHHHHIIH")
_LOCATOR_MAGIC, _LOCATOR_BYTES = b"PK\x06\x07", 20
_END64_MAGIC = b"PK\x06\x06"
_END64 = struct.Struct("<4sQHHIIQQQQ")
_LONGEST_COMMENT = 0xFFFF
_IN_EXTRA = 0xFFFFFFFF
_ZIP64_FIELD = 1
LOCKED_FLAG, STREAMED_FLAG, UTF8_FLAG = 0x1, 0x8, 0x800
_LINK_MODE, _MODE_MASK = 0o120000, 0o170000
_UNIX_SHIFT = 16


@dataclass(frozen=True, slots=True)
class Entry:
    """A member by the index. offset: of its local header in the file; packed: bytes it takes there."""

    path: str
    size: int
    packed: int
    crc: int
    method: int
    is_locked: bool
    is_link: bool
    offset: int

    @property
    def mark(self) -> str:
        """Equal for equal bytes."""
        return f"{self.size}:{self.crc:08x}"


@dataclass(frozen=True, slots=True)
class Index:
    """Members in the order of the index; ``start``: where the index begins, so where the members end."""

    entries: tuple[Entry, ...]
    start: int


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    size: int
    shift: int


class NoIndex(Exception):  # noqa: N818
    """There is no whole index: the file is cut off or is no zip."""


def read_index(stream: IO[bytes]) -> Index:
    """All members but folders. Raises NoIndex, or PhaError zip_too_large before anything large is read."""
    place = _find(stream)
    if place.size > MAX_INDEX_BYTES:
        raise PhaError("zip_too_large")
    stream.seek(place.start)
    raw = stream.read(place.size)
    try:
        entries = tuple(entry for entry in _entries(raw, place.shift) if not entry.path.endswith("/"))
    except (struct.error, IndexError) as error:
        raise NoIndex from error
    return Index(entries, place.start)


def path_of(name: bytes, flags: int) -> str:
    """A name as text. Many programs write UTF-8 without saying so; what is none is the old code page 437."""
    if flags & UTF8_FLAG:
        return name.decode("utf-8", errors="replace")
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("cp437")


def _find(stream: IO[bytes]) -> _Place:
    length = stream.seek(0, 2)
    tail_at = max(0, length - _END.size - _LONGEST_COMMENT - _LOCATOR_BYTES - _END64.size)
    stream.seek(tail_at)
    tail = stream.read()
    at = tail.rfind(_END_MAGIC)
    if at < 0 or at + _END.size > len(tail):
        raise NoIndex
    _, disk, *_, size, offset, _ = _END.unpack_from(tail, at)
    end = tail_at + at
    locator = at - _LOCATOR_BYTES
    if locator >= _END64.size and tail[locator : locator + 4] == _LOCATOR_MAGIC:
        record = _END64.unpack_from(tail, locator - _END64.size)
        if record[0] == _END64_MAGIC:
            disk, size, offset = record[4], record[8], record[9]
            end = tail_at + locator - _END64.size
    start = end - size
    # Bytes put before an archive (a program that unpacks itself) shift all offsets.
    if disk != 0 or start < offset:
        raise NoIndex
    return _Place(start, size, start - offset)


def _entries(raw: bytes, shift: int) -> Iterator[Entry]:
    at = 0
    number = 0
    while at < len(raw):
        fields = _ENTRY.unpack_from(raw, at)
        magic, made_by, _, flags, method, _, _, crc, packed, size, name_length, extra_length = fields[:12]
        comment_length, mode, offset = fields[12], fields[15], fields[16]
        number += 1
        if number > MAX_MEMBERS:
            raise PhaError("zip_too_large")
        if magic != _ENTRY_MAGIC:
            raise NoIndex
        name_at = at + _ENTRY.size
        extra_at = name_at + name_length
        extra = raw[extra_at : extra_at + extra_length]
        size, packed, offset = sizes_of(extra, size, packed, offset)
        yield Entry(
            path_of(raw[name_at:extra_at], flags),
            size,
            packed,
            crc,
            method,
            bool(flags & LOCKED_FLAG),
            made_by >> 8 == 3 and (mode >> _UNIX_SHIFT) & _MODE_MASK == _LINK_MODE,
            offset + shift,
        )
        at = extra_at + extra_length + comment_length


def sizes_of(extra: bytes, *short: int) -> tuple[int, ...]:
    """Sizes and offset in 64 bits: those that do not fit stand in the extra field, in this order."""
    if _IN_EXTRA not in short:
        return short
    long = iter(_zip64_numbers(extra))
    return tuple(next(long, number) if number == _IN_EXTRA else number for number in short)


def _zip64_numbers(extra: bytes) -> tuple[int, ...]:
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == _ZIP64_FIELD:
            count = min(length, len(extra) - at - 4) // 8
            return struct.unpack_from(f"<{count}Q", extra, at + 4)
        at += 4 + length
    return ()
