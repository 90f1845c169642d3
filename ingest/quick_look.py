"""What is wrong with a file at first sight, in milliseconds: for a dry run. Ingest itself looks closer."""

from pathlib import Path

from ingest.archive import form_of
from ingest.archive.zip_index import NoIndex, read_index
from ingest.archive.zip_members import judged
from ingest.labs.pdf import needs_password
from ingest.study import Source
from schemas.errors import PhaError

_PDF_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024
_ENCRYPTED = b"/Encrypt"
_END_BYTES = 65_536


def first_problem(path: Path, source: Source) -> PhaError | None:
    """The code of what keeps a file from being read, or None. An archive's index is read, no member is."""
    try:
        return _report(path) if source == "labs" else _export(path)
    except PhaError as error:
        return error
    except OSError:
        return PhaError("file_unreadable")


def _export(path: Path) -> PhaError | None:
    if form_of(path, path.name) != "zip":
        return None
    with path.open("rb") as stream:
        try:
            refused = {code for _, code in judged(read_index(stream)) if code}
        except NoIndex:
            return PhaError("zip_truncated")
    return PhaError(min(refused)) if refused else None


def _report(path: Path) -> PhaError | None:
    if path.stat().st_size == 0:
        return PhaError("lab_pdf_empty")
    ends = _ends(path)
    if _PDF_MAGIC not in ends[:_MAGIC_WITHIN]:
        return PhaError("lab_not_pdf")
    # Only an encrypted one is opened: where an owner's password is all it has, everybody may read it.
    return PhaError("lab_encrypted") if _ENCRYPTED in ends and needs_password(path) else None


def _ends(path: Path) -> bytes:
    """The first and last 64 KiB: the trailer, which says that a file is encrypted, stands in one of them."""
    with path.open("rb") as stream:
        head = stream.read(_END_BYTES)
        stream.seek(max(path.stat().st_size - _END_BYTES, len(head)))
        return head + stream.read(_END_BYTES)
