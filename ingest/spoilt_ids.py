"""Ids that a spreadsheet program spoilt: 007 became 7, or somebody wrote 007 where 7 is registered."""

from collections.abc import Iterable

Alike = dict[str, tuple[str, ...]]


def bare_id(name: str) -> str:
    """A name without leading zeros and case."""
    return name.strip().lstrip("0").lower()


def by_bare_id(names: Iterable[str]) -> Alike:
    """Bare id -> the names that have it, sorted: several where only zeros tell them apart."""
    found: dict[str, set[str]] = {}
    for name in names:
        found.setdefault(bare_id(name), set()).add(name)
    return {bare: tuple(sorted(several)) for bare, several in found.items()}
