"""Names of people: compared regardless of order, case, accents, titles and initials."""

import re
import unicodedata
from functools import cache

from ingest.labs.analytes import known_names

_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "jr", "sr", "fictional"})
_PANELS = frozenset(
    {
        *("basic", "blood", "complete", "comprehensive", "count", "function", "health", "hepatic"),
        *("includes", "laboratory", "lipid", "liver", "metabolic", "panel", "profile", "reflex"),
        *("renal", "report", "standard", "test", "thyroid", "urine", "with"),
        *("auto", "automated", "chemistry", "coagulation", "culture", "differential", "dipstick", "fasting"),
        *("haematology", "hematology", "immunology", "macroscopic", "manual", "microscopic", "microscopy"),
        *("random", "screen", "serology", "studies", "study", "urinalysis"),
    }
)


def same_person_name(one: str, other: str) -> bool:
    """True where two names agree regardless of order, case, accents, titles and initials.

    Either may have more given names than the other, but at least two whole names must be shared, or the
    one there is. The same letters in the same order are one name wherever its gap stands: a scan shifts gaps.
    """
    first, second = name_tokens(one), name_tokens(other)
    if first and "".join(_words(one)) == "".join(_words(other)):
        return True
    smaller, larger = sorted((first, second), key=len)
    return bool(smaller) and smaller <= larger and (len(smaller) >= 2 or len(larger) == 1)


def name_tokens(name: str) -> set[str]:
    """The whole names in a name, folded: no initials, titles or accents."""
    return {word for word in _words(name) if len(word) > 1}


def _words(name: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    return [word for word in re.findall(r"[^\W\d_]+", letters) if word not in _TITLES]


def may_be_a_person(text: str) -> bool:
    """False where all words are of tests and panels: ``CHOLESTEROL, TOTAL`` is written like ``DOE, JANE``."""
    return not name_tokens(text) <= (_PANELS | _test_words())


@cache
def _test_words() -> frozenset[str]:
    return frozenset(token for name in known_names() for token in name_tokens(name) if len(token) > 2)
