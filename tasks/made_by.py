"""What made a release, as run.json tells it: versions, prompts, questions, programs and the model."""

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from health_agents import data_science, domain_expert
from health_agents.data_science.agent.asking import prompt_digests
from ingest import surveys
from outputs import dossier, editions, observation, participant_features, person_values
from outputs.digests import digest
from tasks.keys import SCHEMA_VERSIONS, VERSIONS

_PACKAGES = ("pha-cohort", "polars", "pyarrow", "prefect", "pdfplumber", "great-expectations", "scipy")
_ROLES = {
    "planner": "the planner",
    "coder": "the coder",
    "statement": "the writer of statements",
}
_SOURCES = ("flows", "health_agents", "ingest", "outputs", "schemas", "tasks")


def made_by(model: str) -> dict[str, Mapping[str, object]]:
    """versions: of packages. results: of the stages. schemas: of the tables. prompts: digests of all that
    each role is told. questions, programs: of the reviewed library, by question. model: the one of the run.
    code: digest of the source, for a result version tells only of a change somebody thought of.

    ``pha diff`` tells by them which change of the project made two releases differ. Which of them made a
    single statement its row tells: written_by, prompt_digest, program_digest, result_version.
    """
    return {
        "versions": {name: version(name) for name in _PACKAGES},
        "results": {
            **VERSIONS,
            "surveys": surveys.RESULT_VERSION,
            "core": observation.RESULT_VERSION,
            "person values": person_values.RESULT_VERSION,
            "participant features": participant_features.RESULT_VERSION,
            "edition": editions.RESULT_VERSION,
            "dossier": dossier.RESULT_VERSION,
            "insights": data_science.RESULT_VERSION,
            "summaries": domain_expert.RESULT_VERSION,
        },
        "schemas": dict(SCHEMA_VERSIONS),
        "prompts": {
            "the writer of summaries": domain_expert.prompt_digest(),
            **{_ROLES[role]: told for role, told in prompt_digests().items()},
        },
        "questions": data_science.question_digests(),
        "programs": data_science.program_digests(),
        "model": {"the language model": model},
        "code": {"the program": _code_digest()},
    }


def _code_digest() -> str:
    """The same for the same source, wherever it is installed."""
    root = Path(__file__).parent.parent
    files = sorted(path for name in _SOURCES for path in (root / name).rglob("*.py"))
    return digest([(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")) for path in files])
