"""A path of any kind: a file, one person's files, several people's folders, or a whole study."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ingest.archive import form_of, members
from ingest.fingerprint import files_below
from ingest.fitbit.kinds import PROFILE, ignored_by
from ingest.fitbit.profile import read_profile
from ingest.fitbit.reading import OtherForm
from ingest.inspection.exports import look_at_exports
from ingest.inspection.found import (
    SEVERITIES,
    Fault,
    FilesLook,
    Inspection,
    StudyLook,
    SurveyLook,
    fault,
    fault_of,
)
from ingest.inspection.home import Home, home_of
from ingest.inspection.reports import is_report, look_at_report
from ingest.inspection.surveys import FOLDER as SURVEYS
from ingest.inspection.surveys import is_dictionary_file, look_at_surveys, survey_files
from ingest.source_file import SourceFile
from ingest.study import SOURCES, loose_files
from schemas.errors import CODES, PhaError

_NOBODYS = fault(CODES["folder_unregistered"], "The folder belongs to nobody in participants.csv.")
_LOOSE = fault(CODES["file_of_nobody"], "A file lies in nobody's folder: a run does not read it.")


def inspect_path(path: Path) -> Inspection:
    """Look at a file, or at all files below a folder. Raises PhaError file_unreadable where there is none."""
    if not path.exists():
        raise PhaError("file_unreadable")
    home = home_of(path)
    if home and path.absolute() == home.root:
        return _study(home)
    if folders := _folders_of_people(path, home):
        looks = tuple(_files(folder, home) for folder in folders)
        faults = [*map(fault_of, home.problems if home else ()), *_loose(path, home)]
        return Inspection("people", looks, faults=_each_once(faults))
    look = _files(path, home)
    is_empty = not (look.exports or look.reports or look.surveys)
    return Inspection("nothing" if is_empty else "files", (look,))


def _study(home: Home) -> Inspection:
    """A study is counted and its surveys are read; `pha check` looks at every file."""
    inside = {source: _folders(home.root / source) for source in SOURCES}
    owned = {name: [f for f in folders if home.owner_of(f)] for name, folders in inside.items()}
    files = {name: _files_of(home.root / name) for name in (*SOURCES, SURVEYS)}
    study = StudyLook(
        participants=len(home.participants),
        folders={name: sum(any(files_below(f)) for f in folders) for name, folders in owned.items()},
        stray={name: len(inside[name]) - len(folders) for name, folders in owned.items()},
        files={name: len(paths) for name, paths in files.items()},
        bytes=sum(_size(path) for paths in files.values() for path in paths),
    )
    surveys = home.root / SURVEYS
    looks = (_files(surveys, home),) if files[SURVEYS] else ()
    strays = [] if home.problems else [_NOBODYS] * sum(study.stray.values())
    loose = [_LOOSE for source in SOURCES for _ in loose_files(home.root / source)]
    return Inspection("study", looks, study, _each_once([*map(fault_of, home.problems), *strays, *loose]))


def _files_of(folder: Path) -> list[Path]:
    return [*files_below(folder)] if folder.is_dir() else []


def _folders_of_people(path: Path, home: Home | None) -> list[Path]:
    """The folders of several people; empty where all is one person's."""
    if not path.is_dir():
        return []
    folders = _folders(path)
    if home and path.absolute().parent == home.root:
        return folders if path.name in SOURCES else []
    accounts = [found for folder in folders if (found := _accounts(folder))]
    of_several = any(not accounts[0] & found for found in accounts[1:])
    return folders if of_several else []


def _folders(path: Path) -> list[Path]:
    return sorted(child for child in path.iterdir() if child.is_dir()) if path.is_dir() else []


def _accounts(folder: Path) -> set[str]:
    """Accounts that profiles in a folder name. Only profiles are read."""
    found: set[str] = set()
    for path in files_below(folder):
        if not path.is_file():
            continue
        try:
            found |= _accounts_in(path, path.relative_to(folder.parent).as_posix())
        except (PhaError, OSError):
            continue  # What is wrong with it is told where its folder is looked at.
    return found


def _accounts_in(path: Path, relative: str) -> set[str]:
    found: set[str] = set()
    form = form_of(path, relative)
    for member in members(path, form, relative):
        if member.refused or ignored_by(member.path, member.name) or not PROFILE.match(member.name):
            continue
        try:
            profile = read_profile(member.read())
        except OtherForm:
            continue
        found |= {profile.account} - {""} if profile else set()
    return found


def _files(path: Path, home: Home | None) -> FilesLook:
    """All files at a path as those of one person."""
    owner = home.owner_of(path) if home else None
    files = sorted(files_below(path)) if path.is_dir() else [path]
    base = path if path.is_dir() else path.parent
    surveys = survey_files(files, path)
    reports = [look_at_report(file, owner) for file in files if is_report(file)]
    others = [_source(file, base) for file in files if file not in surveys and not is_report(file)]
    look = look_at_exports(others, owner) if others else FilesLook()
    told, survey_faults = _surveys(sorted(surveys), base, path, home)
    faults = [
        *_of_nobody(path, home),
        *_loose(path, home),
        *look.faults,
        *(found for _, each in reports for found in each),
        *survey_faults,
    ]
    return replace(
        look,
        owner=owner.participant_id if owner else None,
        reports=tuple(report for report, _ in reports),
        surveys=told,
        faults=_each_once(faults),
    )


def _of_nobody(path: Path, home: Home | None) -> Iterator[Fault]:
    """A folder of exports or reports within a study that belongs to nobody registered."""
    below = home and not home.problems and home.is_below_source(path) and home.owner_of(path) is None
    if below and not _loose(path, home):
        yield _NOBODYS


def _loose(path: Path, home: Home | None) -> list[Fault]:
    """One fault for each file beside the folders of a source: in the source's folder, or the file itself."""
    if home is None or path.absolute() == home.root:
        return []
    source, *rest = path.absolute().relative_to(home.root).parts
    if source not in SOURCES or len(rest) > 1:
        return []
    loose = loose_files(home.root / source)
    return [_LOOSE for file in loose if not rest or file.name == rest[0]]


def _surveys(
    files: Sequence[Path], base: Path, asked: Path, home: Home | None
) -> tuple[tuple[SurveyLook, ...], list[Fault]]:
    """Survey files, with the dictionaries that lie beside the one that was asked about."""
    if not files:
        return (), []
    beside = sorted(asked.parent.glob("*.csv")) if files == [asked] else []
    context = [_source(path, base) for path in beside if path != asked and is_dictionary_file(path)]
    of_study = home is not None and asked.absolute().is_relative_to(home.root / SURVEYS)
    people = home.participants if home and of_study else None
    mappings = home.mappings if home and of_study else {}
    return look_at_surveys([_source(path, base) for path in files], context, people, mappings)


def _source(file: Path, base: Path) -> SourceFile:
    relative = file.relative_to(base).as_posix()
    return SourceFile(file, relative, _size(file), f"place:{relative}")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except OSError:
        return 0


def _each_once(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults of one text once, the worst first."""
    times = Counter[Fault]()
    for each in faults:
        times[replace(each, times=1)] += each.times
    found = [replace(each, times=count) for each, count in times.items()]
    return tuple(sorted(found, key=lambda each: (SEVERITIES.index(each.severity), each.code, each.what)))
