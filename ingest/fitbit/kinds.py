"""The one table of file kinds.

A member is known by its own file name, whatever folder it lies in: folders were renamed, translated and
nested anew many times. The reader then checks the header or shape.
"""

import re

from ingest.fitbit.api.kinds import HEALTH_KINDS, WEB_KINDS
from ingest.fitbit.family_kinds import FAMILY_KINDS
from ingest.fitbit.fitabase.kinds import FITABASE_KINDS
from ingest.fitbit.json_kinds import JSON_KINDS
from ingest.fitbit.kind import Kind, Names, named
from ingest.fitbit.monthly_csv import MONTHLY_KINDS
from ingest.fitbit.platforms.kinds import LIFESNAPS_KINDS, RAPIDS_KINDS
from ingest.fitbit.product_kinds import PRODUCT_KINDS
from ingest.fitbit.stated_days import KEY as DAY_KEY
from ingest.fitbit.unread import UNKNOWN, unread_folder, unread_name

ARCHIVE_KINDS = (*JSON_KINDS, *PRODUCT_KINDS, *FAMILY_KINDS)
# Forms outside the account's archive, by the name ``source_files`` gives them.
_FORMS = {
    "google_health_api": HEALTH_KINDS,
    "web_api": WEB_KINDS,
    "fitabase": FITABASE_KINDS,
    "monthly_csv": MONTHLY_KINDS,
    "lifesnaps": LIFESNAPS_KINDS,
    "rapids": RAPIDS_KINDS,
}
FORM_OF = {kind.name: form for form, kinds in _FORMS.items() for kind in kinds}
_OUTSIDE = tuple(kind for kinds in _FORMS.values() for kind in kinds)
KINDS: tuple[Kind, ...] = (*ARCHIVE_KINDS, *_OUTSIDE)
KIND_BY_NAME = {kind.name: kind for kind in KINDS}
_NAMES = Names((kind.name, kind.file) for kind in ARCHIVE_KINDS)
# Outside the archive one file may hold several kinds of rows: those that share its name each take theirs.
_SHARED = {f"names_{n}": file for n, file in enumerate(dict.fromkeys(kind.file for kind in _OUTSIDE))}
_OUTSIDE_NAMES = Names(_SHARED.items())
_BY_NAMES = {word: tuple(k for k in _OUTSIDE if k.file == file) for word, file in _SHARED.items()}
# The account's profile is no kind: it is read for identity and zone alone.
PROFILE = re.compile(
    f"^(?:{named('Profile', 'csv').pattern}|{named('(?:user_)?profile|settings', 'json').pattern})$",
    re.IGNORECASE,
)

# Folders within an export. Where one of them lies on top, the loose files around it are one export.
PRODUCT_FOLDERS = frozenset(
    {
        "active zone minutes (azm)",
        "biometrics",
        "daily readiness",
        "global export data",
        "health fitness data_googledata",
        "heart",
        "heart rate variability",
        "other",
        "oxygen saturation (spo2)",
        "paired devices",
        "personal & account",
        "physical activity",
        "physical activity_googledata",
        "sleep",
        "sleep score",
        "stress",
        "stress score",
        "temperature",
        "your profile",
    }
)


def kinds_of(name: str) -> tuple[Kind, ...]:
    """The kinds a member may be by its file name, the likeliest first: header or shape decide."""
    of_archive = _NAMES.find(name)
    outside = _BY_NAMES.get(_OUTSIDE_NAMES.find(name) or "", ())
    return (KIND_BY_NAME[of_archive], *outside) if of_archive else outside


def ignored_by(path: str, name: str) -> str | None:
    """The rule by which a member is not read, or None for one of a known kind."""
    if rule := unread_folder(path, name):
        return rule
    if _NAMES.find(name) or PROFILE.match(name):
        return None
    rule = unread_name(name)
    return None if rule == UNKNOWN and kinds_of(name) else rule


def kinds_for(table: str) -> tuple[str, ...]:
    """Names of the kinds whose rows are meant for a published table, the account's archive first."""
    return tuple(kind.name for kind in KINDS if kind.table == table)


STEPS_KINDS = kinds_for("steps_minutes")
HEART_RATE_KINDS = kinds_for("heart_rate_minutes")
SLEEP_KINDS = kinds_for("sleep_sessions")
EXERCISE_KINDS = kinds_for("activities")
DAY_KINDS = tuple(kind.name for kind in KINDS if kind.key == DAY_KEY)
# Stages that stand in files of their own go with their log.
LOG_OF_STAGES = {
    "user_sleep_stages": "user_sleeps",
    "fitabase_sleep_minutes": "fitabase_sleep",
    "fitabase_sleep_half_minutes": "fitabase_sleep",
}
