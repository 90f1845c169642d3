"""What changed from one release to another, and because of what: ``pha diff``."""

from outputs.release_diff.compare import ReleaseDiff, compare_releases
from outputs.release_diff.words import lines_of

__all__ = ["ReleaseDiff", "compare_releases", "lines_of"]
