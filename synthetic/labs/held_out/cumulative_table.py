"""Where a cumulative report's rows stand: sections in boxes, long names over two lines, empty cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from reportlab.lib.utils import simpleSplit

from synthetic.labs.held_out.draws import Draw
from synthetic.labs.ink import STANDARD
from synthetic.labs.printing import Line, Result

TOP, BOTTOM = 178.0, 742.0
TITLE_HEIGHT, LINE_HEIGHT, ROW_PADDING, BOX_GAP = 15.0, 9.6, 4.0, 9.0
NAME_WIDTH, NAME_SIZE = 118.0, 8.0
PANEL_NOT_ASKED, LINE_NOT_ASKED = 0.3, 0.04
ONCE_ONLY = "Virology"


@dataclass(frozen=True, slots=True)
class Row:
    """A line with one cell for each draw, oldest first; None where it was not asked for.

    ``top`` and ``height`` in points, from the top of the page. ``continued``: its section began on an earlier
    page, and its title stands again above this row.
    """

    page: int
    top: float
    height: float
    line: Line
    names: tuple[str, ...]
    cells: tuple[Result | None, ...]
    continued: bool

    @property
    def middle(self) -> float:
        """Baseline of what stands once a row: halfway down it, as a browser prints a table."""
        return self.top + self.height / 2 + NAME_SIZE * 0.35


def rows_of(draws: Sequence[Draw], rng: np.random.Generator) -> list[Row]:
    """Rows in the order of print; ``draws`` oldest first. A line never asked for is left out."""
    page, y = 1, TOP
    rows: list[Row] = []
    for panel, lines in groupby(_asked(draws, rng), key=lambda asked: asked[0].panel):
        opens, continued = True, False
        for line, cells in lines:
            names = tuple(simpleSplit(line.name, STANDARD["plain"], NAME_SIZE, NAME_WIDTH))
            height = ROW_PADDING + LINE_HEIGHT * len(names)
            if y + height + (TITLE_HEIGHT if opens else 0.0) > BOTTOM:
                continued = any(row.line.panel == panel for row in rows)
                page, y, opens = page + 1, TOP, True
            y += TITLE_HEIGHT if opens else 0.0
            rows.append(Row(page, y, height, line, names, cells, continued and opens))
            y, opens = y + height, False
        y += BOX_GAP
    return rows


def _asked(
    draws: Sequence[Draw], rng: np.random.Generator
) -> Iterator[tuple[Line, tuple[Result | None, ...]]]:
    """Each line with its results; whole sections, and single lines, were not asked for at some draws."""
    newest = len(draws) - 1
    sections: dict[tuple[str, int], bool] = {}
    for results in zip(*(draw.results for draw in draws), strict=True):
        line = results[0].line
        cells: list[Result | None] = []
        for number, result in enumerate(results):
            section = sections.setdefault((line.panel, number), bool(rng.random() >= PANEL_NOT_ASKED))
            asked = number == newest or (section and line.panel != ONCE_ONLY)
            cells.append(result if asked and rng.random() >= LINE_NOT_ASKED else None)
        if any(cells):
            yield line, tuple(cells)
