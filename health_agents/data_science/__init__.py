"""The data-science agent: plan, program, sandbox, result, statement (docs/programs.md)."""

from health_agents.data_science.answers import RESULT_VERSION, answer_questions
from health_agents.data_science.library import library_digest, program_digests, question_digests
from health_agents.data_science.run_program import run_program

__all__ = [
    "RESULT_VERSION",
    "answer_questions",
    "library_digest",
    "program_digests",
    "question_digests",
    "run_program",
]
