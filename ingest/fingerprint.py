"""Which files are there and what they are, by content, without reading the unchanged ones again.

Nothing is passed over in silence: a folder or file that can't be opened, and what is no ordinary file, stand
in the list too, and their reader tells of them. A file whose size, time and last 64 KiB (a zip's index) are
known keeps the sha256 that was computed then.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from stat import S_ISREG

from ingest.source_file import SourceFile
from outputs.digests import canonical_json, file_sha256, keyed_digest

TAIL_BYTES = 65_536
DROPPINGS = frozenset({".ds_store", "thumbs.db", "desktop.ini"})


def fingerprint(
    folders: Iterable[Path], cache_file: Path, secret: bytes, *, remember: bool = True
) -> tuple[SourceFile, ...]:
    """Files below a participant's folders, in the order of their relative path.

    Links are not followed: a link could lead to the files of another. ``remember`` false writes nothing.
    """
    cache = _read_cache(cache_file)
    known: dict[str, list[str]] = {}
    files: list[SourceFile] = []
    for folder in folders:
        for path in files_below(folder):
            relative = path.relative_to(folder).as_posix()
            name = keyed_digest(secret, "path", folder.name, relative)
            try:
                size, mark = _mark(path)
                sha256 = cache[name][1] if name in cache and cache[name][0] == mark else file_sha256(path)
                known[name] = [mark, sha256]
            except OSError:
                # Its reader tells that it can't be read. Known by its place, it equals no other file.
                size, sha256 = 0, f"unreadable:{name}"
            files.append(SourceFile(path, relative, size, sha256))
    if remember and known != cache:
        _write_cache(cache_file, known)
    return tuple(sorted(files, key=lambda file: (file.relative, file.sha256)))


def files_below(folder: Path) -> Iterator[Path]:
    """Files below a folder, in no order, and folders that can't be listed. Links are not followed."""
    closed: list[Path] = []
    for place, _, names in os.walk(folder, onerror=lambda error: closed.append(Path(error.filename))):
        for name in names:
            path = Path(place, name)
            if not is_link(path) and name.lower() not in DROPPINGS:
                yield path
    yield from closed


def is_link(path: Path) -> bool:
    """True for a symbolic link; what can't be looked at is taken for none, and fails when it is opened."""
    try:
        return path.is_symlink()
    except OSError:
        return False


def _mark(path: Path) -> tuple[int, str]:
    """Size; and size, time and digest of the tail: cheap, and different for any honest change.

    Raises OSError for what can't be opened and what is no ordinary file: a pipe would wait for ever.
    """
    stat = path.stat()
    if not S_ISREG(stat.st_mode):
        raise OSError
    with path.open("rb") as stream:
        stream.seek(max(0, stat.st_size - TAIL_BYTES))
        tail = hashlib.sha256(stream.read()).hexdigest()[:16]
    return stat.st_size, f"{stat.st_size}:{stat.st_mtime_ns}:{tail}"


def _read_cache(path: Path) -> Mapping[str, list[str]]:
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}


def _write_cache(path: Path, known: Mapping[str, list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(canonical_json(known), encoding="utf-8")
    temporary.replace(path)
