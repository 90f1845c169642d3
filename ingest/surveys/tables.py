"""Survey results in the form of the published tables."""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.source_file import SourceFile
from ingest.surveys.berlin import score_berlin
from ingest.surveys.fates import Export
from ingest.surveys.folder import Folder
from ingest.surveys.ipaq import score_ipaq
from ingest.surveys.scores import has_berlin, has_ipaq, score, scored_instruments
from outputs.digests import canonical_json
from schemas.participant import Participant
from schemas.rejected_rows import RejectedRows
from schemas.source_files import SourceFiles
from schemas.survey_answers import SurveyAnswers
from schemas.survey_scores import SurveyScores
from schemas.table import conform, empty, polars_schema


def survey_answers(fates: pl.DataFrame) -> pl.DataFrame:
    """Table survey_answers: the staged cells."""
    return fates.lazy().filter(pl.col("fate") == "staged").pipe(conform, SurveyAnswers).collect()


def survey_scores(
    answers: pl.DataFrame, exports: Sequence[Export], participants: Sequence[Participant]
) -> pl.DataFrame:
    """Table survey_scores: instruments whose items are all in a dictionary."""
    instruments = {i.name: i for e in exports for i in scored_instruments(e.dictionary)[0]}
    sexes = pl.LazyFrame(
        {"participant_id": [p.participant_id for p in participants], "sex": [p.sex for p in participants]},
        schema={"participant_id": pl.String, "sex": pl.String},
    )
    frames = [score(answers.lazy(), instrument, sexes) for _, instrument in sorted(instruments.items())]
    if any(has_ipaq(export.dictionary) for export in exports):
        frames.append(score_ipaq(answers.lazy()))
    if any(has_berlin(export.dictionary) for export in exports):
        frames.append(score_berlin(answers.lazy()))
    if not frames:
        return empty(SurveyScores)
    return pl.concat(frames, how="diagonal").pipe(conform, SurveyScores).collect()


def rejected_rows(fates: pl.DataFrame) -> pl.DataFrame:
    """Table rejected_rows: cells that do not fit the dictionary or contradict each other."""
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


def source_files(
    files: Mapping[str, SourceFile], folder: Folder, fates: pl.DataFrame, secret: bytes
) -> pl.DataFrame:
    """Table source_files: one row a file; a row read is an answer cell."""
    records = [_source_file(file_id, file, folder, fates, secret) for file_id, file in files.items()]
    schema = polars_schema(SourceFiles)
    columns = {name: [record.get(name) for record in records] for name in schema}
    return pl.LazyFrame(columns, schema=schema).pipe(conform, SourceFiles).collect()


def _source_file(
    file_id: str, file: SourceFile, folder: Folder, fates: pl.DataFrame, secret: bytes
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
