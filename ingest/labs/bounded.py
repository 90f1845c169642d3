"""A bound on the work a file may ask for, counted and not timed: no result depends on a busy machine.

A small PDF can hold drawings that call each other a billion times, or a stream that unpacks to gigabytes.
What pdfminer interprets is counted in bytes of content over a whole file.
"""

import zlib
from collections.abc import Sequence

import pdfplumber.page
from pdfminer.pdfinterp import PDFPageInterpreter
from pdfminer.pdftypes import PDFStream, stream_value
from pdfminer.psparser import LIT

from schemas.errors import PhaError

# A page of print is 5 to 60 kB of content; 1 MB takes about a second.
MAX_CONTENT = 15_000_000
# What a call costs beside its content, in bytes that take as long.
CALL_BYTES = 5_000
_FLATE = (LIT("FlateDecode"), LIT("Fl"))
_DONE = "_pha_content_done"


class BoundedInterpreter(PDFPageInterpreter):
    """Interprets content until a file's is more than MAX_CONTENT; then PhaError lab_too_large."""

    def execute(self, streams: Sequence[object]) -> None:
        """Count, then interpret."""
        done = getattr(self.rsrcmgr, _DONE, 0)
        for stream in map(stream_value, streams):
            done += CALL_BYTES + _size(stream)
            if done > MAX_CONTENT:
                raise PhaError("lab_too_large")
        setattr(self.rsrcmgr, _DONE, done)
        super().execute(streams)


def bound_work() -> None:
    """Let pdfplumber, which takes no interpreter as an argument, use the bounded one in this process."""
    pdfplumber.page.PDFPageInterpreter = BoundedInterpreter  # pyright: ignore[reportPrivateImportUsage]


def _size(stream: PDFStream) -> int:
    """Bytes of content. What unpacks to more than the bound is never unpacked whole."""
    filters = [name for name, _ in stream.get_filters()]
    raw = stream.get_rawdata()
    if raw is not None and len(filters) == 1 and filters[0] in _FLATE and stream.decipher is None:
        try:
            if len(zlib.decompressobj().decompress(raw, MAX_CONTENT + 1)) > MAX_CONTENT:
                return MAX_CONTENT + 1
        except zlib.error:
            pass
    return len(stream.get_data())
