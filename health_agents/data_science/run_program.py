"""One program on one participant of a release: what ``pha sandbox`` calls."""

import ast
from pathlib import Path

import polars as pl

from health_agents.data_science.frames import FRAMES, program_frames
from health_agents.sandbox import Outcome, open_sandbox
from schemas.errors import PhaError
from schemas.participants import Participants
from schemas.population_percentiles import PopulationPercentiles
from schemas.table import Table, empty


def run_program(program: Path, release: Path, participant_id: str) -> Outcome:
    """Run a program file that defines ``analysis(...)`` on the rows of one participant.

    release: folder of a published release. Raises program_invalid, release_missing, participant_unknown and,
    without bubblewrap, sandbox_missing.
    """
    text = _program_text(program)
    tables = release / "tables"
    if not (tables / f"{Participants.info.name}.parquet").is_file():
        raise PhaError("release_missing")
    own = {
        table.info.name: _rows(tables, table, participant_id)
        for table in FRAMES.values()
        if table is not PopulationPercentiles
    }
    if own[Participants.info.name].is_empty():
        raise PhaError("participant_unknown", id=participant_id, hint=" of this release")
    frames = program_frames(own, _rows(tables, PopulationPercentiles))
    with open_sandbox() as sandbox:
        return sandbox.run(text, frames)


def _program_text(program: Path) -> str:
    try:
        text = program.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise PhaError("program_invalid") from error
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return text  # the sandbox tells its line
    if not any("analysis" in _names(statement) for statement in body):
        raise PhaError("program_invalid")
    return text


def _names(statement: ast.stmt) -> list[str]:
    """What a statement at the top of a program may bind."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _rows(tables: Path, table: type[Table], participant_id: str | None = None) -> pl.DataFrame:
    path = tables / f"{table.info.name}.parquet"
    if not path.is_file():
        return empty(table)
    rows = pl.scan_parquet(path)
    if participant_id is not None:
        rows = rows.filter(pl.col("participant_id") == participant_id)
    return rows.collect()
