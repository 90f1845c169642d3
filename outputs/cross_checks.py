"""Sources that tell the same of a person, compared: registry, questionnaire, lab reports, Fitbit.

Nothing is overwritten: a difference is a row of quality_checks and a matter for a person. An item is known by
its name, which says its unit; another name is another unit and is not taken for it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import polars as pl

from outputs.told_fasting import told_fasting
from schemas.participant import OLDEST_AGE_SHOWN, Participant
from schemas.quality_checks import QualityChecks
from schemas.table import polars_schema

# Below and above nobody lives; a unit was taken for another (centimetres for inches, pounds for kilograms).
POSSIBLE_INDEX = (12.0, 70.0)
HEIGHT_TOLERANCE_CM = 5.0
WEIGHT_TOLERANCE = 0.1
WEIGHT_DAYS = 30
CM = {"height_cm": 1.0, "height_in": 2.54}
KG = {"weight_kg": 1.0, "weight_lb": 0.45359237}
_SEXES = {"female": "female", "f": "female", "male": "male", "m": "male", "intersex": "intersex"}
_GENDERS = {**_SEXES, "woman": "female", "man": "male"}
# The others are told by the identity gates.
CHECKS_FOR_PEOPLE = (
    "sex_of_survey_and_registry",
    "gender_of_survey_and_registry",
    "age_of_survey_and_registry",
    "birth_year_of_survey_and_registry",
    "fasting_of_survey_and_lab_report",
    "body_mass_index_of_survey_possible",
    "height_of_survey_and_fitbit_profile",
    "weight_of_survey_and_scale",
)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer: its item in lower case, its day, its number and its word (label, else value)."""

    item: str
    event: str
    day: date | None
    number: float | None
    word: str


@dataclass(frozen=True, slots=True)
class Sources:
    """What the sources say of one person: their published tables, and the height of the Fitbit profile."""

    participant: Participant
    tables: Mapping[str, pl.DataFrame]
    profile_height_cm: float | None = None


Check = tuple[str, list[bool], str]


def cross_checks(sources: Sources) -> pl.DataFrame:
    """Table quality_checks: one row a check, how much was compared and how much differs."""
    person, told = sources.participant, list(_answers(sources.tables["survey_answers"]))
    checks: list[Check] = [
        _sex(person, told),
        _gender(person, told),
        _age(person, told),
        _birth_year(person, told),
        _fasting(sources.tables),
        _body_mass_index(told),
        _height(told, sources.profile_height_cm),
        _weight(told, sources.tables["daily_summary"]),
        _lab_identity(sources.tables["lab_files"]),
        _export_identity(sources.tables["source_files"]),
    ]
    rows = [
        (person.participant_id, name, _outcome(agrees), len(agrees), agrees.count(False), detail)
        for name, agrees, detail in checks
    ]
    return pl.DataFrame(rows, schema=polars_schema(QualityChecks), orient="row")


def _outcome(agrees: list[bool]) -> str:
    if not agrees:
        return "not_checked"
    return "ok" if all(agrees) else "differs"


def _answers(survey_answers: pl.DataFrame) -> Iterator[Told]:
    answered = survey_answers.filter(pl.col("value").is_not_null()).sort(
        "answered_on", "event", "instance", "item", nulls_last=False
    )
    for row in answered.iter_rows(named=True):
        word = row["label"] or row["value"]
        yield Told(row["item"].lower(), row["event"], row["answered_on"], row["value_num"], word.casefold())


def _sex(person: Participant, told: list[Told]) -> Check:
    said = [_SEXES[t.word] for t in told if t.item in ("sex_at_birth", "sex") and t.word in _SEXES]
    known = person.sex != "unknown"
    return (
        "sex_of_survey_and_registry",
        [sex == person.sex for sex in said if known],
        "sex at birth of the questionnaire = sex in participants.csv",
    )


def _gender(person: Participant, told: list[Told]) -> Check:
    registered = _GENDERS.get((person.gender or "").casefold())
    said = [_GENDERS[t.word] for t in told if t.item == "gender" and t.word in _GENDERS]
    return (
        "gender_of_survey_and_registry",
        [gender == registered for gender in said if registered],
        "gender of the questionnaire = gender in participants.csv",
    )


def _age(person: Participant, told: list[Told]) -> Check:
    near = 2 if person.age_approximate else 1
    ages = [
        (t.number, person.age_on(t.day)) for t in told if t.item == "age" and t.number is not None and t.day
    ]
    return (
        "age_of_survey_and_registry",
        [abs(min(number, OLDEST_AGE_SHOWN) - age) <= near for number, age in ages],
        "age of the questionnaire = age by participants.csv, give or take a birthday",
    )


def _birth_year(person: Participant, told: list[Told]) -> Check:
    years = [t.number for t in told if t.item in ("birth_year", "year_of_birth") and t.number is not None]
    return (
        "birth_year_of_survey_and_registry",
        [year == person.birth_year for year in years],
        "birth year of the questionnaire = that of participants.csv",
    )


def _fasting(tables: Mapping[str, pl.DataFrame]) -> Check:
    """Per draw of which both tell; the report's word is the one that counts."""
    draws = (
        tables["lab_results"]
        .filter(pl.col("fasting_source") == "report", ~pl.col("derived"))
        .select(day="collected_date", report="fasting")
        .unique()
    )
    both = draws.join(told_fasting(tables["survey_answers"].lazy()).collect(), on="day").sort("day", "report")
    return (
        "fasting_of_survey_and_lab_report",
        (both["report"] == both["told"]).to_list(),
        "fasting as the questionnaire of the day of the draw = as the lab report; the report counts",
    )


def _body_mass_index(told: list[Told]) -> Check:
    low, high = POSSIBLE_INDEX
    heights = {t.event: value for t in told if (value := _in(t, CM)) is not None}
    weights = {t.event: value for t in told if (value := _in(t, KG)) is not None}
    indices = [
        weights[event] / (heights[event] / 100) ** 2 for event in sorted(weights.keys() & heights.keys())
    ]
    return (
        "body_mass_index_of_survey_possible",
        [low < index < high for index in indices],
        "body mass index of height and weight of the questionnaire between 12 and 70",
    )


def _height(told: list[Told], profile_cm: float | None) -> Check:
    heights = [value for t in told if (value := _in(t, CM)) is not None]
    return (
        "height_of_survey_and_fitbit_profile",
        [abs(height - profile_cm) <= HEIGHT_TOLERANCE_CM for height in heights if profile_cm is not None],
        "height of the questionnaire = that of the Fitbit profile, to 5 cm",
    )


def _weight(told: list[Told], daily: pl.DataFrame) -> Check:
    """Against the median of the scale within a month of the answer."""
    scale = daily.drop_nulls("weight_kg").select("date", "weight_kg")
    agrees: list[bool] = []
    for each in told:
        weight = _in(each, KG)
        near = (pl.col("date") - pl.lit(each.day, pl.Date)).dt.total_days().abs() <= WEIGHT_DAYS
        median = scale.filter(near)["weight_kg"].median() if weight is not None else None
        if weight is not None and isinstance(median, float):
            agrees.append(abs(weight - median) <= WEIGHT_TOLERANCE * median)
    return (
        "weight_of_survey_and_scale",
        agrees,
        "weight of the questionnaire = median of the scale within 30 days, to a tenth",
    )


def _lab_identity(lab_files: pl.DataFrame) -> Check:
    return (
        "lab_reports_name_the_person",
        _matched(lab_files["identity"]),
        "name, birth date and sex on every page of a lab report = participants.csv",
    )


def _export_identity(source_files: pl.DataFrame) -> Check:
    return (
        "exports_name_the_person",
        _matched(source_files.filter(pl.col("source") == "fitbit")["identity"]),
        "name, birth date and gender of the Fitbit profile = participants.csv",
    )


def _matched(verdicts: pl.Series) -> list[bool]:
    told = verdicts.filter(verdicts.is_in(["matched", "identity_mismatch"]).fill_null(value=False))
    return (told == "matched").to_list()


def _in(told: Told, units: Mapping[str, float]) -> float | None:
    """The number in the first of the units, where the item's name has one of them."""
    factor = units.get(told.item)
    return None if factor is None or told.number is None else told.number * factor
