"""Every published table, in the order of the data dictionary."""

from schemas.activities import Activities
from schemas.attention import Attention
from schemas.claims import Claims
from schemas.daily_summary import DailySummary
from schemas.facts import Facts
from schemas.findings import Findings
from schemas.heart_rate_minutes import HeartRateMinutes
from schemas.identity_marks import IdentityMarks
from schemas.insights import Insights
from schemas.lab_files import LabFiles
from schemas.lab_results import LabResults
from schemas.lab_review import LabReview
from schemas.metrics import Metrics
from schemas.model_calls import ModelCalls
from schemas.participant_features import ParticipantFeatures
from schemas.participant_percentiles import ParticipantPercentiles
from schemas.participant_weeks import ParticipantWeeks
from schemas.participants import Participants
from schemas.person_values import PersonValues
from schemas.population_percentiles import PopulationPercentiles
from schemas.quality_checks import QualityChecks
from schemas.rejected_rows import RejectedRows
from schemas.run_ledger import RunLedger
from schemas.shareable_percentiles import ShareablePercentiles
from schemas.shared_values import SharedValues
from schemas.sleep_sessions import SleepSessions
from schemas.sleep_stages import SleepStages
from schemas.source_files import SourceFiles
from schemas.steps_minutes import StepsMinutes
from schemas.summaries import Summaries
from schemas.survey_answers import SurveyAnswers
from schemas.survey_scores import SurveyScores
from schemas.table import Table
from schemas.value_sources import ValueSources

TABLES: dict[str, type[Table]] = {
    table.info.name: table
    for table in (
        Participants,
        DailySummary,
        ParticipantWeeks,
        Activities,
        SleepSessions,
        SleepStages,
        HeartRateMinutes,
        StepsMinutes,
        LabResults,
        LabFiles,
        LabReview,
        SurveyAnswers,
        SurveyScores,
        ParticipantFeatures,
        Metrics,
        PersonValues,
        PopulationPercentiles,
        ShareablePercentiles,
        SharedValues,
        ParticipantPercentiles,
        Findings,
        Facts,
        Insights,
        Summaries,
        Claims,
        Attention,
        QualityChecks,
        ModelCalls,
        SourceFiles,
        ValueSources,
        RejectedRows,
        IdentityMarks,
        RunLedger,
    )
}
