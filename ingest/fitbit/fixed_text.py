"""Text that every record of a file repeats, compared for all records at once and at the speed of memory."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Whole = NDArray[np.int64]

# What may stand at a place of the text: any byte, or any of the bytes of which the digits are ten.
ANY = b"\0"
DIGIT = b"#"
_ZERO = b"0"[0]
_HIGH_BITS = 0xF0
# So many records are folded into one row: rows of a few bytes would cost more than their bytes.
_FOLDED = 64
_MARKED_BYTES = 32


def places_of(text: Bytes, mark: int) -> Whole | None:
    """Places of a byte of which no two are near each other; None where two lie within 32 bytes."""
    flags = np.packbits(text == mark, bitorder="little")
    words = np.append(flags, np.zeros(-len(flags) % 4, np.uint8)).view("<u4")
    at = np.flatnonzero(words != 0)
    found = words[at]
    if (found & (found - 1)).any():
        return None
    # One bit is set in each: a power of two, and its exponent stands in the upper bits of its float.
    bit = (found.astype(np.float64).view(np.int64) >> 52) - 1023
    return at * _MARKED_BYTES + bit


def records(data: bytes, at: Whole, width: int) -> Bytes:
    """A copy of so many bytes from each place on, a row each. All must lie within the data."""
    windows = np.ndarray((len(data) - width + 1,), np.dtype(f"V{width}"), data, strides=(1,))
    return windows[at].view(np.uint8).reshape(-1, width)


def are_all(rows: Bytes, text: bytes) -> bool:
    """Whether every row is this text, in which ``ANY`` and ``DIGIT`` stand for themselves.

    Of a digit only the upper half is compared: one above 9 must be looked for.
    """
    whole = len(rows) // _FOLDED * _FOLDED
    folded = rows[:whole].reshape(-1, _FOLDED * len(text)).view(np.uint64)
    return _agree(folded, *_folded(text)) and _agree(rows[whole:], *_wanted(text))


def _agree(
    rows: NDArray[np.unsignedinteger], value: NDArray[np.unsignedinteger], mask: NDArray[np.unsignedinteger]
) -> bool:
    """Bits that are set in any row and those that are set in all are the same, and those of the text."""
    if not len(rows):
        return True
    return all(
        ((fold.reduce(rows, axis=0) & mask) == value).all() for fold in (np.bitwise_or, np.bitwise_and)
    )


@cache
def _wanted(text: bytes) -> tuple[Bytes, Bytes]:
    """Value and mask of each byte."""
    letters = np.frombuffer(text, np.uint8)
    mask = np.select([letters == ANY[0], letters == DIGIT[0]], [0, _HIGH_BITS], 0xFF).astype(np.uint8)
    return np.where(letters == DIGIT[0], _ZERO, letters).astype(np.uint8) & mask, mask


@cache
def _folded(text: bytes) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    value, mask = (np.tile(each, _FOLDED).view(np.uint64) for each in _wanted(text))
    return value, mask
