"""Stages edition and dossier: the cohort's percentiles, and what they and the rules say of each one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from pathlib import Path

import polars as pl

from outputs import dossier, editions, percentiles, person_values, reference
from outputs.digests import digest
from outputs.facts.since import Earlier
from outputs.frame_digest import frame_digest
from outputs.ranks import ranks
from outputs.release_folder import releases_before
from outputs.release_tables import scan
from outputs.store import COHORT, Piece, Result
from schemas.errors import PhaError
from schemas.shared_values import SharedValues
from schemas.table import key_of
from tasks.core import piece_of
from tasks.keys import SCHEMA_VERSIONS
from tasks.ledger import Keys, LedgerRow, not_due, work
from tasks.order import Order, as_of_of, is_in, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import Workspace, counts_in_population

# Days of so many people are held at a time while percentiles over days are made.
PIECES_AT_ONCE = 500


@pha_task("edition")
def make_edition(order: Order, keys: Keys) -> list[LedgerRow]:
    """The edition of percentiles in force: kept by its name, made by the first run that needs it.

    Where participants are still pending the edition is a partial one, named by its values, so that it
    never stands in for the month's.
    """
    workspace = workspace_of(order)
    settings = workspace.study.settings
    pieces, peers = population_pieces(workspace, keys), reference_of(workspace)
    values = workspace.store.scan(pieces, "person_values").collect()
    if _pending(workspace, keys):
        name = f"{editions.PARTIAL}{frame_digest(values)[:8]}"
    else:
        refresh, kept = settings.percentiles.refresh, newest_edition(workspace)
        name = editions.edition_in_force(as_of_of(order), refresh, kept)
    key = digest(
        "edition",
        editions.RESULT_VERSION,
        person_values.RESULT_VERSION,
        SCHEMA_VERSIONS,
        name,
        settings.strata,
        peers.edition if peers else None,
    )
    starts = range(0, len(pieces), PIECES_AT_ONCE)
    parts = [
        workspace.store.scan(pieces[start : start + PIECES_AT_ONCE], "daily_summary") for start in starts
    ]
    make = partial(edition_with_reference, workspace, values, parts, name)
    return [work(workspace.store, "edition", COHORT, key, make)]


@pha_task("dossier", retries=1)
def dossier_batch(ids: list[str], order: Order, keys: Keys) -> list[LedgerRow]:
    """Ranks, findings and facts of a batch of participants."""
    workspace = workspace_of(order)
    edition = piece_of(workspace, keys, "edition", COHORT)
    return [_dossier_one(workspace, order, keys, participant_id, edition) for participant_id in ids]


def _dossier_one(
    workspace: Workspace, order: Order, keys: Keys, participant_id: str, edition: Piece | None
) -> LedgerRow:
    if not counts_in_population(workspace.study.participant(participant_id)):
        return not_due("dossier", participant_id)
    core = piece_of(workspace, keys, "core", participant_id)
    if core is None or edition is None or core.state == "failed" or edition.state == "failed":
        return work(workspace.store, "dossier", participant_id, "", None)
    settings = workspace.study.settings
    key = digest(
        "dossier",
        dossier.RESULT_VERSION,
        SCHEMA_VERSIONS,
        core.result_digest,
        edition.result_digest,
        as_of_of(order),
        settings.windows,
        settings.privacy,
        settings.alerts.critical,
        settings.findings,
        [release.name for release in releases_before(workspace.out, "full", as_of_of(order))],
    )
    make = partial(make_dossier, workspace, core, edition, as_of_of(order))
    allowed = is_in(order, participant_id)
    return work(workspace.store, "dossier", participant_id, key, make if allowed else None)


def make_dossier(workspace: Workspace, core: Piece, edition: Piece, as_of: date) -> Result:
    """Ranks, findings and facts of one participant from the core piece and the edition."""
    tables = {name: workspace.store.scan([core], name).collect() for name in core.tables}
    peers = reference_of(workspace)
    ranked = ranks(
        tables["person_values"],
        workspace.store.scan([edition], "person_values").collect(),
        peers.people if peers else None,
        str(edition.document["edition"]),
        peers.edition if peers else None,
    )
    shareable = workspace.store.scan([edition], "shareable_percentiles").collect()
    settings = workspace.study.settings
    return dossier.make_dossier(
        tables, ranked, shareable, as_of, settings, earlier_releases(workspace.out, core.owner, as_of)
    )


def earlier_releases(out: Path, participant_id: str, as_of: date) -> Iterator[Earlier]:
    """The participant in the full releases before a day, the newest first; releases without them left out."""
    own = pl.col("participant_id") == participant_id
    for release in releases_before(out, "full", as_of):
        person = scan(release, "participants").filter(own).select("data_through").collect()
        if not person.is_empty():
            facts = scan(release, "facts").filter(own).select("fact_id", "value_text", "rendered")
            yield Earlier(facts.collect(), person["data_through"].item())


def population_pieces(workspace: Workspace, keys: Keys) -> list[Piece]:
    """Core pieces of everybody who counts in the population."""
    return [
        piece
        for person in workspace.study.participants
        if counts_in_population(person)
        and (piece := piece_of(workspace, keys, "core", person.participant_id)) is not None
    ]


def edition_with_reference(
    workspace: Workspace, values: pl.DataFrame, daily: Sequence[pl.LazyFrame], name: str
) -> Result:
    """The cohort's edition and, where the study names one, the percentiles of its reference population."""
    edition = editions.make_edition(values, daily, workspace.study.settings, name, shared_so_far(workspace))
    peers = reference_of(workspace)
    if peers is None:
        return edition
    of_reference = percentiles.population_percentiles(peers.people.lazy(), peers.edition)
    both = pl.concat([edition.tables["population_percentiles"].lazy(), of_reference])
    return Result({**edition.tables, "population_percentiles": both}, edition.document)


def shared_so_far(workspace: Workspace) -> pl.DataFrame:
    """shared_values of every edition in the store: what was ever given out to be passed on."""
    shared = workspace.store.scan(_editions_made(workspace), "shared_values")
    return shared.unique(key_of(SharedValues)).sort(key_of(SharedValues)).collect()


def newest_edition(workspace: Workspace) -> str | None:
    """Name of the newest edition in the store, partial ones left out."""
    names = {str(piece.document.get("edition")) for piece in _editions_made(workspace)}
    return max((name for name in names if not name.startswith(editions.PARTIAL)), default=None)


def _editions_made(workspace: Workspace) -> list[Piece]:
    folder = workspace.store.root / "edition" / COHORT
    pieces = (workspace.store.find("edition", COHORT, path.stem) for path in sorted(folder.glob("*.json")))
    return [piece for piece in pieces if piece is not None and piece.state == "done"]


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference population: the name of its edition and its people in long form."""

    edition: str
    people: pl.DataFrame


def reference_of(workspace: Workspace) -> Reference | None:
    """The reference population that the study names; PhaError reference_invalid where it cannot be read."""
    name = workspace.study.settings.percentiles.reference
    if not name:
        return None
    path = workspace.study.root / name
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise PhaError("reference_invalid", problem="the file is missing") from error
    return _read_reference(path, changed)


@lru_cache(maxsize=1)
def _read_reference(path: Path, _changed: int) -> Reference:
    return Reference(reference.reference_edition(path), reference.read_reference(path))


def _pending(workspace: Workspace, keys: Keys) -> bool:
    made = keys.get("core", {})
    return any(
        counts_in_population(person) and person.participant_id not in made
        for person in workspace.study.participants
    )
