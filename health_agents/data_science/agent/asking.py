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
from health_agents.model import MOST_REQUESTS_EACH, ModelDoor
from health_agents.model.door import RequestSettings
from health_agents.sandbox import Sandbox
from outputs.digests import digest
from schemas.errors import PhaError

AGENT = "data_science"
RETRIES = 5
# Of plan, program and statement; an answer that is not in the declared form is sent back once at the door.
LIKELY_REQUESTS = 3
MOST_REQUESTS = LIKELY_REQUESTS * (1 + RETRIES) * MOST_REQUESTS_EACH
PROMPTS = Path(__file__).with_name("prompts")

Drafted = TypeVar("Drafted", bound=Form)
Sound = TypeVar("Sound")
_RESULT = "[[result]]"


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
    given = f"{marked('context', context.text())}\n{marked('question', words)}"
    return _ask(asking, "planner", given, Plan, lambda plan: "; ".join(plan_faults(plan, context)) or None)


@dataclass(frozen=True, slots=True)
class Coding:
    """What a program is written to: how its result is defined, all that is told beside, and who judges it.

    result: the part of the coder's instructions on the result. fault_of: the first thing wrong with a program
    in words that hold no data, None for a sound one.
    """

    result: str
    told: str
    fault_of: Callable[[str], str | None]


def write_program(asking: Asking, coding: Coding, sent_back: str = "") -> tuple[str, str | None]:
    """The last draft of a program, and what is still wrong with it after the retries: None for a sound one.

    sent_back: a program that failed before, and how. Raises the errors of the door.
    """
    instructions = coder_instructions(coding.result)
    draft, fault = _draft(
        asking, instructions, coding.told + sent_back, ProgramDraft, lambda one: coding.fault_of(one.program)
    )
    return draft.program, fault


def ask_program(asking: Asking, words: str, plan: Plan, context: Context) -> str:
    """A program that follows a plan, proven on made-up data; raises as ``ask_plan``."""
    return _sound("coder", write_program(asking, _coding(asking, words, plan, context)))


def ask_repair(asking: Asking, words: str, plan: Plan, context: Context, program: str, failure: str) -> str:
    """A program instead of one that failed on a participant's data.

    failure: type and line of the error, or the rule that was broken; never a value. Raises as ``ask_plan``.
    """
    coding = _coding(asking, words, plan, context)
    return _sound("coder", write_program(asking, coding, _sent_back(program, failure)))


def ask_template(asking: Asking, plan: Plan, question: Question) -> Template:
    """A statement for every branch, each proven against the check of claims; raises as ``ask_plan``."""
    branches = marked("branches", "\n".join(branch_notes(plan)))
    given = f"{marked('question', question.words)}\n{marked('plan', plan.model_dump_json())}\n{branches}"
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
    return {
        role: digest(_instructions(role), form.model_json_schema(), asked) for role, form in _FORMS.items()
    }


def prompts_digest() -> str:
    """Digest of what all roles are told: part of every key of compiled work, and of each answer's row."""
    return digest(prompt_digests())


def coder_instructions(result: str) -> str:
    """The coder's instructions with the part on the result put in its place."""
    return prompt("coder").replace(_RESULT, result.strip())


def _instructions(role: str) -> str:
    return coder_instructions(prompt("coder_result")) if role == "coder" else prompt(role)


def _ask(
    asking: Asking, role: str, given: str, form: type[Drafted], fault_of: Callable[[Drafted], str | None]
) -> Drafted:
    """A draft without a fault; raises question_not_compiled where none came."""
    return _sound(role, _draft(asking, prompt(role), given, form, fault_of))


def _draft(
    asking: Asking,
    instructions: str,
    given: str,
    form: type[Drafted],
    fault_of: Callable[[Drafted], str | None],
) -> tuple[Drafted, str | None]:
    """Ask until a draft has no fault, at most 1 + RETRIES times; the last draft with its fault.

    Each retry holds the draft before it and what is wrong with it.
    """
    sent_back, tried = "", 0
    while True:
        draft = asking.door.ask(AGENT, asking.owner, instructions, given + sent_back, form).output
        fault, tried = fault_of(draft), tried + 1
        if fault is None or tried > RETRIES:
            return draft, fault
        sent_back = f"{_sent_back(draft.model_dump_json(), fault)} This was try {tried}."


def _sound(role: str, drafted: tuple[Sound, str | None]) -> Sound:
    draft, fault = drafted
    if fault is not None:
        raise PhaError("question_not_compiled", step=role)
    return draft


def _coding(asking: Asking, words: str, plan: Plan, context: Context) -> Coding:
    """A coder is told context, question and plan, and judged by the proof on made-up data.

    The context first: what many requests begin with costs less at most providers.
    """
    told = {"context": context.text(), "question": words, "plan": plan.model_dump_json()}
    return Coding(
        prompt("coder_result"),
        "\n".join(marked(name, text) for name, text in told.items()),
        lambda program: program_fault(program, plan, asking.sandbox),
    )


def _sent_back(draft: str, fault: str) -> str:
    return f"\n{marked('draft', draft)}\n{marked('failure', fault)}\nMend the draft: give it whole again."


def marked(name: str, text: str) -> str:
    """Text between marks that it cannot close itself."""
    return f"<{name}>\n{text.replace('</', '< /')}\n</{name}>"
