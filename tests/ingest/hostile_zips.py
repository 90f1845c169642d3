"""Zips as no honest program writes them, and large ones that cost nothing to make."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

LOCAL = struct.Struct("<4sHHHHHIIIHH")
ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
END = struct.Struct("<4sHHHHIIH")
END64 = struct.Struct("<4sQHHIIQQQQ")
LOCATOR = struct.Struct("<4sIQI")


def zip_bytes(content: Mapping[str, bytes], *, streamed: bool = False, stored: bool = False) -> bytes:
    """A zip of the standard library; streamed: sizes stand after the members, as in the vendor's archives."""
    out = io.BytesIO()
    sink = _Unseekable(out) if streamed else out
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return out.getvalue()


class _Unseekable(io.RawIOBase):
    def __init__(self, out: io.BytesIO) -> None:
        self.out = out

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        assert isinstance(data, bytes | bytearray | memoryview)
        return self.out.write(data)


def raw_zip(
    entries: Sequence[tuple[bytes, bytes, int]], *, flags: int = 0, size: int | None = None, method: int = 0
) -> bytes:
    """A zip by hand: (name, stored content, offset of the local header or -1 for its own).

    size: what index and header claim each member unpacks to, where it is not the truth.
    """
    body, index = bytearray(), bytearray()
    for name, data, offset in entries:
        at = len(body) if offset < 0 else offset
        claimed = len(data) if size is None else size
        crc = zlib.crc32(data)
        sizes = (crc, len(data), claimed)
        if offset < 0:
            body += LOCAL.pack(b"PK\x03\x04", 20, flags, method, 0, 0, *sizes, len(name), 0) + name + data
        index += ENTRY.pack(b"PK\x01\x02", 20, 20, flags, method, 0, 0, *sizes, len(name), 0, 0, 0, 0, 0, at)
        index += name
    count = len(entries)
    end = END.pack(b"PK\x05\x06", 0, 0, count & 0xFFFF, count & 0xFFFF, len(index), len(body), 0)
    return bytes(body + index) + end


def write_sparse_zip(path: Path, name: str, members: int, member_bytes: int) -> None:
    """A zip64 of stored members of zeros that takes no room on disk: holes stand for the zeros."""
    crc = _crc_of_zeros(member_bytes)
    index = bytearray()
    with path.open("wb") as out:
        for number in range(members):
            label = name.format(number).encode()
            at = out.tell()
            sizes = (crc, member_bytes, member_bytes)
            out.write(LOCAL.pack(b"PK\x03\x04", 45, 0, 0, 0, 0, *sizes, len(label), 0) + label)
            out.seek(member_bytes, 1)
            extra = struct.pack("<HHQ", 1, 8, at)
            index += ENTRY.pack(
                b"PK\x01\x02", 45, 45, 0, 0, 0, 0, *sizes, len(label), len(extra), 0, 0, 0, 0, 0xFFFFFFFF
            )
            index += label + extra
        at = out.tell()
        out.write(index)
        end = at + len(index)
        out.write(END64.pack(b"PK\x06\x06", 44, 45, 45, 0, 0, members, members, len(index), at))
        out.write(LOCATOR.pack(b"PK\x06\x07", 0, end, 1))
        out.write(END.pack(b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))


def _crc_of_zeros(count: int) -> int:
    block = bytes(1 << 16)
    crc = 0
    for _ in range(count >> 16):
        crc = zlib.crc32(block, crc)
    return zlib.crc32(block[: count & 0xFFFF], crc)
