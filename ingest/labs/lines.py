"""Words -> visual lines -> segments: what a person takes for a row and its cells. Knows no vendor."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ingest.labs.pdf import Word

SAME_LINE_POINTS = 3.2
CELL_GAP_EM = 0.62
RAISED_POINTS = 1.5
RAISED_GAP_EM = 0.25
OVERLAP_POINTS = 0.5
SMALL_FACTOR = 0.85
RAISED_SHARE = 0.25
TOUCHING_EM = 0.08
# A power of ten, and the square metre of body surface.
TAKES_EXPONENT = ("10", "1.73m", "1,73m")


@dataclass(frozen=True, slots=True)
class Segment(Word):
    """Words of one line without a gap wider than a blank: a cell. Its box holds theirs.

    ``starts``: where each of its words begins.
    """

    starts: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """Segments of one baseline, from left to right."""

    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The whole line with single blanks."""
        return " ".join(segment.text for segment in self.segments)

    @property
    def x0(self) -> float:
        """Where the line begins."""
        return self.segments[0].x0


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Lines from top to bottom. Baselines up to 3.2 points apart are one line (smaller print sits higher)."""
    return [Line(tuple(_segments(_joined(row)))) for row in _rows(_without_raised(words))]


def _rows(words: Sequence[Word]) -> Iterator[list[Word]]:
    row: list[Word] = []
    for word in sorted(words, key=lambda w: (w.bottom, w.x0)):
        if row and word.bottom - row[0].bottom > SAME_LINE_POINTS:
            yield sorted(row, key=lambda w: w.x0)
            row = []
        row.append(word)
    if row:
        yield sorted(row, key=lambda w: w.x0)


def _without_raised(words: Sequence[Word]) -> list[Word]:
    """An exponent is written ``^9``; other raised small print (site numbers, notes) is no part of a word."""
    by_end = sorted(range(len(words)), key=lambda index: words[index].x1)
    ends = [words[index].x1 for index in by_end]
    reach = RAISED_GAP_EM * max((word.size for word in words), default=0.0)
    hosts: dict[int, int] = {}
    for index, word in enumerate(words):
        near = by_end[bisect_left(ends, word.x0 - reach) : bisect_right(ends, word.x0 + OVERLAP_POINTS)]
        if (host := _host(word, words, near)) is not None:
            hosts[index] = host
    exponents = {
        host: words[index] for index, host in hosts.items() if words[host].text.endswith(TAKES_EXPONENT)
    }
    return [
        _with_exponent(word, exponents[index]) if index in exponents else word
        for index, word in enumerate(words)
        if index not in hosts
    ]


def _host(word: Word, words: Sequence[Word], near: Iterable[int]) -> int | None:
    """The index of the larger word that a raised small word follows directly, or None."""
    return min((index for index in near if _is_raised(word, words[index])), default=None)


def _is_raised(word: Word, host: Word) -> bool:
    """Smaller print above the baseline behind a word; print of its size only where it touches the word."""
    raised, gap = host.bottom - word.bottom, word.x0 - host.x1
    if word.size >= SMALL_FACTOR * host.size:
        touches = word.size <= host.size and abs(gap) <= TOUCHING_EM * host.size
        return touches and RAISED_SHARE * host.size <= raised <= host.size
    return RAISED_POINTS <= raised <= host.size and -OVERLAP_POINTS <= gap < RAISED_GAP_EM * host.size


def _with_exponent(base: Word, exponent: Word) -> Word:
    return replace(base, text=f"{base.text}^{exponent.text}", x1=exponent.x1)


def _joined(row: list[Word]) -> list[Word]:
    """``10^9`` and the ``/L`` printed right behind it are one word again."""
    joined: list[Word] = []
    for word in row:
        before = joined[-1] if joined else None
        if before and "10^" in before.text and word.text.startswith("/") and word.x0 - before.x1 < 1.5:
            joined[-1] = replace(before, text=before.text + word.text, x1=word.x1)
        else:
            joined.append(word)
    return joined


def _segments(row: list[Word]) -> Iterator[Segment]:
    cell: list[Word] = []
    for word in row:
        if cell and word.x0 - cell[-1].x1 >= CELL_GAP_EM * max(word.size, cell[-1].size):
            yield _segment(cell)
            cell = []
        cell.append(word)
    if cell:
        yield _segment(cell)


def _segment(cell: list[Word]) -> Segment:
    return Segment(
        " ".join(word.text for word in cell),
        cell[0].x0,
        min(word.top for word in cell),
        cell[-1].x1,
        max(word.bottom for word in cell),
        max(word.size for word in cell),
        tuple(word.x0 for word in cell),
    )
