"""Writes the answers of a study in one of the forms that survey systems export."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from outputs.parquet import write_table
from schemas.survey_answers import SurveyAnswers
from schemas.survey_scores import SurveyScores
from synthetic.surveys import google_forms, plain_csv, qualtrics, redcap
from synthetic.surveys.answers import Record
from synthetic.surveys.reach import Reach
from synthetic.surveys.truth import survey_answers, survey_scores


@dataclass(frozen=True, slots=True)
class ExportForm:
    """How a form is written, what it can tell, and the lines of study.toml it needs to be read."""

    files: Callable[[Sequence[Record]], dict[str, str]]
    reach: Reach
    toml: Callable[[], str] = str


FORMS: Mapping[str, ExportForm] = {
    "redcap_raw": ExportForm(redcap.raw_files, redcap.RAW),
    "redcap_label": ExportForm(redcap.label_files, redcap.LABEL),
    "redcap_comma": ExportForm(redcap.comma_files, redcap.COMMA),
    "redcap_longitudinal": ExportForm(redcap.longitudinal_files, redcap.LONGITUDINAL),
    "qualtrics": ExportForm(qualtrics.files, qualtrics.REACH, qualtrics.toml),
    "qualtrics_legacy": ExportForm(qualtrics.legacy_files, qualtrics.REACH, qualtrics.legacy_toml),
    "google_forms": ExportForm(google_forms.files, google_forms.REACH, google_forms.toml),
    "plain_csv": ExportForm(plain_csv.files, plain_csv.REACH, plain_csv.toml),
}


def write_surveys(records: Sequence[Record], folder: Path, form: str = "redcap_raw") -> list[str]:
    """Write the export of a form, one of FORMS, with what belongs beside it; the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = FORMS[form].files(records)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    return list(files)


def write_survey_truth(records: Sequence[Record], folder: Path, form: str = "redcap_raw") -> None:
    """Write survey_answers.parquet and survey_scores.parquet: what a right reader gets from that form."""
    reach = FORMS[form].reach
    write_table(survey_answers(records, reach), SurveyAnswers, folder / "survey_answers.parquet")
    write_table(survey_scores(records, reach), SurveyScores, folder / "survey_scores.parquet")
