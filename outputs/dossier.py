"""The dossier of a participant: every fact that may be said, with the table cell it came from.

The agents see a participant only through it. Ids, order and content follow from the tables alone; nothing
depends on when or where it is made.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import polars as pl

from outputs.facts.clinical import lab_facts, score_facts
from outputs.facts.fact import facts_table
from outputs.facts.found import finding_facts
from outputs.facts.history import lab_history_facts, score_history_facts
from outputs.facts.peers import peer_facts, told_groups
from outputs.facts.profile import profile_facts, wear_facts
from outputs.facts.recent_change import change_facts
from outputs.facts.since import Earlier, changes_since
from outputs.facts.wearable import median_facts
from outputs.findings.case import case_of
from outputs.findings.check import check_case
from outputs.store import Result
from schemas.settings import Settings
from schemas.survey_scores import SurveyScores
from schemas.table import empty

RESULT_VERSION = 10


@dataclass(frozen=True)
class Dossier:
    """What the agents read. facts and findings are tables of this participant only."""

    participant_id: str
    sex: str
    age: int | None
    data_through: date | None
    edition: str
    facts: pl.DataFrame
    findings: pl.DataFrame

    def __repr__(self) -> str:
        """Only the id: health values must not reach a log by accident."""
        return f"Dossier({self.participant_id})"


def make_dossier(
    tables: Mapping[str, pl.DataFrame],
    percentiles: pl.DataFrame,
    shareable: pl.DataFrame,
    as_of: date,
    settings: Settings,
    earlier: Iterable[Earlier] = (),
) -> Result:
    """Tables participant_percentiles, findings and facts of one participant.

    tables: the participant's core tables (participants, daily_summary, sleep_sessions, lab_results,
    survey_scores, survey_answers); one that is missing counts as empty. percentiles: rows of the table
    participant_percentiles, from ``outputs.ranks.ranks``; they hold the person values too, and those of
    others are left out. shareable: the table shareable_percentiles of the edition; ranks among groups of the
    study that it does not tell of are not for the participant. earlier: the participant in releases before,
    the newest first.
    """
    person = tables["participants"].row(0, named=True)
    own = percentiles.filter(pl.col("participant_id") == person["participant_id"])
    case = case_of(tables, as_of, settings.alerts.critical, settings.findings)
    findings = check_case(case)
    facts = [
        *profile_facts(person),
        *wear_facts(person, case.daily, settings.windows.days, as_of),
        *median_facts(own),
        *change_facts(case, settings.windows.main),
        *peer_facts(own, told_groups(shareable)),
        *lab_facts(case),
        *lab_history_facts(case),
        *score_facts(case),
        *score_history_facts(case, tables.get("survey_scores", empty(SurveyScores))),
        *finding_facts(findings),
    ]
    facts += changes_since(case.participant_id, facts, earlier)
    return Result(
        {
            "participant_percentiles": own,
            "findings": findings,
            "facts": facts_table(case.participant_id, facts),
        }
    )


def read_dossier(
    facts: pl.DataFrame, findings: pl.DataFrame, person: Mapping[str, Any], edition: str
) -> Dossier:
    """The dossier of the person of a ``participants`` row, from the tables ``facts`` and ``findings``."""
    own = pl.col("participant_id") == person["participant_id"]
    return Dossier(
        participant_id=person["participant_id"],
        sex=person["sex"],
        age=person["age"],
        data_through=person["data_through"],
        edition=edition,
        facts=facts.filter(own).sort("fact_id"),
        findings=findings.filter(own).sort("rule_id", "subject"),
    )
