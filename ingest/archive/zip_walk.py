"""What lies in a zip that was cut off: its members one after another, from the front, without an index."""

from collections.abc import Iterator
from typing import IO

from ingest.archive.inflate import GARBLED, crc32, unpacker
from ingest.archive.limits import MAX_MEMBERS, MAX_STREAM_BYTES, Budget
from ingest.archive.zip_index import (
    LOCAL_HEADER,
    LOCAL_MAGIC,
    LOCKED_FLAG,
    STREAMED_FLAG,
    Entry,
    Index,
    path_of,
    sizes_of,
)

DEFLATED = 8
_CHUNK = 1 << 18
_OUT = 1 << 20
# After a streamed member: a mark, checksum and two sizes of 4 or 8 bytes; the mark may be missing.
_LONGEST_DESCRIPTOR = 24


def walk(stream: IO[bytes]) -> Index:
    """The members before the break. The last may end early: it says a size its bytes do not reach."""
    return Index(tuple(_walk(stream)), stream.seek(0, 2))


def _walk(stream: IO[bytes]) -> Iterator[Entry]:
    budget = Budget(MAX_STREAM_BYTES)
    at: int | None = 0
    for _ in range(MAX_MEMBERS):
        entry, at = _entry_at(stream, at, budget)
        if entry is None:
            return
        if not entry.path.endswith("/"):
            yield entry
        if at is None:
            return


def _entry_at(stream: IO[bytes], at: int | None, budget: Budget) -> tuple[Entry | None, int | None]:
    """The member whose header stands at a place, and the place of the next; None where none is found."""
    if at is None:
        return None, None
    stream.seek(at)
    head = stream.read(LOCAL_HEADER.size)
    if len(head) < LOCAL_HEADER.size or not head.startswith(LOCAL_MAGIC):
        return None, None
    _, _, flags, method, _, _, crc, packed, size, name_length, extra_length = LOCAL_HEADER.unpack(head)
    path = path_of(stream.read(name_length), flags)
    size, packed = sizes_of(stream.read(extra_length), size, packed)
    data_at = at + LOCAL_HEADER.size + name_length + extra_length
    if flags & STREAMED_FLAG and packed == 0:
        if method != DEFLATED or flags & LOCKED_FLAG:
            return None, None
        size, packed, crc, is_whole = _measure(stream, data_at, budget)
        # One byte more than there is: the reader so sees that the member ends early.
        size += not is_whole
        following = _next_header(stream, data_at + packed) if is_whole else None
    else:
        following = _next_header(stream, data_at + packed)
    return Entry(path, size, packed, crc, method, bool(flags & LOCKED_FLAG), False, at), following


def _measure(stream: IO[bytes], at: int, budget: Budget) -> tuple[int, int, int, bool]:
    """Size unpacked, packed, checksum, and whether the end was reached, of a deflated stream at a place."""
    stream.seek(at)
    unpack = unpacker()
    size = read = crc = 0
    try:
        while not unpack.eof and (chunk := unpack.unconsumed_tail or stream.read(_CHUNK)):
            read += 0 if unpack.unconsumed_tail else len(chunk)
            out = unpack.decompress(chunk, _OUT)
            budget.take(len(out))
            size, crc = size + len(out), crc32(out, crc)
    except GARBLED:
        pass
    return size, read - len(unpack.unused_data), crc, unpack.eof


def _next_header(stream: IO[bytes], at: int) -> int | None:
    stream.seek(at)
    found = stream.read(_LONGEST_DESCRIPTOR + len(LOCAL_MAGIC)).find(LOCAL_MAGIC)
    return None if found < 0 else at + found
