"""pha decide: one line more in the study's decisions.csv."""

import os
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
import polars as pl

from ingest.fitbit.decided import ACCEPTABLE
from ingest.labs.decided import expected_text, parse_correction
from ingest.settings_file import read_settings
from outputs.board_state import find_holds, find_pages
from outputs.decisions import READERS, Decision, append_decision
from outputs.release_folder import parse_name
from pha.options import out_option
from schemas.decision_targets import TargetKind, is_reversed, kind_of, parts_of, value_text, wrong_value
from schemas.errors import PhaError

DAY = click.DateTime(["%Y-%m-%d"])
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group()
def command() -> None:
    """Acknowledge or snooze a matter, accept or correct what was read, or sign a text.

    The decision is added to decisions.csv of the study and counts from the next run on. `pha status --all`
    shows the ids.
    """


def _somebody(_context: click.Context, _option: click.Parameter, name: str) -> str:
    """Who decides, by any name: a decision of nobody cannot be asked about."""
    if not name.strip():
        raise click.BadParameter("say who decides; it is empty.")
    return name


def _common(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--reason", default="", help="Why."),
        click.option("--by", required=True, callback=_somebody, help="Who decides."),
        out_option,
        click.option("--study", required=True, type=FOLDER, help="Folder of the study."),
    ):
        function = option(function)
    return function


@command.command()
@click.argument("attention_id")
@_common
def acknowledge(attention_id: str, study: Path, out: Path, by: str, reason: str) -> None:
    """Say that a matter is known and dealt with."""
    _known(out, attention_id)
    _decide(study, Decision("acknowledge", attention_id, by, _today(study), reason))


@command.command()
@click.argument("attention_id")
@click.option("--until", required=True, type=DAY, metavar="DATE", help="The last as-of it stays quiet.")
@_common
def snooze(attention_id: str, until: datetime, study: Path, out: Path, by: str, reason: str) -> None:
    """Put a matter off until a day, counted as the as-of of releases is."""
    _known(out, attention_id)
    as_of = _as_of(out)
    if until.date() < as_of:
        raise click.BadParameter(
            f"the newest release is as of {as_of}, so a snooze until {until.date()} is over already;"
            f" give {as_of} or a later day.",
            param_hint="--until",
        )
    _decide(study, Decision("snooze", attention_id, by, _today(study), reason, until=until.date()))


@command.command("sign-off")
@click.argument("participant_id")
@click.option("--reader", type=click.Choice(READERS), required=True, help="Which text.")
@_common
def sign_off(participant_id: str, reader: str, study: Path, out: Path, by: str, reason: str) -> None:
    """Sign the text of the newest release for a participant. A text that changes is unsigned again."""
    summaries = _table(out, "summaries").filter(
        (pl.col("participant_id") == participant_id) & (pl.col("reader") == reader)
    )
    if summaries.is_empty():
        raise PhaError("decision_target_unknown", id=participant_id)
    digest = summaries["text_sha256"].item()
    _decide(
        study, Decision("sign_off", participant_id, by, _today(study), reason, reader=reader, digest=digest)
    )
    if reader == "participant" and not _has_page(out / "latest" / "reports", participant_id):
        click.echo(
            "No page is made of this text: it is withheld, or the participant gets no results (results_to)."
        )


def _has_page(reports: Path, participant_id: str) -> bool:
    """A page of the participant's own that is published, or held back until something is done."""
    return ("participant", participant_id) in find_pages(reports, "") or participant_id in find_holds(reports)


@command.command()
@click.argument("target")
@_common
def accept(target: str, study: Path, out: Path, by: str, reason: str) -> None:
    """Accept a lab reading in doubt as it was read, or an export of which nobody could say whose it is.

    TARGET is file_id:row_no of lab_review, or the file_id of an export in source_files.
    """
    if kind_of(target) not in ("reading", "file"):
        raise PhaError("decision_target_unknown", id=target)
    expect = _verdict(out, target) if kind_of(target) == "file" else _expected(out, target)
    _decide(study, Decision("accept", target, by, _today(study), reason, expect=expect))


@command.command()
@click.argument("target")
@click.argument("value")
@_common
def correct(target: str, value: str, study: Path, out: Path, by: str, reason: str) -> None:
    """Correct what was read: VALUE is what is right of TARGET.

    \b
    file_id:row_no of lab_review     `glucose 91 mg/dL`
    file_id of an export             `set aside`, `clock local` or `clock utc`
    ID:DATE:column of daily_summary  `set aside`
    ID:DATE..DATE                    the time zone of these days, as `Europe/Paris`
    """
    kind = kind_of(target)
    if is_reversed(target):
        raise click.BadParameter("the last day comes before the first.", param_hint="TARGET")
    if kind is None:
        raise PhaError("decision_target_unknown", id=target)
    if problem := wrong_value(kind, value) or _wrong_reading(kind, value):
        raise click.BadParameter(problem, param_hint="VALUE")
    expect = _EXPECTED[kind](out, target)
    _decide(study, Decision("correct", target, by, _today(study), reason, expect=expect, value=value))


def _wrong_reading(kind: TargetKind, value: str) -> str | None:
    if kind != "reading" or parse_correction(value) is not None:
        return None
    return (
        "give the key of an analyte, the amount and a unit it is measured in, as `glucose 91 mg/dL`"
        " or `hs_crp <0.3 mg/L`."
    )


def _expected(out: Path, reading: str) -> str:
    """The reading as printed, which the decision holds for; superseded readings are settled."""
    file_id, _, row_no = reading.partition(":")
    row = _only_row(
        out,
        "lab_review",
        reading,
        pl.col("file_id") == file_id,
        pl.col("row_no").cast(pl.String) == row_no,
        pl.col("superseded_by").is_null(),
    )
    return expected_text(row["raw_name"], row["raw_value"], row["raw_unit"])


def _verdict(out: Path, file_id: str) -> str:
    """The identity verdict of an export; another person's profile is for the registry to correct."""
    is_open = pl.col("identity").is_in(ACCEPTABLE)
    return _only_row(out, "source_files", file_id, _is_export(file_id), is_open)["identity"]


def _content(out: Path, file_id: str) -> str:
    """The digest of an export's content."""
    return _only_row(out, "source_files", file_id, _is_export(file_id))["content_digest"]


def _value(out: Path, target: str) -> str:
    """The published value of a day."""
    parts = parts_of(target)
    row = _day(out, target, parts["first"])
    if row.get(parts["column"]) is None:
        raise PhaError("decision_target_unknown", id=target)
    return value_text(row[parts["column"]])


def _offset(out: Path, target: str) -> str:
    """The offset of the first of some days, ``unknown`` where nobody knows."""
    return value_text(_day(out, target, parts_of(target)["first"])["utc_offset_minutes"])


_EXPECTED: dict[TargetKind, Callable[[Path, str], str]] = {
    "reading": _expected,
    "file": _content,
    "day": _value,
    "span": _offset,
}


def _is_export(file_id: str) -> pl.Expr:
    return (pl.col("file_id") == file_id) & (pl.col("source") == "fitbit")


def _day(out: Path, target: str, day: str) -> dict[str, Any]:
    person = pl.col("participant_id") == parts_of(target)["person"]
    return _only_row(out, "daily_summary", target, person, pl.col("date") == date.fromisoformat(day))


def _only_row(out: Path, table: str, target: str, *conditions: pl.Expr) -> dict[str, Any]:
    rows = _table(out, table).filter(*conditions)
    if rows.is_empty():
        raise PhaError("decision_target_unknown", id=target)
    return rows.row(0, named=True)


def _decide(study: Path, decision: Decision) -> None:
    append_decision(study / "decisions.csv", decision)
    click.echo("added to decisions.csv; it counts from the next run on")


def _known(out: Path, attention_id: str) -> None:
    if attention_id not in set(_table(out, "attention")["attention_id"]):
        raise PhaError("decision_target_unknown", id=attention_id)


def _table(out: Path, name: str) -> pl.DataFrame:
    path = out / "latest" / "tables" / f"{name}.parquet"
    if not path.is_file():
        raise PhaError("release_missing")
    return pl.read_parquet(path)


def _as_of(out: Path) -> date:
    """The as-of of the newest release: a study's data may end long before today."""
    name = parse_name((out / "latest").resolve().name)
    if name is None:
        raise PhaError("release_missing")
    return name.as_of


def _today(study: Path) -> date:
    """Today in the study's zone: a decision is dated by it."""
    zone = ZoneInfo(read_settings(study / "study.toml", os.environ).study.time_zone)
    return datetime.now(UTC).astimezone(zone).date()
