"""The layouts an export had over the years: one line a generation, and the only place where they differ.

What differs: the folders, which groups of kinds are there, a few columns, and the clock of three kinds that
were written in local time with a false ``Z`` until the version changed.
"""

from dataclasses import dataclass, replace
from enum import Enum


class Group(Enum):
    """Kinds that come and go together."""

    JSON = "the JSON files and the sleep score, since ever"
    PRODUCTS = "the CSV files of the products that came after 2020"
    READINESS_SCORE = "the readiness score's own file, until 2024"
    GOOGLE = "the CSV files of the Google account"
    A0_EXTRAS = "food, badges and trophies of the first site"
    TAKEOUT_EXTRAS = "what Takeout adds: its index and other products"


class Layout(Enum):
    """How kinds are spread over folders."""

    FLAT = "all in user-site-export"
    TOPICS = "folders by topic"
    PRODUCTS = "folders by product"


@dataclass(frozen=True, slots=True)
class Generation:
    """One layout.

    root: above the folders; ``{owner}`` is the account's name without blanks.
    false_z: heart-rate variability, respiration and most nights of the Google CSVs are local time that claims
    to be UTC. data_source: rows say who recorded them, and several recorders are interleaved.
    two_algorithms: nights say which algorithm made them, and from 2026 stand there twice.
    later_columns: columns that came with it. monthly_families: one more folder level, and a file a month.
    iso_times: 2026-10-04T12:54:29Z instead of 2026-04-12 05:45:30+0000. shards: the newest month of a
    whole-life file lies beside it. log_type: sleep logs say how they were made. app: who derives values.
    """

    root: str
    layout: Layout
    groups: frozenset[Group]
    false_z: bool = False
    data_source: bool = False
    two_algorithms: bool = False
    later_columns: bool = False
    monthly_families: bool = False
    iso_times: bool = False
    shards: bool = False
    log_type: bool = True
    google_folder: str = "{product}_GoogleData"
    app: str = "Fitbit App"


_TAKEOUT = frozenset({Group.JSON, Group.PRODUCTS, Group.TAKEOUT_EXTRAS})
_A1 = Generation(
    "MyFitbitData/{owner}", Layout.TOPICS, frozenset({Group.JSON, Group.PRODUCTS, Group.READINESS_SCORE})
)
_C = Generation("Takeout/Fitbit", Layout.PRODUCTS, _TAKEOUT | {Group.GOOGLE}, false_z=True)
_D = replace(_C, false_z=False, data_source=True, two_algorithms=True, later_columns=True)
_E = replace(_D, root="Takeout/Google Health", app="Google Health App", shards=True)

GENERATIONS: dict[str, Generation] = {
    "A0": Generation(
        "{owner}", Layout.FLAT, frozenset({Group.JSON, Group.A0_EXTRAS}), log_type=False
    ),
    "A1": _A1,
    "A2": replace(
        _D, root=_A1.root, layout=Layout.TOPICS, groups=_A1.groups | {Group.GOOGLE},
        google_folder="Google Data/{product}",
    ),
    "B": Generation("Takeout/Fitbit", Layout.PRODUCTS, _TAKEOUT | {Group.READINESS_SCORE}),
    "C": _C,
    "D": _D,
    "E": _E,
    "F": replace(_E, monthly_families=True, iso_times=True),
}  # fmt: skip
