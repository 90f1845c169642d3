"""Traps planted once for all tests that look at them."""

from pathlib import Path

from synthetic.traps.catalogue import TRAPS
from synthetic.traps.planting import Planted, plant

SEED = 7


class PlantedTraps:
    """Each trap in a study folder of its own, made when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[str, Planted] = {}

    def planted(self, name: str) -> Planted:
        if name not in self._made:
            self._made[name] = plant(TRAPS[name], SEED, self.folder / name)
        return self._made[name]

    def fitbit(self, name: str) -> Path:
        """The folder of exports."""
        self.planted(name)
        return self.folder / name / "fitbit"

    def home(self, name: str) -> Path:
        """The folder of the trap's participant, which may bear an older id."""
        person = self.planted(name).people[0]
        folder = self.fitbit(name) / person.participant_id
        return folder if folder.is_dir() else self.fitbit(name) / str(person.alias)
