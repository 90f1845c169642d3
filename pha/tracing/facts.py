"""The fact that is meant: by its id, by a part of it, by its name or by a number as it is shown."""

from typing import Any

import polars as pl

from pha.release_reader import Release
from schemas.errors import PhaError

_MOST_LISTED = 12


def find_fact(release: Release, participant_id: str, wanted: str) -> dict[str, Any]:
    """The row of ``facts`` that ``wanted`` names.

    Raises participant_unknown, and fact_unknown or fact_several with the ids that come near.
    """
    facts = _facts(release, participant_id)
    for meaning in _meanings(wanted):
        found = facts.filter(meaning)
        if found.height == 1:
            return found.row(0, named=True)
        if found.height > 1:
            raise PhaError("fact_several", count=found.height, ids=_listed(found))
    raise PhaError("fact_unknown", ids=_listed(facts))


def whole_dossier(release: Release, participant_id: str) -> dict[str, Any]:
    """All that may be said of a participant, as plain values: facts in order of their id, and findings.

    Raises participant_unknown, release_without_facts.
    """
    facts = _facts(release, participant_id)
    own = pl.col("participant_id") == participant_id
    findings = release.scan("findings").filter(own).sort("rule_id", "subject").collect()
    return {
        "release": release.path.name,
        "participant_id": participant_id,
        "edition": release.edition,
        "facts": facts.drop("participant_id").to_dicts(),
        "findings": findings.drop("participant_id").to_dicts(),
    }


def _facts(release: Release, participant_id: str) -> pl.DataFrame:
    if release.kind != "full":
        raise PhaError("release_without_facts")
    own = pl.col("participant_id") == participant_id
    if release.scan("participants").filter(own).select(pl.len()).collect().item() == 0:
        raise PhaError("participant_unknown", id=participant_id)
    return release.scan("facts").filter(own).sort("fact_id").collect()


def _meanings(wanted: str) -> list[pl.Expr]:
    """Ways to name a fact, the surest first; each is asked only where the one before finds nothing."""
    name = wanted.strip()
    low = name.lower()
    fact_id, rendered = pl.col("fact_id"), pl.col("rendered").str.to_lowercase()
    number = low.replace(",", "")
    as_number = rendered.str.replace_all(",", "").str.split(" ").list.first()
    return [
        fact_id == name,
        fact_id.str.contains(low, literal=True),
        pl.col("label").str.to_lowercase().str.contains(low, literal=True),
        (rendered == low) | (as_number == number),
        rendered.str.contains(low, literal=True),
    ]


def _listed(facts: pl.DataFrame) -> str:
    """Ids, one a line; of many one of each kind, so that the list shows what there is to ask for."""
    ids = facts["fact_id"].sort().to_list()
    if len(ids) > _MOST_LISTED:
        ids = [ids[len(ids) * n // _MOST_LISTED] for n in range(_MOST_LISTED)] + [f"... of {len(ids)}"]
    return "\n  ".join(ids)
