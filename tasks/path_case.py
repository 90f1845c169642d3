"""Paths of a study that upper and lower case tell apart: on Windows and macOS they would be one."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from ingest.fingerprint import files_below
from schemas.errors import PhaError

NAMES = ("study.toml", "participants.csv", "decisions.csv", "fitbit", "labs", "surveys")


def path_case_problems(root: Path) -> Iterator[tuple[str, PhaError]]:
    """(path below the study folder, problem): names a run looks for in another case, and twins."""
    for path in sorted(root.iterdir()):
        if path.name not in NAMES and path.name.lower() in NAMES:
            yield path.name, PhaError("path_other_case", expected=path.name.lower())
    twins: dict[str, set[Path]] = defaultdict(set)
    for file in files_below(root):
        relative = file.relative_to(root)
        for path in (relative, *relative.parents):
            twins[path.as_posix().lower()].add(path)
    for alike in twins.values():
        # Below twin folders everything would be a twin: the folders themselves are told.
        if len({path.name for path in alike}) > 1:
            yield from ((path.as_posix(), PhaError("path_case_twin")) for path in sorted(alike))
