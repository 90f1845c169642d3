"""Where a path lies: in which study, and in whose folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest.registry import check_registry
from ingest.settings_file import check_settings
from ingest.study import SOURCES
from schemas.errors import PhaError
from schemas.participant import Participant
from schemas.settings import Settings, SurveyFile

SETTINGS = "study.toml"


@dataclass(frozen=True, slots=True)
class Home:
    """A study's folder as far as it can be read. problems: what keeps a run from beginning."""

    root: Path
    settings: Settings | None
    participants: tuple[Participant, ...]
    problems: tuple[PhaError, ...]

    @property
    def mappings(self) -> Mapping[str, SurveyFile]:
        """How survey files that are no REDCap exports are read."""
        return self.settings.surveys.files if self.settings else {}

    def is_below_source(self, path: Path) -> bool:
        """True for what lies in a folder below fitbit/ or labs/, or is one."""
        parts = path.absolute().relative_to(self.root).parts
        return len(parts) > 1 and parts[0] in SOURCES

    def owner_of(self, path: Path) -> Participant | None:
        """The registered participant in whose folder a path lies (or whose folder it is), by id or alias."""
        if not self.is_below_source(path):
            return None
        asked = path.absolute().relative_to(self.root).parts[1].lower()
        named = (p for p in self.participants if asked in {n.lower() for n in (p.participant_id, *p.aliases)})
        return next(named, None)


def home_of(path: Path) -> Home | None:
    """The study a path lies in, or None. Its secret is not read and nothing is made."""
    place = path.absolute()
    for root in (place, *place.parents):
        if (root / SETTINGS).is_file():
            return _home(root)
    return None


def _home(root: Path) -> Home:
    problems, settings = check_settings(root / SETTINGS, {})
    zone = settings.study.time_zone if settings else "UTC"
    faults, registry = check_registry(root / "participants.csv", zone)
    return Home(root, settings, registry.participants, (*problems, *faults))
