"""What a questionnaire asks: forms and their items, in the terms of a data dictionary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "radio", "yesno", "checkbox", "text", "notes", "slider", "calc", "file", "descriptive"
]  # fmt: skip
Choices = tuple[tuple[int, str], ...]

YES_NO: Choices = ((1, "Yes"), (0, "No"))


@dataclass(frozen=True, slots=True)
class Item:
    """A question. ``kind`` and ``validation`` are REDCap's words; a text with "number" has one decimal.

    shown_if: branching logic in REDCap's notation. note: the field annotation (action tags).
    calculation: of a calculated field.
    """

    name: str
    kind: Kind
    label: str
    choices: Choices = ()
    validation: str = ""
    low: str = ""
    high: str = ""
    identifier: bool = False
    shown_if: str = ""
    note: str = ""
    calculation: str = ""

    @property
    def options(self) -> Choices:
        """Codes and labels that may be chosen, also of a yes-or-no question."""
        return YES_NO if self.kind == "yesno" else self.choices

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of a raw export: one, one a choice for boxes, none for text that is only shown."""
        if self.kind == "checkbox":
            return tuple(box_column(self.name, code) for code, _ in self.choices)
        return () if self.kind == "descriptive" else (self.name,)

    @property
    def is_plain_question(self) -> bool:
        """Whether any survey system can ask it: nothing calculated, uploaded, hidden or only shown."""
        return self.kind not in ("calc", "file", "descriptive") and "@HIDDEN" not in self.note

    @property
    def is_number(self) -> bool:
        """Whether the answer is a number that is no code."""
        return self.kind in ("slider", "calc") or self.validation in ("number", "integer")

    @property
    def is_free_text(self) -> bool:
        """Whether anything may be written."""
        return self.kind == "notes" or (self.kind == "text" and not self.validation)


@dataclass(frozen=True, slots=True)
class Form:
    """A form: items asked together, at the baseline visit or four weeks later, once or repeatedly."""

    name: str
    title: str
    items: tuple[Item, ...]
    events: tuple[str, ...] = ("baseline",)
    repeats: bool = False

    @property
    def is_grid(self) -> bool:
        """Whether it is shown as rows of one grid: a scale of single choices."""
        return len(self.items) > 6 and all(item.kind == "radio" for item in self.items)


def box_column(name: str, code: int) -> str:
    """REDCap's column of a box; the minus of a negative code becomes an underscore."""
    return f"{name}___{code}".replace("-", "_")


def radio(name: str, label: str, choices: Sequence[tuple[int, str]], shown_if: str = "") -> Item:
    """One choice of several."""
    return Item(name, "radio", label, tuple(choices), shown_if=shown_if)


def scale(stem: str, title: str, count: int, choices: Sequence[tuple[int, str]]) -> tuple[Item, ...]:
    """Items of a published scale under neutral labels: their texts belong to others and are not needed."""
    return tuple(radio(f"{stem}_{n}", f"{title}, item {n}", choices) for n in range(1, count + 1))


def number(
    name: str,
    label: str,
    low: int,
    high: int,
    *,
    whole: bool = False,
    shown_if: str = "",
) -> Item:
    """A number within limits, whole or with a decimal."""
    validation = "integer" if whole else "number"
    return Item(name, "text", label, validation=validation, low=str(low), high=str(high), shown_if=shown_if)
