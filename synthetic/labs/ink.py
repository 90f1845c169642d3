"""Text on a page: places count from the top left; ``^`` raises the digits that follow it."""

import re
from dataclasses import dataclass

from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.layouts.layout import Align, Look

RAISED_SHARE, RAISED_BY = 0.62, 0.38
STANDARD: dict[Look, str] = {"plain": "Helvetica", "bold": "Helvetica-Bold", "mono": "Courier"}
EMBEDDED: dict[Look, str] = {"plain": "Vera", "bold": "VeraBd", "mono": "Vera"}
OVERPRINT_SHIFT = 0.1


@dataclass(frozen=True, slots=True)
class Ink:
    """Writes on a canvas. ``copies`` prints every glyph so many times, a tenth of a point apart.

    Embedded fonts make a picture of the page the same on every machine.
    """

    canvas: Canvas
    height: float
    embedded: bool = False
    copies: int = 1

    def text(
        self, x: float, y: float, size: float, text: str, look: Look = "plain", align: Align = "left"
    ) -> None:
        """Text at a baseline; x is its left end, middle or right end."""
        font = (EMBEDDED if self.embedded else STANDARD)[look]
        pieces = re.split(r"\^(\d+)", text)
        sizes = [size * (RAISED_SHARE if number % 2 else 1) for number in range(len(pieces))]
        widths = [stringWidth(piece, font, points) for piece, points in zip(pieces, sizes, strict=True)]
        x -= sum(widths) * {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
        for number, (piece, points, width) in enumerate(zip(pieces, sizes, widths, strict=True)):
            raised = size * RAISED_BY if number % 2 else 0.0
            self._print(x, self.height - y + raised, points, piece, font)
            x += width

    def rule(self, x0: float, x1: float, y: float) -> None:
        """A thin line across."""
        self.canvas.setLineWidth(0.4)
        self.canvas.line(x0, self.height - y, x1, self.height - y)

    def _print(self, x: float, y: float, size: float, text: str, font: str) -> None:
        self.canvas.setFont(font, size)
        for copy in range(self.copies):
            self.canvas.drawString(x + copy * OVERPRINT_SHIFT, y, text)


def register_embedded_fonts() -> None:
    """Fonts that come with the PDF library; registering again changes nothing."""
    for name in sorted(set(EMBEDDED.values())):
        registerFont(TTFont(name, f"{name}.ttf"))
