"""The folders of releases: names, the last one, and the links that lead to the newest.

``OUT/releases/<as_of>-<kind>-<run id>/``; ``OUT/latest`` leads to the newest full release, or to the newest
core one while there is no full one; ``OUT/latest-core`` to the newest of any kind.
"""

import json
import re
import uuid
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

Kind = Literal["core", "full"]

_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})-(core|full)-([0-9a-f]{12})")


@dataclass(frozen=True, slots=True)
class ReleaseName:
    """What the folder's name says."""

    as_of: date
    kind: Kind
    run_id: str

    def __str__(self) -> str:
        return f"{self.as_of.isoformat()}-{self.kind}-{self.run_id}"


def parse_name(name: str) -> ReleaseName | None:
    """The parts of a release folder's name, or None for any other name."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    kind: Kind = "full" if match[2] == "full" else "core"
    return ReleaseName(date.fromisoformat(match[1]), kind, match[3])


def newest(out: Path, kind: Kind, before: date) -> Path | None:
    """The newest published release of a kind with an as-of before a day.

    Of several with one as-of, the one published last: it replaced the others.
    """
    return next(iter(releases_before(out, kind, before)), None)


def releases_before(out: Path, kind: Kind, before: date) -> list[Path]:
    """Published releases of a kind with an as-of before a day, the newest first; one for each as-of."""
    found = sorted(
        (parsed.as_of, _published_at(path), path.name, path)
        for path in (out / "releases").glob("*")
        if (parsed := parse_name(path.name)) is not None and parsed.kind == kind and parsed.as_of < before
    )
    last = {as_of: path for as_of, _, _, path in found}
    return list(last.values())[::-1]


def move_links(out: Path, name: ReleaseName) -> None:
    """Let ``latest`` and ``latest-core`` lead to a release, unless what they lead to is newer.

    A full release takes ``latest`` from a core one whatever its as-of; a core one never from a full one.
    """
    shown = _link_target(out / "latest")
    if shown is None or (shown.kind, shown.as_of) <= (name.kind, name.as_of):
        _point(out / "latest", name)
    newest_of_any = _link_target(out / "latest-core")
    if newest_of_any is None or newest_of_any.as_of <= name.as_of:
        _point(out / "latest-core", name)


def _published_at(release: Path) -> str:
    try:
        return str(json.loads((release / "run.json").read_bytes())["published_at"])
    except (OSError, ValueError, KeyError):
        return ""


def _link_target(link: Path) -> ReleaseName | None:
    """The release a link leads to; None where it is missing or leads to nothing."""
    return parse_name(link.resolve().name) if link.exists() else None


def _point(link: Path, name: ReleaseName) -> None:
    temporary = link.with_name(f".{link.name}.{uuid.uuid4().hex}.tmp")
    temporary.symlink_to(Path("releases") / str(name))
    temporary.replace(link)
