"""An account's export as it is sent: its members in their folders, in a container."""

from collections.abc import Iterator
from pathlib import Path

from synthetic.exports.members import Member, Request
from synthetic.exports.takeout.containers import Container, pack
from synthetic.exports.takeout.export import Export
from synthetic.exports.takeout.generations import Group, Layout
from synthetic.exports.takeout.kinds import KINDS, Kind
from synthetic.life.recording import Recording


def write_takeout(
    recording: Recording, request: Request, folder: Path, container: Container = "zip"
) -> list[str]:
    """Write the export into ``folder``; returns the names of the files that lie there.

    Bytes depend on the recording, the request and the container alone; one member is in memory at a time.
    """
    return pack(takeout_members(recording, request), request, folder, container)


def takeout_members(recording: Recording, request: Request) -> Iterator[Member]:
    """All members of the layout ``request.form``, with their path from the top of the archive."""
    export = Export(recording, request)
    for kind in KINDS:
        if kind.group in export.generation.groups:
            folder = _folder(export, kind)
            for path, content in kind.write(export):
                yield Member(f"{folder}/{path}", content)


def _folder(export: Export, kind: Kind) -> str:
    generation = export.generation
    root = generation.root.format(owner=export.person.name.replace(" ", ""))
    if kind.group is Group.TAKEOUT_EXTRAS:
        return f"Takeout/{kind.product}".rstrip("/")
    if generation.layout is Layout.FLAT:
        return f"{root}/{'user-profile' if kind.product == 'Your Profile' else 'user-site-export'}"
    if kind.group is Group.GOOGLE:
        return f"{root}/{generation.google_folder.format(product=kind.product)}"
    return f"{root}/{kind.topic if generation.layout is Layout.TOPICS else kind.product}"
