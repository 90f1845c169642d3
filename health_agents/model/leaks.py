"""Instructions found again in what a model wrote."""

import re


def leaked_words(text: str, instructions: str, count: int) -> str | None:
    """The first ``count`` words in a row that stand in the instructions, too, or None."""
    words, hidden = _words(text), f" {' '.join(_words(instructions))} "
    runs = (" ".join(words[i : i + count]) for i in range(len(words) - count + 1))
    return next((run for run in runs if f" {run} " in hidden), None)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
