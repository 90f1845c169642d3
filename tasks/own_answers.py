"""How a participant is asked the study's own questions."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from health_agents.data_science.agent.answering import Repairs, answer_alone, answer_served, not_run
from health_agents.data_science.agent.asking import Asking
from health_agents.data_science.agent.context import Context
from health_agents.data_science.agent.person_sources import person_sources, sources_there
from health_agents.data_science.answers import Answer, Asker
from health_agents.data_science.library import Question
from health_agents.model import RULES
from health_agents.sandbox import Sandbox
from outputs.store import COHORT, Piece
from tasks.core import piece_of
from tasks.ledger import Keys
from tasks.order import Order
from tasks.own_questions import (
    QUESTIONS,
    SOURCE_TABLES,
    compiled_of,
    context_of,
    door,
    own_questions,
)
from tasks.workspace import Workspace

Frames = Mapping[str, pl.DataFrame]

# A compiled program holds no personal data and runs for everybody. Their own failed run, or a plan of their
# own, tells of a participant: only where data may leave.
NO_MODEL, NOT_ALLOWED = "no_model", "model_not_allowed"


def own_askers(
    workspace: Workspace, order: Order, keys: Keys, participant_id: str, tables: Mapping[str, pl.DataFrame]
) -> tuple[list[Asker], list[object]]:
    """How a participant is asked the study's own questions, and what of it decides the answers.

    Nothing where the study has none. tables: those the programs see.
    """
    asked = own_questions(workspace, order)
    if not asked:
        return [], []
    mode = workspace.study.settings.questions.mode
    may_leave = workspace.study.participant(participant_id).external_model
    piece = piece_of(workspace, keys, QUESTIONS, COHORT)
    key: list[object] = [
        [asdict(one) for one in asked],
        mode,
        may_leave,
        piece.result_digest if piece else None,
    ]
    if order["model"] == RULES:
        return [_NotRun(one, NO_MODEL) for one in asked], key
    if mode == "per_participant" and not may_leave:
        return [_NotRun(one, NOT_ALLOWED) for one in asked], key
    if piece is None or piece.state == "failed":
        reason = piece.code if piece and piece.code else "pending"
        return [_NotRun(one, reason) for one in asked], key
    return [
        _Asked(one, workspace, order, piece, participant_id, tables, may_leave=may_leave) for one in asked
    ], key


@dataclass(frozen=True, slots=True)
class _NotRun:
    asked: Question
    reason: str

    def __call__(
        self, frames: Mapping[str, pl.DataFrame], person: Mapping[str, Any], sandbox: Sandbox
    ) -> Answer:
        return not_run(self.asked, self.reason)


@dataclass(frozen=True, slots=True)
class _Asked:
    asked: Question
    workspace: Workspace
    order: Order
    piece: Piece
    participant_id: str
    tables: Mapping[str, pl.DataFrame]
    may_leave: bool

    def __call__(
        self, frames: Mapping[str, pl.DataFrame], person: Mapping[str, Any], sandbox: Sandbox
    ) -> Answer:
        told = context_of(self.workspace, self.piece)
        there = _there(self.tables, told)
        repairs = None
        if self.may_leave:
            asking = Asking(door(self.workspace, self.order), sandbox, self.participant_id)
            if self.workspace.study.settings.questions.mode == "per_participant":
                return answer_alone(asking, self.asked, told, there, frames, person)
            repairs = Repairs(asking, told.limited_to(there))
        compiled = compiled_of(self.workspace, self.asked, self.piece)
        return answer_served(self.asked, compiled, there, frames, person, sandbox, repairs)


def _there(tables: Mapping[str, pl.DataFrame], told: Context) -> frozenset[str]:
    """The sources of one participant that the context knows."""
    frames = {name: tables[name].lazy() for name in SOURCE_TABLES}
    there = sources_there(person_sources(frames).collect())
    return next(iter(there.values()), frozenset()) & told.names
