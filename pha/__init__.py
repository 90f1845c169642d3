"""What people call: the command and the analysts' import."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pha.release_reader import Release, open_release

__all__ = ["Release", "open_release"]


def __getattr__(name: str) -> Any:
    """Load the reader of releases at its first use: Polars is most of what a command costs to start."""
    if name not in __all__:
        raise AttributeError(f"module 'pha' has no attribute {name!r}")
    from pha import release_reader

    return getattr(release_reader, name)
