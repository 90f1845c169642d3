"""Reports as pictures of pages without any text: as a scanner makes them, and as a telephone does."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.files import suffixed
from synthetic.labs.layouts import LAYOUTS
from synthetic.labs.pdf import TITLE, lab_pdf
from synthetic.labs.report import Report
from synthetic.labs.truth import LabFile, doubts_of, printed_rows

PIXELS_A_POINT = 2
SCAN_SKEW_DEGREES, PHOTO_SKEW_DEGREES = 0.4, 2.2
SCAN_NOISE, PHOTO_NOISE = 3.0, 9.0
LIGHT_FALLS_TO = 0.55
SCAN_QUALITY, PHOTO_QUALITY = 80, 62
BORDER_SHARE = 0.04
TABLE_GREY = 70

Picture = Callable[[Image.Image, np.random.Generator], Image.Image]


def scanned(report: Report, rng: np.random.Generator) -> LabFile:
    """Pages from a flat scanner: straight but for a trifle, even light, little noise."""
    return _pictured(report, "scan", _as_scan, SCAN_QUALITY, rng)


def photographed(report: Report, rng: np.random.Generator) -> LabFile:
    """Pages from a telephone: askew, in uneven light, blurred, noisy and compressed with loss."""
    return _pictured(report, "photo", _as_photo, PHOTO_QUALITY, rng)


def _pictured(
    report: Report, suffix: str, picture: Picture, quality: int, rng: np.random.Generator
) -> LabFile:
    """There is no reader of characters: such a file is set aside, its rows are known all the same."""
    named = replace(report, file_name=suffixed(report, suffix))
    pages = [picture(page, rng) for page in _rendered(lab_pdf(named, embedded=True))]
    return LabFile(
        participant_id=report.person.participant_id,
        name=named.file_name,
        content=_pdf_of(pages, LAYOUTS[report.layout].size, quality),
        layout=report.layout,
        rows=printed_rows(named, source_kind="ocr"),
        verdict="set_aside",
        reason="text_unusable",
        identity=None,
        doubts=doubts_of(named),
    )


def _rendered(content: bytes) -> Iterator[Image.Image]:
    document = pypdfium2.PdfDocument(content)
    try:
        for page in document:
            yield page.render(scale=PIXELS_A_POINT, grayscale=True).to_pil()
    finally:
        document.close()


def _as_scan(page: Image.Image, rng: np.random.Generator) -> Image.Image:
    turned = page.rotate(
        float(rng.uniform(-SCAN_SKEW_DEGREES, SCAN_SKEW_DEGREES)), Image.Resampling.BICUBIC, fillcolor=255
    )
    return _with_noise(turned, np.ones(1), SCAN_NOISE, rng)


def _as_photo(page: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Turned on a dark table, light falling off from one corner."""
    border = int(page.width * BORDER_SHARE)
    table = Image.new("L", (page.width + 2 * border, page.height + 2 * border), TABLE_GREY)
    table.paste(page, (border, border))
    angle = float(rng.uniform(0.5, 1)) * PHOTO_SKEW_DEGREES * float(rng.choice([-1, 1]))
    turned = table.rotate(angle, Image.Resampling.BICUBIC, fillcolor=TABLE_GREY)
    blurred = turned.filter(ImageFilter.GaussianBlur(0.6))
    down, across = np.mgrid[0 : blurred.height, 0 : blurred.width]
    corner = (down / blurred.height + across / blurred.width) / 2
    return _with_noise(blurred, 1 - (1 - LIGHT_FALLS_TO) * corner, PHOTO_NOISE, rng)


def _with_noise(
    page: Image.Image, light: NDArray[np.float64], noise: float, rng: np.random.Generator
) -> Image.Image:
    grey = np.asarray(page, dtype=np.float64) * light
    return Image.fromarray(np.clip(grey + rng.normal(0, noise, grey.shape), 0, 255).astype(np.uint8))


def _pdf_of(pages: list[Image.Image], size: tuple[float, float], quality: int) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=size, invariant=1)
    canvas.setTitle(TITLE)
    for page in pages:
        image = BytesIO()
        page.save(image, "JPEG", quality=quality)
        image.seek(0)
        canvas.drawImage(ImageReader(image), 0, 0, *size)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()
