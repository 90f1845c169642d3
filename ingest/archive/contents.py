"""The members of a file as it was sent, those of archives within it among them."""

import errno
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO

from ingest.archive.form import ARCHIVE_NAME, Form, form_of_bytes
from ingest.archive.limits import MAX_MEMBER_BYTES, MAX_READ_BYTES, Budget
from ingest.archive.member import NESTED_MARK, Member, refused_member
from ingest.archive.tar_members import tar_members
from ingest.archive.zip_members import zip_members
from schemas.errors import PhaError

# Above it an inner archive lies in a file without a name in the machine's folder for temporary files.
_IN_MEMORY_BYTES = 64 << 20
_HEAD_BYTES = 512
# The vendor packs no archives into its own: what lies there are files of other products, such as Drive.
_OF_VENDOR = re.compile(r"(?:^|/)takeout/.+/", re.IGNORECASE)


def members(path: Path, form: Form, name: str) -> Iterator[Member]:
    """The members of a file, in the order they lie in it. Raises PhaError with the code of what is wrong.

    An archive within an archive is opened where people packed it so; one deeper is refused.
    """
    if form == "loose":
        yield _loose_member(path, name)
        return
    budget = Budget(MAX_READ_BYTES)
    with path.open("rb") as stream:
        for member in _listed(stream, path.stat().st_size, form, budget):
            if _is_inner_archive(member):
                yield from _inner_members(member, budget)
            else:
                yield member


def _listed(stream: IO[bytes], size: int, form: Form, budget: Budget) -> Iterator[Member]:
    if form == "zip":
        return zip_members(stream, budget)
    return tar_members(stream, size, budget, zipped=form == "tgz")


def _is_inner_archive(member: Member) -> bool:
    is_archive = ARCHIVE_NAME.search(member.name) is not None and not member.name.startswith(".")
    return member.refused is None and is_archive and not _OF_VENDOR.search(member.path)


def _inner_members(archive: Member, budget: Budget) -> Iterator[Member]:
    """Members of an archive within an archive; a fault of it is a refused member of its name."""
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES) as spool:
        try:
            _fill(spool, archive)
            size = spool.seek(0, 2)
            spool.seek(0)
            form = form_of_bytes(spool.read(_HEAD_BYTES), archive.name)
            spool.seek(0)
            for member in _listed(spool, size, form, budget):
                yield _inner(archive, member)
        except PhaError as error:
            if error.code.scope != "input":
                raise
            yield refused_member(archive.path, archive.size, error.code.name)


def _fill(spool: IO[bytes], archive: Member) -> None:
    try:
        archive.pour(spool)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise PhaError("disk_full") from error
        raise


def _inner(archive: Member, member: Member) -> Member:
    path = f"{archive.path}{NESTED_MARK}{member.path}"
    if _is_inner_archive(member):
        return refused_member(path, member.size, "zip_nested_too_deep")
    return replace(member, path=path)


def _loose_member(path: Path, name: str) -> Member:
    size = path.stat().st_size

    def pour(out: IO[bytes]) -> bool:
        try:
            with path.open("rb") as stream:
                shutil.copyfileobj(stream, out)
        except OSError as error:
            raise PhaError("file_unreadable") from error
        return True

    return Member(name, size, pour, "zip_too_large" if size > MAX_MEMBER_BYTES else None)
