"""The two arms: the agent's planner, and a bare model with one prompt and no schemas (as the paper's)."""

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from evaluation.ds_plan.context import plan_context
from health_agents.data_science.agent.asking import Asking, ask_plan
from health_agents.data_science.agent.plan import plan_text
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox

OWNER = "evaluation"  # no participant stands behind a request of an evaluation
BARE = Path(__file__).with_name("prompts") / "bare.txt"
Plan = Callable[[str], str]


class WrittenPlan(BaseModel):
    """A plan in words."""

    model_config = ConfigDict(extra="forbid")

    plan: str = Field(min_length=1, max_length=20_000)


def arms(door: ModelDoor, sandbox: Sandbox) -> dict[str, Plan]:
    """Who plans for a query's words, by name of the arm.

    They raise the errors of the door, and the agent question_not_compiled where no draft is sound.
    """
    asking = Asking(door, sandbox, OWNER)
    return {
        "agent": lambda words: plan_text(ask_plan(asking, words, plan_context())),
        "bare": lambda words: _ask_bare(door, words),
    }


def _ask_bare(door: ModelDoor, words: str) -> str:
    instructions = BARE.read_text(encoding="utf-8")
    return door.ask("ds_plan_bare", OWNER, instructions, words, WrittenPlan).output.plan
