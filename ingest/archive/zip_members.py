"""Members of a zip: which are refused by what the index says of them, and the bytes of the others."""

from collections.abc import Iterator, Sequence
from typing import IO

from ingest.archive.form import ARCHIVE_NAME
from ingest.archive.inflate import GARBLED, crc32, unpacker
from ingest.archive.limits import MAX_INNER_BYTES, MAX_MEMBER_BYTES, Budget, is_too_large
from ingest.archive.member import Member, is_unsafe
from ingest.archive.zip_index import LOCAL_HEADER, LOCAL_MAGIC, Entry, Index, NoIndex, read_index
from ingest.archive.zip_walk import DEFLATED, walk
from schemas.errors import PhaError

_STORED = 0
_CHUNK = 1 << 18


def zip_members(stream: IO[bytes], budget: Budget) -> Iterator[Member]:
    """The members in the order of the index.

    Where there is none, those before the break, and then PhaError zip_truncated.
    """
    try:
        index, is_whole = read_index(stream), True
    except NoIndex:
        index, is_whole = walk(stream), False
    for entry, refused in judged(index):
        yield _member(stream, entry, index.start, budget, refused)
    if not is_whole:
        raise PhaError("zip_truncated")


def judged(index: Index) -> Iterator[tuple[Entry, str | None]]:
    """Each entry with the code it is refused by, or None; from the index alone."""
    false_ones = _false_entries(index)
    for number, entry in enumerate(index.entries):
        yield entry, "zip_index_false" if number in false_ones else _refused(entry)


def _refused(entry: Entry) -> str | None:
    if is_unsafe(entry.path) or entry.is_link:
        return "zip_unsafe_path"
    if entry.is_locked:
        return "zip_encrypted"
    limit = MAX_INNER_BYTES if ARCHIVE_NAME.search(entry.path) else MAX_MEMBER_BYTES
    if is_too_large(entry.size, entry.packed, limit):
        return "zip_too_large"
    return None if entry.method in (_STORED, DEFLATED) else "zip_method_unknown"


def _false_entries(index: Index) -> set[int]:
    """Numbers of entries that cannot be true: they share bytes with others, or a path with a later one.

    Of several members of one path the last counts, as it is what stays after unpacking.
    """
    return _overlapping(index) | _replaced(index.entries)


def _overlapping(index: Index) -> set[int]:
    order = sorted(range(len(index.entries)), key=lambda number: index.entries[number].offset)
    false_ones: set[int] = set()
    end, last = 0, -1
    for number in order:
        entry = index.entries[number]
        if entry.offset < end:
            false_ones |= {number, last}
        if entry.offset + LOCAL_HEADER.size + entry.packed > end:
            end, last = entry.offset + LOCAL_HEADER.size + entry.packed, number
    return false_ones


def _replaced(entries: Sequence[Entry]) -> set[int]:
    last = {entry.path: number for number, entry in enumerate(entries)}
    return {number for number, entry in enumerate(entries) if last[entry.path] != number}


def _member(stream: IO[bytes], entry: Entry, end: int, budget: Budget, refused: str | None) -> Member:
    def pour(out: IO[bytes]) -> bool:
        budget.take(entry.size)
        return _pour(stream, entry, end, out)

    return Member(entry.path, entry.size, pour, refused, entry.mark)


def _pour(stream: IO[bytes], entry: Entry, end: int, out: IO[bytes]) -> bool:
    """Write the bytes of a member; where it ends early, those before the break, and return False.

    A member that is garbled or fails its checksum holds a wrong byte, and nobody can say where: a digit may
    have changed long before the fault shows. Nothing of it is used.
    """
    size = checksum = 0
    try:
        for piece in _pieces(stream, entry, end):
            size, checksum = size + len(piece), crc32(piece, checksum)
            out.write(piece)
    except EOFError:
        return False
    except GARBLED as error:
        raise _damaged() from error
    if size != entry.size or checksum != entry.crc:
        raise _damaged()
    return True


def _pieces(stream: IO[bytes], entry: Entry, end: int) -> Iterator[bytes]:
    """Unpacked bytes, at most one more than the index says. Raises EOFError where the member ends early."""
    packed = _packed(stream, entry, end)
    if entry.method == _STORED:
        yield from packed
        return
    unpack = unpacker()
    left = entry.size + 1
    for chunk in packed:
        piece = unpack.decompress(chunk, left)
        left -= len(piece)
        yield piece
        if unpack.eof or left <= 0:
            return
    raise EOFError


def _packed(stream: IO[bytes], entry: Entry, end: int) -> Iterator[bytes]:
    """The bytes of a member as they lie in the archive. Raises EOFError where the archive ends before."""
    start = _data_start(stream, entry)
    stream.seek(start)
    left = entry.packed
    while left > 0:
        chunk = stream.read(min(_CHUNK, left, max(end - stream.tell(), 0)))
        if not chunk:
            raise EOFError
        left -= len(chunk)
        yield chunk


def _data_start(stream: IO[bytes], entry: Entry) -> int:
    stream.seek(entry.offset)
    head = stream.read(LOCAL_HEADER.size)
    if len(head) < LOCAL_HEADER.size or not head.startswith(LOCAL_MAGIC):
        raise _damaged()
    *_, name_length, extra_length = LOCAL_HEADER.unpack(head)
    return entry.offset + LOCAL_HEADER.size + name_length + extra_length


def _damaged() -> PhaError:
    return PhaError("member_damaged", kind="archive", row=1)
