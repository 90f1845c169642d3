"""Every stage's results for a tiny made study, made by the plain functions, without Prefect.

Ids that stand for the bytes of a file are replaced by the file's name: another compression library makes
other bytes of the same content, and that is no change of results.
"""

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from health_agents import data_science, domain_expert
from ingest import fitbit, labs, surveys
from outputs import dossier, editions, observation, participant_features, person_values, release
from outputs.digests import canonical_json, digest
from outputs.store import COHORT, Piece
from schemas.tables import TABLES
from synthetic.spec import Spec
from synthetic.study import make_study
from tasks.agents import insights_one, summary_one
from tasks.as_of import decide_as_of
from tasks.core import core_one
from tasks.ingest import ingest_one, ingest_surveys
from tasks.ledger import LedgerRow, keys_of, pieces_of
from tasks.order import Order
from tasks.population import dossier_batch, make_edition
from tasks.preflight import covered, make_order
from tasks.publish import release_content
from tasks.workspace import Workspace, survey_files

PARTICIPANTS, DAYS, SEED = 2, 16, 7
AGENT_STAGES = ("insights", "summaries", "release")

# Stage -> what its RESULT_VERSION stands in, and the stages whose results it is made of.
# The study itself has no version: where it is made differently, so are all results.
VERSIONED = {
    "study": (),
    "fitbit": (fitbit,),
    "labs": (labs,),
    "surveys": (surveys,),
    "core": (observation, person_values, participant_features),
    "edition": (editions,),
    "dossier": (dossier,),
    "insights": (data_science,),
    "summaries": (domain_expert,),
    "release": (release,),
}
MADE_OF = {
    "fitbit": ("study",),
    "labs": ("study",),
    "surveys": ("study",),
    "core": ("fitbit", "labs", "surveys"),
    "edition": ("core",),
    "dossier": ("edition",),
    "insights": ("dossier",),
    "summaries": ("insights",),
    "release": ("summaries",),
}

# They say when and where things ran.
_TIMED_TABLES = ("run_ledger", "model_calls")
_NOT_OF_THE_RESULT = ("isolation", "attention_id")


class Made(NamedTuple):
    """What a stage made: its tables as text, one line a row, and its documents by owner."""

    tables: Mapping[str, str]
    documents: Mapping[str, Any]


def make_results(folder: Path) -> dict[str, Made]:
    """stage -> what it makes of the tiny study, which is made below ``folder``."""
    make_study(folder, Spec(PARTICIPANTS, DAYS, SEED))
    order, workspace = make_order("full", str(folder / "study"), str(folder / "out"), None, None, None)
    order, rows = run_stages(order, workspace)
    names = names_of_files(workspace)
    pieces = pieces_of(workspace.store, keys_of(rows))
    stages = [stage for stage in VERSIONED if stage not in ("study", "release")]
    results = {"study": study_of(folder)}
    results |= {stage: _made(workspace, pieces, stage, names) for stage in stages}
    content = release_content(workspace, order, keys_of(rows), rows)
    frames = {name: frame.collect() for name, frame in content.tables.items() if name not in _TIMED_TABLES}
    return results | {"release": Made({name: as_text(frame, names) for name, frame in frames.items()}, {})}


def study_of(folder: Path) -> Made:
    """The truth of the made study, and what its files hold, packed or not."""
    truth = {path.stem: pl.read_parquet(path).write_ndjson() for path in (folder / "truth").glob("*.parquet")}
    contents: dict[str, str] = {}
    for path in sorted((folder / "study").rglob("*")):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                read = {name: digest(archive.read(name).hex()) for name in archive.namelist()}
            contents |= {f"{path.parent.name}/{name}": content for name, content in read.items()}
        elif path.suffix in (".csv", ".toml"):
            contents[path.name] = digest(path.read_text(encoding="utf-8"))
    return Made(truth, contents)


def run_stages(order: Order, workspace: Workspace) -> tuple[Order, list[LedgerRow]]:
    """All stages one after the other, as flows/cohort.py runs them."""
    ids = [person.participant_id for person in covered(workspace)]
    rows = [row for participant in ids for row in ingest_one(order, participant)]
    rows += ingest_surveys.fn(order)
    order = decide_as_of.fn(order, keys_of(rows))
    rows += [core_one(workspace, order, keys_of(rows), participant) for participant in ids]
    rows += make_edition.fn(order, keys_of(rows))
    rows += dossier_batch.fn(ids, order, keys_of(rows))
    rows += [row for participant in ids for row in insights_one(order, keys_of(rows), participant)]
    rows += [summary_one(workspace, order, keys_of(rows), participant) for participant in ids]
    return order, rows


def names_of_files(workspace: Workspace) -> dict[str, str]:
    """file_id, member_id or content digest -> what it stands for, in this study's plain names."""
    secret, study = workspace.study.secret, workspace.study
    owned: list[tuple[str | None, Any]] = [(None, file) for file in survey_files(workspace)]
    for person in study.participants:
        owner = person.participant_id
        owned += [
            (owner, file)
            for file in (*workspace.files("fitbit", owner, []), *workspace.files("labs", owner, []))
        ]
    names = {name: real for found in _private_names(workspace.out) for name, real in found.items()}
    for owner, file in owned:
        names[file.file_id(secret, owner)] = f"{owner or COHORT}/{file.relative}"
        names[file.content_digest(secret)] = f"content of {owner or COHORT}/{file.relative}"
    return names


def as_text(frame: pl.DataFrame, names: Mapping[str, str]) -> str:
    """A frame as JSON lines, its rows in the order of their text."""
    kept = frame.drop(_NOT_OF_THE_RESULT, strict=False)
    return "\n".join(sorted(with_names(kept.write_ndjson(), names).splitlines())) + "\n"


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text with the names of files in place of the ids that stand for their bytes."""
    return re.sub(r"\b[0-9a-f]{20}\b", lambda found: names.get(found[0], found[0]), text)


def digests_of(made: Made) -> dict[str, str]:
    """Table, or "documents", -> digest of what it says."""
    digests = {name: digest(text) for name, text in sorted(made.tables.items())}
    return digests | ({"documents": digest(made.documents)} if made.documents else {})


def versions_of(stage: str, made: Made) -> dict[str, str | int]:
    """All that a stage's key holds to say that its results changed: by hand, by schema or by its programs."""
    versions: dict[str, str | int] = {module.__name__: module.RESULT_VERSION for module in VERSIONED[stage]}
    versions |= {f"table {name}": TABLES[name].info.version for name in sorted(made.tables)}
    if stage == "insights":
        versions["programs"] = data_science.library_digest()
    if stage == "summaries":
        versions["prompts"] = domain_expert.prompt_digest()
    return versions


def _made(workspace: Workspace, pieces: Sequence[Piece], stage: str, names: Mapping[str, str]) -> Made:
    own = [piece for piece in pieces if piece.stage == stage]
    tables = {
        name: as_text(workspace.store.scan(own, name).collect(), names)
        for name in sorted({name for piece in own for name in piece.tables} - set(_TIMED_TABLES))
    }
    documents = canonical_json({piece.owner: _told(piece) for piece in own})
    return Made(tables, json.loads(with_names(documents, names)))


def _told(piece: Piece) -> Mapping[str, Any]:
    return {"failed": piece.what} if piece.state == "failed" else piece.document


def _private_names(out: Path) -> Iterator[dict[str, str]]:
    for path in sorted((out / "private").rglob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))
