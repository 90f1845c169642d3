"""The reviewed library: for each built-in question its words, a plan and a program."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from outputs.digests import digest
from schemas.settings import BUILT_IN_QUESTIONS

FOLDER = Path(__file__).with_name("library")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the plan of its analysis and the program that carries it out.

    title: what it is about in a few words; words: the question in one sentence. Neither addresses anyone.
    written_by: the model that planned and wrote it; rules for those of the reviewed library.
    """

    question_id: str
    title: str
    words: str
    plan: str
    program: str
    written_by: str = "rules"

    @property
    def program_digest(self) -> str:
        """sha256 of the program's text."""
        return hashlib.sha256(self.program.encode()).hexdigest()


@cache
def reviewed_question(question_id: str) -> Question:
    """A question of the library. Raises KeyError for one it does not have."""
    folder = FOLDER / question_id
    if question_id not in BUILT_IN_QUESTIONS:
        raise KeyError(question_id)
    question, plan, program = (
        (folder / name).read_text(encoding="utf-8") for name in ("question.txt", "plan.md", "program.py")
    )
    title, words = question.splitlines()
    return Question(question_id, title, words, plan.strip(), program)


def library_digest() -> str:
    """Digest of all questions, plans and programs: it belongs into the key of the insights stage."""
    questions = [reviewed_question(question_id) for question_id in sorted(BUILT_IN_QUESTIONS)]
    return digest(*([q.question_id, q.title, q.words, q.plan, q.program] for q in questions))
