"""Whose an export is: what the account says of itself against what the study has registered.

Names and birth dates are compared in memory; only a verdict and the names of differing fields leave here.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ingest.source_file import SourceFile
from schemas.participant import Participant

# Smaller files (headers, empty lists, "no data") are equal among strangers.
SMALLEST_TELLING_BYTES = 200
_BADNESS = ("matched", "accepted", "unchecked", "identity_mismatch")
# Nor does a merged file of a research service, which says in each row whose it is.
_EQUAL_AMONG_STRANGERS = re.compile(r"readme|archive_browser|_merged[^/]*\.csv$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Person:
    """What a document says of the person it belongs to; None where it is silent."""

    name: str | None = None
    birth_date: date | None = None
    gender: str | None = None

    def __repr__(self) -> str:
        """Nothing of the person may reach a log."""
        return "Person()"


@dataclass(frozen=True, slots=True)
class Verdict:
    """``differing``: names of the fields that differ, never their values. accepted: by people's decision."""

    outcome: Literal["matched", "accepted", "unchecked", "identity_mismatch"]
    differing: tuple[str, ...] = ()


def compare(person: Person | None, participant: Participant) -> Verdict:
    """Compare what both sides have. A name or a whole birth date must agree for ``matched``.

    Gender or a birth year alone can contradict, but not prove, who somebody is.
    """
    if person is None:
        return Verdict("unchecked")
    agrees = {
        "name": _both(_name_key(person.name), _name_key(participant.name)),
        "birth date": _birth_agrees(person.birth_date, participant),
        "gender": _gender_agrees(person.gender, participant),
    }
    differing = tuple(name for name, same in agrees.items() if same is False)
    if differing:
        return Verdict("identity_mismatch", differing)
    whole_birth_date = agrees["birth date"] and participant.birth_date is not None
    return Verdict("matched" if agrees["name"] or whole_birth_date else "unchecked")


def contradiction(one: Person, other: Person) -> tuple[str, ...]:
    """Names of the fields by which two profiles can't be of one person."""
    agrees = {
        "name": _both(_name_key(one.name), _name_key(other.name)),
        "birth date": _both(one.birth_date, other.birth_date),
    }
    return tuple(name for name, same in agrees.items() if same is False)


def worse(one: Verdict, other: Verdict) -> Verdict:
    """Of two verdicts on parts of one file the one that stands for it."""
    return max(one, other, key=lambda verdict: _BADNESS.index(verdict.outcome))


def shared_files(files_by_participant: Mapping[str, Sequence[SourceFile]]) -> set[tuple[str, str]]:
    """(participant_id, sha256) of files with equal bytes in the folders of two or more participants."""
    owners: dict[str, set[str]] = defaultdict(set)
    for participant_id, files in files_by_participant.items():
        for file in files:
            if file.size >= SMALLEST_TELLING_BYTES and not _EQUAL_AMONG_STRANGERS.search(file.relative):
                owners[file.sha256].add(participant_id)
    return {(owner, sha256) for sha256, people in owners.items() if len(people) > 1 for owner in people}


def _both(one: object, other: object) -> bool | None:
    return None if not one or not other else one == other


def _name_key(name: str | None) -> tuple[str, ...]:
    """Parts of a name without case, accents, punctuation and order."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name or "") if not unicodedata.combining(c))
    return tuple(sorted(re.findall(r"\w+", plain.casefold())))


def _birth_agrees(birth_date: date | None, participant: Participant) -> bool | None:
    if birth_date is None:
        return None
    if participant.birth_date is None:
        return birth_date.year == participant.birth_year
    return birth_date == participant.birth_date


def _gender_agrees(gender: str | None, participant: Participant) -> bool | None:
    stated = {participant.sex, (participant.gender or "").lower()} & {"female", "male"}
    return None if gender is None or not stated else gender in stated
