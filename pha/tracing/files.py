"""Real names of files, from OUT/private, and what stands in them, where the study's folder is at hand."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from ingest.source_file import SourceFile
from pha.tracing.cells import Cells
from pha.tracing.records import day_records
from pha.tracing.step import Day
from schemas.errors import PhaError
from tasks.workspace import Workspace, survey_files

# Rows are looked up of so many days: reading them again takes a moment a file.
_MOST_DAYS = 31


@dataclass(frozen=True)
class Files:
    """What a participant sent, as far as it is at hand.

    out: the OUT folder that holds the names, or None. study: the study that the files lie in, or None.
    """

    participant_id: str
    out: Path | None = None
    study: Path | None = None

    def name_of(self, published_id: str) -> str | None:
        """The real name of a file or member by its published id; None where nobody kept it."""
        return self._names.get(published_id)

    def with_records(self, cells: Cells, column: str, days: Sequence[Day]) -> list[Day]:
        """The newest days with the rows of their members, where the study is at hand."""
        if self._workspace is None:
            return list(days)
        older, newest = list(days[:-_MOST_DAYS]), days[-_MOST_DAYS:]
        return older + day_records(cells, column, newest, self.sent)

    @cached_property
    def answer_places(self) -> pl.DataFrame | None:
        """Rows and columns of the survey files that hold the participant's answers; None without a study."""
        from ingest.surveys.places import answer_places

        if self._workspace is None:
            return None
        study = self._workspace.study
        return answer_places(
            survey_files(self._workspace),
            study.participants,
            study.secret,
            study.settings.surveys.files,
            self.participant_id,
        )

    def sent(self, file_id: str) -> SourceFile | None:
        """A file of the participant by its published id, where it still lies in the study as it was sent."""
        return self._sent.get(file_id)

    @cached_property
    def _names(self) -> dict[str, str]:
        if self.out is None:
            return {}
        names: dict[str, str] = {}
        for owner in (self.participant_id, "_cohort"):
            for path in sorted((self.out / "private").glob(f"*/{owner}/*.json")):
                names |= json.loads(path.read_bytes())
        return names

    @cached_property
    def _workspace(self) -> Workspace | None:
        from ingest.study import load_study
        from outputs.store import Store

        if self.study is None:
            return None
        out = self.out or Path("out")
        return Workspace(load_study(self.study, os.environ, make_secret=False), out, Store(out), dry=True)

    @cached_property
    def _sent(self) -> dict[str, SourceFile]:
        if self._workspace is None:
            return {}
        secret = self._workspace.study.secret
        files = self._workspace.files("fitbit", self.participant_id, [])
        return {file.file_id(secret, self.participant_id): file for file in files}


def out_of(release: Path) -> Path | None:
    """The OUT folder a release lies in, where it holds the names of files."""
    out = release.parent.parent
    try:
        return out if (out / "private").is_dir() else None
    except PermissionError as error:
        raise PhaError("file_unreadable") from error
