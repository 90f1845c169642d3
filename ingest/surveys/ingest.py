"""The stage ``surveys``: survey exports of the whole cohort with their data dictionaries."""

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from ingest.source_file import SourceFile
from ingest.spoilt_ids import bare_id, by_bare_id
from ingest.surveys.alert_answers import alert_answers
from ingest.surveys.fates import Export, is_torn, judge, settle
from ingest.surveys.folder import Folder, open_folder
from ingest.surveys.recognise import raw_export
from ingest.surveys.tables import rejected_rows, source_files, survey_answers, survey_scores
from outputs.digests import keyed_digest
from outputs.store import Result
from schemas.errors import PhaError
from schemas.participant import Participant
from schemas.settings import SurveyFile

RESULT_VERSION = 5

Problem = dict[str, str]


def ingest_surveys(
    files: Sequence[SourceFile],
    participants: Sequence[Participant],
    secret: bytes,
    free_text: bool,
    mappings: Mapping[str, SurveyFile],
) -> Result:
    """All answers of registered people in survey exports, and the scores of known instruments.

    ``mappings``: by name of the file, how one that is no REDCap export is read ([surveys] of study.toml).

    Tables survey_answers, survey_scores, source_files (participant_id null), rejected_rows; document
    "problems". A file that cannot be read is a problem; the others are read.
    """
    ids = {f.file_id(secret, None): f for f in sorted(files, key=lambda f: (f.relative, f.sha256))}
    folder = open_folder(ids)
    people = record_ids(participants)
    mapped = {file_id: mappings[f.relative] for file_id, f in ids.items() if f.relative in mappings}
    exports = list(judged_exports(folder, mapped, people, free_text))
    fates = settle(exports)
    answers = survey_answers(fates)
    return Result(
        tables={
            "survey_answers": answers,
            "survey_scores": survey_scores(answers, exports, participants),
            "source_files": source_files(ids, folder, fates, secret),
            "rejected_rows": rejected_rows(fates),
        },
        document={
            "problems": [
                *_file_problems(folder),
                *_mapping_problems(set(mappings) - {f.relative for f in files}, secret),
                *_cell_problems(fates, people),
                *_logic_problems(exports, fates),
                *alert_answers(exports),
            ]
        },
        private={file_id: file.relative for file_id, file in ids.items()},
    )


def judged_exports(
    folder: Folder, mapped: Mapping[str, SurveyFile], people: Mapping[str, str], free_text: bool
) -> Iterator[Export]:
    """Exports that have a dictionary and whole checkboxes; the others become faults of the folder."""
    for file_id, sheet in folder.sheets.items():
        try:
            raw = raw_export(sheet, mapped.get(file_id), folder.dictionaries)
        except PhaError as fault:
            folder.faults[file_id] = fault
            continue
        folder.forms[file_id] = raw.form
        if is_torn(raw.sheet, raw.dictionary):
            problem = "a checkbox lacks the columns of some choices"
            folder.faults[file_id] = PhaError("survey_unreadable", problem=problem)
        else:
            yield judge(raw.sheet, raw.dictionary, file_id, people, free_text)


def record_ids(participants: Sequence[Participant]) -> dict[str, str]:
    """Lower-case record id -> participant, by id and aliases."""
    return {
        name.strip().lower(): person.participant_id
        for person in participants
        for name in (*person.aliases, person.participant_id)
    }


def _file_problems(folder: Folder) -> list[Problem]:
    return [
        {"code": fault.code.name, "subject": file_id, "what": fault.what}
        for file_id, fault in sorted(folder.faults.items())
    ]


def _mapping_problems(lost: set[str], secret: bytes) -> list[Problem]:
    """One problem for all files that are mapped and not there; names stay out of it."""
    code = "survey_mapping_unused"
    subject = keyed_digest(secret, "mapping", *sorted(lost))
    return [{"code": code, "subject": subject, "what": PhaError(code, count=len(lost)).what}] if lost else []


def _logic_problems(exports: Sequence[Export], fates: pl.DataFrame) -> list[Problem]:
    """Per file: fields whose branching logic was not evaluated, and answers that should be hidden."""
    unread = [(e.file_id, e.logic_not_evaluated) for e in exports if e.logic_not_evaluated]
    answered = fates.filter(
        pl.col("fate") == "staged",
        pl.col("hidden_by_logic"),
        pl.col("missing_reason").ne_missing("not_asked"),
    )
    against = answered.group_by("file_id").len().sort("file_id").iter_rows()
    told = (("survey_logic_not_evaluated", unread), ("survey_hidden_answered", against))
    return [
        {"code": code, "subject": file_id, "what": PhaError(code, count=count).what}
        for code, counts in told
        for file_id, count in sorted(counts)
    ]


def _cell_problems(fates: pl.DataFrame, people: Mapping[str, str]) -> list[Problem]:
    """Unknown records, those whose zeros were lost by themselves, and answers that do not fit, per file."""
    records = fates.filter(pl.col("fate") == "unknown_record").select("file_id", "record").unique()
    alike = by_bare_id(people)
    is_spoilt = pl.col("record").is_in(
        [name for name in records["record"].unique() if bare_id(name) in alike]
    )
    spoilt = records.filter(is_spoilt).group_by("file_id").len()
    unknown = records.filter(~is_spoilt).group_by("file_id").len()
    rejected = fates.filter(pl.col("fate") == "rejected").group_by("file_id").len()
    return [
        {"code": code, "subject": file_id, "what": PhaError(code, count=count).what}
        for code, counts in (
            ("survey_unknown_record", unknown),
            ("survey_spoilt_id", spoilt),
            ("survey_value_invalid", rejected),
        )
        for file_id, count in counts.sort("file_id").iter_rows()
    ]
