"""Archives whose bytes depend on their members and the time of the request alone."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from synthetic.exports.members import Member

COMPRESS_LEVEL = 4


def write_zip(path: Path, members: Iterable[Member], made: datetime) -> str:
    """A zip of the members; returns its name."""
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            add(archive, member, made)
    return path.name


def add(archive: zipfile.ZipFile, member: Member, made: datetime) -> None:
    """Append a member; its time is the request's, in the two-second steps of a zip."""
    archive.writestr(zip_info(member.path, made), member.content, zipfile.ZIP_DEFLATED, COMPRESS_LEVEL)


def zip_info(path: str, made: datetime) -> zipfile.ZipInfo:
    """An entry as Unix writes it, so that bytes are the same on every system."""
    info = zipfile.ZipInfo(
        path, (made.year, made.month, made.day, made.hour, made.minute, made.second // 2 * 2)
    )
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


def write_tgz(path: Path, members: Iterable[Member], made: datetime) -> str:
    """A gzipped tar of the members; returns its name."""
    with _tgz(path, made) as archive:
        for member in members:
            info = tarfile.TarInfo(member.path)
            info.size, info.mtime, info.mode = len(member.content), int(made.timestamp()), 0o644
            archive.addfile(info, io.BytesIO(member.content))
    return path.name


@contextmanager
def _tgz(path: Path, made: datetime) -> Generator[tarfile.TarFile]:
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", COMPRESS_LEVEL, raw, mtime=made.timestamp()) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        yield archive
