"""A dry run: everything that can be known of a study in seconds, without writing anything."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from health_agents.model import RULES, check_model
from ingest.quick_look import first_problem
from ingest.registry import check_registry
from ingest.settings_file import check_settings
from ingest.study import SOURCES, Source
from outputs.decisions import read_decisions
from outputs.store import COHORT
from schemas.errors import PhaError
from tasks.as_of import arrived_days
from tasks.comparing import set_asides
from tasks.kept_problems import KeptProblem, kept_pieces, kept_problems
from tasks.keys import ingest_key, surveys_key
from tasks.model_costs import cost_notes, costs_of
from tasks.model_work import model_work
from tasks.path_case import path_case_problems
from tasks.survey_check import check_surveys
from tasks.workspace import (
    SetAside,
    Workspace,
    answers_of,
    content_problems,
    open_workspace,
    survey_files,
)

BYTES_WANTED_PER_BYTE = 1.0


@dataclass(frozen=True, slots=True)
class Remark:
    """A problem found: where (a line, a person, a file below the study folder) and its code."""

    where: str
    problem: PhaError | KeptProblem


@dataclass(frozen=True, slots=True)
class Checkup:
    """What a run would meet and do. ``stops``: it could not begin.

    ``nothing_to_publish``: it would end so, for nobody has sent anything, or nothing that was accepted.
    """

    remarks: list[Remark]
    notes: list[str]
    stops: bool
    nothing_to_publish: bool = False


def check_up(study: Path, out: Path) -> Checkup:
    """Examine a study folder and what OUT holds of it already."""
    stopping = list(_stopping(study))
    if stopping:
        return Checkup([Remark("study", problem) for problem in stopping], [], stops=True)
    workspace = open_workspace(study, out, make=False)
    surveys = check_surveys(workspace)
    others = [Remark(*found) for found in (*path_case_problems(study), *surveys.problems)]
    seen = [*others, *_folders(workspace), *_files(workspace)]
    told = {(remark.where, remark.problem.code) for remark in seen}
    kept = (Remark(*found) for found in kept_problems(workspace))
    remarks = [*seen, *(remark for remark in kept if (remark.where, remark.problem.code) not in told)]
    notes = list(_notes(workspace, surveys.note))
    return Checkup(remarks, notes, stops=False, nothing_to_publish=_has_nothing(workspace))


def _stopping(study: Path) -> Iterator[PhaError]:
    """Problems of settings, registry and decisions: a run would end with 2."""
    problems, settings = check_settings(study / "study.toml", os.environ)
    yield from problems
    zone = settings.study.time_zone if settings else "UTC"
    if (study / "study.toml").is_file():
        yield from check_registry(study / "participants.csv", zone)[0]
    try:
        read_decisions(study / "decisions.csv")
        if settings is not None:
            check_model(settings, settings.model.name, os.environ)
    except PhaError as error:
        yield error


def _folders(workspace: Workspace) -> Iterator[Remark]:
    """Folders and files of nobody by their real name; empty folders; active people without any."""
    for source in SOURCES:
        folders = workspace.folders[source]
        for problem, path in zip(folders.problems, folders.stray, strict=True):
            yield Remark(f"{source}/{path.name}", problem)
        for path in folders.loose:
            yield Remark(f"{source}/{path.name}", PhaError("file_of_nobody", source=source, count=1))
        for owner in sorted(folders.by_participant):
            for problem in content_problems(workspace, source, owner):
                yield Remark(f"{source}/{owner}", problem)
    fitbit = workspace.folders["fitbit"]
    sent = {*fitbit.by_participant, *fitbit.meant}
    for person in workspace.study.participants:
        if person.status == "active" and person.participant_id not in sent:
            yield Remark(person.participant_id, PhaError("folder_missing", source="fitbit"))


def _files(workspace: Workspace) -> Iterator[Remark]:
    """Files that could not be read, at first sight; equal files in several people's folders."""
    asides = set_asides(workspace)
    verdicts = {(owner, sha256): verdict for owner, sha256, verdict in asides}
    for source in SOURCES:
        for owner in sorted(workspace.folders[source].by_participant):
            for file in workspace.files(source, owner, []):
                where = f"{source}/{owner}/{file.relative}"
                if problem := first_problem(file.path, source):
                    yield Remark(where, problem)
                if (verdict := verdicts.get((owner, file.sha256))) is not None:
                    yield Remark(where, PhaError(verdict, count=_owners(asides, file.sha256)))


def _owners(asides: Sequence[SetAside], sha256: str) -> int | str:
    """How many participants' folders hold a file; of an export that others have in other bytes: several."""
    owners = sum(other == sha256 for _, other, _ in asides)
    return owners if owners > 1 else "several"


def _notes(workspace: Workspace, surveys: str) -> Iterator[str]:
    study = workspace.study
    people = study.participants
    yield f"{len(people)} participants, {sum(person.status == 'active' for person in people)} active"
    if study.ignored_columns:
        yield f"columns of participants.csv that are not used: {', '.join(study.ignored_columns)}"
    new: dict[Source, set[str]] = {source: _unread(workspace, source) for source in SOURCES}
    yield "would be read: " + ", ".join(f"{source} of {len(ids)}" for source, ids in new.items())
    yield surveys
    yield _disk(workspace)
    yield from _model(workspace, new)


def _unread(workspace: Workspace, source: Source) -> set[str]:
    """Participants who sent files of a source that are not in the store yet."""
    unread: set[str] = set()
    asides = set_asides(workspace)
    for person in workspace.study.participants:
        files = workspace.files(source, person.participant_id, asides)
        if files and person.status != "withdrawn":
            key = ingest_key(workspace, person, source, files)
            if workspace.store.find(source, person.participant_id, key) is None:
                unread.add(person.participant_id)
    return unread


def _has_nothing(workspace: Workspace) -> bool:
    """True where all that was sent is read, and nothing of it accepted. Of unread files nobody knows yet."""
    surveys = survey_files(workspace)
    store, key = workspace.store, surveys_key(workspace, surveys)
    if surveys and store.find("surveys", COHORT, key) is None:
        return False
    if any(_unread(workspace, source) for source in SOURCES):
        return False
    return not arrived_days(store, kept_pieces(workspace))


def _disk(workspace: Workspace) -> str:
    place = workspace.out
    while not place.exists():
        place = place.parent
    size = sum(path.stat().st_size for path in workspace.study.root.rglob("*") if path.is_file())
    free = shutil.disk_usage(place).free
    verdict = "enough" if free > size * BYTES_WANTED_PER_BYTE else "TOO LITTLE"
    return f"disk: {size / 1e9:.1f} GB sent, {free / 1e9:.0f} GB free for results: {verdict}"


def _model(workspace: Workspace, unread: Mapping[Source, set[str]]) -> Iterator[str]:
    """What the language model will be asked and what that costs; nothing is asked here."""
    settings = workspace.study.settings
    if settings.model.name == RULES:
        own = len(settings.questions.own)
        yield "language model: none; no call, no cost" + (f"; {own} own questions are not run" if own else "")
        return
    works = model_work(workspace, settings.model.name, set[str]().union(*unread.values()))
    yield f"language model: {settings.model.name}"
    yield from cost_notes(costs_of(works, settings, answers_of(workspace)), settings)
