"""The analytes we know: printed name, unit dimension and specimen together choose one, never the name alone.

Codes are from LOINC (http://loinc.org), copyright Regenstrief Institute, Inc. and the LOINC Committee,
available at no cost under the licence at http://loinc.org/license.
"""

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files

from ingest.labs.units import Unit, fitted, in_canonical, units

_URINE = re.compile(r"\b(urine|urinalysis|ur|ua|u|urin|urinstatus|urines|orina)\b")
_ELSEWHERE = re.compile(
    r"\b(saliva|salivary|csf|cerebrospinal|stool|fa?ecal|fa?eces|stuhl|sweat|hair|semen|"
    r"(synovial|pleural|ascitic|body|amniotic) fluid|(dried )?blood spot)\b"
)
_PARENTHESIS = re.compile(r"\s*\(([^()]*)\)")
MAX_NAME = 200
PLURAL = 4
# Words that make another measurement of a name, also where we do not know that one.
_QUALIFIERS = frozenset(
    {
        *("free", "direct", "indirect", "total", "bioavailable", "ratio", "ionized", "ionised", "absolute"),
        *("percent", "fraction", "saturation", "index", "antibody", "antibodies", "adjusted", "corrected"),
        *("conjugated", "unconjugated", "calculated", "clearance", "excretion", "24h", "timed", "frei"),
    }
)
_METHODS = frozenset(
    {
        *("ckd", "epi", "2021", "2009", "mdrd", "ifcc", "ngsp", "dcct", "enzymatic", "jaffe", "westergren"),
        *("hplc", "ise", "automated", "edta", "method"),
    }
)
_SERUM = frozenset({"serum", "plasma", "level"})
# The system before the name in Nordic reports: blood, plasma, serum, urine, patient; f is fasting.
# Short and British forms of words.
_SAME_WORD = {
    **dict.fromkeys(("hgb", "haemoglobin", "hb"), "hemoglobin"),
    **dict.fromkeys(("hct", "haematocrit"), "hematocrit"),
    "avg": "average",
    "est": "estimated",
    "abs": "absolute",
    "chol": "cholesterol",
    "vit": "vitamin",
    "leucocyte": "leukocyte",
    "oestradiol": "estradiol",
    "calc": "calculated",
    "creat": "creatinine",
    "lymph": "lymphocyte",
    "mono": "monocyte",
    "eos": "eosinophil",
    "baso": "basophil",
    "neut": "neutrophil",
    "plt": "platelet",
    "alk": "alkaline",
    "bili": "bilirubin",
    "lvl": "level",
}
_SYSTEM = re.compile(r"^(?P<system>f?[BPSU]|[dt]U|Pt|Erc|L)\s?[-–]\s?(?=[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Analyte:
    """An analyte and its canonical unit; ``other`` = canonical x factor + offset, with a code of its own."""

    key: str
    loinc: str | None
    other_loinc: str | None
    specimen: str
    unit: str
    other_unit: str
    factor: Decimal
    offset: Decimal
    mmol_per_meq: Decimal | None
    plausible_low: Decimal
    plausible_high: Decimal

    def is_plausible(self, amount: Decimal) -> bool:
        """Whether an amount in the canonical unit can be a living person's."""
        return self.plausible_low <= amount <= self.plausible_high

    def code_for(self, unit: Unit | None) -> str | None:
        """The LOINC code for a printed unit; None where we have no checked code for its dimension."""
        canonical = units()[self.unit].dimension
        if unit is None or unit.dimension in (canonical, "equivalents"):
            return self.loinc
        return self.other_loinc


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a printed name and unit were taken for; ``reason`` says why there is no analyte."""

    analyte: Analyte | None
    unit: Unit | None
    reason: str | None = None


def recognise(raw_name: str, panel: str | None, unit: Unit | None) -> Recognised:
    """The analyte of a printed row; none is better than a likely one."""
    specimen = specimen_of(f"{raw_name} {panel or ''}")
    named = _measured_in(specimen, _named(raw_name))
    if not named or specimen == "other":
        return Recognised(None, unit, "analyte_unknown")
    if unit is None:
        return _without_unit(named)
    if unit.ucum == "mL/min" and "1.73" in raw_name:
        unit = units()["mL/min/{1.73_m2}"]
    fitting = [a for a in named if in_canonical(Decimal(1), fitted(unit, a), a) is not None]
    own = [a for a in fitting if units()[a.unit].dimension == fitted(unit, a).dimension] or fitting
    if len(own) != 1:
        return Recognised(None, unit, "analyte_ambiguous" if own else "unit_not_for_analyte")
    return Recognised(own[0], fitted(unit, own[0]))


def known_names() -> list[str]:
    """All normalised names of all analytes."""
    return list(_by_name())


def is_known_name(raw_name: str) -> bool:
    """Whether a printed name is one of an analyte we know, whatever the unit."""
    return bool(_named(raw_name))


def _measured_in(specimen: str | None, named: Sequence[Analyte]) -> list[Analyte]:
    """Those of the specimen; a name that only urine has (``ACR``) needs no title that says so."""
    own = [a for a in named if (a.specimen == "urine") == (specimen == "urine")]
    return own or [a for a in named if specimen is None and all(n.specimen == "urine" for n in named)]


def fits(raw_name: str, unit: Unit | None) -> frozenset[str] | None:
    """Keys of the analytes of that name which are measured in the unit (without one: all); None if none."""
    keys = {
        a.key
        for a in _named(raw_name)
        if unit is None or in_canonical(Decimal(1), fitted(unit, a), a) is not None
    }
    return frozenset(keys) or None


def names_longer(raw_name: str) -> frozenset[str]:
    """Words that would make another known name of this one: ``free`` and ``total`` of ``Testosterone``."""
    own = words_of(raw_name)
    longer = (set(name.split()) for name in _by_name())
    more = {word for words in longer if own < words for word in words - own}
    return frozenset(({_same_word(word) for word in _QUALIFIERS} | more) - own)


def words_of(text: str) -> set[str]:
    """The words of a printed name in the form in which names are compared."""
    return set(_folded(text).split())


def specimen_of(text: str) -> str | None:
    """``urine``, or ``other`` for what is neither blood nor urine, where a name or panel says so.

    Otherwise the analyte's own specimen holds. A serum code is never given to saliva or a dried blood spot.
    """
    name = normalised_name(text)
    if _ELSEWHERE.search(name):
        return "other"
    return "urine" if _URINE.search(name) else None


def normalised_name(text: str) -> str:
    """One spelling of a printed name: no case, no punctuation between words, ordinary forms of letters."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("−", "-")
    return re.sub(r"[\s,;:.*_]+", " ", text).strip()


@cache
def analytes() -> tuple[Analyte, ...]:
    """All analytes, in the order of the file."""
    return tuple(analyte for analyte, _ in _table())


def _without_unit(named: list[Analyte]) -> Recognised:
    if len(named) == 1 and named[0].unit == "1":
        return Recognised(named[0], units()["1"])
    return Recognised(named[0] if len(named) == 1 else None, None, "unit_missing")


@lru_cache(4096)
def _named(raw_name: str) -> tuple[Analyte, ...]:
    """Analytes of that name, or of what stands behind the letters of a system (``P-Sodium``)."""
    if len(raw_name) > MAX_NAME:
        return ()
    bare = _SYSTEM.sub("", raw_name.strip())
    return _as_printed(raw_name) or _as_printed(bare) or _without_method(bare)


def _without_method(name: str) -> tuple[Analyte, ...]:
    """Analytes of a name beside which the method stands, which is not part of what is measured."""
    words = re.findall(r"[^\s()\[\],-]+", _folded(name))
    kept = [word for word in words if word not in _METHODS]
    return _same_words(" ".join(kept)) if 0 < len(kept) < len(words) else ()


def _as_printed(raw_name: str) -> tuple[Analyte, ...]:
    """Analytes of that name; of two names, one in a bracket or behind a slash, those that both mean."""
    brackets = _PARENTHESIS.findall(raw_name)
    if whole := _same_words(raw_name):
        return whole
    if not brackets:
        first, slash, second = raw_name.partition("/")
        also = _same_words(second) if slash else ()
        return tuple(a for a in _same_words(first) if a in also)
    outer = _same_words(_PARENTHESIS.sub(" ", raw_name))
    inner = [a for bracket in brackets for a in _same_words(bracket)]
    return tuple(a for a in outer if a in inner)


def _same_words(name: str) -> tuple[Analyte, ...]:
    """By name; else by its words in any order; else, of what is measured in serum, without that word.

    The spelling counts first: ``LDL-CHOLESTEROL`` is calculated, of ``LDL Cholesterol`` no method is known.
    """
    folded = _folded(name)
    found = _by_spelling().get(normalised_name(name)) or _by_words().get(_words(folded))
    if found:
        return tuple(found)
    rest = " ".join(word for word in folded.split() if word not in _SERUM)
    if rest == folded:
        return ()
    return tuple(a for a in _by_words().get(_words(rest), []) if a.specimen == "serum")


def _folded(name: str) -> str:
    """The key of a printed name: hyphens and blanks are one, a slash or bracket has none around it."""
    text = normalised_name(name).replace("-", " ")
    text = re.sub(r"[^\W\d_]+", lambda word: _same_word(word[0]), text)
    return re.sub(r"\s+", " ", re.sub(r"\s*([/()])\s*", r"\1", text)).strip()


def _same_word(word: str) -> str:
    """One form of a word: in the singular, and not shortened."""
    singular = word[:-1] if len(word) > PLURAL and word.endswith("s") else word
    return _SAME_WORD.get(singular, singular)


def _words(folded: str) -> str:
    return " ".join(sorted(folded.split()))


@cache
def _by_spelling() -> dict[str, list[Analyte]]:
    names: dict[str, list[Analyte]] = defaultdict(list)
    for analyte, synonyms in _table():
        for name in dict.fromkeys(normalised_name(synonym) for synonym in synonyms):
            names[name].append(analyte)
    return names


@cache
def _by_name() -> dict[str, list[Analyte]]:
    names: dict[str, list[Analyte]] = defaultdict(list)
    for analyte, synonyms in _table():
        for name in dict.fromkeys(_folded(synonym) for synonym in synonyms):
            names[name].append(analyte)
    return names


@cache
def _by_words() -> dict[str, list[Analyte]]:
    names: dict[str, list[Analyte]] = defaultdict(list)
    for name, found in _by_name().items():
        names[_words(name)] += [a for a in found if a not in names[_words(name)]]
    return names


@cache
def _table() -> list[tuple[Analyte, list[str]]]:
    text = files("ingest.labs").joinpath("analytes.csv").read_text(encoding="utf-8")
    return [(_analyte(row), row["synonyms"].split("|")) for row in csv.DictReader(text.splitlines())]


def _analyte(row: dict[str, str]) -> Analyte:
    return Analyte(
        key=row["analyte_key"],
        loinc=row["loinc"] or None,
        other_loinc=row["other_loinc"] or None,
        specimen=row["specimen"],
        unit=row["unit"],
        other_unit=row["other_unit"],
        factor=Decimal(row["factor"]),
        offset=Decimal(row["offset"]),
        mmol_per_meq=Decimal(row["mmol_per_meq"]) if row["mmol_per_meq"] else None,
        plausible_low=Decimal(row["plausible_low"]),
        plausible_high=Decimal(row["plausible_high"]),
    )
