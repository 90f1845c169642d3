"""Who writes: the built-in templates, or a language model behind the door."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from health_agents.claims import Claim
from health_agents.domain_expert.clinician import clinician_sections
from health_agents.domain_expert.participant import participant_sections
from health_agents.domain_expert.prompt import (
    INSTRUCTIONS,
    SummaryDraft,
    dossier_prompt,
    draft_sections,
    mending_prompt,
    prompt_digest,
)
from health_agents.domain_expert.sections import Section, Sentence
from health_agents.domain_expert.study_days import StudyDays
from health_agents.domain_expert.view import View
from health_agents.model import RULES, ModelDoor, door_of
from health_agents.model.calls import Call
from schemas.settings import Settings

AGENT = "domain_expert"


class Writer(Protocol):
    """Writes drafts.

    name: written_by of the summary. notice: what the text says of how it was written.
    instructions: text that must not be found in what it writes. must_cite: every sentence must make a claim.
    prompt_digest: of all that is sent beside the dossier; None where nothing is.
    """

    name: str
    notice: str
    instructions: str
    must_cite: bool

    @property
    def prompt_digest(self) -> str | None:
        """Digest of the instructions, or None."""
        ...

    def draft(self, view: View) -> list[Section]:
        """A text for the view's reader, without the sources."""
        ...

    def mend(
        self, view: View, kept: Sequence[Section], failed: Sequence[tuple[Sentence, list[Claim]]]
    ) -> list[Section] | None:
        """The text again, with the failed sentences mended; None where another try cannot help."""
        ...

    def calls(self, participant_id: str) -> list[Call]:
        """Requests made for a participant."""
        ...


class RulesWriter:
    """Templates over findings and facts; no language model."""

    name = RULES
    notice = "This text was put together from templates; no language model was used."
    instructions = ""
    must_cite = False
    prompt_digest = None

    def draft(self, view: View) -> list[Section]:
        """The template text of the reader."""
        return participant_sections(view) if view.reader == "participant" else clinician_sections(view)

    def mend(
        self, view: View, kept: Sequence[Section], failed: Sequence[tuple[Sentence, list[Claim]]]
    ) -> list[Section] | None:
        """Templates write the same again."""
        return None

    def calls(self, participant_id: str) -> list[Call]:
        """None are made."""
        return []


class ModelWriter:
    """A language model that sees the dossier as a prompt and answers in sections and sentences."""

    notice = "A language model drafted this text; every number in it was checked by code against the data."
    instructions = INSTRUCTIONS
    must_cite = True

    def __init__(self, door: ModelDoor) -> None:
        self.name = door.name
        self.prompt_digest = prompt_digest()
        self._door = door
        self._calls: dict[str, list[Call]] = {}

    def draft(self, view: View) -> list[Section]:
        """One request."""
        days = StudyDays.of(view.dossier)
        return self._ask(view, days, dossier_prompt(view, days))

    def mend(
        self, view: View, kept: Sequence[Section], failed: Sequence[tuple[Sentence, list[Claim]]]
    ) -> list[Section] | None:
        """One more request, with the dossier, what stood and what failed and why."""
        days = StudyDays.of(view.dossier)
        return self._ask(view, days, mending_prompt(view, days, kept, failed))

    def calls(self, participant_id: str) -> list[Call]:
        """Requests made for a participant, kept answers included."""
        return self._calls.get(participant_id, [])

    def _ask(self, view: View, days: StudyDays, prompt: str) -> list[Section]:
        participant_id = view.dossier.participant_id
        answer = self._door.ask(AGENT, participant_id, INSTRUCTIONS, prompt, SummaryDraft)
        self._calls.setdefault(participant_id, []).extend(answer.calls)
        return draft_sections(answer.output, view.reader, days)


def writer_of(
    name: str,
    settings: Settings,
    answers: Path,
    environ: Mapping[str, str] = os.environ,
    account: str | None = None,
) -> Writer:
    """The writer of a name: ``rules``, or a model the study allows, for the run of an account."""
    if name == RULES:
        return RulesWriter()
    return ModelWriter(door_of(name, settings, answers, environ, account))
