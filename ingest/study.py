"""A study folder as a whole: settings, people, secret, and whose folders lie in it."""

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ingest.fingerprint import DROPPINGS
from ingest.registry import ID_PATTERN, Registry, read_registry
from ingest.settings_file import read_settings
from ingest.spoilt_ids import bare_id, by_bare_id
from outputs.digests import keyed_digest
from schemas.errors import PhaError
from schemas.participant import Participant
from schemas.settings import Settings

Source = Literal["fitbit", "labs"]
SOURCES: tuple[Source, ...] = ("fitbit", "labs")
SECRET_FILE = ".pha-secret"  # noqa: S105  the name of the file, not the secret


@dataclass(frozen=True, slots=True)
class Study:
    """A study that was read. ``secret`` keys all digests of what must not be guessed back."""

    root: Path
    settings: Settings
    participants: tuple[Participant, ...]
    secret: bytes
    ignored_columns: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Neither secret nor people."""
        return f"Study({self.settings.study.name!r}, {len(self.participants)} participants)"

    def participant(self, participant_id: str) -> Participant:
        """The person of an id; PhaError participant_unknown."""
        for person in self.participants:
            if person.participant_id == participant_id:
                return person
        raise PhaError("participant_unknown", id=participant_id, hint="")


@dataclass(frozen=True, slots=True)
class Folders:
    """Folders of one source: by participant, and those that belong to nobody, with the reason's problem.

    ``meant``: whose a folder of nobody looks like, as its problem says; None where that is nobody or unclear.
    ``loose``: files that lie beside the folders, in nobody's.
    """

    by_participant: Mapping[str, tuple[Path, ...]]
    problems: tuple[PhaError, ...]
    stray: tuple[Path, ...]
    meant: tuple[str | None, ...] = ()
    loose: tuple[Path, ...] = ()


def load_study(root: Path, environ: Mapping[str, str], *, make_secret: bool) -> Study:
    """Read a study; raises PhaError (scope usage). A missing secret is kept only with make_secret."""
    settings = read_settings(root / "study.toml", environ)
    registry: Registry = read_registry(root / "participants.csv", settings.study.time_zone)
    secret = study_secret(root, environ, make=make_secret)
    return Study(root, settings, registry.participants, secret, registry.ignored_columns)


def study_secret(root: Path, environ: Mapping[str, str], *, make: bool) -> bytes:
    """PHA_SECRET, else study/.pha-secret, made (0600) on the first run."""
    if given := environ.get("PHA_SECRET"):
        return given.encode()
    path = root / SECRET_FILE
    if path.is_file():
        return path.read_bytes().strip()
    secret = secrets.token_hex(32).encode()
    if make:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(secret + b"\n")
    return secret


def find_folders(study: Study, source: Source) -> Folders:
    """Whose folder is whose, by participant_id or alias regardless of case."""
    owners = {
        name.lower(): person.participant_id
        for person in study.participants
        for name in (person.participant_id, *person.aliases)
    }
    bare = by_bare_id(person.participant_id for person in study.participants)
    found: dict[str, list[Path]] = {}
    problems: list[PhaError] = []
    stray: list[Path] = []
    meant: list[str | None] = []
    base = study.root / source
    for path in sorted(base.iterdir()) if base.is_dir() else ():
        if not path.is_dir():
            continue
        if owner := owners.get(path.name.lower()):
            found.setdefault(owner, []).append(path)
        else:
            stray.append(path)
            alike = bare.get(bare_id(path.name), ()) if ID_PATTERN.fullmatch(path.name) else ()
            meant.append(alike[0] if len(alike) == 1 else None)
            problems.append(_stray_problem(path.name, source, alike, study.secret))
    by_participant = {owner: tuple(paths) for owner, paths in found.items()}
    return Folders(by_participant, tuple(problems), tuple(stray), tuple(meant), loose_files(base))


def loose_files(base: Path) -> tuple[Path, ...]:
    """Files directly in a source's folder, by name; what systems leave everywhere does not count."""
    inside = sorted(base.iterdir()) if base.is_dir() else ()
    return tuple(path for path in inside if not path.is_dir() and path.name.lower() not in DROPPINGS)


def _stray_problem(name: str, source: Source, alike: Sequence[str], secret: bytes) -> PhaError:
    if alike:
        return PhaError("folder_spoilt_id", source=source, id=" or ".join(alike))
    return PhaError("folder_unregistered", source=source, digest=keyed_digest(secret, "folder", name)[:8])
