"""The rubric as data (rubric.toml): its questions, which of them are asked, and what answers cost."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Reply = Literal["yes", "no"]
Asked = Literal["yes", "no", "not asked"]
MOST = 16.0
REPLIES: tuple[Reply, ...] = ("yes", "no")


@dataclass(frozen=True, slots=True)
class RubricQuestion:
    """A yes-no question. deduct: points by reply. after: (question, reply) it depends on, or None."""

    question_id: str
    section: str
    words: str
    deduct: Mapping[Reply, float]
    after: tuple[str, Reply] | None


@cache
def rubric() -> tuple[RubricQuestion, ...]:
    """All questions; one that depends on another stands below it."""
    path = Path(__file__).with_name("rubric.toml")
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["question"]
    return tuple(
        RubricQuestion(
            entry["id"],
            entry["section"],
            entry["words"],
            entry.get("deduct", {}),
            next(iter(entry.get("asked_if", {}).items()), None),
        )
        for entry in entries
    )


def path_of(replies: Mapping[str, Reply]) -> dict[str, Asked]:
    """Every question with its reply, or "not asked" where the reply it depends on was another.

    Replies to questions that are not asked are ignored. Raises KeyError where one that is asked has none.
    """
    path: dict[str, Asked] = {}
    for question in rubric():
        asked = question.after is None or path[question.after[0]] == question.after[1]
        path[question.question_id] = replies[question.question_id] if asked else "not asked"
    return path


def deduction(replies: Mapping[str, Reply]) -> float:
    """Points lost, between 0 and MOST."""
    path = path_of(replies)
    return sum(
        question.deduct.get(reply, 0.0)
        for question in rubric()
        if (reply := path[question.question_id]) != "not asked"
    )


def quality(points: float) -> float:
    """Points lost as a share of what could be had: 1 is a plan without fault, 0 the worst."""
    return 1 - points / MOST


def worst_path() -> float:
    """The most points that any path can lose."""
    return sum(_worst_from(question) for question in rubric() if question.after is None)


def _worst_from(question: RubricQuestion) -> float:
    return max(
        question.deduct.get(reply, 0.0)
        + sum(_worst_from(other) for other in rubric() if other.after == (question.question_id, reply))
        for reply in REPLIES
    )
