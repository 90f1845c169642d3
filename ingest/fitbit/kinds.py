"""The one table of file kinds.

A member is known by its own file name, whatever folder it lies in: folders were renamed, translated and
nested anew many times. The reader then checks the header or shape.
"""

import re

from ingest.fitbit.family_kinds import FAMILY_KINDS
from ingest.fitbit.json_kinds import JSON_KINDS
from ingest.fitbit.kind import Kind, Names, named
from ingest.fitbit.product_kinds import PRODUCT_KINDS
from ingest.fitbit.unread import unread_folder, unread_name

KINDS: tuple[Kind, ...] = (*JSON_KINDS, *PRODUCT_KINDS, *FAMILY_KINDS)
KIND_BY_NAME = {kind.name: kind for kind in KINDS}
_NAMES = Names((kind.name, kind.file) for kind in KINDS)
# The account's profile is no kind: it is read for identity alone.
PROFILE = re.compile(f"^{named('Profile', 'csv').pattern}$", re.IGNORECASE)

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


def kind_of(name: str) -> Kind | None:
    """The kind of a member by its file name, or None."""
    return KIND_BY_NAME.get(_NAMES.find(name) or "")


def ignored_by(path: str, name: str) -> str | None:
    """The rule by which a member is not read, or None for one of a known kind."""
    if rule := unread_folder(path, name):
        return rule
    return None if _NAMES.find(name) or PROFILE.match(name) else unread_name(name)
