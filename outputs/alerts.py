"""Alerts: what cannot wait for percentiles, models or gates. Ingest writes them at once.

An alert holds whose it is and its code, never a value: the value stands in the participant's own page.
"""

import os
import subprocess
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from types import MappingProxyType

import polars as pl

from outputs.critical_results import CRITICAL_MARKS, beyond_limits, marked_critical, newest_within
from outputs.digests import canonical_json, digest
from outputs.rendering import shown_day
from outputs.stage_problems import StageProblem
from schemas.analytes import ANALYTES
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
ALERT_ANSWER = "survey_alert_answer"
COMMAND_SECONDS = 30

_LABELS = {analyte.key: analyte.label for analyte in ANALYTES}


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


def is_alert(problem: StageProblem) -> bool:
    """True for an unread report, and for what is not published but cannot wait: a critical mark on a reading
    in doubt, an alarming answer that another one replaced or contradicts.
    """
    return is_unread_report(problem) or problem.code in ("lab_critical_mark", ALERT_ANSWER)


def find_alerts(
    lab_results: pl.LazyFrame,
    lab_review: pl.LazyFrame,
    survey_answers: pl.LazyFrame,
    problems: Iterable[StageProblem],
    settings: AlertsSection,
) -> list[Alert]:
    """All alerts in the published lab results, the readings in doubt, the answers and the stages' problems,
    sorted by id.

    Lab limits are inclusive and in canonical units. A censored result counts where its bound alone is at or
    beyond a limit ("<2.0", ">700"). A mark of the laboratory itself counts whatever the study's limits; a
    result that is critical by both is one alert, that of the limit. A reading in doubt beyond a limit counts
    as unconfirmed, unless the laboratory's mark on it, which ingest tells, makes it an alert already.
    """
    found = [
        *_critical_results(lab_results, settings),
        *_unconfirmed(lab_review, settings),
        *(_phq_item_9(survey_answers) if settings.phq_item_9 else []),
        *_told_by_ingest(problems, settings),
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


def _critical_results(lab_results: pl.LazyFrame, settings: AlertsSection) -> list[Alert]:
    """One alert a printed result: of the study's limit where it applies, else of the laboratory's mark."""
    beyond = beyond_limits(lab_results, settings.critical)
    marked = marked_critical(lab_results)
    only_marked = marked.join(beyond, on=_RESULT, how="anti")
    since = newest_within(lab_results, pl.concat([beyond, marked]))
    return [*_by_result("lab_critical_value", beyond, since), *_by_result("lab_critical_mark", only_marked)]


def _unconfirmed(lab_review: pl.LazyFrame, settings: AlertsSection) -> list[Alert]:
    """One alert a reading in doubt that is beyond a limit, if it is right; superseded ones are settled."""
    open_ones = lab_review.filter(
        pl.col("superseded_by").is_null(),
        ~pl.col("flag_printed").is_in(CRITICAL_MARKS).fill_null(value=False),
    )
    return _by_result("lab_critical_unconfirmed", beyond_limits(open_ones, settings.critical))


_RESULT = ["participant_id", "file_id", "row_no"]


def _by_result(
    code: str, rows: pl.LazyFrame, since: Mapping[tuple[str, str], date] = MappingProxyType({})
) -> list[Alert]:
    """``since``: (participant_id, analyte_key) -> day of a newest result that calms, which is told beside."""
    alerts: list[Alert] = []
    columns = [*_RESULT, "analyte_key", "collected_date"]
    for participant, file_id, row_no, analyte, day in rows.select(columns).collect().iter_rows():
        known = _alert(participant, code, f"{file_id}:{row_no}", analyte=_name_of(analyte), day=_day_of(day))
        newer = since.get((participant, analyte))
        if newer is not None and day is not None and newer > day:
            told = f"{known.what} A newer result of {shown_day(newer)} is not beyond the limits."
            known = replace(known, what=told)
        alerts.append(known)
    return alerts


def _name_of(analyte: str | None) -> str:
    """The plain name as it stands inside a sentence; a key without one is published as it is, too."""
    if analyte is None:
        return "an analyte that was not recognised"
    label = _LABELS.get(analyte, analyte)
    return label[0].lower() + label[1:] if label[1:2].islower() else label


def _day_of(day: date | None) -> str:
    return shown_day(day) if day else "an unknown day"


def _phq_item_9(survey_answers: pl.LazyFrame) -> list[Alert]:
    rows = survey_answers.filter(
        pl.col("instrument") == PHQ_INSTRUMENT, pl.col("item") == PHQ_ITEM, pl.col("value_num") > 0
    )
    return [
        _alert(
            participant,
            ALERT_ANSWER,
            f"{PHQ_ITEM}:{event}:{instance}:{day}",
            instrument="PHQ-9, item 9",
        )
        for participant, event, instance, day in rows.select(
            "participant_id", "event", "instance", "answered_on"
        )
        .collect()
        .iter_rows()
    ]


def _told_by_ingest(problems: Iterable[StageProblem], settings: AlertsSection) -> list[Alert]:
    return [
        Alert(problem.participant_id, problem.code, problem.subject, problem.what)
        for problem in problems
        if problem.participant_id is not None
        and is_alert(problem)
        and (settings.phq_item_9 or problem.code != ALERT_ANSWER)
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
