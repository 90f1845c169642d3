"""Alerts: what cannot wait for percentiles, models or gates. Ingest writes them at once.

An alert holds whose it is and its code, never a value: the value stands in the participant's own page.
"""

import os
import subprocess
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from outputs.critical_results import beyond_limits, marked_critical
from outputs.digests import canonical_json, digest
from outputs.stage_problems import StageProblem
from schemas.errors import PhaError
from schemas.settings import AlertsSection

UNREAD_REPORT_CODES = frozenset(
    {
        "lab_pdf_empty",
        "lab_not_pdf",
        "lab_encrypted",
        "lab_too_large",
        "lab_text_unusable",
        "lab_layout_unknown",
        "lab_multiple_patients",
        "lab_identity_mismatch",
        "lab_no_collection_date",
        "lab_time_limit",
    }
)
PHQ_INSTRUMENT = "phq9"
PHQ_ITEM = "phq9_9"
COMMAND_SECONDS = 30


def matter_id(participant_id: str | None, kind: str, code: str, subject: str) -> str:
    """The id of a matter for attention: the same in every run, 32 hex digits."""
    return digest(participant_id, kind, code, subject)


@dataclass(frozen=True, slots=True)
class Alert:
    """Something a person must see today. ``subject`` goes into its id and is not written anywhere."""

    participant_id: str
    code: str
    subject: str
    what: str

    @property
    def alert_id(self) -> str:
        """Also its attention_id."""
        return matter_id(self.participant_id, "alert", self.code, self.subject)


def is_unread_report(problem: StageProblem) -> bool:
    """True where a lab report, or a participant's whole lab stage, could not be read."""
    unread = problem.failed or problem.code in UNREAD_REPORT_CODES | {"file_unreadable"}
    return problem.stage == "labs" and unread


def find_alerts(
    lab_results: pl.LazyFrame,
    survey_answers: pl.LazyFrame,
    problems: Iterable[StageProblem],
    settings: AlertsSection,
) -> list[Alert]:
    """All alerts in the published lab results, the answers and the stages' problems, sorted by id.

    Lab limits are inclusive and in canonical units. A censored result counts where its bound alone is at or
    beyond a limit ("<2.0", ">700"). A mark of the laboratory itself counts whatever the study's limits.
    """
    found = [
        *_critical_values(lab_results, settings),
        *_critical_marks(lab_results),
        *(_phq_item_9(survey_answers) if settings.phq_item_9 else []),
        *_unread_reports(problems),
    ]
    return sorted({alert.alert_id: alert for alert in found}.values(), key=lambda alert: alert.alert_id)


def write_alerts(out: Path, alerts: Iterable[Alert]) -> list[Alert]:
    """Write OUT/alerts/<alert_id>.json for alerts that have none yet; returns those written now."""
    return [alert for alert in alerts if _create(_file(out, alert, "json"), _public(alert))]


def call_for_alerts(out: Path, command: Sequence[str], alerts: Iterable[Alert]) -> list[StageProblem]:
    """Call the study's command once for every alert that it was not yet called for with success.

    The mark of success is OUT/alerts/<alert_id>.called, made after the call: a run that dies in between
    calls again, as twice is better than never. Returns a problem for every call that failed.
    """
    if not command:
        return []
    problems: list[StageProblem] = []
    for alert in alerts:
        called = _file(out, alert, "called")
        if called.exists():
            continue
        problem = run_alert_command(command, alert)
        if problem is None:
            _create(called, "")
        else:
            problems.append(problem)
    return problems


def run_alert_command(
    command: Sequence[str], alert: Alert, seconds: float = COMMAND_SECONDS
) -> StageProblem | None:
    """Run the command with participant_id and code as its last two arguments, without a shell.

    Its output is not read. Returns alert_command_failed where it cannot start, fails or takes too long.
    """
    try:
        done = subprocess.run(  # noqa: S603 - the study's own command, arguments are an id and a code
            [*command, alert.participant_id, alert.code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _command_problem(alert, f"no end within {seconds:g} s")
    except OSError:
        return _command_problem(alert, "it could not be started")
    return None if done.returncode == 0 else _command_problem(alert, f"it ended with {done.returncode}")


def _command_problem(alert: Alert, problem: str) -> StageProblem:
    what = PhaError("alert_command_failed", problem=problem).what
    return StageProblem(alert.participant_id, "alerts", "alert_command_failed", alert.alert_id, what)


def _alert(participant_id: str, code: str, subject: str, **details: object) -> Alert:
    return Alert(participant_id, code, subject, PhaError(code, **details).what)


def _critical_values(lab_results: pl.LazyFrame, settings: AlertsSection) -> list[Alert]:
    rows = beyond_limits(lab_results, settings.critical)
    return [
        _alert(participant, "lab_critical_value", f"{file_id}:{analyte}", analyte=analyte)
        for participant, file_id, analyte in rows.select("participant_id", "file_id", "analyte_key")
        .unique()
        .collect()
        .iter_rows()
    ]


def _critical_marks(lab_results: pl.LazyFrame) -> list[Alert]:
    rows = marked_critical(lab_results)
    return [
        _alert(participant, "lab_critical_mark", f"{file_id}:{row_no}", analyte=analyte or "not recognised")
        for participant, file_id, row_no, analyte in rows.select(
            "participant_id", "file_id", "row_no", "analyte_key"
        )
        .collect()
        .iter_rows()
    ]


def _phq_item_9(survey_answers: pl.LazyFrame) -> list[Alert]:
    rows = survey_answers.filter(
        pl.col("instrument") == PHQ_INSTRUMENT, pl.col("item") == PHQ_ITEM, pl.col("value_num") > 0
    )
    return [
        _alert(participant, "survey_alert_answer", f"{PHQ_ITEM}:{event}:{instance}:{day}", instrument="PHQ-9")
        for participant, event, instance, day in rows.select(
            "participant_id", "event", "instance", "answered_on"
        )
        .collect()
        .iter_rows()
    ]


def _unread_reports(problems: Iterable[StageProblem]) -> list[Alert]:
    return [
        Alert(problem.participant_id, problem.code, problem.subject, problem.what)
        for problem in problems
        if problem.participant_id is not None and is_unread_report(problem)
    ]


def _public(alert: Alert) -> str:
    return canonical_json(
        {"alert_id": alert.alert_id, "participant_id": alert.participant_id, "code": alert.code}
    )


def _file(out: Path, alert: Alert, ending: str) -> Path:
    return out / "alerts" / f"{alert.alert_id}.{ending}"


def _create(path: Path, text: str) -> bool:
    """Create a file whole, unless it is there; True where it was created now."""
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return False
    finally:
        temporary.unlink()
    return True
