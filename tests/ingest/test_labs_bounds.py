"""Files that ask for endless work or memory end at once, with their code, and unharmed the next is read."""

import resource
import zlib
from pathlib import Path

import pytest

from ingest.labs.bounded import MAX_CONTENT
from ingest.labs.pdf import read_pages
from schemas.errors import PhaError
from tests.ingest.lab_pdfs import Sheet, draw, printed
from tests.ingest.lab_pdfs import ingest as ingest_reports

GLUCOSE = ("Glucose", "91", "mg/dL", "65-99")


def pdf(objects: list[bytes]) -> bytes:
    """Objects from 1 on as a PDF; the first is its catalogue."""
    out, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(out) + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        start,
    )


def stream(attributes: bytes, content: bytes) -> bytes:
    return b"<< %s /Length %d >>\nstream\n%s\nendstream" % (attributes, len(content), content)


def page(resources: bytes, *more: bytes) -> bytes:
    """A page whose content is object 4."""
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << %s >> >>"
            % resources,
            *more,
        ]
    )


def forms(depth: int, calls: int) -> bytes:
    """Forms that each call the next one several times: calls ** depth in all."""
    last = 4 + depth
    drawn = [
        stream(
            b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F %d 0 R >> >>"
            % min(number + 1, last),
            b"/F Do " * calls if number < last else b"0 0 m ",
        )
        for number in range(5, last + 1)
    ]
    return page(b"/XObject << /F 5 0 R >>", stream(b"", b"/F Do "), *drawn)


def code_of(path: Path) -> str:
    with pytest.raises(PhaError) as fault:
        read_pages(path)
    return fault.value.code.name


def test_drawings_that_call_each_other_without_end_and_the_next_report_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(forms(depth=12, calls=12))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    result = ingest_reports(tmp_path / "a.pdf", draw(tmp_path / "b.pdf", Sheet([GLUCOSE])))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 30
    assert [problem["code"] for problem in result.document["problems"]] == ["lab_too_large"]
    assert set(printed(result)) == {"Glucose"}


def test_a_few_drawings_within_each_other_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(forms(depth=3, calls=3))
    assert [page.words for page in read_pages(tmp_path / "a.pdf")] == [()]


def test_content_that_unpacks_to_far_more_than_a_page_is_never_unpacked(tmp_path: Path) -> None:
    packer = zlib.compressobj(9)
    blank = b" " * 1_000_000
    content = b"".join(packer.compress(blank) for _ in range(10 * MAX_CONTENT // 1_000_000)) + packer.flush()
    (tmp_path / "a.pdf").write_bytes(page(b"", stream(b"/Filter /FlateDecode", content)))
    assert (tmp_path / "a.pdf").stat().st_size < 1_000_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert code_of(tmp_path / "a.pdf") == "lab_too_large"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024
