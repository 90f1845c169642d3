"""The domain expert: writes a participant's summary for two readers from the dossier, and nothing else.

``write_summaries`` asks a writer (templates or a language model) for drafts, checks every sentence against
the facts, sends back once what fails, removes what fails again and says so.
"""

from health_agents.domain_expert.prompt import prompt_digest
from health_agents.domain_expert.summaries import RESULT_VERSION, write_summaries
from health_agents.domain_expert.writers import ModelWriter, RulesWriter, Writer, writer_of

__all__ = [
    "RESULT_VERSION",
    "ModelWriter",
    "RulesWriter",
    "Writer",
    "prompt_digest",
    "write_summaries",
    "writer_of",
]
