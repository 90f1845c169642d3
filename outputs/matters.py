"""What calls for attention in a release being made, from every source there is; no history, no decisions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from outputs.alerts import ALERT_ANSWER, Alert, is_alert, matter_id
from outputs.cross_checks import CHECKS_FOR_PEOPLE
from outputs.findings.check import RULES
from outputs.findings.critical import RULE_ID as CRITICAL_RULE
from outputs.findings.item_9 import RULE_ID as ITEM_9_RULE
from outputs.stage_problems import StageProblem, joint_subject, joint_text, merged_by_code
from schemas.errors import CODES, PhaError
from schemas.settings import Settings

OLD_AFTER_DAYS = 14
SHORTEST_WEAR_DAYS = 7
IDENTITY_CODES = {
    "unchecked": "identity_unchecked",
    "identity_mismatch": "identity_mismatch",
    "account_shared": "account_shared",
    "same_bytes": "same_bytes",
    "overlap_conflict": "overlap_conflict",
}
# Tables tell the same of these, and more of it; whether an answer is an alert is for the study's settings.
TOLD_BY_TABLES = frozenset({"summary_needs_review", "text_unsigned", "identity_unchecked", ALERT_ANSWER})
FILE_STAGES = ("fitbit", "labs", "surveys")
ALERTING_RULES = (CRITICAL_RULE, ITEM_9_RULE)
_TITLES = {rule.rule_id: rule.title for rule in RULES}
RULES_ON_DRAWS = [rule.rule_id for rule in RULES if rule.topic == "labs"]
GAP_CODES = frozenset({"folder_empty", "folder_missing", "data_old", "adherence_low", "no_data_in_period"})


@dataclass(frozen=True, slots=True)
class AttentionInputs:
    """All that can call for attention; the frames are published tables of the release being made.

    ``daily`` needs participant_id, date, day_state, valid_day and is_partial only.
    ``results_to`` says by participant who gets results (participants.csv); it is not published.
    ``with_exports``: participants whose folder holds exports, also where they were not read yet.
    """

    alerts: Sequence[Alert]
    problems: Sequence[StageProblem]
    participants: pl.DataFrame
    daily: pl.LazyFrame
    source_files: pl.DataFrame
    lab_review: pl.DataFrame
    quality_checks: pl.DataFrame
    lab_results: pl.DataFrame
    findings: pl.DataFrame
    summaries: pl.DataFrame
    claims: pl.DataFrame
    results_to: Mapping[str, str]
    settings: Settings
    with_exports: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Matter:
    """One matter before it has a history. ``subject`` goes into its id and is not published."""

    participant_id: str | None
    kind: str
    code: str
    subject: str
    what: str
    severity: str | None = None

    @property
    def attention_id(self) -> str:
        """The same in every run for the same matter."""
        return matter_id(self.participant_id, self.kind, self.code, self.subject)


def matters(inputs: AttentionInputs) -> Iterator[Matter]:
    """Every matter; where two sources tell of one, the one that knows its details comes first."""
    for alert in inputs.alerts:
        yield Matter(alert.participant_id, "alert", alert.code, alert.subject, alert.what)
    verdicts = list(_identity_matters(inputs))
    told = {(matter.participant_id, matter.code) for matter in verdicts}
    for problem in _by_matter(inputs.problems):
        if problem.code not in TOLD_BY_TABLES and (problem.participant_id, problem.code) not in told:
            yield Matter(
                problem.participant_id, kind_of(problem), problem.code, problem.subject, problem.what
            )
    yield from verdicts
    yield from _review_matters(inputs.lab_review)
    yield from _check_matters(inputs.quality_checks)
    yield from _finding_matters(inputs.findings, inputs.lab_results)
    yield from _text_matters(inputs)
    yield from _gap_matters(inputs)


def kind_of(problem: StageProblem) -> str:
    """The kind of attention a stage's problem is."""
    by_code = dict.fromkeys(IDENTITY_CODES.values(), "identity")
    by_code |= dict.fromkeys(GAP_CODES, "data_gap") | {"lab_row_review": "lab_review"}
    if is_alert(problem):
        return "alert"
    if problem.failed or CODES[problem.code].scope == "run":
        return "run"
    return by_code.get(problem.code, "study" if problem.participant_id is None else "input")


def _coded(
    participant_id: str, kind: str, code: str, subject: str, severity: str | None = None, **details: object
) -> Matter:
    return Matter(participant_id, kind, code, subject, PhaError(code, **details).what, severity)


def _by_matter(problems: Sequence[StageProblem]) -> Iterator[StageProblem]:
    """Problems that files of a participant share are one; alerts and doubtful readings stay by report."""
    shared = [problem for problem in problems if _is_shared(problem)]
    yield from (problem for problem in problems if not _is_shared(problem))
    yield from merged_by_code(shared)


def _is_shared(problem: StageProblem) -> bool:
    of_file = problem.stage in FILE_STAGES and problem.participant_id is not None and not problem.failed
    return of_file and not is_alert(problem) and problem.code != "lab_row_review"


def _identity_matters(inputs: AttentionInputs) -> Iterator[Matter]:
    """One matter for each verdict on a participant's files of a source; a lab report's own is an alert.

    An unpacked export is hundreds of files. What could not be checked counts only where it was used.
    """
    owned = inputs.source_files.filter(pl.col("participant_id").is_not_null())
    owners = owned.group_by("content_digest").agg(owners=pl.col("participant_id").n_unique())
    is_told = (pl.col("source") != "labs") | (pl.col("identity") == "same_bytes")
    is_used = (pl.col("identity") != "unchecked") | (pl.col("rows_staged") > 0)
    grouped = (
        owned.filter(pl.col("identity").is_in(list(IDENTITY_CODES)), is_told, is_used)
        .join(owners, on="content_digest", how="left")
        .group_by("participant_id", "source", "identity")
        .agg(pl.col("file_id").unique().sort(), pl.col("owners").unique())
        .sort("participant_id", "source", "identity")
    )
    for row in grouped.iter_rows(named=True):
        yield _identity_matter(row, inputs.problems)


def _identity_matter(row: Mapping[str, Any], problems: Sequence[StageProblem]) -> Matter:
    """``row``: participant_id, source, identity, file_id and owners of a verdict."""
    code, files = IDENTITY_CODES[row["identity"]], row["file_id"]
    told = [p.what for p in problems if (p.participant_id, p.code) == (row["participant_id"], code)]
    count = row["owners"][0] if code == "same_bytes" and len(row["owners"]) == 1 else "several"
    own = PhaError(code, count=count, fields="details of the profile").what
    subject = row["source"] if code == "identity_unchecked" else joint_subject(files)
    return Matter(row["participant_id"], "identity", code, subject, joint_text(told or [own], len(files)))


def _review_matters(lab_review: pl.DataFrame) -> Iterator[Matter]:
    """Readings in doubt, one matter a report; superseded readings are settled."""
    counts = lab_review.filter(pl.col("superseded_by").is_null()).group_by("participant_id", "file_id").len()
    for participant, file_id, count in counts.sort("participant_id", "file_id").iter_rows():
        yield _coded(participant, "lab_review", "lab_row_review", file_id, count=count)


def _check_matters(quality_checks: pl.DataFrame) -> Iterator[Matter]:
    """Sources that contradict each other on the person, one matter a check."""
    differing = quality_checks.filter(
        pl.col("check").is_in(CHECKS_FOR_PEOPLE), pl.col("outcome") == "differs"
    )
    for participant, check, detail in (
        differing.select("participant_id", "check", "detail").sort("participant_id", "check").iter_rows()
    ):
        yield _coded(participant, "input", "cross_check_differs", check, detail=detail)


def _finding_matters(findings: pl.DataFrame, lab_results: pl.DataFrame) -> Iterator[Matter]:
    """Fired findings of high and critical severity.

    A finding on a draw is a new matter with each draw, also one that reads several of its results together.
    One on daily data stays the same matter while its category stays: its window moves every day. A critical
    result or answer is an alert already.
    """
    draws = lab_results.select(
        "participant_id",
        subject="analyte_key",
        window_end="collected_date",
        draw=pl.col("collected_date").cast(pl.String),
    ).unique()
    urgent = pl.col("severity").is_in(["high", "critical"]) & ~pl.col("rule_id").is_in(ALERTING_RULES)
    fired = findings.filter(pl.col("outcome") == "fired", urgent)
    of_draws = pl.when(pl.col("rule_id").is_in(RULES_ON_DRAWS)).then(pl.col("window_end").cast(pl.String))
    marked = fired.join(draws, on=["participant_id", "subject", "window_end"], how="left").with_columns(
        draw=pl.coalesce("draw", of_draws)
    )
    for row in marked.iter_rows(named=True):
        subject = f"{row['rule_id']}:{row['subject']}:{row['draw'] or row['category'] or ''}"
        rule = f"{_TITLES[row['rule_id']]} ({row['subject']})"
        yield _coded(
            row["participant_id"], "finding", "finding_fired", subject, severity=row["severity"], rule=rule
        )


def _text_matters(inputs: AttentionInputs) -> Iterator[Matter]:
    """Summaries with statements that could not be verified, and those that wait for a signature.

    A text withheld because there is nothing to tell has no such statement: the gap in the data is the matter.
    """
    unverified = dict(
        inputs.claims.filter(pl.col("verdict") != "verified")
        .group_by(pl.format("{}/{}", "participant_id", "text"))
        .len()
        .iter_rows()
    )
    for row in inputs.summaries.iter_rows(named=True):
        participant, reader = row["participant_id"], row["reader"]
        subject = f"{reader}:{row['text_sha256']}"
        count = unverified.get(f"{participant}/summary:{reader}", 0)
        if row["status"] != "verified" and count:
            yield _coded(participant, "text", "summary_needs_review", subject, count=count)
        if _waits_for_signature(row, inputs):
            yield _coded(participant, "text", "text_unsigned", subject)


def _waits_for_signature(summary: Mapping[str, object], inputs: AttentionInputs) -> bool:
    """Only the participant's page is held back by a missing signature, and only where they get one."""
    return (
        inputs.settings.reports.require_sign_off
        and summary["reader"] == "participant"
        and summary["signed_by"] is None
        and inputs.results_to.get(str(summary["participant_id"])) == "participant"
    )


def _gap_matters(inputs: AttentionInputs) -> Iterator[Matter]:
    """Active participants without an export, with old data, or who wear the device too little.

    Each carries its episode in its id, so that what was decided on a gap does not hide the next one.
    """
    sent = inputs.source_files.filter(pl.col("source") == "fitbit")["participant_id"]
    told = {p.participant_id for p in inputs.problems if p.stage == "fitbit" or p.code in GAP_CODES}
    active = inputs.participants.filter(pl.col("status") == "active")
    for participant in _unsent(active, sent):
        if participant not in told | inputs.with_exports:
            yield _coded(participant, "data_gap", "folder_missing", "fitbit", source="fitbit")
    for participant, through, behind in active.select(
        "participant_id", "data_through", "days_behind"
    ).iter_rows():
        if behind is not None and behind > OLD_AFTER_DAYS:
            yield _coded(participant, "data_gap", "data_old", str(through), days=behind)
    misnamed = {p.participant_id for p in inputs.problems if p.code == "folder_spoilt_id"}
    for participant in _without_data(inputs, told={*told, *misnamed, *_unsent(active, sent)}):
        yield _coded(participant, "data_gap", "no_data_in_period", "period")
    for participant, month, valid, days in _low_wear(active, inputs).iter_rows():
        yield _coded(participant, "data_gap", "adherence_low", month, valid=valid, days=days)


def _unsent(active: pl.DataFrame, sent: pl.Series) -> pl.Series:
    """Active participants without an export."""
    return active.filter(~pl.col("participant_id").is_in(sent.implode()))["participant_id"]


def _without_data(inputs: AttentionInputs, told: set[str | None]) -> list[str]:
    """People in the study whose observation has begun and of whom nothing lies in it, nobody knows why.

    Without this they would be neither present nor explained, which holds a release.
    """
    refused = pl.col("identity").is_in([verdict for verdict in IDENTITY_CODES if verdict != "unchecked"])
    found = inputs.participants.filter(
        pl.col("status").is_in(["active", "completed"]),
        ~pl.any_horizontal("has_wearable", "has_labs", "has_surveys").fill_null(value=False),
        (pl.col("observed_from") <= pl.col("observed_to")).fill_null(value=True),
        ~refused.fill_null(value=False),
    )
    return [person for person in found["participant_id"].sort() if person not in told]


def _low_wear(active: pl.DataFrame, inputs: AttentionInputs) -> pl.DataFrame:
    """participant_id, month of data_through, valid and known days: worn on fewer than 3 of every 4 days.

    Over the main window up to data_through, partial days and days whose wear can't be known left out; not
    where fewer than 7 such days exist, nor where the data are old: then an export is asked for anyway.
    """
    current = active.filter(pl.col("days_behind") <= OLD_AFTER_DAYS).lazy()
    window = pl.duration(days=inputs.settings.windows.main)
    wear = (
        inputs.daily.join(current.select("participant_id", "data_through"), on="participant_id")
        .filter(pl.col("date") <= pl.col("data_through"))
        .filter(pl.col("date") > pl.col("data_through") - window)
        .filter(pl.col("valid_day").is_not_null() & ~pl.col("is_partial"))
        .group_by("participant_id", pl.col("data_through").dt.strftime("%Y-%m").alias("month"))
        .agg(valid=pl.col("valid_day").sum(), days=pl.len())
    )
    return (
        wear.filter(pl.col("days") >= SHORTEST_WEAR_DAYS, pl.col("valid") * 4 < pl.col("days") * 3)
        .sort("participant_id")
        .collect()
    )
