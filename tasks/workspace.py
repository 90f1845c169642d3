"""Where a run works: the study that was read, its OUT folder and the store in it."""

import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ingest.fingerprint import fingerprint, is_link
from ingest.identity import shared_files
from ingest.source_file import SourceFile
from ingest.study import SOURCES, Folders, Source, Study, find_folders, load_study
from outputs.decisions import Decision, read_decisions
from outputs.digests import keyed_digest
from outputs.stage_problems import StageProblem, joint_subject
from outputs.store import Store
from schemas.errors import PhaError
from schemas.participant import Participant
from tasks.decided_exports import judged_by_people

# participant_id, sha256 of a file, and the verdict for which it is not read.
SetAside = tuple[str, str, str]


@dataclass(frozen=True)
class Workspace:
    """A study and the folder its results go to. ``dry``: nothing may be written."""

    study: Study
    out: Path
    store: Store
    dry: bool = False

    @cached_property
    def folders(self) -> dict[Source, Folders]:
        """Whose folders are whose, as they were when they were first asked for."""
        return {source: find_folders(self.study, source) for source in SOURCES}

    def files(
        self, source: Source, participant_id: str, asides: Iterable[SetAside]
    ) -> tuple[SourceFile, ...]:
        """A participant's files of a source, with the verdict for which they are set aside."""
        verdicts = {sha256: verdict for owner, sha256, verdict in asides if owner == participant_id}
        sent = self._sent(source, participant_id)
        files = tuple(replace(file, set_aside=verdicts.get(file.sha256)) for file in sent)
        if source != "fitbit":
            return files
        return judged_by_people(files, participant_id, self.decisions, self.study.secret)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """What people decided, as it was when it was first asked for; PhaError decisions_invalid."""
        return read_decisions(self.study.root / "decisions.csv")

    @cached_property
    def shared(self) -> list[SetAside]:
        """Files that lie, byte for byte, in several participants' folders."""
        found: set[tuple[str, str]] = set()
        for source in SOURCES:
            owners = self.folders[source].by_participant
            found |= shared_files({owner: self._sent(source, owner) for owner in owners})
        return [(owner, sha256, "same_bytes") for owner, sha256 in sorted(found)]

    @cached_property
    def _seen(self) -> dict[tuple[Source, str], tuple[SourceFile, ...]]:
        return {}

    def _sent(self, source: Source, participant_id: str) -> tuple[SourceFile, ...]:
        """What a participant sent, as it was when it was first asked for."""
        asked = (source, participant_id)
        if asked not in self._seen:
            folders = self.folders[source].by_participant.get(participant_id, ())
            cache = self.out / "store" / "_fingerprints" / source / f"{participant_id}.json"
            self._seen[asked] = fingerprint(folders, cache, self.study.secret, remember=not self.dry)
        return self._seen[asked]


def open_workspace(study: str | Path, out: str | Path, *, make: bool = True) -> Workspace:
    """Read the study and take possession of OUT; PhaError out_belongs_to_other_study.

    Without ``make`` nothing is written: a dry run.
    """
    loaded = load_study(Path(study), os.environ, make_secret=make)
    folder = Path(out).absolute()
    owner = keyed_digest(loaded.secret, "study", loaded.settings.study.name)
    if make:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        _leave_mark(folder, owner)
    if _mark_of(folder) not in (owner, ""):
        raise PhaError("out_belongs_to_other_study")
    return Workspace(loaded, folder, Store(folder / "store"), dry=not make)


MARK = "study-mark"


def _mark_of(out: Path) -> str:
    """Whose OUT it is; empty where nobody's yet."""
    try:
        return (out / MARK).read_text().strip()
    except FileNotFoundError:
        return ""


def _leave_mark(out: Path, owner: str) -> None:
    """Take an OUT that is nobody's: the mark appears whole, and the first of several runs wins."""
    if _mark_of(out):
        return
    temporary = out / f".{MARK}.{uuid.uuid4().hex}.tmp"
    temporary.write_text(owner + "\n")
    try:
        (out / MARK).hardlink_to(temporary)
    except FileExistsError:
        if not _mark_of(out):  # An empty mark is left by a full disk only.
            temporary.replace(out / MARK)
    finally:
        temporary.unlink(missing_ok=True)


def survey_files(workspace: Workspace) -> tuple[SourceFile, ...]:
    """The files of surveys/, known by content."""
    folder = workspace.study.root / "surveys"
    cache = workspace.out / "store" / "_fingerprints" / "surveys.json"
    folders = [folder] if folder.is_dir() else []
    return fingerprint(folders, cache, workspace.study.secret, remember=not workspace.dry)


def folder_problems(workspace: Workspace) -> list[StageProblem]:
    """Folders and files of nobody or under a spoilt id, and participants' folders without a file."""
    problems: list[StageProblem] = []
    for source in SOURCES:
        folders = workspace.folders[source]
        problems += [
            StageProblem(
                person, source, problem.code.name, f"{source}:{path_mark(workspace, path)}", problem.what
            )
            for problem, path, person in zip(folders.problems, folders.stray, folders.meant, strict=True)
        ]
        problems += _loose_problem(workspace, source, folders.loose)
        for owner in sorted(folders.by_participant):
            problems += [
                StageProblem(owner, source, problem.code.name, source, problem.what)
                for problem in content_problems(workspace, source, owner)
            ]
    return problems


def _loose_problem(workspace: Workspace, source: Source, loose: Sequence[Path]) -> list[StageProblem]:
    """One problem for all files beside the folders; another file is another matter."""
    if not loose:
        return []
    subject = f"{source}:files:{joint_subject(path_mark(workspace, path) for path in loose)}"
    what = PhaError("file_of_nobody", source=source, count=len(loose)).what
    return [StageProblem(None, source, "file_of_nobody", subject, what)]


def content_problems(workspace: Workspace, source: Source, participant_id: str) -> list[PhaError]:
    """What is wrong with a participant's folders as such: nothing in them, or links."""
    folders = workspace.folders[source].by_participant[participant_id]
    links = sum(is_link for folder in folders for is_link in _links(folder))
    if links:
        return [PhaError("link_not_followed", count=links, source=source)]
    return [] if workspace.files(source, participant_id, []) else [PhaError("folder_empty")]


def _links(folder: Path) -> Iterator[bool]:
    for place, folders, names in os.walk(folder):
        yield from (is_link(Path(place, name)) for name in (*folders, *names))


def path_mark(workspace: Workspace, path: Path) -> str:
    """Keyed digest of a folder's or file's name: it may be a person's."""
    return keyed_digest(workspace.study.secret, "folder", path.name)[:8]


def answers_of(workspace: Workspace) -> Path:
    """Where answers of models, their budgets and the audit are kept."""
    return workspace.out / "store" / "_answers"


def counts_in_population(person: Participant) -> bool:
    """Active and completed participants make up percentiles and get summaries; the others do not."""
    return person.status in ("active", "completed")
