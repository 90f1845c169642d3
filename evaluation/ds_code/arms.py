"""The two arms: a bare model with one prompt, and the agent's coder, which gets its failures back."""

from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from evaluation.ds_code.batch import run_cases
from evaluation.ds_code.items import Item
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox

RETRIES = 5
OWNER = "evaluation"  # no participant stands behind a request of an evaluation
PROMPTS = Path(__file__).with_name("prompts")
Write = Callable[[Item], str]


class WrittenProgram(BaseModel):
    """The text of a program that defines ``analysis(...)``."""

    model_config = ConfigDict(extra="forbid")

    program: str = Field(min_length=1, max_length=20_000)


def arms(door: ModelDoor, sandbox: Sandbox) -> dict[str, Write]:
    """Who writes a program for an item, by name of the arm. They raise the errors of the door."""
    return {
        "agent": lambda item: write_as_agent(door, item, sandbox),
        "bare": lambda item: _ask(door, "bare", item.stub),
    }


def write_as_agent(door: ModelDoor, item: Item, sandbox: Sandbox) -> str:
    """A program after up to five retries, each with the type and line of the error.

    Only that it failed goes back, never what a test expects: one that runs and is wrong is not sent back.
    """
    program = _ask(door, "agent", item.stub)
    for _ in range(RETRIES):
        failure = execution_failure(program, item, sandbox)
        if failure is None:
            break
        program = _ask(
            door, "agent", f"{item.stub}\n<program>\n{program}\n</program>\n<failure>{failure}</failure>"
        )
    return program


def execution_failure(program: str, item: Item, sandbox: Sandbox) -> str | None:
    """Type and line of the first error on the item's inputs, or None where the program runs on all."""
    for ran in run_cases(program, item, sandbox):
        if ran.result is None:
            return f"{ran.error} in line {ran.line}" if ran.line else ran.error
    return None


def _ask(door: ModelDoor, arm: str, given: str) -> str:
    instructions = (PROMPTS / f"{arm}.txt").read_text(encoding="utf-8")
    written = door.ask(f"ds_code_{arm}", OWNER, instructions, given, WrittenProgram).output
    return _without_fence(written.program)


def _without_fence(text: str) -> str:
    """The program inside a Markdown fence, where a model put one around it."""
    lines = text.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1] == "```":
        lines = lines[1:-1]
    return "\n".join(lines) + "\n"
