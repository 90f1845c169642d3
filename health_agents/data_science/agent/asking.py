"""Plan, program and statement asked of a model; what fails its check goes back, up to five times."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field

from health_agents.data_science.agent.context import Context
from health_agents.data_science.agent.plan import Form, Plan
from health_agents.data_science.agent.plan_faults import plan_faults
from health_agents.data_science.agent.proof import MOST_CHARACTERS, program_fault, statement_fault
from health_agents.data_science.agent.template import Template, branch_notes
from health_agents.data_science.library import Question
from health_agents.model import ModelDoor
from health_agents.model.door import RequestSettings
from health_agents.sandbox import Sandbox
from outputs.digests import digest
from schemas.errors import PhaError

AGENT = "data_science"
RETRIES = 5
PROMPTS = Path(__file__).with_name("prompts")

Drafted = TypeVar("Drafted", bound=Form)


class ProgramDraft(Form):
    """The text of a program that defines ``analysis(...)``."""

    program: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)]


_FORMS: dict[str, type[Form]] = {"planner": Plan, "coder": ProgramDraft, "statement": Template}


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks whom: the door, the sandbox that proves programs, and in whose name (for the record only)."""

    door: ModelDoor
    sandbox: Sandbox
    owner: str


def ask_plan(asking: Asking, words: str, context: Context) -> Plan:
    """The plan of a question for those who have the sources of the context.

    Raises question_not_compiled where no draft is sound, and the errors of the door.
    """
    given = f"{_marked('context', context.text())}\n{_marked('question', words)}"
    return _ask(asking, "planner", given, Plan, lambda plan: "; ".join(plan_faults(plan, context)) or None)


def ask_program(asking: Asking, plan: Plan, context: Context) -> str:
    """A program that follows a plan, proven on made-up data; raises as ``ask_plan``."""
    draft = _ask(
        asking,
        "coder",
        _coder_prompt(plan, context),
        ProgramDraft,
        lambda draft: program_fault(draft.program, plan, asking.sandbox),
    )
    return draft.program


def ask_repair(asking: Asking, plan: Plan, context: Context, program: str, failure: str) -> str:
    """A program instead of one that failed on a participant's data.

    failure: type and line of the error, or the rule that was broken; never a value. Raises as ``ask_plan``.
    """
    given = _coder_prompt(plan, context) + _sent_back(program, failure)
    draft = _ask(
        asking, "coder", given, ProgramDraft, lambda draft: program_fault(draft.program, plan, asking.sandbox)
    )
    return draft.program


def ask_template(asking: Asking, plan: Plan, question: Question) -> Template:
    """A statement for every branch, each proven against the check of claims; raises as ``ask_plan``."""
    branches = _marked("branches", "\n".join(branch_notes(plan)))
    given = f"{_marked('question', question.words)}\n{_marked('plan', plan.model_dump_json())}\n{branches}"
    return _ask(
        asking, "statement", given, Template, lambda template: statement_fault(template, plan, question)
    )


@cache
def prompt(name: str) -> str:
    """The instructions of the planner, the coder or the writer of statements."""
    return (PROMPTS / f"{name}.txt").read_text(encoding="utf-8")


def prompt_digests() -> dict[str, str]:
    """Role -> digest of its instructions, declared form and how it is asked."""
    asked = asdict(RequestSettings()), RETRIES
    return {role: digest(prompt(role), form.model_json_schema(), asked) for role, form in _FORMS.items()}


def prompts_digest() -> str:
    """Digest of what all roles are told: part of every key of compiled work, and of each answer's row."""
    return digest(prompt_digests())


def _ask(
    asking: Asking, role: str, given: str, form: type[Drafted], fault_of: Callable[[Drafted], str | None]
) -> Drafted:
    """Ask until a draft has no fault; each retry holds the draft before it and what is wrong with it."""
    sent_back = ""
    for tried in range(1, 2 + RETRIES):
        draft = asking.door.ask(AGENT, asking.owner, prompt(role), given + sent_back, form).output
        fault = fault_of(draft)
        if fault is None:
            return draft
        sent_back = f"{_sent_back(draft.model_dump_json(), fault)} This was try {tried}."
    raise PhaError("question_not_compiled", step=role)


def _coder_prompt(plan: Plan, context: Context) -> str:
    return f"{_marked('plan', plan.model_dump_json())}\n{_marked('context', context.text())}"


def _sent_back(draft: str, fault: str) -> str:
    return f"\n{_marked('draft', draft)}\n{_marked('failure', fault)}\nMend the draft: give it whole again."


def _marked(name: str, text: str) -> str:
    """Text between marks that it cannot close itself."""
    return f"<{name}>\n{text.replace('</', '< /')}\n</{name}>"
