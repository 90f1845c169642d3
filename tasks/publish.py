"""The last stage: all pieces of a run become a release, and the board shows it."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import polars as pl

from health_agents.model import calls_of_run
from outputs import attention, metrics
from outputs.board_state import Held, read_board_tables
from outputs.decisions import decisions_digest, sign, told_decisions
from outputs.digests import digest
from outputs.findings.seen import with_seen
from outputs.matters import AttentionInputs
from outputs.observation import MINUTE_TABLES, Ingested, observe
from outputs.problem import why_held
from outputs.release import Published, ReleaseContent, publish
from outputs.release_folder import newest
from outputs.release_tables import names_of, scan
from outputs.reports.write import write_reports
from outputs.stage_problems import StageProblem, problems_of
from outputs.store import COHORT, Piece
from schemas.errors import PhaError
from schemas.table import conform, empty, key_of
from schemas.tables import TABLES
from tasks.artifacts import show_release
from tasks.board import ATTENTION_TABLES, alerts_of, show_end, shown_folder, started
from tasks.decided_readings import lost_decisions
from tasks.ledger import Keys, LedgerRow, keys_of, pieces_of
from tasks.made_by import made_by
from tasks.order import Order, as_of_of, workspace_of
from tasks.prefect_task import pha_task
from tasks.preflight import covered
from tasks.workspace import Workspace, answers_of, folder_problems

# Settings that decide what a run may cost and who keeps it, but nothing of what it says.
_NO_PART = {"budget": True, "retention": True, "access": True, "model": {"batch"}}


class Outcome(TypedDict):
    """What a run came to: plain values for the command, for --json and for Prefect."""

    kind: str
    as_of: str
    release: str
    existing: bool
    board: str
    reports: str | None
    worked: int
    reused: int
    failed: int
    pending: int
    attention: int
    new_attention: bool


@pha_task("publish")
def publish_release(order: Order, rows: list[LedgerRow]) -> Outcome:
    """Publish a release of all that the rows lead to; PhaError release_held where a check stops it."""
    workspace = workspace_of(order)
    keys = keys_of(rows)
    shown = read_board_tables(shown_folder(workspace)).attention
    content = release_content(workspace, order, keys, rows)
    write_pages = partial(write_reports, settings=workspace.study.settings, results_to=results_to(workspace))
    made = publish(workspace.out, content, write_pages, datetime.now(UTC))
    if made.held:
        raise _held(workspace, order, rows, made)
    show_end(workspace, started(order), rows)
    show_release(made.path)
    return _outcome(workspace, order, rows, made, shown)


def release_content(workspace: Workspace, order: Order, keys: Keys, rows: list[LedgerRow]) -> ReleaseContent:
    """Everything a release is made of."""
    as_of, settings = as_of_of(order), workspace.study.settings
    pieces = pieces_of(workspace.store, keys)
    decisions = workspace.decisions
    before = newest(workspace.out, order["kind"], before=as_of)
    previous = scan(before, "attention").collect() if before else None
    tables = _piece_tables(workspace, pieces)
    tables["participants"] = pl.concat([tables["participants"], unread_people(workspace, pieces, as_of)])
    tables["summaries"] = sign(tables["summaries"], decisions)
    tables["findings"] = with_seen(tables["findings"], scan(before, "findings") if before else None)
    tables["metrics"] = metrics.metrics_table().lazy()
    tables["run_ledger"] = ledger_table(rows)
    tables["model_calls"] = with_unfinished(tables["model_calls"], workspace, order, rows)
    folders = [*folder_problems(workspace), *lost_decisions(workspace)]
    people = [person.participant_id for person in workspace.study.participants]
    inputs = attention_inputs(workspace, pieces, [*problems_of(pieces), *folders], tables)
    tables["attention"] = attention.attention_table(inputs, previous, decisions, as_of).lazy()
    return ReleaseContent(
        kind=order["kind"],
        as_of=as_of,
        settings=settings,
        edition=_edition(pieces),
        previous=before.name if before else None,
        tables={name: tables[name] for name in names_of(order["kind"], "one_file")},
        minute_files={name: _minute_files(workspace, pieces, name) for name in MINUTE_TABLES},
        inputs={
            **{f"{piece.stage}/{piece.owner}": piece.result_digest for piece in pieces},
            "decisions": decisions_digest(decisions),
            "folders": digest([asdict(problem) for problem in folders]),
            "settings": digest(settings.model_dump(mode="json", exclude=_NO_PART)),
            "results_to": digest(results_to(workspace)),
        },
        about={
            **made_by(order["model"]),
            "stages": _stage_counts(rows),
            "decisions": told_decisions(decisions, people),
        },
    )


def unread_people(workspace: Workspace, pieces: list[Piece], as_of: date) -> pl.LazyFrame:
    """Rows of participants whose core tables were not made (yet): everybody registered is in the table."""
    read = {piece.owner for piece in pieces if piece.stage == "core" and piece.state == "done"}
    rows = [
        observe(person, Ingested({}, None), as_of, workspace.study.settings).tables["participants"].lazy()
        for person in covered(workspace)
        if person.participant_id not in read
    ]
    return pl.concat([empty(TABLES["participants"]).lazy(), *rows])


def attention_inputs(
    workspace: Workspace,
    pieces: list[Piece],
    problems: list[StageProblem],
    tables: Mapping[str, pl.LazyFrame],
) -> AttentionInputs:
    """What calls for attention, from the tables of the release and the problems of pieces and folders."""
    frame: dict[str, Any] = {
        name: tables.get(name, empty(TABLES[name]).lazy()).collect() for name in ATTENTION_TABLES
    }
    return AttentionInputs(
        alerts=alerts_of(workspace, pieces, problems),
        problems=problems,
        daily=tables["daily_summary"],
        results_to=results_to(workspace),
        settings=workspace.study.settings,
        with_exports=frozenset(workspace.folders["fitbit"].by_participant),
        **frame,
    )


def with_unfinished(
    calls: pl.LazyFrame, workspace: Workspace, order: Order, rows: list[LedgerRow]
) -> pl.LazyFrame:
    """Requests of the release's texts, and all others the run made for the people it worked on: those of
    work that failed or waits, whose pieces hold no tables.
    """
    account = order["as_of"]
    if account is None:
        return calls
    people = sorted({row["participant_id"] for row in rows if row["state"] != "not_due"})
    others = calls_of_run(answers_of(workspace), account).lazy()
    others = others.filter(pl.col("participant_id").is_in(people))
    # Work of the whole cohort is nobody's.
    others = others.with_columns(pl.col("participant_id").replace(COHORT, None))
    return pl.concat([calls, others.join(calls, on="call_id", how="anti")])


def results_to(workspace: Workspace) -> dict[str, str]:
    """participant_id -> who gets results."""
    return {person.participant_id: person.results_to for person in workspace.study.participants}


def ledger_table(rows: list[LedgerRow]) -> pl.LazyFrame:
    """run_ledger of a run."""
    frame = pl.LazyFrame(
        [{**row, "next_step": _next_step(row)} for row in rows],
        schema_overrides={"reason_code": pl.String, "next_step": pl.String},
        infer_schema_length=None,
    )
    return conform(frame, TABLES["run_ledger"])


def _next_step(row: LedgerRow) -> str | None:
    if row["reason_code"] is None:
        return None
    return PhaError(row["reason_code"]).code.next_step


def _piece_tables(workspace: Workspace, pieces: list[Piece]) -> dict[str, pl.LazyFrame]:
    """All published tables but those made at the end; ingest pieces give only what is of the cohort."""
    stages = ("core", "edition", "dossier", "insights", "summaries")
    sources = [piece for piece in pieces if piece.stage in stages]
    cohort = [piece for piece in pieces if piece.stage == "surveys"]
    tables = {name: workspace.store.scan(sources, name) for name in TABLES}
    # Nobody's, or of people who are published: erased ones have no row to point at.
    shown = [None, *(person.participant_id for person in covered(workspace))]
    for name in ("source_files", "rejected_rows"):
        of_cohort = workspace.store.scan(cohort, name).filter(
            pl.col("participant_id").is_in(shown, nulls_equal=True)
        )
        # What lies in a person's core piece already is no second row.
        others = of_cohort.join(tables[name], on=key_of(TABLES[name]), how="anti")
        tables[name] = pl.concat([tables[name], others])
    return tables


def _minute_files(workspace: Workspace, pieces: list[Piece], table: str) -> dict[str, Path]:
    """participant_id -> file: that of the core piece where rows were cut, else that of the ingest piece."""
    files: dict[str, Path] = {}
    published = {piece.owner for piece in pieces if piece.stage == "core" and piece.state == "done"}
    for stage in ("fitbit", "core"):
        for piece in pieces:
            path = workspace.store.table_path(piece, table) if piece.stage == stage else None
            if path is not None and piece.owner in published:
                files[piece.owner] = path
    return files


def _edition(pieces: list[Piece]) -> str | None:
    editions = (piece.document.get("edition") for piece in pieces if piece.stage == "edition")
    return next(editions, None)


def _stage_counts(rows: list[LedgerRow]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for row in rows:
        of_stage = counts.setdefault(row["stage"], {})
        of_stage[row["state"]] = of_stage.get(row["state"], 0) + 1
    return counts


def _held(workspace: Workspace, order: Order, rows: list[LedgerRow], made: Published) -> PhaError:
    """Tell the board why a release was held; returns the fault that ends the run."""
    error = PhaError("release_held", problem=why_held(made.problems))
    held = Held(made.path.name, error.what, error.next_step)
    show_end(workspace, started(order), rows, [held])
    return error


def _outcome(
    workspace: Workspace,
    order: Order,
    rows: list[LedgerRow],
    made: Published,
    shown_before: pl.DataFrame,
) -> Outcome:
    """new_attention: something waits that did not in the release the board showed when the run began."""
    table = scan(made.path, "attention").collect()
    reports_index = made.path / "reports" / "index.html"
    states = [row["state"] for row in rows]
    return Outcome(
        kind=order["kind"],
        as_of=as_of_of(order).isoformat(),
        release=str(made.path),
        existing=made.existing,
        board=str(workspace.out / "index.html"),
        reports=str(reports_index) if reports_index.is_file() else None,
        worked=states.count("done"),
        reused=states.count("reused"),
        failed=states.count("failed"),
        pending=states.count("pending"),
        attention=table.filter(pl.col("state").is_in(("new", "open"))).height,
        new_attention=not made.existing and attention.needs_attention_now(table, shown_before),
    )
