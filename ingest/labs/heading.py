"""What the head and foot of each page say: whose report it is, when it was taken, its status."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingest.labs.dates import Order, PrintedDate, parse_dates
from ingest.labs.head_facts import Fact, facts_of
from ingest.labs.holder import AGE_WORD, HEAD_LINES, SEX_LABEL, name_on
from ingest.labs.labels import Kind
from ingest.labs.lines import Line

_SEX_WORDS = {
    **dict.fromkeys(("female", "f", "w", "weiblich", "femme", "féminin", "femmina", "femminile"), "female"),
    **dict.fromkeys(("mujer", "femenino", "woman"), "female"),
    **dict.fromkeys(("male", "m", "männlich", "homme", "masculin", "maschio", "maschile"), "male"),
    **dict.fromkeys(("hombre", "masculino", "man"), "male"),
}
_SEX_WORD = rf"({'|'.join(sorted(_SEX_WORDS, key=len, reverse=True))})"
_SEX = re.compile(rf"\b(?:legal )?{SEX_LABEL}(?: at birth)?\s*[:.]?\s*{_SEX_WORD}\b", re.IGNORECASE)
_AGE_SEX = re.compile(
    rf"\b{AGE_WORD}\s*/\s*{SEX_LABEL}\s*[:.]?\s*\d{{1,3}}\s*\w{{0,10}}\s*/\s*{_SEX_WORD}\b", re.IGNORECASE
)
_AGE = re.compile(
    rf"\b{AGE_WORD}(?:\s*/\s*{SEX_LABEL})?\s*[:.]\s*(\d{{1,3}})(?!\d)"
    r"(?!\s*(?:[-–<>+]|m(?!ale)|d|w|and\b|or\b|to\b))",
    re.IGNORECASE,
)
_SPECIMEN = re.compile(
    r"\b(?:specimen(?: id| no| number)?|lab no|lab number|accession(?: no| number| #)?|spec(?:imen)? #|"
    r"sample id|sample no|auftragsnummer|auftrags-nr\.?)\s*[:.]\s*"
    r"([A-Z0-9-]*\d[A-Z0-9-]*|[A-Z]{1,3} \d{4,}[A-Z]?)(?!\w)",
    re.IGNORECASE,
)
_FASTING = re.compile(
    r"\b(?:fasting(?: status)?|nüchtern|à jeun|digiuno|ayunas)\s*[:?]\s*"
    r"(yes|no|y|n|ja|nein|oui|non|s[ìí]|fasting|not fasting|non[- ]?fasting)(?!\w)",
    re.IGNORECASE,
)
_FASTED = frozenset({"yes", "y", "ja", "oui", "sì", "sí", "fasting"})
_STATUS = re.compile(
    r"\b(?:report|result)\s*status\s*[:-]?\s*"
    r"(preliminary|partial|final|corrected|amended|revised|cancell?ed)\b"
    r"|\b(preliminary|final|corrected|amended|revised) report\b"
    r"|\b(endbefund|teilbefund|korrekturbefund)\b",
    re.IGNORECASE,
)
_STATUS_WORDS = {
    "preliminary": "preliminary",
    "partial": "preliminary",
    "final": "final",
    "corrected": "corrected",
    "amended": "amended",
    "revised": "corrected",
    "canceled": "cancelled",
    "cancelled": "cancelled",
    "endbefund": "final",
    "teilbefund": "preliminary",
    "korrekturbefund": "corrected",
}
_VENDORS = (
    ("quest diagnostics", "quest"),
    ("labcorp", "labcorp"),
    ("mychart", "epic"),
    ("bioreference", "bioreference"),
)
_UNITED_STATES = re.compile(
    r"\bCLIA\b|\b[A-Z]{2},? \d{5}(?:-\d{4})?\b|\b(?:EST|EDT|CST|CDT|MST|MDT|PST|PDT)\b"
)
_DAY_FIRST_PLACES = re.compile(r"\b(?:NHS|UKAS|NABL|RCPA|NATA|DAkkS)\b")
_CANONICAL: dict[Kind, str] = {
    "sex": "Sex",
    "age": "Age",
    "age_sex": "Age/Sex",
    "specimen": "Specimen",
    "fasting": "Fasting",
    "status": "Report status",
}
_FIRST_PAGE = re.compile(r"\b(?:page|seite|pagina|página)\s*:?\s*1\s*(?:of|/|von|di|de)\s*\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Collection:
    """A printed moment of collection and how far down the page it stands, in points."""

    when: PrintedDate
    top: float


@dataclass(frozen=True, slots=True, repr=False)
class PageHead:
    """Who a page says it is of. It stays in memory: no repr, no table, no log."""

    name: str | None
    birth: PrintedDate | None
    sex: str | None
    age: int | None = None
    collections: tuple[Collection, ...] = ()
    specimen_id: str | None = None
    is_first: bool = False

    @property
    def collected(self) -> tuple[PrintedDate, ...]:
        """The different moments of collection on the page."""
        return tuple(dict.fromkeys(collection.when for collection in self.collections))


@dataclass(frozen=True, slots=True)
class ReportHead:
    """What a report says of itself; dates are still undecided between month and day first."""

    received: PrintedDate | None
    reported: PrintedDate | None
    dates: tuple[PrintedDate, ...]
    place_order: Order | None
    status: str
    fasting: str
    vendor: str | None


def page_head(lines: Sequence[Line]) -> PageHead:
    """Name, birth date, sex and age in years printed on a page, each where it is there."""
    facts = facts_of(lines)
    text = _text_of(lines, facts)
    sex = _AGE_SEX.search(text) or _SEX.search(text)
    specimen = _SPECIMEN.search(text)
    age = _AGE.search(_text_of(lines[:HEAD_LINES], facts))
    birth = _dates(facts, "birth")
    return PageHead(
        name=name_on(lines, facts),
        birth=birth[0] if birth else None,
        sex=_SEX_WORDS[sex[1].casefold()] if sex else None,
        age=int(age[1]) if age else None,
        collections=tuple(
            Collection(parse_dates(fact.text)[0], fact.top) for fact in facts if fact.kind == "collected"
        ),
        specimen_id=specimen[1] if specimen else None,
        is_first=_FIRST_PAGE.search(text) is not None,
    )


def reports_in(heads: Sequence[PageHead]) -> list[range]:
    """The pages of each report of a file: one begins at a page 1 and where the specimen number changes."""
    starts = [0]
    specimen = heads[0].specimen_id
    for n, head in enumerate(heads[1:], 1):
        other = head.specimen_id is not None and specimen is not None and head.specimen_id != specimen
        if head.is_first or other:
            starts.append(n)
            specimen = None
        specimen = head.specimen_id or specimen
    return [range(start, end) for start, end in pairwise([*starts, len(heads)])]


def report_head(pages: Sequence[Sequence[Line]]) -> ReportHead:
    """Dates, status, fasting and family of a report, over all its pages."""
    facts = [fact for lines in pages for fact in facts_of(lines)]
    text = _text_of([line for lines in pages for line in lines], facts)
    status = _STATUS.search(text)
    fasting = _FASTING.search(text)
    lower = text.casefold()
    return ReportHead(
        received=next(iter(_dates(facts, "received")), None),
        reported=next(iter(_dates(facts, "reported")), None),
        dates=tuple(parse_dates(text)),
        place_order=_place_order(text),
        status=_STATUS_WORDS[(status[1] or status[2] or status[3]).casefold()] if status else "unknown",
        fasting=("yes" if fasting[1].casefold() in _FASTED else "no") if fasting else "unknown",
        vendor=next((vendor for word, vendor in _VENDORS if word in lower), None),
    )


def _text_of(lines: Iterable[Line], facts: Iterable[Fact]) -> str:
    """The text of the lines, first the facts whose value stands apart from its label, each with it."""
    told = [f"{_CANONICAL[fact.kind]}: {fact.text}" for fact in facts if fact.kind in _CANONICAL]
    return "\n".join([*told, *(line.text for line in lines)])


def _dates(facts: Iterable[Fact], kind: Kind) -> list[PrintedDate]:
    return [parse_dates(fact.text)[0] for fact in facts if fact.kind == kind]


def _place_order(text: str) -> Order | None:
    """Month first in reports of the United States, day first elsewhere; None where both or neither shows."""
    american = _UNITED_STATES.search(text) is not None
    elsewhere = _DAY_FIRST_PLACES.search(text) is not None
    if american == elsewhere:
        return None
    return "MDY" if american else "DMY"
