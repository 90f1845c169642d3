"""Pages of several columns of print, each read from its top to its bottom: tables or cards side by side."""

from collections.abc import Sequence
from itertools import pairwise

from ingest.labs.analytes import is_known_name
from ingest.labs.cells import AFTER_NAME
from ingest.labs.columns import titles_of
from ingest.labs.grammar import label_end
from ingest.labs.lines import Line

SAME_MARGIN_POINTS = 3.0
APART_POINTS = 120.0
INSET_POINTS = 24.0
MIN_CARDS = 2
MIN_NAMES = 3


def flows_of(lines: Sequence[Line]) -> list[list[Line]]:
    """The columns of print of a page, from left to right; one where nothing shows that there are more.

    They begin where one line titles several tables, where labels of intervals stand at several margins, or
    where names we know do. What spans them stays in the first.
    """
    starts = _of_titles(lines) or _of_margins(lines)
    edges = [float("-inf"), *starts, float("inf")]
    flows = [
        [Line(own) for line in lines if (own := tuple(s for s in line.segments if low <= s.x0 < high))]
        for low, high in pairwise(edges)
    ]
    return [flow for flow in flows if flow]


def _of_titles(lines: Sequence[Line]) -> list[float]:
    """Where the further tables of a line of titles begin."""
    starts = (titles.starts for line in lines if (titles := titles_of(line)) is not None)
    return [start - SAME_MARGIN_POINTS for start in next((s for s in starts if s), ())]


def _of_margins(lines: Sequence[Line]) -> list[float]:
    """Where columns of cards or of rows begin, but for the first."""
    labels = [s.x0 for line in lines for s in line.segments if label_end(s.text) > 0 and ":" in s.text]
    if len(margins := _margins(labels, MIN_CARDS)) > 1:
        return [margin - INSET_POINTS for margin in margins[1:]]
    names = [
        segment.x0
        for line in lines
        if len(line.segments) > 1
        for segment in line.segments
        if is_known_name(segment.text.rstrip(AFTER_NAME))
    ]
    margins = _margins(names, MIN_NAMES)
    return [margin - SAME_MARGIN_POINTS for margin in margins[1:]]


def _margins(edges: Sequence[float], least: int) -> list[float]:
    """Left edges that several cells share, far enough from each other."""
    clusters: list[list[float]] = []
    for edge in sorted(edges):
        if clusters and edge - clusters[-1][0] <= SAME_MARGIN_POINTS:
            clusters[-1].append(edge)
        else:
            clusters.append([edge])
    found = [cluster[0] for cluster in clusters if len(cluster) >= least]
    return [edge for n, edge in enumerate(found) if n == 0 or edge - found[n - 1] >= APART_POINTS]
