"""Where a run works: the study that was read, its OUT folder and the store in it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.fingerprint import fingerprint
from ingest.identity import shared_files
from ingest.source_file import SourceFile
from ingest.study import SOURCES, Source, Study, find_folders, load_study
from outputs.digests import keyed_digest
from outputs.stage_problems import StageProblem
from outputs.store import Store
from schemas.errors import PhaError
from schemas.participant import Participant

Shared = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Workspace:
    """A study and the folder its results go to. ``dry``: nothing may be written."""

    study: Study
    out: Path
    store: Store
    dry: bool = False

    def files(self, source: Source, participant_id: str, shared: Shared) -> tuple[SourceFile, ...]:
        """A participant's files of a source; those that others sent too are marked to be set aside."""
        folders = find_folders(self.study, source).by_participant.get(participant_id, ())
        cache = self.out / "store" / "_fingerprints" / source / f"{participant_id}.json"
        refused = {sha256 for owner, sha256 in shared if owner == participant_id}
        return tuple(
            _set_aside(file) if file.sha256 in refused else file
            for file in fingerprint(folders, cache, self.study.secret, remember=not self.dry)
        )


def open_workspace(study: str | Path, out: str | Path, *, make: bool = True) -> Workspace:
    """Read the study and take possession of OUT; PhaError out_belongs_to_other_study.

    Without ``make`` nothing is written: a dry run.
    """
    loaded = load_study(Path(study), os.environ, make_secret=make)
    folder = Path(out).absolute()
    mark, owner = folder / "study-mark", keyed_digest(loaded.secret, "study", loaded.settings.study.name)
    if mark.is_file() and mark.read_text().strip() != owner:
        raise PhaError("out_belongs_to_other_study")
    if make:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        mark.write_text(owner + "\n")
    return Workspace(loaded, folder, Store(folder / "store"), dry=not make)


def find_shared_files(workspace: Workspace) -> Shared:
    """(participant_id, sha256) of files that lie, byte for byte, in the folders of several participants."""
    found: set[tuple[str, str]] = set()
    for source in ("fitbit", "labs"):
        files: dict[str, Sequence[SourceFile]] = {
            person.participant_id: workspace.files(source, person.participant_id, [])
            for person in workspace.study.participants
        }
        found |= shared_files(files)
    return sorted(found)


def folder_problems(workspace: Workspace) -> list[StageProblem]:
    """Folders that belong to nobody, and participants' folders without a file."""
    problems: list[StageProblem] = []
    for source in SOURCES:
        folders = find_folders(workspace.study, source)
        problems += [
            StageProblem(
                None, source, problem.code.name, f"{source}:{path_mark(workspace, path)}", problem.what
            )
            for problem, path in zip(folders.problems, folders.stray, strict=True)
        ]
        for owner, paths in sorted(folders.by_participant.items()):
            if not any(path.is_file() for folder in paths for path in folder.rglob("*")):
                problems.append(
                    StageProblem(owner, source, "folder_empty", source, PhaError("folder_empty").what)
                )
    return problems


def path_mark(workspace: Workspace, path: Path) -> str:
    """Keyed digest of a folder's name: it may be a person's."""
    return keyed_digest(workspace.study.secret, "folder", path.name)[:8]


def counts_in_population(person: Participant) -> bool:
    """Active and completed participants make up percentiles and get summaries; the others do not."""
    return person.status in ("active", "completed")


def _set_aside(file: SourceFile) -> SourceFile:
    return SourceFile(file.path, file.relative, file.size, file.sha256, "same_bytes")
