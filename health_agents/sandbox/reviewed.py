"""The programs shipped and reviewed with the project."""

from functools import cache


def is_reviewed(program: str) -> bool:
    """True where the text is, letter by letter, a program of the reviewed library."""
    return program in _programs()


@cache
def _programs() -> frozenset[str]:
    # Imported late: the library's package itself opens sandboxes.
    from health_agents.data_science.library import catalogue

    return frozenset(question.program for question in catalogue().values())
