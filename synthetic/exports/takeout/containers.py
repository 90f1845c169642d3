"""How an export is packed, and what participants do to it before they send it."""

import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Literal

from synthetic.exports.members import Member, Request, write_loose
from synthetic.exports.takeout.archives import add, write_tgz, write_zip, zip_info
from synthetic.exports.takeout.generations import GENERATIONS

Container = Literal[
    "zip", "split", "numbered_split", "partial", "tgz", "rezipped", "nested", "folder", "with_junk", "twice"
]
Members = Iterator[Member]

PARTS = 3
MISSING_PART = 2
JUNK = (
    Member(".DS_Store", b"\x00\x00\x00\x01Bud1" + bytes(26)),
    Member("__MACOSX/._Takeout", b"\x00\x05\x16\x07" + bytes(78)),
    Member(
        "__MACOSX/Takeout/Fitbit/Global Export Data/._steps-2026-03-01.json", b"\x00\x05\x16\x07" + bytes(78)
    ),
    Member("Takeout/Keep/Google Notizen/Einkauf.json", b'{"title": "Einkauf", "textContent": "Milch"}\n'),
    Member("Takeout/Fit/Alle gegevens/derived_com.google.step_count.delta.json", b'{"Data Points": []}\n'),
    Member("Takeout/Mail/steps-of-the-day.mbox", b"From nobody\n\n"),
)


def pack(members: Members, request: Request, folder: Path, container: Container) -> list[str]:
    """Write the members into ``folder`` in a container; returns the names of the files that lie there."""
    folder.mkdir(parents=True, exist_ok=True)
    return _PACKERS[container](members, request, folder)


def archive_stem(request: Request) -> str:
    """Name of the archive without part and ending: Takeout names it by the request's second, in UTC."""
    if GENERATIONS[request.form].root.startswith("Takeout/"):
        return f"takeout-{request.requested_utc:%Y%m%dT%H%M%SZ}"
    return "MyFitbitData"


def single_name(request: Request) -> str:
    """Name of an archive in one part."""
    stem = archive_stem(request)
    return f"{stem}-001.zip" if stem.startswith("takeout-") else f"{stem}.zip"


def _single(members: Members, request: Request, folder: Path) -> list[str]:
    return [write_zip(folder / single_name(request), members, request.requested_utc)]


def _with_junk(members: Members, request: Request, folder: Path) -> list[str]:
    return _single(chain(members, JUNK), request, folder)


def _twice(members: Members, request: Request, folder: Path) -> list[str]:
    """What a browser keeps when the download was clicked again."""
    (name,) = _single(members, request, folder)
    copy = f"{name.removesuffix('.zip')} (1).zip"
    shutil.copyfile(folder / name, folder / copy)
    return [name, copy]


def _split(members: Members, request: Request, folder: Path) -> list[str]:
    return _parts(members, request.requested_utc, folder, archive_stem(request))


def _numbered_split(members: Members, request: Request, folder: Path) -> list[str]:
    """The third of the archives of one request, in parts."""
    return _parts(members, request.requested_utc, folder, f"{archive_stem(request)}-3")


def _partial(members: Members, request: Request, folder: Path) -> list[str]:
    """Parts of which one was never sent."""
    names = _split(members, request, folder)
    (folder / names.pop(MISSING_PART - 1)).unlink()
    return names


def _parts(members: Members, made: datetime, folder: Path, stem: str) -> list[str]:
    """Files spread over parts that each repeat the root; a file's part follows from its path."""
    names = [f"{stem}-{number:03d}.zip" for number in range(1, PARTS + 1)]
    with ExitStack() as stack:
        archives = [stack.enter_context(zipfile.ZipFile(folder / name, "w")) for name in names]
        for member in members:
            add(archives[zlib.crc32(member.path.encode()) % PARTS], member, made)
    return names


def _tgz(members: Members, request: Request, folder: Path) -> list[str]:
    name = single_name(request).removesuffix(".zip") + ".tgz"
    return [write_tgz(folder / name, members, request.requested_utc)]


def _rezipped(members: Members, request: Request, folder: Path) -> list[str]:
    """Somebody unpacked it and zipped the folder of the product again."""
    inner = (_without_top(member) for member in members if member.path.count("/") > 1)
    return [write_zip(folder / "my data.zip", inner, request.requested_utc)]


def _without_top(member: Member) -> Member:
    return Member(member.path.split("/", 1)[1], member.content)


def _nested(members: Members, request: Request, folder: Path) -> list[str]:
    """The archive within another one."""
    (name,) = _single(members, request, folder)
    inner = folder / name
    outer = "for the study.zip"
    with (
        zipfile.ZipFile(folder / outer, "w") as archive,
        inner.open("rb") as source,
        archive.open(zip_info(f"for the study/{name}", request.requested_utc), "w") as target,
    ):
        shutil.copyfileobj(source, target)
    inner.unlink()
    return [outer]


def _folder(members: Members, _request: Request, folder: Path) -> list[str]:
    return write_loose(members, folder)


_PACKERS: Mapping[Container, Callable[[Members, Request, Path], list[str]]] = {
    "zip": _single,
    "split": _split,
    "numbered_split": _numbered_split,
    "partial": _partial,
    "tgz": _tgz,
    "rezipped": _rezipped,
    "nested": _nested,
    "folder": _folder,
    "with_junk": _with_junk,
    "twice": _twice,
}
