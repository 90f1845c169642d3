"""Days of which a damaged file tells a part only: another source is better there, and without one they are
not whole.
"""

from collections.abc import Mapping

import polars as pl

from ingest.fitbit.file_read import MemberReading
from ingest.fitbit.kinds import EXERCISE_KINDS, SLEEP_KINDS
from ingest.fitbit.ledger import Ledger

# A file of which more rows than this can't be used tells none of its days whole.
MOST_REJECTED = 0.5
# Rows of logs are whole each.
_LOGS = (*EXERCISE_KINDS, *SLEEP_KINDS)


def broken_days(kept: Mapping[str, pl.DataFrame], ledger: Ledger) -> pl.DataFrame:
    """``kind`` and ``date`` of days that are told in part: the last of a file that breaks off, each of one
    whose rows are mostly rejected. Of kinds with a row a day or a log every row that is there is whole.
    """
    found = [pl.DataFrame(schema={"kind": pl.String, "date": pl.Date})]
    for number, (_, member) in enumerate(ledger.members):
        frame = kept[member.kind.name]
        if not _is_harmed(member) or member.kind.name in _LOGS or not {"utc", "local"} & set(frame.columns):
            continue
        days = frame.filter(pl.col("member") == number).select(pl.lit(member.kind.name).alias("kind"), "date")
        last = pl.col("date") == pl.col("date").max()
        found.append(days.unique() if _mostly_rejected(member) else days.filter(last).unique())
    return pl.concat(found).unique()


def _is_harmed(member: MemberReading) -> bool:
    return member.reading.damaged_from is not None or _mostly_rejected(member)


def _mostly_rejected(member: MemberReading) -> bool:
    reading = member.reading
    return sum(rejected.rows for rejected in reading.rejected) > MOST_REJECTED * reading.rows
