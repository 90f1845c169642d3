"""What a layout is: data. Text stands in templates at places on the page, in points from the top left."""

from dataclasses import dataclass
from typing import Literal

from reportlab.lib.pagesizes import A4, letter

from synthetic.labs.printing import Style

Align = Literal["left", "centre", "right"]
Look = Literal["plain", "bold", "italic", "mono", "marked"]
NOTE = "MADE-UP PERSON AND LABORATORY - NOT A REAL REPORT"
LETTER, A4_PAGE = letter, A4


@dataclass(frozen=True, slots=True)
class Text:
    """A template at a place; it is left out where none of its fields has anything to show.

    Fields of a page: surname, given, upper_name, born, age, sex, number, specimen, collected, received,
    reported, viewed (when it was printed from a portal), fasting, status, page, pages. Of a row: panel, name,
    value, flag, unit, range, ranged_unit, in_range, out_of_range, previous, note, mark, low, high,
    beside_value, beside_unit.
    ``where``: on which pages. ``y`` is the baseline, from the top of page, panel or row. ``marked`` is bold
    where the row has a flag.
    """

    x: float
    y: float
    size: float
    template: str
    look: Look = "plain"
    align: Align = "left"
    where: Literal["all", "first", "last"] = "all"


@dataclass(frozen=True, slots=True)
class Layout:
    """A family's print. Heights in points; ``columns`` are left edges of rows, more than one for cards."""

    name: str
    catalogue: str
    style: Style
    page: tuple[Text, ...]
    panel: tuple[Text, ...]
    row: tuple[Text, ...]
    top: float
    panel_height: float
    row_height: float
    size: tuple[float, float] = LETTER
    foot: float = 90.0
    columns: tuple[float, ...] = (0.0,)
    comment_x: float = 71.0
    comment_size: float = 6.5
    day: str = "%m/%d/%Y"
    moment: str = "%m/%d/%Y %H:%M"
    timed: bool = True
    sexes: tuple[str, str, str] = ("F", "M", "U")
    yes_no: tuple[str, str] = ("YES", "NO")
    statuses: tuple[str, str, str, str] = ("PRELIMINARY", "FINAL", "CORRECTED", "AMENDED")
    rule: tuple[float, float, float] | None = None

    def states(self, field: str) -> bool:
        """Whether head or foot show a field of a page."""
        return any(f"{{{field}}}" in text.template for text in self.page)
