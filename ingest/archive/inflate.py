"""Unpacking of deflated bytes and their checksum: by ISA-L, a third of the time of Python's own module."""

from typing import cast

from isal import isal_zlib

crc32 = isal_zlib.crc32
# The library's stub calls the class an instance.
GARBLED = cast("type[Exception]", isal_zlib.error)


def unpacker() -> "isal_zlib.Decompress":
    """As ``zlib.decompressobj`` for the bytes of a zip's member; raises GARBLED."""
    return isal_zlib.decompressobj(-isal_zlib.MAX_WBITS)
