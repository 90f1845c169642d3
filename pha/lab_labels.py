"""Where the numbers of readings stand on a page of `pha labs show`: beside their boxes, none over another."""

from collections.abc import Iterable
from dataclasses import dataclass

from ingest.labs.shown import ShownReading

HEIGHT, DIGIT_WIDTH, GAP = 7.0, 4.2, 3.0


@dataclass(frozen=True, slots=True)
class Label:
    """The number of a reading, the left end of its base line in points, and whether it is in doubt."""

    row_no: int
    x: float
    y: float
    in_doubt: bool

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.x + _width(self.row_no)

    def touches(self, other: "Label") -> bool:
        """Whether it would be drawn over another one."""
        return self.x < other.right and other.x < self.right and abs(self.y - other.y) < HEIGHT


def place_labels(readings: Iterable[ShownReading], width: float) -> list[Label]:
    """A label a reading, right of its box; where others stand there, further right, else left of the box.

    A value that was computed from others has a box over theirs, so that labels of one place are common.
    """
    placed: list[Label] = []
    for reading in sorted(readings, key=lambda r: (r.box[3], r.box[2], r.row_no)):
        right = _free(reading, placed, reading.box[2] + GAP, 1)
        left = _free(reading, placed, reading.box[0] - GAP - _width(reading.row_no), -1)
        placed.append(right if right.right <= width or left.x < 0 else left)
    return placed


def _free(reading: ShownReading, placed: list[Label], x: float, direction: int) -> Label:
    """The nearest place from ``x`` on, in a direction, that no other label holds."""
    label = Label(reading.row_no, x, reading.box[3] - 1, reading.in_doubt)
    while other := next((each for each in placed if label.touches(each)), None):
        x = other.right + GAP if direction > 0 else other.x - GAP - _width(reading.row_no)
        label = Label(label.row_no, x, label.y, label.in_doubt)
    return label


def _width(row_no: int) -> float:
    return DIGIT_WIDTH * len(str(row_no))
