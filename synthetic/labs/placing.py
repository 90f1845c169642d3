"""Which result stands where: panels run over as many pages as they need, results never break."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap

from synthetic.labs.layouts.layout import Layout
from synthetic.labs.printing import Result
from synthetic.labs.report import Report

COMMENT_CHARACTERS = 105
COMMENT_LEADING = 1.5


@dataclass(frozen=True, slots=True)
class Place:
    """A result's page (from 1), left edge and top in points; ``title_y`` where the panel's title precedes."""

    page: int
    x: float
    y: float
    title_y: float | None
    result: Result
    beside: Result | None
    comments: tuple[str, ...]


def placed(report: Report, layout: Layout) -> list[Place]:
    """Every result with its place, in the order of printing; a result beside another shares its place."""
    bottom = layout.size[1] - layout.foot
    page, y, on_page = 1, layout.top, 0
    places: list[Place] = []
    for _, group in groupby(_pairs(report.results), key=lambda pair: pair[0].line.panel):
        opening = True
        for row in _chunks(list(group), len(layout.columns)):
            comments = [_comments(report, result, first=not places) for result, _ in row]
            height = layout.row_height + _leading(layout) * max(len(lines) for lines in comments)
            full = y + height + (layout.panel_height if opening else 0.0) > bottom
            if full or on_page == report.rows_a_page:
                page, y, on_page, opening = page + 1, layout.top, 0, True
            title_y = y if opening else None
            y += layout.panel_height if opening else 0.0
            for number, ((result, beside), lines) in enumerate(zip(row, comments, strict=True)):
                x = layout.columns[number]
                places.append(Place(page, x, y, None if number else title_y, result, beside, lines))
            y, on_page, opening = y + height, on_page + 1, False
    return places


def pages_of(report: Report, layout: Layout) -> list[int]:
    """The page of every result, in the order of ``report.results``."""
    return [place.page for place in placed(report, layout) for _ in range(1 if place.beside is None else 2)]


def comment_y(layout: Layout, number: int) -> float:
    """Baseline of a row's comment line, from the row's top."""
    return layout.row_height + layout.comment_size + _leading(layout) * number - 1.0


def _leading(layout: Layout) -> float:
    return layout.comment_size * COMMENT_LEADING


def _comments(report: Report, result: Result, first: bool) -> tuple[str, ...]:
    remarks = (*report.remarks, *((report.phrase,) if report.phrase else ())) if first else ()
    texts = [*((result.comment,) if result.comment else ()), *remarks]
    return tuple(line for text in texts for line in wrap(text, COMMENT_CHARACTERS))


def _pairs(results: Sequence[Result]) -> Iterator[tuple[Result, Result | None]]:
    """Results with the one printed beside each."""
    for number, result in enumerate(results):
        following = results[number + 1] if number + 1 < len(results) else None
        if not result.line.beside:
            yield result, following if following is not None and following.line.beside else None


def _chunks(
    pairs: Sequence[tuple[Result, Result | None]], width: int
) -> Iterator[Sequence[tuple[Result, Result | None]]]:
    for start in range(0, len(pairs), width):
        yield pairs[start : start + width]
