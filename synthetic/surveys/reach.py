"""What an export form can tell of the answers: visits, repeats, missing codes, how numbers are written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from synthetic.surveys.answers import Filling, Record
from synthetic.surveys.items import Item
from synthetic.surveys.questionnaire import BASELINE


@dataclass(frozen=True, slots=True)
class Reach:
    """What a form of export can tell.

    events: the model's visit -> its name in the export; empty where there is but one visit. repeats:
    repeating forms are in it. redcap: an opened form is told from an untouched one, a declined item from
    one left blank, and calculated fields are there. comma: numbers are written with a decimal comma.
    """

    file_name: str
    events: Mapping[str, str] = field(default_factory=dict[str, str])
    repeats: bool = False
    redcap: bool = True
    comma: bool = False

    def fillings(self, record: Record) -> Iterator[Filling]:
        """The fillings that are in the export, in the order of the questionnaire.

        Elsewhere than in REDCap a form without an answer looks untouched; at one of several visits, as if
        it had not been asked.
        """
        for filling in record.fillings:
            if filling.event not in (self.events or (BASELINE,)) or (
                filling.form.repeats and not self.repeats
            ):
                continue
            if self.redcap or filling.values:
                yield filling
            elif not self.events:
                yield replace(filling, sent=None)

    def holds(self, item: Item) -> bool:
        """Whether the export has the item and a table may hold its answer."""
        if item.identifier or item.kind in ("file", "descriptive"):
            return False
        return self.redcap or item.is_plain_question

    def as_written(self, item: Item, value: str) -> str:
        """An answer as the export writes it where that is not the model's own way."""
        return value.replace(".", ",") if self.comma and item.validation == "number" else value
