"""The reviewed library: the catalogue of questions, each with its words, a plan and a program.

A program answers one question as it stands; the catalogue lets it answer others by setting its constants
anew (``with``). So a method is reviewed and tested once.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from outputs.digests import digest

FOLDER = Path(__file__).with_name("library")
CATALOGUE = FOLDER / "catalogue.toml"
ALIKE_DAYS = FOLDER / "alike_days.py"
Audience = Literal["clinician", "participant", "analyst"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the plan of its analysis and the program that carries it out.

    title: what it is about in a few words; words: the question in one sentence. Neither addresses anyone.
    written_by: the model that planned and wrote it; rules for those of the reviewed library.
    prompt_digest: of the instructions it was asked with; None for those of the reviewed library.
    audience: for whom it is worth asking. columns: what the program needs, as ``frame.column``.
    """

    question_id: str
    title: str
    words: str
    plan: str
    program: str
    written_by: str = "rules"
    audience: tuple[Audience, ...] = ()
    columns: tuple[str, ...] = ()
    prompt_digest: str | None = None

    @property
    def is_for_participant(self) -> bool:
        """Whether the participant may read its answer."""
        return "participant" in self.audience

    @property
    def program_digest(self) -> str:
        """sha256 of the program's text."""
        return hashlib.sha256(self.program.encode()).hexdigest()


@cache
def catalogue() -> dict[str, Question]:
    """All questions of the library by their id."""
    entries = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {question_id: _question(question_id, entry) for question_id, entry in entries.items()}


def reviewed_question(question_id: str) -> Question:
    """A question of the library. Raises KeyError for one it does not have."""
    return catalogue()[question_id]


def library_digest() -> str:
    """Digest of all questions, plans and programs: it belongs into the key of the insights stage."""
    return digest(question_digests(), program_digests())


def question_digests() -> dict[str, str]:
    """Question id -> digest of all the catalogue says of it: words, plan, audience, columns."""
    told = {name: asdict(question) | {"program": ""} for name, question in catalogue().items()}
    return {name: digest(told[name]) for name in sorted(told)}


def program_digests() -> dict[str, str]:
    """Question id -> sha256 of its program."""
    return {name: question.program_digest for name, question in sorted(catalogue().items())}


def _question(question_id: str, entry: Mapping[str, Any]) -> Question:
    folder = FOLDER / entry["program"]
    plan, program = ((folder / name).read_text(encoding="utf-8") for name in ("plan.md", "program.py"))
    return Question(
        question_id,
        entry["title"],
        entry["words"],
        f"Discussion. {entry['discussion']}\n\n{plan.strip()}",
        _shared(program) + program + _constants(entry.get("with", {})),
        audience=tuple(entry["audience"]),
        columns=tuple(entry["columns"]),
    )


def _shared(program: str) -> str:
    """The estimate of effects, where a program makes one: the sandbox has no files to import it from."""
    return ALIKE_DAYS.read_text(encoding="utf-8") + "\n\n" if "effect_of(" in program else ""


def _constants(values: Mapping[str, Any]) -> str:
    """A line that sets constants of a program anew; its functions read them when they are called."""
    return f"{', '.join(values)} = {', '.join(map(repr, values.values()))}\n" if values else ""
