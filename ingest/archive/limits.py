"""What an archive may ask of this machine. Beyond it, an archive or a member is refused by zip_too_large."""

from schemas.errors import PhaError

# The largest export known has 32,738 members.
MAX_MEMBERS = 200_000
MAX_INDEX_BYTES = 64 << 20
MAX_MEMBER_BYTES = 1 << 30
# What may be unpacked from one file as it was sent, and from one archive within it.
MAX_READ_BYTES = 20 << 30
MAX_INNER_BYTES = 4 << 30
# A tar has no index: what is not wanted is unpacked too, to get past it.
MAX_STREAM_BYTES = 64 << 30
# Deflate reaches 1,032:1 on one repeated byte; the exports' most even files (calories at rest) stay below 60.
MAX_RATIO = 400
RATIO_COUNTS_FROM_BYTES = 16 << 20


def is_too_large(size: int, packed: int, limit: int) -> bool:
    """True for a member beyond the limits, by its size unpacked and packed."""
    if size > limit:
        return True
    return size > RATIO_COUNTS_FROM_BYTES and size > MAX_RATIO * max(packed, 1)


class Budget:
    """How much may still be unpacked."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def take(self, size: int) -> None:
        """Take from it; raises PhaError zip_too_large where it does not suffice."""
        self.left -= size
        if self.left < 0:
            raise PhaError("zip_too_large")
