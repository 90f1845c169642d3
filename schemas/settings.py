"""study.toml as one typed model: every setting, its default and its meaning.

``docs/settings.md`` is generated from it. An unknown key or a bad value is an error that names the line.
An environment variable ``PHA_<SECTION>__<KEY>`` overrides a setting; secrets come only from the environment.
"""

from datetime import date
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator


def known_zone(name: str) -> str:
    """The name itself where it is an IANA zone; ValueError otherwise."""
    if name not in available_timezones():
        raise ValueError("no IANA time zone of that name, such as Europe/Amsterdam")
    return name


TimeZone = Annotated[str, AfterValidator(known_zone)]

# Asked unless a study says otherwise: what a physician's time is worth, first.
DEFAULT_QUESTIONS = (
    "fitness_trend",
    "sleep_regularity",
    "activity_guideline",
    "resting_heart_rate_peers",
    "weekday_weekend",
    "resting_heart_rate_change",
    "active_zone_change",
    "sleep_regularity_change",
    "sleep_duration_level",
    "ldl_and_activity",
)
BUILT_IN_QUESTIONS = (
    *DEFAULT_QUESTIONS,
    "heart_rate_variability_peers",
    "sleep_duration_peers",
    "steps_peers",
    "heart_rate_variability_change",
    "sleep_duration_change",
    "sleep_stages_change",
    "steps_change",
    "stress_score_change",
    "last_week_signals",
    "sleep_and_resting_heart_rate",
    "sleep_and_heart_rate_variability",
    "sleep_and_steps",
    "sleep_and_stress_score",
    "steps_and_sleep",
    "activity_and_heart_rate_variability",
    "bedtime_and_sleep",
    "steps_records",
    "active_zone_records",
    "exercise_weeks",
    "sleep_efficiency_level",
    "weekend_sleep_shift",
    "triglycerides_and_activity",
    "glucose_and_sleep",
    "hba1c_and_steps",
)


class Section(BaseModel):
    """Base of all sections: unknown keys are errors, values never change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StudySection(Section):
    """[study]: what the study is."""

    name: str = Field(min_length=1, max_length=80, description="Name shown on every page.")
    time_zone: TimeZone = Field(description="IANA zone of the study: as-of is a date in it.")
    made_up: bool = Field(False, description="True for a made study: its pages say 'Made-up people'.")


class StrataSection(Section):
    """[strata]: groups of the percentile tables."""

    age_groups: tuple[str, ...] = Field(
        ("18-24", "25-34", "35-44", "45-54", "55-64", "65+"), description="Age groups, in completed years."
    )

    @field_validator("age_groups")
    @classmethod
    def _groups_are_ranges(cls, groups: tuple[str, ...]) -> tuple[str, ...]:
        for group in groups:
            low, _, high = group.removesuffix("+").partition("-")
            if not low.isdigit() or (high and (not high.isdigit() or int(high) < int(low))):
                raise ValueError(f"{group} is not a range such as 18-24 or 65+")
        return groups

    def group_of(self, age: int) -> str | None:
        """The group an age in completed years falls into, or None."""
        for group in self.age_groups:
            low, _, high = group.removesuffix("+").partition("-")
            top = int(high) if high else (200 if group.endswith("+") else int(low))
            if int(low) <= age <= top:
                return group
        return None


class WindowsSection(Section):
    """[windows]: the last N days that values are computed over."""

    days: tuple[int, ...] = Field((7, 30, 90), description="Lengths in days, ending with data_through.")
    main: int = Field(30, description="The window that pages and ranks lead with.")


class PercentilesSection(Section):
    """[percentiles]: the population tables."""

    refresh: Literal["monthly", "every_run", "manual"] = Field(
        "monthly", description="When a new edition is made."
    )
    reference: str | None = Field(
        None, description="Parquet file of a reference population, beside study.toml (docs/percentiles.md)."
    )


class DriftSection(Section):
    """[drift]: how much the population may change from one release to the next; more holds a release back.

    Reasons for the limits: docs/quality.md.
    """

    quartiles_moved: float = Field(
        0.5, gt=0, description="Largest move of a quartile beyond chance, in widths of the middle half."
    )
    people_kept: float = Field(
        0.8, ge=0, le=1, description="Least share of the people with a value who still have one."
    )
    unit_jumps: float = Field(
        0.1, ge=0, le=1, description="Largest share of people whose value changed as between two units."
    )


class OwnQuestion(Section):
    """[questions.own.<id>]: a question of the study itself; a language model plans its analysis."""

    title: str = Field(min_length=3, max_length=60, description="What it is about, in a few words.")
    words: str = Field(min_length=10, max_length=300, description="The question in one neutral sentence.")


class QuestionsSection(Section):
    """[questions]: what the data-science agent is asked of every participant."""

    ids: tuple[str, ...] = Field(
        DEFAULT_QUESTIONS, description="Built-in questions to ask; docs/programs.md tells all there are."
    )

    @field_validator("ids")
    @classmethod
    def _known(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in ids if name not in BUILT_IN_QUESTIONS]
        if unknown:
            raise ValueError(f"no built-in question {unknown[0]}; there are {', '.join(BUILT_IN_QUESTIONS)}")
        return ids

    own: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{2,39}$")], OwnQuestion] = Field(
        {}, description="The study's own questions by id (docs/agent.md); without a model they are not run."
    )
    mode: Literal["compiled", "per_participant"] = Field(
        "compiled",
        description="Own questions are planned once for all, or anew for each participant.",
    )

    @field_validator("own")
    @classmethod
    def _not_built_in(cls, own: dict[str, OwnQuestion]) -> dict[str, OwnQuestion]:
        if taken := sorted(set(own) & set(BUILT_IN_QUESTIONS)):
            raise ValueError(f"{taken[0]} is a built-in question")
        return own


class ModelSection(Section):
    """[model]: which language model may write, if any."""

    name: str = Field("rules", description="rules writes from templates without a language model.")
    allow: tuple[str, ...] = Field(("rules",), description="Models this study may use.")
    agreement: str = Field("", description="The agreement that lets data leave for an outside endpoint.")
    batch: bool = Field(
        False, description="Ask by batch jobs: half the price, an answer within a day (Gemini API only)."
    )


class Limits(Section):
    """Limits of one participant or agent within a run; without a value only the run's own limits hold."""

    usd: float | None = Field(None, ge=0, description="Money, in US dollars.")
    tokens: int | None = Field(None, ge=0, description="Tokens, in and out.")
    calls: int | None = Field(None, ge=0, description="Requests.")


class BudgetSection(Section):
    """[budget]: limits of a run; reaching one pauses it and finished work is kept.

    Runs for the same as-of share one budget.
    """

    usd: float = Field(10.0, ge=0, description="Money, in US dollars.")
    tokens: int = Field(5_000_000, ge=0, description="Tokens, in and out.")
    calls: int = Field(10_000, ge=0, description="Requests.")
    participant: Limits = Field(
        Limits(),  # pyright: ignore[reportCallIssue]
        description="The most a run spends on one participant: usd, tokens, calls.",
    )
    agents: dict[str, Limits] = Field(
        {},
        description="By agent (domain_expert, data_science): the most it may spend in a run.",
    )


class PrivacySection(Section):
    """[privacy]: what is kept and published."""

    on_withdrawal: Literal["keep", "erase"] = Field("keep", description="Data of withdrawn participants.")
    free_text: bool = Field(False, description="Publish free-text answers and custom activity names.")


class CriticalLimit(Section):
    """[alerts.critical.analyte]: limits of one analyte in its canonical unit; at or beyond is an alert."""

    low: float | None = Field(default=None, description="At or below it is an alert.")
    high: float | None = Field(default=None, description="At or above it is an alert.")


class AlertsSection(Section):
    """[alerts]: what reaches the board at once. Shown in red until a named clinician has set it."""

    command: tuple[str, ...] = Field((), description="Program called with the participant's id and the code.")
    set_by: str = Field("", description="Clinician who set the limits.")
    set_on: date | None = Field(None, description="When.")
    phq_item_9: bool = Field(True, description="Alert on any answer above 0 to PHQ item 9.")
    critical: dict[str, CriticalLimit] = Field(
        {
            "potassium": CriticalLimit(low=2.5, high=6.5),
            "sodium": CriticalLimit(low=120, high=160),
            "glucose": CriticalLimit(low=45, high=500),
            "hemoglobin": CriticalLimit(low=7.0),
            "platelets": CriticalLimit(low=20),
        },
        description="Critical limits by analyte key.",
    )


ClinicalFact = Literal[
    "height_cm", "weight_kg", "waist_cm", "systolic", "diastolic", "home_systolic", "home_diastolic",
    "pregnant", "smoker", "diabetes", "heart_disease", "antihypertensives", "beta_blocker", "statin",
    "metformin", "glucose_drug", "nsaid", "biotin", "thyroid_hormone",
]  # fmt: skip


class FindingsSection(Section):
    """[findings]: limits of findings that no guideline sets, and where surveys hold what rules need.

    Reasons and the meaning of each fact: docs/findings.md.
    """

    items: dict[ClinicalFact, str] = Field(
        {},
        description='Clinical fact -> survey item (`waist_cm = "waist"`), or item and the code that means'
        ' yes (`smoker = "smoking=2"`). Without an entry: the item of the fact\'s own name.',
    )

    trend_days: int = Field(
        224,
        ge=84,
        multiple_of=14,
        description="Longest window of a trend: its later half against its earlier.",
    )
    trend_false_share: float = Field(
        0.0125, gt=0, le=0.2, description="Share of false ones among a person's trends of a release (FDR)."
    )
    change_false_share: float = Field(
        0.04,
        gt=0,
        le=0.2,
        description="Share of false ones among a person's changes of the last days, of all measures (FDR).",
    )


class ReportsSection(Section):
    """[reports]: the pages."""

    require_sign_off: bool = Field(False, description="No participant's page is published unsigned.")


class RetentionSection(Section):
    """[retention]: how long releases stay."""

    keep_releases: int = Field(12, ge=1, description="Releases that `pha clean` keeps.")


class AccessSection(Section):
    """[access]: who may read OUT besides its owner."""

    unix_group: str | None = Field(None, description="A group that may read releases; none by default.")


class SurveyFile(Section):
    """[surveys.files."answers.csv"]: how a file of surveys/ is read whose columns are no field names.

    Its items and codes are those of the data dictionary beside it.
    """

    form: Literal["qualtrics", "google_forms", "table"] = Field(description="What kind of export it is.")
    participant: str = Field(description="Column that holds the participant's id or alias.")
    answered: str | None = Field(None, description="Column with the moment or day of the answers.")
    event: str | None = Field(None, description="Column that names the visit, where there are several.")
    dates: Literal["ymd", "mdy", "dmy"] = Field("ymd", description="Order of dates written with slashes.")
    answers: Literal["codes", "labels"] | None = Field(
        None, description="How choices are written, where a column of either kind could be both."
    )
    unanswered: str = Field("", description="A code for seen and left blank, such as Qualtrics' -99.")
    columns: dict[str, str] = Field({}, description="Column (title or import id) -> field of the dictionary.")


class SurveysSection(Section):
    """[surveys]: survey files that are no REDCap exports."""

    files: dict[str, SurveyFile] = Field(
        {},
        description="By name of the file: form, participant, answered, event, dates, answers, unanswered, "
        "columns (docs/surveys.md).",
    )


class Settings(Section):
    """All of study.toml."""

    study: StudySection
    strata: StrataSection = StrataSection()  # pyright: ignore[reportCallIssue]
    windows: WindowsSection = WindowsSection()  # pyright: ignore[reportCallIssue]
    percentiles: PercentilesSection = PercentilesSection()  # pyright: ignore[reportCallIssue]
    drift: DriftSection = DriftSection()  # pyright: ignore[reportCallIssue]
    questions: QuestionsSection = QuestionsSection()  # pyright: ignore[reportCallIssue]
    model: ModelSection = ModelSection()  # pyright: ignore[reportCallIssue]
    budget: BudgetSection = BudgetSection()  # pyright: ignore[reportCallIssue]
    privacy: PrivacySection = PrivacySection()  # pyright: ignore[reportCallIssue]
    alerts: AlertsSection = AlertsSection()  # pyright: ignore[reportCallIssue]
    surveys: SurveysSection = SurveysSection()  # pyright: ignore[reportCallIssue]
    findings: FindingsSection = FindingsSection()  # pyright: ignore[reportCallIssue]
    reports: ReportsSection = ReportsSection()  # pyright: ignore[reportCallIssue]
    retention: RetentionSection = RetentionSection()  # pyright: ignore[reportCallIssue]
    access: AccessSection = AccessSection()  # pyright: ignore[reportCallIssue]
