"""What became of every file and row: source_files, rejected_rows, problems."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

import polars as pl

from ingest.clocks.false_z import Verdict, evidence_of
from ingest.fitbit.decided import SET_ASIDE_BY_DECISION
from ingest.fitbit.exports import Export, files_of
from ingest.fitbit.file_read import FileRead
from ingest.fitbit.kept_rows import rows_of
from ingest.fitbit.kinds import LOG_OF_STAGES
from ingest.fitbit.ledger import Ledger, code_of
from ingest.fitbit.placing import Placed
from ingest.source_file import SourceFile
from outputs.digests import canonical_json
from schemas.errors import PhaError
from schemas.rejected_rows import RejectedRows
from schemas.source_files import SourceFiles
from schemas.table import key_of, polars_schema

FATES = ("staged", "merged", "rejected", "ignored")
# Frames whose rows are no days with data: devices, settings, stages that go with their sleep, and calories,
# which the vendor writes to the minute of the export, also where no device was synced.
_NO_DAYS = ("trackers", "zone_settings", "height", "calories", "calories_csv", *LOG_OF_STAGES)


def source_files(
    participant_id: str,
    files: Sequence[SourceFile],
    exports: Sequence[Export],
    ledger: Ledger,
    kept: Mapping[str, pl.DataFrame],
    placed: Placed,
    secret: bytes,
) -> pl.DataFrame:
    """One row a file as it was sent, also one that is set aside (no row of it was read) or unreadable."""
    fates, ignored = _by_file(ledger)
    judged = _judged(placed, ledger)
    spans = _spans(ledger, kept)
    rows = [
        {
            **_identity_of(file.file, participant_id, secret),
            "form": file.form,
            "generation": file.generation,
            "identity": file.verdict and file.verdict.outcome,
            "error_code": _error_code(file),
            "clocks_json": canonical_json(_clocks(file, placed, judged)) if file.readings else None,
            "members_json": canonical_json(_members(file)),
            "first_day": spans.get(file.id, (None, None))[0],
            "last_day": spans.get(file.id, (None, None))[1],
            "rows_read": _rows_read(file),
            **{f"rows_{fate}": fates[file.id, fate] for fate in FATES},
            "ignored_json": canonical_json(ignored[file.id]),
        }
        for file in files_of(exports)
    ]
    aside = [
        {
            **_identity_of(file, participant_id, secret),
            "form": "set_aside",
            "identity": file.set_aside,
            "error_code": None if file.set_aside == SET_ASIDE_BY_DECISION else file.set_aside,
            **dict.fromkeys(("rows_read", *(f"rows_{fate}" for fate in FATES)), 0),
        }
        for file in files
        if file.set_aside is not None
    ]
    return pl.DataFrame([*rows, *aside], schema=polars_schema(SourceFiles))


def rejected_rows(participant_id: str, ledger: Ledger) -> pl.DataFrame:
    """Rejected rows by file, place (member and row) and rule; row 0 stands for rows judged after merging.

    A row that fails one rule for several values or kinds is told once, with the first table and column.
    """
    rows: list[dict[str, object]] = []
    for (number, row, rule, column), count in ledger.rejected.items():
        file, member = ledger.members[number]
        rows.append(
            {
                "file_id": file.id,
                "place": f"{member.id}:{row}",
                "rule": rule,
                "participant_id": participant_id,
                "table": member.kind.table,
                "code": code_of(rule),
                "column": column,
                "rows": count,
            }
        )
    frame = pl.DataFrame(rows, schema=polars_schema(RejectedRows))
    key = key_of(RejectedRows)
    told = frame.sort(*key, "table", "column").group_by(key, maintain_order=True)
    return told.agg(pl.col("rows").sum(), pl.exclude("rows").first()).select(frame.columns)


def problems(exports: Sequence[Export], placed: Placed, ledger: Ledger) -> list[dict[str, str]]:
    """What to tell people of single files, in a fixed order."""
    found: list[tuple[str, str, dict[str, object]]] = []
    for export in exports:
        subject = min(file.id for file in export.files)
        found += [(code, file.id, details) for file in export.files for code, details in file.errors]
        for part in export.missing_parts:
            found.append(("zip_part_missing", subject, {"part": part}))
        found += _identity_problems(export, subject)
        read = any(outcome == "read" for file in export.files for outcome, _ in file.counts)
        if (
            not read
            and export.verdict.outcome != "identity_mismatch"
            and not any(f.errors for f in export.files)
        ):
            found.append(("no_known_files", subject, {}))
    accounts = {export.profile.account for export in exports if export.profile} - {""}
    if len(accounts) > 1:
        subject = min(file.id for export in exports if export.profile for file in export.files)
        found.append(("accounts_several", subject, {"count": len(accounts)}))
    if placed.torn_worn.height:
        subject = min(file.id for export in exports for file in export.files)
        kinds = placed.torn_worn["kind"].unique().sort()
        found.append(("clock_unclear", subject, {"kind": ", ".join(kinds)}))
    for file_id, kinds in _judged(placed, ledger).items():
        unclear = [kind for kind, each in kinds.items() if any(verdict.reading is None for verdict in each)]
        found.extend(("clock_unclear", file_id, {"kind": kind}) for kind in unclear)
    told = [{"code": c, "subject": s, "what": PhaError(c, **d).what} for c, s, d in found]
    return sorted(
        {canonical_json(p): p for p in told}.values(), key=lambda p: (p["subject"], p["code"], p["what"])
    )


def private_names(exports: Sequence[Export]) -> dict[str, str]:
    """Real names of files and members, for the operator's private folder only."""
    names: dict[str, str] = {}
    for file in files_of(exports):
        names |= {file.id: file.file.relative, **file.names}
    return names


def _identity_of(file: SourceFile, participant_id: str, secret: bytes) -> dict[str, object]:
    return {
        "file_id": file.file_id(secret, participant_id),
        "participant_id": participant_id,
        "source": "fitbit",
        "bytes": file.size,
        "content_digest": file.content_digest(secret),
    }


def _identity_problems(export: Export, subject: str) -> list[tuple[str, str, dict[str, object]]]:
    if export.verdict.outcome == "identity_mismatch":
        return [("identity_mismatch", subject, {"fields": ", ".join(export.verdict.differing)})]
    if export.verdict.outcome == "unchecked" and any(file.readings for file in export.files):
        return [("identity_unchecked", subject, {})]
    return []


def _error_code(file: FileRead) -> str | None:
    if file.verdict and file.verdict.outcome == "identity_mismatch":
        return "identity_mismatch"
    return next((code for code, _ in file.errors), None)


def _judged(placed: Placed, ledger: Ledger) -> dict[str, dict[str, list[Verdict]]]:
    """Verdicts on the clocks of members, by file and kind."""
    judged: dict[str, dict[str, list[Verdict]]] = defaultdict(lambda: defaultdict(list))
    for number, verdict in sorted(placed.verdicts.items()):
        file, member = ledger.members[number]
        judged[file.id][member.kind.name].append(verdict)
    return judged


def _clocks(
    file: FileRead, placed: Placed, judged: Mapping[str, Mapping[str, Sequence[Verdict]]]
) -> dict[str, object]:
    kinds = {member.kind.name: member.kind.clock for member in file.readings}
    return {
        "zone": placed.zone.current.name,
        "named_by": placed.zone.current.named_by,
        **placed.zone.evidence,
        "kinds": dict(sorted(kinds.items())),
        "verdicts": {kind: evidence_of(each) for kind, each in sorted(judged.get(file.id, {}).items())},
    }


def _members(file: FileRead) -> dict[str, object]:
    """Members in the file, and what became of them; the gate of a release asks that both agree."""
    outcomes: dict[str, dict[str, int]] = {"read": {}, "ignored": {}, "refused": {}}
    for (outcome, what), count in sorted(file.counts.items()):
        outcomes[outcome][what] = count
    return {"members": len(file.paths), **outcomes}


def _rows_read(file: FileRead) -> int:
    return sum(member.reading.rows for member in file.readings)


def _by_file(ledger: Ledger) -> tuple[Counter[tuple[str, str]], dict[str, dict[str, int]]]:
    fates: Counter[tuple[str, str]] = Counter()
    ignored: dict[str, Counter[str]] = defaultdict(Counter)
    for (number, fate, rule), rows in ledger.fates.items():
        file = ledger.members[number][0].id
        fates[file, fate] += rows
        if fate == "ignored":
            ignored[file][rule] += rows
    return fates, defaultdict(dict, {file: dict(sorted(rules.items())) for file, rules in ignored.items()})


def _spans(ledger: Ledger, kept: Mapping[str, pl.DataFrame]) -> dict[str, tuple[date, date]]:
    """First and last local day with data among the rows kept of each file."""
    dated = [kind for kind in kept if kind not in _NO_DAYS]
    rows = rows_of(kept, dated, "member", "date").drop_nulls("date")
    spans: dict[str, tuple[date, date]] = {}
    by_member = rows.group_by("member").agg(pl.col("date").min().alias("a"), pl.col("date").max().alias("b"))
    for number, first, last in by_member.iter_rows():
        file = ledger.members[number][0].id
        known = spans.get(file, (first, last))
        spans[file] = (min(known[0], first), max(known[1], last))
    return spans
