"""What a run will ask of the language model: requests by agent, likely and at most, without asking any."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

import polars as pl

from health_agents import domain_expert
from health_agents.data_science.agent.answering import MOST_REQUESTS as REPAIRS
from health_agents.data_science.agent.asking import (
    AGENT,
    LIKELY_REQUESTS,
    MOST_REQUESTS,
    prompt,
    prompts_digest,
)
from health_agents.data_science.agent.compiled import MOST_SETS
from health_agents.data_science.agent.context import make_context
from health_agents.data_science.agent.person_sources import no_sources
from health_agents.domain_expert.summaries import LIKELY_REQUESTS as LIKELY_TEXTS
from health_agents.domain_expert.summaries import MOST_REQUESTS as MOST_TEXTS
from health_agents.domain_expert.telling import most_characters
from health_agents.domain_expert.writers import AGENT as WRITER
from outputs.digests import digest
from outputs.metrics import DAILY_METRICS
from outputs.store import COHORT
from schemas.table import conform
from schemas.tables import TABLES
from tasks.own_questions import QUESTIONS, asked_of
from tasks.workspace import Workspace, counts_in_population

# People differ in what they have: as a rule a question is planned for all, and once more for those who lack
# something. Stated in docs/models.md.
LIKELY_SETS = 2
# A plan, a program and what is said of them, beside the context.
_CHARACTERS_BESIDE_CONTEXT = 8_000


@dataclass(frozen=True, slots=True)
class Work:
    """Requests that one agent will make for ``people`` participants (0: for the cohort as a whole).

    told: in words. characters: of one request as it is first made.
    """

    told: str
    agent: str
    people: int
    likely: int
    most: int
    characters: int


def model_work(workspace: Workspace, model: str, unread: Collection[str]) -> list[Work]:
    """The work of a run with a model. unread: participants of whom new files came; their work is done anew.

    What is there already counts as long as prompts, model and data are those it was made with; a new edition
    of percentiles changes everybody's data, and nobody can know its figures before.
    """
    agreed = [
        person.participant_id
        for person in workspace.study.participants
        if person.external_model and counts_in_population(person)
    ]
    works = [_texts(workspace, model, agreed, unread)]
    if workspace.study.settings.questions.own:
        alone = workspace.study.settings.questions.mode == "per_participant"
        works += (_alone if alone else _compiled)(workspace, model, agreed, unread)
    return works


def _texts(workspace: Workspace, model: str, agreed: Collection[str], unread: Collection[str]) -> Work:
    made = {
        "written_by": model,
        "prompt_digest": domain_expert.prompt_digest(),
        "result_version": domain_expert.RESULT_VERSION,
    }
    rows = _rows_made(workspace, "summaries", made, set(agreed) - set(unread))
    there = rows["participant_id"].n_unique()
    left = len(agreed) - there
    told = f"texts of {left} of {len(agreed)} participants who agreed ({there} are there)"
    return Work(told, WRITER, left, left * LIKELY_TEXTS, left * MOST_TEXTS, most_characters())


def _compiled(
    workspace: Workspace, model: str, agreed: Collection[str], unread: Collection[str]
) -> list[Work]:
    """Compiling, once for all; and repairs, for whom a proven program fails all the same."""
    asked = asked_of(workspace.study.settings.questions, model)
    kept = workspace.store.newest(QUESTIONS, COHORT)
    known: Mapping[str, str] = kept.document["asked"] if kept and kept.state == "done" else {}
    left = [one for one in asked if known.get(one.question_id) != digest(asdict(one), prompts_digest())]
    told = f"own questions, compiled: {len(left)} of {len(asked)} ({len(asked) - len(left)} are there)"
    sets = min(LIKELY_SETS, max(len(agreed), 1)), MOST_SETS
    size = _characters()
    runs = len(agreed) * len(asked)
    return [
        Work(
            told, AGENT, 0, len(left) * sets[0] * LIKELY_REQUESTS, len(left) * sets[1] * MOST_REQUESTS, size
        ),
        Work("repairs of programs that fail on somebody's data", AGENT, len(agreed), 0, runs * REPAIRS, size),
    ]


def _alone(workspace: Workspace, model: str, agreed: Collection[str], unread: Collection[str]) -> list[Work]:
    """Plan, program and statement for each participant; people with equal sources share them in fact."""
    asked = asked_of(workspace.study.settings.questions, model)
    made = {"written_by": model, "prompt_digest": prompts_digest()}
    rows = _rows_made(workspace, "insights", made, set(agreed) - set(unread))
    there = rows.filter(pl.col("question").is_in([one.words for one in asked])).height
    left = len(agreed) * len(asked) - there
    told = f"own questions, for each participant: {left} of {left + there} ({there} are there)"
    most = left * (MOST_REQUESTS + REPAIRS)
    return [Work(told, AGENT, len(agreed), left * LIKELY_REQUESTS, most, _characters())]


def _rows_made(
    workspace: Workspace, stage: str, made: Mapping[str, object], people: Collection[str]
) -> pl.DataFrame:
    """Rows of people's newest results of a stage that were made so."""
    newest = (workspace.store.newest(stage, one) for one in sorted(people))
    pieces = [piece for piece in newest if piece is not None and piece.state == "done"]
    rows = conform(workspace.store.scan(pieces, stage), TABLES[stage])
    return rows.filter(pl.col(name).eq_missing(pl.lit(value)) for name, value in made.items()).collect()


def _characters() -> int:
    """Of a request of the data-science agent: instructions, and a context with every column."""
    context = make_context(no_sources(), (metric.metric for metric in DAILY_METRICS))
    return len(prompt("planner")) + len(context.text()) + _CHARACTERS_BESIDE_CONTEXT
