"""decisions.csv: what people decided. Runs read it; only `pha decide` and hands write it.

Columns, in this order when the file is made here (docs/decisions.md): decision, target, reader, by, on,
reason, until, digest, expect, value. Of several decisions on one target the last line counts.
"""

import csv
import fcntl
import io
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from outputs.digests import digest
from schemas.decision_targets import TARGETS, kind_of, parts_of, wrong_value
from schemas.errors import PhaError

Kind = Literal["acknowledge", "snooze", "sign_off", "accept", "correct"]
KINDS: tuple[Kind, ...] = get_args(Kind)
READERS = ("clinician", "participant")
CORRECTING = ("accept", "correct")
COLUMNS = ("decision", "target", "reader", "by", "on", "reason", "until", "digest", "expect", "value")
REQUIRED = ("decision", "target", "by", "on")
DIGEST_PATTERN = re.compile(r"[0-9a-f]{32,64}")


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of decisions.csv.

    target: an attention_id for acknowledge and snooze, a participant_id for sign_off, for accept and correct
    one of ``decision_targets``.
    reader, digest: of a sign_off, which text it signs and the text_sha256 that was read.
    until: of a snooze, the last day (as-of) it holds.
    expect: of accept and correct, what stood there when somebody looked: ``Glucose: 91 mg/dL``.
    value: of a correction, what is right: ``glucose 91 mg/dL``, ``set aside``, ``Europe/Paris``.
    """

    decision: Kind
    target: str
    by: str
    on: date
    reason: str = ""
    until: date | None = None
    reader: str | None = None
    digest: str | None = None
    expect: str | None = None
    value: str | None = None


def read_decisions(path: Path) -> tuple[Decision, ...]:
    """All decisions in the order of the file; none where there is no file.

    Reads what spreadsheets leave: a byte-order mark, semicolons, blank lines.
    Raises decisions_invalid with the line, also for a column this file does not know: a mistyped heading
    must not silently drop what stands below it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ()
    except UnicodeDecodeError:
        raise _invalid(1, "the file is not in UTF-8") from None
    lines = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    header: list[str] | None = None
    decisions: list[Decision] = []
    for cells in lines:
        values = [cell.strip() for cell in cells]
        if not any(values):
            continue
        if header is None:
            header = _checked_header(values, lines.line_num)
        else:
            decisions.append(_decision(header, values, lines.line_num))
    return tuple(decisions)


def append_decision(path: Path, decision: Decision) -> None:
    """Add one line at the end, under a lock and in one write; makes the file with its header if need be.

    The file must be valid, and so must the decision: raises decisions_invalid and writes nothing otherwise.
    """
    cells = {name: _cell(value) for name, value in asdict(decision).items()}
    _decision(list(COLUMNS), [cells[name] for name in COLUMNS], 0)
    read_decisions(path)
    with path.open("a+b") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.seek(0)
        old = stream.read().decode("utf-8-sig")
        stream.write(_addition(old, cells).encode())
        stream.flush()
        os.fsync(stream.fileno())


def decisions_digest(decisions: Iterable[Decision]) -> str:
    """Digest of what was decided: the same whatever the delimiter, the order of columns or blank lines."""
    return digest([asdict(decision) for decision in decisions])


def told_decisions(decisions: Iterable[Decision], people: Collection[str]) -> list[str]:
    """Each decision by what it does to what, and its day; without who took it, why, or a value.

    A target is free text: one that is neither an id, nor of one of ``people``, is left out.
    """
    return [
        f"{d.decision} {d.target}{f' ({d.reader})' if d.reader else ''}, {d.on}"
        for d in decisions
        if d.target in people or _is_of(d.target, people)
    ]


def _is_of(target: str, people: Collection[str]) -> bool:
    parts = parts_of(target) if kind_of(target) else {}
    return "file" in parts or parts.get("person") in people


def sign(summaries: pl.LazyFrame, decisions: Iterable[Decision]) -> pl.LazyFrame:
    """Fill signed_by and signed_on of the table summaries from the sign-offs.

    A sign-off counts only for the text whose digest it names: a changed text is unsigned again.
    """
    signed = {(d.target, d.reader, d.digest): d for d in decisions if d.decision == "sign_off"}
    rows = [(*key, decision.by, decision.on) for key, decision in signed.items()]
    names = ["participant_id", "reader", "text_sha256", "signed_by", "signed_on"]
    signatures = pl.LazyFrame(
        rows, schema={name: pl.Date if name == "signed_on" else pl.String for name in names}, orient="row"
    )
    bare = summaries.drop("signed_by", "signed_on")
    return bare.join(signatures, on=names[:3], how="left").select(summaries.collect_schema().names())


def latest_by_target(decisions: Iterable[Decision]) -> Mapping[str, Decision]:
    """attention_id -> the decision that counts for it."""
    return {d.target: d for d in decisions if d.decision in ("acknowledge", "snooze")}


def decisions_on_readings(decisions: Iterable[Decision]) -> list[Decision]:
    """Of each reading of a lab report the decision that counts, by target."""
    return [d for d in _latest_corrections(decisions) if kind_of(d.target) == "reading"]


def decisions_on_exports(decisions: Iterable[Decision]) -> list[Decision]:
    """Of each file, day or clock of exports the decision that counts, by target."""
    return [d for d in _latest_corrections(decisions) if kind_of(d.target) != "reading"]


def _latest_corrections(decisions: Iterable[Decision]) -> list[Decision]:
    latest = {d.target: d for d in decisions if d.decision in CORRECTING}
    return [latest[target] for target in sorted(latest)]


def _delimiter(text: str) -> str:
    heading = text.partition("\n")[0]
    return ";" if heading.count(";") > heading.count(",") else ","


def _invalid(line: int, problem: str) -> PhaError:
    return PhaError("decisions_invalid", line=line, problem=problem)


def _checked_header(names: list[str], line: int) -> list[str]:
    header = [name.lower() for name in names]
    for name in header:
        if name not in COLUMNS:
            raise _invalid(line, f"there is a column that is none of {', '.join(COLUMNS)}")
    for name in REQUIRED:
        if header.count(name) != 1:
            raise _invalid(line, f"the column {name} must be there once")
    return header


def _decision(header: list[str], values: list[str], line: int) -> Decision:
    if len(values) > len(header):
        raise _invalid(line, "there are more cells than columns; put text with the separator in quotes")
    cells = dict.fromkeys(COLUMNS, "") | dict(zip(header, values, strict=False))
    for name in REQUIRED:
        if not cells[name]:
            raise _invalid(line, f"{name} is empty")
    kind = _kind(cells["decision"], line)
    decision = Decision(
        decision=kind,
        target=cells["target"],
        by=cells["by"],
        on=_date(cells["on"], "on", line),
        reason=cells["reason"],
        until=_date(cells["until"], "until", line) if cells["until"] else None,
        reader=cells["reader"] or None,
        digest=cells["digest"] or None,
        expect=cells["expect"] or None,
        value=cells["value"] or None,
    )
    _check_fields(decision, line)
    return decision


def _kind(word: str, line: int) -> Kind:
    for kind in KINDS:
        if word == kind:
            return kind
    raise _invalid(line, f"decision is none of {', '.join(KINDS)}")


def _check_fields(decision: Decision, line: int) -> None:
    if (decision.until is not None) != (decision.decision == "snooze"):
        raise _invalid(line, "until belongs to a snooze, and a snooze needs it")
    _check_correction(decision, line)
    if decision.decision != "sign_off":
        if decision.reader or decision.digest:
            raise _invalid(line, "reader and digest belong to a sign_off")
        return
    if decision.reader not in READERS:
        raise _invalid(line, "a sign_off needs reader: clinician or participant")
    if decision.digest is None or not DIGEST_PATTERN.fullmatch(decision.digest):
        raise _invalid(line, "a sign_off needs digest: the text_sha256 shown on the page that was read")


def _check_correction(decision: Decision, line: int) -> None:
    if (decision.value is not None) != (decision.decision == "correct"):
        raise _invalid(line, "value belongs to a correct, and a correct needs it")
    if (decision.expect is not None) != (decision.decision in CORRECTING):
        raise _invalid(line, "expect belongs to accept and correct, and they need it")
    if decision.decision not in CORRECTING:
        return
    kind = kind_of(decision.target)
    if kind is None or (decision.decision == "accept" and kind not in ("reading", "file")):
        raise _invalid(line, f"the target of accept and correct is {TARGETS}; days are only corrected")
    if decision.value is not None and (problem := wrong_value(kind, decision.value)):
        raise _invalid(line, problem)


def _date(text: str, column: str, line: int) -> date:
    try:
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise _invalid(line, f"{column} is no date of the form YYYY-MM-DD") from None


def _cell(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    # Line breaks inside a cell are legal CSV, but spoil the line numbers people look for.
    return " ".join(str(value).split()) if value is not None else ""


def _addition(old: str, cells: Mapping[str, str]) -> str:
    """What to append: a missing line end, the header of a new file, the line in the file's own form."""
    heading = next((line for line in old.splitlines() if line.strip()), None)
    delimiter = _delimiter(heading or "")
    columns = COLUMNS if heading is None else _columns_of(heading, delimiter, cells)
    addition = io.StringIO()
    if old and not old.endswith("\n"):
        addition.write("\n")
    writer = csv.writer(addition, delimiter=delimiter, lineterminator="\n")
    if heading is None:
        writer.writerow(columns)
    writer.writerow([cells[name] for name in columns])
    return addition.getvalue()


def _columns_of(heading: str, delimiter: str, cells: Mapping[str, str]) -> tuple[str, ...]:
    names = next(csv.reader([heading], delimiter=delimiter))
    columns = tuple(name.strip().lower() for name in names)
    for name, text in cells.items():
        if text and name not in columns:
            raise _invalid(1, f"the column {name} is missing")
    return columns
