"""Survey files: which of the loose files are some, and what a run would take from them."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import polars as pl

from ingest.fitbit.kinds import ignored_by
from ingest.fitbit.unread import UNKNOWN
from ingest.inspection.exports import SECRET
from ingest.inspection.found import Fault, SurveyLook, fault
from ingest.source_file import SourceFile
from ingest.surveys import ingest_surveys
from ingest.surveys.dictionary import is_dictionary
from ingest.surveys.export import read_sheet
from ingest.surveys.folder import Folder, open_folder
from ingest.surveys.instruments import INSTRUMENTS
from ingest.surveys.ipaq import NAME as IPAQ
from ingest.surveys.recognise import raw_export
from outputs.store import Result
from schemas.errors import CODES, PhaError
from schemas.participant import Participant
from schemas.settings import SurveyFile

FOLDER = "surveys"


def survey_files(paths: Collection[Path], asked: Path) -> set[Path]:
    """Files that are surveys: CSV of no kind that exports have, which lie beside a data dictionary, in a
    folder ``surveys``, or are what was asked about.
    """
    tables = [path for path in paths if _may_be_survey(path)]
    homes = {path.parent for path in tables if is_dictionary_file(path)}
    return {path for path in tables if path == asked or path.parent in homes or path.parent.name == FOLDER}


def is_dictionary_file(path: Path) -> bool:
    """True for a REDCap data dictionary."""
    try:
        return is_dictionary(read_sheet(path).header)
    except PhaError:
        return False


def look_at_surveys(
    files: Sequence[SourceFile],
    context: Sequence[SourceFile],
    participants: Sequence[Participant] | None,
    mappings: Mapping[str, SurveyFile],
) -> tuple[tuple[SurveyLook, ...], list[Fault]]:
    """Read survey files as a run would, ``context`` (dictionaries that lie beside them) with them.

    participants: of the study, or None: then every record counts as a person.
    """
    ids = {file.file_id(SECRET, None): file for file in (*files, *context)}
    folder = open_folder(ids)
    records = {
        file_id: _records(folder, file_id, mappings.get(file.relative)) for file_id, file in ids.items()
    }
    people = participants
    if people is None:
        named = sorted({record for each in records.values() for record in each})
        people = [Participant(record, "unknown", 1900, "UTC") for record in named]
    used = {name: each for name, each in mappings.items() if name in {file.relative for file in files}}
    result = ingest_surveys([*files, *context], people, SECRET, False, used)
    asked = [file.file_id(SECRET, None) for file in files]
    looks = tuple(_look(ids[file_id], file_id, folder, records[file_id], result) for file_id in asked)
    problems = [each for each in result.document["problems"] if each["subject"].partition(":")[0] in asked]
    return looks, [fault(CODES[problem["code"]], problem["what"]) for problem in problems]


def _may_be_survey(path: Path) -> bool:
    return path.suffix.lower() == ".csv" and ignored_by(path.name, path.name) == UNKNOWN


def _records(folder: Folder, file_id: str, mapping: SurveyFile | None) -> set[str]:
    """Record ids of a file that has a dictionary, trials of the survey left out."""
    if file_id not in folder.sheets:
        return set()
    try:
        raw = raw_export(folder.sheets[file_id], mapping, folder.dictionaries)
    except PhaError:
        return set()
    at = raw.sheet.header.index(raw.dictionary.record_id)
    rows = enumerate(raw.sheet.rows, 1)
    return {row[at].strip() for number, row in rows if number not in raw.sheet.previews} - {""}


def _look(
    file: SourceFile, file_id: str, folder: Folder, records: Collection[str], result: Result
) -> SurveyLook:
    tables = {name: result.tables[name].lazy() for name in ("source_files", "survey_answers")}
    of_file = pl.col("file_id") == file_id
    told = tables["source_files"].filter(of_file).collect().row(0, named=True)
    answers = tables["survey_answers"].filter(of_file).select("instrument").unique().collect()
    sheet = folder.sheets.get(file_id)
    return SurveyLook(
        form=told["form"],
        bytes=told["bytes"],
        rows=len(sheet.rows) if sheet else 0,
        fields=len(read_sheet(file.path).rows) if told["form"] == "redcap_dictionary" else 0,
        records=len(records),
        answers=told["rows_staged"],
        rejected=told["rows_rejected"],
        instruments={name: name in (*INSTRUMENTS, IPAQ) for name in sorted(answers["instrument"])},
        first_day=told["first_day"],
        last_day=told["last_day"],
    )
