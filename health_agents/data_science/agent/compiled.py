"""A question compiled: plan, program and statement, made once for all who have what the plan requires."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from health_agents.data_science.agent.asking import Asking, ask_plan, ask_program, ask_template
from health_agents.data_science.agent.context import Context
from health_agents.data_science.agent.plan import Plan, plan_text
from health_agents.data_science.agent.template import Template
from health_agents.data_science.library import Question
from health_agents.model import asking_all

MOST_SETS = 8


@dataclass(frozen=True, slots=True)
class Compiled:
    """A question as it is answered for those who have what its plan requires.

    there: the sources of those it was made for. A plan that is not feasible has no program and no template.
    """

    question: Question
    plan: Plan
    there: frozenset[str]
    program: str | None
    template: Template | None

    def serves(self, there: frozenset[str]) -> bool:
        """Whether it speaks for somebody with these sources: all that is required is there; or, where the
        sources it was made for were not enough, no other is there.
        """
        return there >= self.needs if self.plan.feasible else there <= self.there

    @property
    def needs(self) -> frozenset[str]:
        """The required sources that not everybody has."""
        return frozenset(self.plan.required) & self.there

    @property
    def document(self) -> dict[str, Any]:
        """Its content for the store."""
        return {
            "plan": self.plan.model_dump(),
            "there": sorted(self.there),
            "program": self.program,
            "template": self.template.model_dump() if self.template else None,
        }


def read_compiled(asked: Question, document: Mapping[str, Any]) -> Compiled:
    """A compiled question from its document."""
    plan = Plan.model_validate(document["plan"])
    template = Template.model_validate(document["template"]) if document["template"] else None
    return _compiled(asked, plan, frozenset(document["there"]), document["program"], template)


def compile_question(asking: Asking, asked: Question, context: Context, there: frozenset[str]) -> Compiled:
    """Plan, program and statement of a question for those who have the sources ``there``.

    asked: id, title, words and written_by are used. context: of the whole group. Raises
    question_not_compiled and the errors of the door.
    """
    own = context.limited_to(there)
    plan = ask_plan(asking, asked.words, own)
    if not plan.feasible:
        return _compiled(asked, plan, there, None, None)
    program = template = None
    with asking_all() as each:
        with each():
            program = ask_program(asking, asked.words, plan, own)
        with each():
            template = ask_template(asking, plan, asked)
    return _compiled(asked, plan, there, program, template)


def patterns_of(there: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The different sets of sources, that of most people first: the order in which plans are made."""
    counted = Counter(there)
    return sorted(counted, key=lambda pattern: (-counted[pattern], sorted(pattern)))


def compile_sets(
    patterns: Iterable[frozenset[str]],
    kept: Sequence[Compiled],
    compiled_for: Callable[[frozenset[str]], Compiled | None],
) -> list[Compiled]:
    """A question compiled until everybody is served, for at most MOST_SETS sets of sources.

    patterns: the sources of each participant. kept: what was compiled before, used first. compiled_for:
    compiles for a set, or None where no sound draft came. Each turn plans for all that those not served
    have together; where that helps nobody, for the commonest of their sets.
    """
    made, tried = list(kept), {one.there for one in kept}
    left = [pattern for pattern in patterns_of(patterns) if serving(made, pattern) is None]
    while left and len(tried) < MOST_SETS:
        together = frozenset[str]().union(*left)
        there = next((one for one in (together, *left) if one not in tried), None)
        if there is None:
            break
        tried.add(there)
        one = compiled_for(there)
        made += [one] if one else []
        left = [pattern for pattern in left if serving(made, pattern) is None]
    return made


def serving(compiled: Iterable[Compiled], there: frozenset[str]) -> Compiled | None:
    """The compiled question that speaks for somebody with these sources, or None.

    The first in the order of making; an answer goes before the word that there can be none.
    """
    fitting = [one for one in compiled if one.serves(there)]
    return min(fitting, key=lambda one: not one.plan.feasible, default=None)


def _compiled(
    asked: Question, plan: Plan, there: frozenset[str], program: str | None, template: Template | None
) -> Compiled:
    return Compiled(
        replace(asked, plan=plan_text(plan), program=program or ""), plan, there, program, template
    )
