"""Text on a page: places count from the top left; ``^`` raises the digits that follow it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from reportlab.lib.colors import Color, black
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from synthetic.labs.layouts.layout import Align, Look

RAISED_SHARE, RAISED_BY = 0.62, 0.38
STANDARD: dict[Look, str] = {"plain": "Helvetica", "bold": "Helvetica-Bold", "mono": "Courier"}
TIMES: dict[Look, str] = {"plain": "Times-Roman", "bold": "Times-Bold", "italic": "Times-Italic"}
COURIER: dict[Look, str] = {"plain": "Courier", "bold": "Courier-Bold"}
EMBEDDED: dict[Look, str] = {"plain": "Vera", "bold": "VeraBd", "mono": "Vera"}
OVERPRINT_SHIFT = 0.1


@dataclass(frozen=True, slots=True)
class Ink:
    """Writes on a canvas. ``copies`` prints every glyph so many times, a tenth of a point apart.

    Embedded fonts make a picture of the page the same on every machine; ``fonts`` are those of the page
    where it has others than the standard ones.
    """

    canvas: Canvas
    height: float
    embedded: bool = False
    copies: int = 1
    fonts: Mapping[Look, str] | None = None

    def text(
        self, x: float, y: float, size: float, text: str, look: Look = "plain", align: Align = "left"
    ) -> None:
        """Text at a baseline; x is its left end, middle or right end."""
        font = (self.fonts or (EMBEDDED if self.embedded else STANDARD))[look]
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

    def shade(self, x0: float, y0: float, x1: float, y1: float, colour: Color) -> None:
        """A filled box without an edge, under what is written after it."""
        self.canvas.setFillColor(colour)
        self.canvas.rect(x0, self.height - y1, x1 - x0, y1 - y0, stroke=0, fill=1)
        self.canvas.setFillColor(black)

    def frame(self, x0: float, y0: float, x1: float, y1: float, width: float = 0.4) -> None:
        """The edge of a box."""
        self.canvas.setLineWidth(width)
        self.canvas.rect(x0, self.height - y1, x1 - x0, y1 - y0)

    def coloured(
        self, x: float, y: float, size: float, text: str, colour: Color, look: Look = "plain",
        align: Align = "left",
    ) -> None:  # fmt: skip
        """Text in a colour; what follows is black again."""
        self.canvas.setFillColor(colour)
        self.text(x, y, size, text, look, align)
        self.canvas.setFillColor(black)

    def _print(self, x: float, y: float, size: float, text: str, font: str) -> None:
        self.canvas.setFont(font, size)
        for copy in range(self.copies):
            self.canvas.drawString(x + copy * OVERPRINT_SHIFT, y, text)


def register_embedded_fonts() -> None:
    """Fonts that come with the PDF library; registering again changes nothing."""
    for name in sorted(set(EMBEDDED.values())):
        registerFont(TTFont(name, f"{name}.ttf"))
