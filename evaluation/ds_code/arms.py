"""The two arms: a bare model with one prompt, and the product's coder, which gets its failures back."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from evaluation.ds_code.batch import run_cases
from evaluation.ds_code.items import Item
from health_agents.data_science.agent.asking import Asking, Coding, marked, write_program
from health_agents.data_science.agent.proof import form_fault
from health_agents.model import ModelDoor
from health_agents.sandbox import Sandbox

OWNER = "evaluation"  # no participant stands behind a request of an evaluation
PROMPTS = Path(__file__).with_name("prompts")
Write = Callable[[Item], str]


class WrittenProgram(BaseModel):
    """The text of a program that defines ``analysis(...)``."""

    model_config = ConfigDict(extra="forbid")

    program: str = Field(min_length=1, max_length=20_000)


def arms(door: ModelDoor, sandbox: Sandbox) -> dict[str, Write]:
    """Who writes a program for an item, by name of the arm. They raise the errors of the door."""
    asking = Asking(door, sandbox, OWNER)
    return {
        "agent": lambda item: write_as_agent(asking, item),
        "bare": lambda item: _ask_bare(door, item.stub),
    }


def write_as_agent(asking: Asking, item: Item) -> str:
    """The program of the product's coder, by its own loop, with the contract in the place of the plan.

    Where the retries are used up the last draft counts: it may be right for other tests of the item.
    """
    coding = Coding(_words("result"), marked("plan", item.stub), partial(_fault, item, asking.sandbox))
    program, _ = write_program(asking, coding)
    return program


def _fault(item: Item, sandbox: Sandbox, program: str) -> str | None:
    """What the coder is told of a program: its form, the first error on the item's inputs, a lacking key.

    Never what a test expects: a program that runs and is wrong is not sent back.
    """
    if (fault := form_fault(program)) is not None:
        return fault
    for ran in run_cases(program, item, sandbox):
        if ran.result is None:
            return f"{ran.error} in line {ran.line}" if ran.line else ran.error
        if missing := sorted(item.promised - ran.result.keys()):
            return f"the result lacks {', '.join(missing)}"
    return None


def _ask_bare(door: ModelDoor, stub: str) -> str:
    written = door.ask("ds_code_bare", OWNER, _words("bare"), stub, WrittenProgram).output
    return _without_fence(written.program)


def _words(name: str) -> str:
    return (PROMPTS / f"{name}.txt").read_text(encoding="utf-8")


def _without_fence(text: str) -> str:
    """The program inside a Markdown fence, where a model put one around it."""
    lines = text.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1] == "```":
        lines = lines[1:-1]
    return "\n".join(lines) + "\n"
