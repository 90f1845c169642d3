"""What people call: the command and the analysts' import."""

from pha.release_reader import Release, open_release

__all__ = ["Release", "open_release"]
