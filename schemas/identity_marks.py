"""By what exports of different participants are compared: keyed digests only. Never published."""

from schemas.columns import text
from schemas.table import Table, TableInfo


class IdentityMarks(Table):
    """By what exports of different participants are compared: keyed digests only. Never published."""

    info = TableInfo(
        name="identity_marks",
        one_row_is="a mark of an export",
        kinds=(),
    )
    participant_id = text("Whose folder it lies in.", key=True)
    export = text("The export: the least file_id of its files.", key=True)
    kind = text(
        "file (content), account, log (sleep or exercise), run (a quarter of an hour of heart rate).",
        key=True,
        allowed=("file", "account", "log", "run"),
    )
    mark = text("Keyed digest; of a file its content digest.", key=True)
