"""Heart-rate CSV files whose every sample stands in the JSON of the same export, with its confidence.

They are a fifth of an export's bytes and would lose every day: names alone tell that they are not needed.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import pairwise

from ingest.fitbit.kinds import kinds_of

TWIN_OF_JSON = "twin_of_json"
Group = tuple[str, str]
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY = timedelta(days=1)


def needless_twins(names: Iterable[tuple[Group, str]]) -> frozenset[tuple[Group, str]]:
    """Of (export, file name) those of heart-rate CSVs that only repeat the export's JSON.

    A CSV speaks from the UTC day in its name up to the next one's, so for the local days from the day before
    to the day after these. It is needless where the JSON has a file for each of them; the last one of an
    export always counts, as nothing says how far it goes.
    """
    told: dict[Group, set[date]] = defaultdict(set)
    twins: dict[Group, dict[date, set[str]]] = defaultdict(lambda: defaultdict(set))
    for group, name in names:
        kind, day = next(iter(kinds_of(name)), None), _day(name)
        if kind is None or day is None:
            continue
        if kind.name == "heart_rate":
            told[group].add(day)
        elif kind.name == "heart_rate_csv":
            twins[group][day].add(name)
    return frozenset(
        (group, name)
        for group, files in twins.items()
        for first, following in pairwise(sorted(files))
        if all(day in told[group] for day in _days(first - _DAY, following))
        for name in files[first]
    )


def _days(first: date, last: date) -> Iterable[date]:
    return (first + timedelta(days=n) for n in range((last - first).days + 1))


def _day(name: str) -> date | None:
    found = _DATE.search(name)
    try:
        return date.fromisoformat(found.group()) if found else None
    except ValueError:
        return None
