"""What made a release, as run.json tells it: versions of code, results, tables and prompts."""

from importlib.metadata import version

from health_agents import data_science, domain_expert
from ingest import surveys
from outputs import dossier, editions, observation, participant_features, person_values
from tasks.keys import SCHEMA_VERSIONS, VERSIONS

_PACKAGES = ("pha-cohort", "polars", "pyarrow", "prefect", "pdfplumber", "great-expectations", "scipy")


def made_by() -> dict[str, dict[str, object]]:
    """versions: of packages. results: of the stages. schemas: of the tables. prompts: digests of texts.

    ``pha diff`` tells by them which change of the project made two releases differ.
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
            "the prompt of summaries": domain_expert.prompt_digest(),
            "the library of questions": data_science.library_digest(),
        },
    }
