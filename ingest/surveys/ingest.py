"""The stage ``surveys``: raw REDCap exports of the whole cohort with their data dictionaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from ingest.source_file import SourceFile
from ingest.surveys.answers import match_records, read_answers
from ingest.surveys.dictionary import Dictionary, is_dictionary, read_dictionary
from ingest.surveys.export import Sheet, answer_cells, read_sheet, system_columns
from ingest.surveys.scores import score, scored_instruments
from outputs.digests import canonical_json
from outputs.store import Result
from schemas.errors import PhaError
from schemas.participant import Participant
from schemas.rejected_rows import RejectedRows
from schemas.source_files import SourceFiles
from schemas.survey_answers import SurveyAnswers
from schemas.survey_scores import SurveyScores
from schemas.table import conform, empty, polars_schema

RESULT_VERSION = 1

KEY = ("participant_id", "instrument", "event", "instance", "item")
_EVENT_LIST = frozenset({"event_name", "unique_event_name"})

Problem = dict[str, str]


@dataclass(frozen=True, slots=True)
class Export:
    """A data file with its dictionary and its cells: every column of read_answers, participant and fate."""

    file_id: str
    dictionary: Dictionary
    cells: pl.DataFrame


@dataclass(slots=True)
class _Folder:
    """What the files of surveys/ turned out to be."""

    forms: dict[str, str] = field(default_factory=dict[str, str])
    sheets: dict[str, Sheet] = field(default_factory=dict[str, Sheet])
    dictionaries: list[Dictionary] = field(default_factory=list[Dictionary])
    faults: dict[str, PhaError] = field(default_factory=dict[str, PhaError])


def ingest_surveys(
    files: Sequence[SourceFile], participants: Sequence[Participant], secret: bytes, free_text: bool
) -> Result:
    """All answers of registered people in REDCap exports, and the scores of known instruments.

    Tables survey_answers, survey_scores, source_files (participant_id null), rejected_rows; document
    "problems". A file that cannot be read is a problem; the others are read.
    """
    ordered = sorted(files, key=lambda f: (f.relative, f.sha256))
    ids = {file.file_id(secret, None): file for file in ordered}
    folder = _open(ids)
    people = _record_ids(participants)
    exports = [export for file_id in folder.sheets if (export := _export(file_id, folder, people, free_text))]
    fates = _settle(exports)
    answers = fates.filter(pl.col("fate") == "staged").lazy().pipe(conform, SurveyAnswers).collect()
    return Result(
        tables={
            "survey_answers": answers,
            "survey_scores": _scores(answers, exports, participants),
            "source_files": _source_files(ids, folder, fates, secret),
            "rejected_rows": _rejected(fates),
        },
        document={"problems": _problems(folder, fates)},
        private={file_id: file.relative for file_id, file in ids.items()},
    )


def _open(files: Mapping[str, SourceFile]) -> _Folder:
    """Each file as dictionary, export or fault. A repeat of the same bytes is not read again."""
    folder, seen = _Folder(), set[str]()
    for file_id, file in files.items():
        if file.set_aside is not None or file.sha256 in seen:
            folder.forms[file_id] = "repeat"
            continue
        seen.add(file.sha256)
        try:
            sheet = read_sheet(file.path)
        except PhaError as fault:
            folder.forms[file_id], folder.faults[file_id] = "unreadable", fault
            continue
        if is_dictionary(sheet.header):
            folder.forms[file_id] = "redcap_dictionary"
            folder.dictionaries.append(read_dictionary(sheet.records()))
        elif set(sheet.header) >= _EVENT_LIST:
            folder.forms[file_id] = "redcap_events"
        else:
            folder.forms[file_id], folder.sheets[file_id] = "redcap_csv", sheet
    return folder


def _dictionary_of(sheet: Sheet, dictionaries: Sequence[Dictionary]) -> Dictionary | None:
    """The dictionary that names most of an export's columns, its record id among them."""
    fitting = [d for d in dictionaries if d.fields and d.record_id in sheet.header]
    header = set(sheet.header)
    return max(fitting, key=lambda d: len(header & {c.name for c in d.columns()}), default=None)


def _export(
    file_id: str, folder: _Folder, people: Mapping[str, str], free_text: bool
) -> Export | None:
    sheet = folder.sheets[file_id]
    dictionary = _dictionary_of(sheet, folder.dictionaries)
    if dictionary is None:
        folder.faults[file_id] = PhaError("survey_no_dictionary")
        return None
    missing = [c.name for c in dictionary.columns() if c.field.kind == "checkbox" and _is_torn(c.name, sheet)]
    if missing:
        folder.faults[file_id] = PhaError("survey_unreadable", problem="a checkbox lacks columns of its choices")
        return None
    cells = (
        answer_cells(sheet, dictionary)
        .pipe(read_answers, dictionary, free_text)
        .pipe(match_records, people)
        .with_columns(file_id=pl.lit(file_id), fate=_fate(dictionary))
        .filter(pl.col("fate") != "system")
        .collect()
    )
    return Export(file_id, dictionary, cells)


def _is_torn(column: str, sheet: Sheet) -> bool:
    """A choice's column is missing though another choice of the same checkbox is there."""
    stem = column.rsplit("___", 1)[0] + "___"
    return column not in sheet.header and any(title.startswith(stem) for title in sheet.header)


def _fate(dictionary: Dictionary) -> pl.Expr:
    """staged, rejected, or the named rule that ignores a cell."""
    column, kind = pl.col("column"), pl.col("kind")
    return (
        pl.when(column.is_in(list(system_columns(dictionary))) | (kind == "record_id"))
        .then(pl.lit("system"))
        .when(kind.is_null())
        .then(pl.lit("not_in_dictionary"))
        .when(pl.col("participant_id").is_null())
        .then(pl.lit("unknown_record"))
        .when(kind == "identifier")
        .then(pl.lit("identifier"))
        .when(kind == "file")
        .then(pl.lit("file_field"))
        .when(~pl.col("in_row").fill_null(False) & (pl.col("raw") == ""))
        .then(pl.lit("form_not_in_row"))
        .when(~pl.col("in_row").fill_null(False) & (kind == "checkbox") & (pl.col("raw") == "0"))
        .then(pl.lit("form_not_in_row"))
        .when(~pl.col("in_row").fill_null(False))
        .then(pl.lit("rejected"))
        .when(~pl.col("fits"))
        .then(pl.lit("rejected"))
        .otherwise(pl.lit("staged"))
    )


def _settle(exports: Sequence[Export]) -> pl.DataFrame:
    """One answer per key: the latest day wins, then one with a value; equal days with other values conflict."""
    if not exports:
        return pl.DataFrame(schema={**polars_schema(SurveyAnswers), **_CELL})
    wanted = [*polars_schema(SurveyAnswers), *_CELL]
    cells = pl.concat([export.cells.select(wanted) for export in exports])
    staged, others = cells.filter(pl.col("fate") == "staged"), cells.filter(pl.col("fate") != "staged")
    has_value = pl.col("missing_reason") != "not_answered"
    ranked = staged.sort(
        *KEY,
        "answered_on",
        has_value.fill_null(True),
        "file_id",
        "row",
        descending=[*[False] * len(KEY), True, True, False, False],
        nulls_last=True,
    ).with_columns(first=pl.int_range(pl.len()).over(KEY) == 0)
    top = pl.col("answered_on").eq_missing(pl.col("answered_on").first().over(KEY))
    said = pl.coalesce("value", "missing_reason")
    conflict = (said.filter(top & has_value.fill_null(True)).n_unique().over(KEY)) > 1
    settled = ranked.with_columns(
        fate=pl.when(conflict & top)
        .then(pl.lit("rejected"))
        .when("first")
        .then(pl.lit("staged"))
        .otherwise(pl.lit("merged")),
        conflict=conflict & top,
    ).drop("first")
    return pl.concat([settled, others.with_columns(conflict=pl.lit(False))])


_CELL = {"row": pl.UInt32, "column": pl.String, "fate": pl.String, "kind": pl.String, "record": pl.String}


def _record_ids(participants: Sequence[Participant]) -> dict[str, str]:
    """Lower-case record id -> participant, by id and aliases."""
    return {
        name.strip().lower(): person.participant_id
        for person in participants
        for name in (*person.aliases, person.participant_id)
    }


def _scores(
    answers: pl.DataFrame, exports: Sequence[Export], participants: Sequence[Participant]
) -> pl.DataFrame:
    instruments = {i.name: i for e in exports for i in scored_instruments(e.dictionary)[0]}
    sexes = pl.LazyFrame(
        {"participant_id": [p.participant_id for p in participants], "sex": [p.sex for p in participants]},
        schema={"participant_id": pl.String, "sex": pl.String},
    )
    frames = [score(answers.lazy(), instrument, sexes) for _, instrument in sorted(instruments.items())]
    if not frames:
        return empty(SurveyScores)
    return pl.concat(frames, how="diagonal").pipe(conform, SurveyScores).collect()


def _rejected(fates: pl.DataFrame) -> pl.DataFrame:
    return (
        fates.lazy()
        .filter(pl.col("fate") == "rejected")
        .select(
            "file_id",
            "participant_id",
            place=pl.concat_str(pl.lit("row "), pl.col("row"), pl.lit(" "), pl.col("column")),
            rule=pl.when("conflict").then(pl.lit("conflicting_answers")).otherwise(pl.lit("fits_dictionary")),
            table=pl.lit("survey_answers"),
            code=pl.lit("survey_value_invalid"),
            column=pl.col("column"),
            rows=pl.lit(1),
        )
        .pipe(conform, RejectedRows)
        .collect()
    )


def _source_files(
    files: Mapping[str, SourceFile], folder: _Folder, fates: pl.DataFrame, secret: bytes
) -> pl.DataFrame:
    records = [_source_file(file_id, file, folder, fates, secret) for file_id, file in files.items()]
    schema = polars_schema(SourceFiles)
    columns = {name: [record.get(name) for record in records] for name in schema}
    return pl.LazyFrame(columns, schema=schema).pipe(conform, SourceFiles).collect()


def _source_file(
    file_id: str, file: SourceFile, folder: _Folder, fates: pl.DataFrame, secret: bytes
) -> dict[str, object]:
    cells = fates.filter(pl.col("file_id") == file_id)
    counts = dict(cells.group_by("fate").len().iter_rows())
    ignored = {rule: n for rule, n in counts.items() if rule not in ("staged", "merged", "rejected")}
    staged = cells.filter(pl.col("fate") == "staged")
    fault = folder.faults.get(file_id)
    return {
        "file_id": file_id,
        "source": "surveys",
        "form": folder.forms[file_id],
        "bytes": file.size,
        "content_digest": file.content_digest(secret),
        "identity": file.set_aside or ("same_bytes" if folder.forms[file_id] == "repeat" else None),
        "error_code": fault.code.name if fault else None,
        "first_day": staged["answered_on"].min(),
        "last_day": staged["answered_on"].max(),
        "rows_read": cells.height,
        "rows_staged": counts.get("staged", 0),
        "rows_merged": counts.get("merged", 0),
        "rows_rejected": counts.get("rejected", 0),
        "rows_ignored": sum(ignored.values()),
        "ignored_json": canonical_json(ignored) if ignored else None,
    }


def _problems(folder: _Folder, fates: pl.DataFrame) -> list[Problem]:
    problems = [
        {"code": fault.code.name, "subject": file_id, "what": fault.what}
        for file_id, fault in sorted(folder.faults.items())
    ]
    unknown = fates.filter(pl.col("fate") == "unknown_record").group_by("file_id").agg(pl.col("record").n_unique())
    rejected = fates.filter(pl.col("fate") == "rejected").group_by("file_id").len()
    for code, counts in (("survey_unknown_record", unknown), ("survey_value_invalid", rejected)):
        for file_id, count in counts.sort("file_id").iter_rows():
            problems.append({"code": code, "subject": file_id, "what": PhaError(code, count=count).what})
    return problems
