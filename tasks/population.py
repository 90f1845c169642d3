"""Stages edition and dossier: the cohort's percentiles, and what they and the rules say of each one."""

from datetime import date
from functools import partial
from pathlib import Path

import polars as pl

from outputs import dossier, percentiles, reference
from outputs.digests import digest, file_sha256
from outputs.frame_digest import frame_digest
from outputs.ranks import ranks
from outputs.store import COHORT, Piece, Result
from tasks.core import piece_of
from tasks.keys import SCHEMA_VERSIONS
from tasks.ledger import Keys, LedgerRow, work
from tasks.order import Order, as_of_of, is_in, workspace_of
from tasks.prefect_task import pha_task
from tasks.workspace import Workspace, counts_in_population


@pha_task("edition")
def make_edition(order: Order, keys: Keys) -> list[LedgerRow]:
    """The edition of percentiles in force: kept by its name, made by the first run that needs it.

    Where participants are still pending the edition is a partial one, named by its values, so that it
    never stands in for the month's.
    """
    workspace = workspace_of(order)
    settings = workspace.study.settings
    values = population_values(workspace, keys)
    if _pending(workspace, keys):
        name = f"partial-{frame_digest(values)[:8]}"
    else:
        refresh, kept = settings.percentiles.refresh, newest_edition(workspace)
        name = percentiles.edition_in_force(as_of_of(order), refresh, kept)
    key = digest(
        "edition",
        percentiles.RESULT_VERSION,
        SCHEMA_VERSIONS,
        name,
        settings.strata,
        reference_digest(workspace),
    )
    make = partial(edition_with_reference, workspace, values, name)
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
    )
    make = partial(make_dossier, workspace, core, edition, as_of_of(order))
    allowed = is_in(order, participant_id)
    return work(workspace.store, "dossier", participant_id, key, make if allowed else None)


def make_dossier(workspace: Workspace, core: Piece, edition: Piece, as_of: date) -> Result:
    """Ranks, findings and facts of one participant from the core piece and the edition."""
    tables = {name: workspace.store.scan([core], name).collect() for name in core.tables}
    path = reference_path(workspace)
    ranked = ranks(
        tables["person_values"],
        workspace.store.scan([edition], "person_values").collect(),
        read_reference(workspace),
        str(edition.document["edition"]),
        reference.reference_edition(path) if path else None,
    )
    return dossier.make_dossier(tables, ranked, as_of, workspace.study.settings)


def population_values(workspace: Workspace, keys: Keys) -> pl.DataFrame:
    """Values of everybody who counts in the population."""
    pieces = [
        piece
        for person in workspace.study.participants
        if counts_in_population(person)
        and (piece := piece_of(workspace, keys, "core", person.participant_id)) is not None
    ]
    return workspace.store.scan(pieces, "person_values").collect()


def edition_with_reference(workspace: Workspace, values: pl.DataFrame, name: str) -> Result:
    """The cohort's edition and, where the study names one, the percentiles of its reference population."""
    edition = percentiles.make_edition(values, workspace.study.settings, name)
    path, people = reference_path(workspace), read_reference(workspace)
    if path is None or people is None:
        return edition
    of_reference = percentiles.population_percentiles(people.lazy(), reference.reference_edition(path))
    both = pl.concat([edition.tables["population_percentiles"].lazy(), of_reference])
    return Result({**edition.tables, "population_percentiles": both}, edition.document)


def newest_edition(workspace: Workspace) -> str | None:
    """Name of the newest edition in the store, partial ones left out."""
    folder = workspace.store.root / "edition" / COHORT
    pieces = (workspace.store.find("edition", COHORT, path.stem) for path in sorted(folder.glob("*.json")))
    names = {
        str(piece.document.get("edition")) for piece in pieces if piece is not None and piece.state == "done"
    }
    return max((name for name in names if not name.startswith("partial-")), default=None)


def reference_path(workspace: Workspace) -> Path | None:
    """The reference population's file, beside study.toml."""
    name = workspace.study.settings.percentiles.reference
    return workspace.study.root / name if name else None


def reference_digest(workspace: Workspace) -> str | None:
    """sha256 of the reference population, or None where the study names none."""
    path = reference_path(workspace)
    return file_sha256(path) if path else None


def read_reference(workspace: Workspace) -> pl.DataFrame | None:
    """The reference population in long form, or None."""
    path = reference_path(workspace)
    return reference.read_reference(path) if path else None


def _pending(workspace: Workspace, keys: Keys) -> bool:
    made = keys.get("core", {})
    return any(
        counts_in_population(person) and person.participant_id not in made
        for person in workspace.study.participants
    )
