"""Where in the survey files each answer of a participant stands: the last part of the way back to a file."""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.source_file import SourceFile
from ingest.surveys.fates import KEY, settle
from ingest.surveys.folder import open_folder
from ingest.surveys.ingest import judged_exports, record_ids
from schemas.participant import Participant
from schemas.settings import SurveyFile

PLACE = ("file_id", "row", "column")


def answer_places(
    files: Sequence[SourceFile],
    participants: Sequence[Participant],
    secret: bytes,
    mappings: Mapping[str, SurveyFile],
    participant_id: str,
) -> pl.DataFrame:
    """The staged answers of a participant: their key, file_id, row (from 1, below the titles) and column.

    ``raw``: the cell as exported, null for free text.
    """
    ids = {f.file_id(secret, None): f for f in sorted(files, key=lambda f: (f.relative, f.sha256))}
    mapped = {file_id: mappings[f.relative] for file_id, f in ids.items() if f.relative in mappings}
    exports = list(judged_exports(open_folder(ids), mapped, record_ids(participants), free_text=False))
    staged = settle(exports).filter(pl.col("participant_id") == participant_id, pl.col("fate") == "staged")
    return staged.select(*KEY, *PLACE, raw=pl.coalesce("value", "missing_reason"))
