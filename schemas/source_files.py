"""Files as they were sent, and what became of every row."""

import dataframely as dy
import polars as pl

from schemas.columns import day, json_text, text, whole
from schemas.table import Table, TableInfo


class SourceFiles(Table):
    """Files as they were sent, and what became of every row."""

    info = TableInfo(
        name="source_files",
        one_row_is="a file",
        references=(("participant_id", "participants"),),
        warnings=("real names and paths are only in the operator's private folder",),
    )
    file_id = text("Keyed digest of (participant_id, path below their folder, content sha256).", key=True)
    participant_id = text("Whose folder; null for a file of the whole cohort.")
    source = text("Where it came in.", null=False, allowed=("fitbit", "labs", "surveys"))
    form = text(
        "What it is: takeout_zip, takeout_part, zip, tgz, folder, lab_pdf, redcap_csv, qualtrics_csv ...",
        null=False,
    )
    generation = text(
        "Layout of the account's archive (A0 to F) by its folders, or another form by name; null: not told."
    )
    bytes = whole("Size.", "bytes", null=False, low=0)
    content_digest = text("Keyed digest of the content.", null=False)
    identity = text(
        "Identity verdict.",
        allowed=(
            "matched",
            "unchecked",
            "identity_mismatch",
            "account_shared",
            "same_bytes",
            "overlap_conflict",
            "accepted",
            "set_aside_by_decision",
        ),
    )
    error_code = text("Why it could not be read, or not whole.")
    clocks_json = json_text("Clock verdict and evidence by kind of member.")
    members_json = json_text("Members by kind: read, ignored by rule, refused.")
    first_day = day("First local day with data in it; calories alone, settings and devices added are none.")
    last_day = day("Last local day with data in it.")
    rows_read = whole("Rows read.", "rows", null=False, low=0)
    rows_staged = whole("Rows kept.", "rows", null=False, low=0)
    rows_merged = whole("Duplicates merged.", "rows", null=False, low=0)
    rows_rejected = whole("Rows rejected.", "rows", null=False, low=0)
    rows_ignored = whole("Rows ignored by a named rule.", "rows", null=False, low=0)
    ignored_json = json_text("Rule to rows.")

    @dy.rule()
    def rows_close(cls) -> pl.Expr:
        """Rows read = staged + merged + rejected + ignored."""
        parts = cls.rows_staged.col + cls.rows_merged.col + cls.rows_rejected.col + cls.rows_ignored.col
        return cls.rows_read.col == parts
