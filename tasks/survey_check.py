"""Survey files in a dry run: what a run would take from them and what is wrong, without writing anything."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ingest.source_file import SourceFile
from ingest.surveys import ingest_surveys
from outputs.store import COHORT
from schemas.errors import CODES
from tasks.kept_problems import KeptProblem, place_of_person
from tasks.keys import surveys_key
from tasks.workspace import Workspace, survey_files

# A dry run takes seconds: what is larger is left to the run.
MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class SurveyCheck:
    """problems: (file below the study folder, problem). note: the files in a line."""

    problems: list[tuple[str, KeptProblem]]
    note: str


def check_surveys(workspace: Workspace) -> SurveyCheck:
    """Read the survey files; those whose reading is in the store have their problems there already."""
    files = survey_files(workspace)
    told = f"surveys: {len(files)} files" if files else "surveys: no file"
    piece = workspace.store.find("surveys", COHORT, surveys_key(workspace, files)) if files else None
    if not files or piece is not None:
        return SurveyCheck([], f"{told}, read already" if piece else told)
    if sum(file.size for file in files) > MOST_BYTES:
        return SurveyCheck([], f"{told}, too large to be looked into here")
    return _read(workspace, files, told)


def _read(workspace: Workspace, files: Sequence[SourceFile], told: str) -> SurveyCheck:
    study = workspace.study
    settings = study.settings
    result = ingest_surveys(
        files, study.participants, study.secret, settings.privacy.free_text, settings.surveys.files
    )
    names = {file.file_id(study.secret, None): f"surveys/{file.relative}" for file in files}
    problems = [
        (
            names.get(problem["subject"].partition(":")[0])
            or place_of_person("surveys", COHORT, problem.get("participant_id")),
            KeptProblem(CODES[problem["code"]], problem["what"]),
        )
        for problem in result.document["problems"]
    ]
    answers = result.tables["survey_answers"].lazy()
    people, count = answers.select(pl.col("participant_id").n_unique(), pl.len()).collect().row(0)
    return SurveyCheck(problems, f"{told}, {count:,} answers of {people} participants")
