"""Kinds of tables of research platforms; their files are called as each study likes, the header decides."""

from ingest.fitbit.kind import FileName, Kind, Reader
from ingest.fitbit.platforms import lifesnaps, rapids
from ingest.fitbit.stated_days import KEY

_COPY = r"(?:[. _-][\w ()-]*)?"
_LIFESNAPS = FileName(
    rf"daily_fitbit_sema_df_unprocessed{_COPY}\.csv", "daily_fitbit_sema_df_unprocessed.csv"
)
LIFESNAPS_KINDS: tuple[Kind, ...] = (Kind("lifesnaps_days", _LIFESNAPS, "day", lifesnaps.read_days, KEY),)

# Also the tables of RADAR-base, a file an hour in a folder a topic, which are known but not read.
TABLE = FileName(rf"(?:.*fitbit.*|\d{{8}}_\d{{4}}){_COPY}\.csv", "fitbit_TABLE.csv")


def _table(name: str, read: Reader, best: str, table: str) -> Kind:
    return Kind(name, TABLE, "local", read, ("local",), ("newer", best), table, sure_name=False)


RAPIDS_KINDS: tuple[Kind, ...] = (
    Kind("rapids_days", TABLE, "day", rapids.read_days, KEY, sure_name=False),
    _table("rapids_steps", rapids.read_steps, "steps", "steps_minutes"),
    _table("rapids_heart_rate", rapids.read_heart_rate, "samples", "heart_rate_minutes"),
    _table("rapids_parsed_heart_rate", rapids.read_parsed_heart_rate, "samples", "heart_rate_minutes"),
    Kind(
        "rapids_sleep", TABLE, "local", rapids.read_sleep, ("sleep_id",),
        table="sleep_sessions", sure_name=False,
    ),
)  # fmt: skip
PLATFORM_NOT_READ = (
    FileName(rf"hourly_fitbit_sema_df_unprocessed{_COPY}\.csv", "hourly_fitbit_sema_df_unprocessed.csv"),
    FileName(r"fitbit\.bson(?:\.gz)?", "fitbit.bson"),
)
