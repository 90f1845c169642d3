"""The autorater: a model at the door that answers the rubric for a plan."""

import json
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, field_validator

from evaluation.ds_plan.context import data_description
from evaluation.ds_plan.rubric import Reply, rubric
from health_agents.model import ModelDoor

OWNER = "evaluation"  # no participant stands behind a request of an evaluation
INSTRUCTIONS = Path(__file__).with_name("prompts") / "autorater.txt"


class Rated(BaseModel):
    """One reply of the rater; the reason comes first, so that the reply rests on it."""

    model_config = ConfigDict(extra="forbid")

    question_id: str
    reason: str
    reply: Reply


class Rating(BaseModel):
    """Replies to every question of the rubric, each once; a rating that lacks one is sent back once."""

    model_config = ConfigDict(extra="forbid")

    replies: list[Rated]

    @field_validator("replies")
    @classmethod
    def _every_question_once(cls, replies: list[Rated]) -> list[Rated]:
        if sorted(one.question_id for one in replies) != sorted(one.question_id for one in rubric()):
            raise ValueError("every question of the rubric needs one reply")
        return replies


def rate_plan(door: ModelDoor, query: str, plan: str) -> dict[str, Reply]:
    """Question id -> reply of the model. Raises the errors of the door."""
    given = {"rubric": _questions(), "data": data_description(), "question": query, "plan": plan}
    prompt = "\n".join(f"<{name}>\n{_inside(text)}\n</{name}>" for name, text in given.items())
    instructions = INSTRUCTIONS.read_text(encoding="utf-8")
    rating = door.ask("ds_plan_autorater", OWNER, instructions, prompt, Rating).output
    return {one.question_id: one.reply for one in rating.replies}


def _inside(text: str) -> str:
    """Text that cannot close the marks around it."""
    return text.replace("</", "< /")


@cache
def _questions() -> str:
    return "\n".join(
        json.dumps(
            {"question_id": one.question_id, "question": one.words, "asked_if": " is ".join(one.after or ())}
        )
        for one in rubric()
    )
