"""Questionnaires we score: items by name, published cut-offs and missing rules, each with its source.

Items are recognised by field name: ``phq9_1`` .. ``phq9_9``, ``phq8_1`` .., ``gad7_1`` .., ``pss10_1`` ..,
``auditc_1`` .., ``who5_1`` .. A score is computed only where the dictionary has every item, coded from 0 to
its maximum. IPAQ, whose items are numbers, and Berlin, which counts categories, have modules of their own.
"""

import re
from dataclasses import dataclass

from ingest.surveys import berlin, ipaq

_NAME = re.compile(r"^(phq_?9|phq_?8|gad_?7|pss_?10|audit_?c|who_?5)_0?([1-9]|10)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Instrument:
    """A scored questionnaire.

    cut_offs: (lowest score, category) from low to high. may_miss: how many missing items are replaced by
    the mean of the others. factor: the sum is multiplied by it. reversed: items that count from their
    highest answer down. skipped_after: the answer to item 1 after which the instrument itself skips the
    others, which then count 0; else an item that was not asked leaves no score.
    """

    name: str
    items: int
    highest: int
    cut_offs: tuple[tuple[int, str], ...]
    may_miss: int
    source: str
    factor: int = 1
    reversed: tuple[int, ...] = ()
    skipped_after: int | None = None

    @property
    def rule(self) -> str:
        """Scoring and missing rule in words, with the source."""
        missing = (
            f"up to {self.may_miss} missing items take the mean of the others, rounded to a whole score"
            if self.may_miss
            else "no score with a missing item"
        )
        total = "sum of items" if self.factor == 1 else f"sum of items x {self.factor}"
        if self.reversed:
            total += f", items {', '.join(map(str, self.reversed))} reversed"
        asked = (
            "no score where an item was not asked"
            if self.skipped_after is None
            else f"items not asked after item 1 was answered {self.skipped_after} count 0"
        )
        return f"{total}; {missing}; {asked}; {self.source}"


INSTRUMENTS = {
    instrument.name: instrument
    for instrument in (
        Instrument(
            "phq9",
            9,
            3,
            ((0, "minimal"), (5, "mild"), (10, "moderate"), (15, "moderately_severe"), (20, "severe")),
            2,
            "Kroenke, Spitzer, Williams, J Gen Intern Med 2001;16:606-13",
        ),
        Instrument(
            "phq8",
            8,
            3,
            ((0, "minimal"), (5, "mild"), (10, "moderate"), (15, "moderately_severe"), (20, "severe")),
            2,
            "Kroenke et al., J Affect Disord 2009;114:163-73",
        ),
        Instrument(
            "gad7",
            7,
            3,
            ((0, "minimal"), (5, "mild"), (10, "moderate"), (15, "severe")),
            2,
            "Spitzer et al., Arch Intern Med 2006;166:1092-7",
        ),
        Instrument(
            "pss10",
            10,
            4,
            (),
            0,
            "Cohen, Williamson, in Spacapan, Oskamp (eds), The social psychology of health, 1988, 31-67; "
            "its authors give no cut-offs",
            reversed=(4, 5, 7, 8),
        ),
        Instrument(
            "auditc",
            3,
            4,
            ((0, "negative"), (4, "positive")),
            0,
            "Bush et al., Arch Intern Med 1998;158:1789-95; positive from 4 in men, from 3 in women; "
            "Babor et al., AUDIT manual, 2nd edition, WHO 2001, skips the others after never",
            skipped_after=0,
        ),
        Instrument(
            "who5",
            5,
            5,
            ((0, "low"), (51, "not_low")),
            0,
            "Topp et al., Psychother Psychosom 2015;84:167-76; 50 or less is low",
            factor=4,
        ),
    )
}


def scored_item(field: str) -> tuple[str, str] | None:
    """(instrument, item) of a field that is an item of a scored instrument, in our spelling; else None."""
    if field.casefold() in ipaq.ITEMS:
        return ipaq.NAME, field.casefold()
    if field.casefold() in berlin.ITEMS:
        return berlin.NAME, field.casefold()
    match = _NAME.match(field)
    if match is None:
        return None
    instrument = match[1].casefold().replace("_", "")
    if int(match[2]) > INSTRUMENTS[instrument].items:
        return None
    return instrument, f"{instrument}_{int(match[2])}"
