"""Times of ``Health Fitness Data``: an instant and an offset beside it."""

from datetime import datetime

from synthetic.exports.takeout.export import Export


def instant_text(export: Export, instant: datetime) -> str:
    """An instant in UTC, in the form of the layout."""
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ" if export.generation.iso_times else "%Y-%m-%d %H:%M:%S+0000")


def offset_text(minutes: int) -> str:
    """``-07:00`` for -420."""
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}:{rest:02d}"
