"""Heart-rate CSV files whose every sample stands in the JSON of the same export, with its confidence.

They are a fifth of an export's bytes and would lose every day. Which days the JSON tells is known once it was
read: a file of its name may be broken or empty.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from itertools import pairwise

from ingest.fitbit.kinds import kinds_of

TWIN_OF_JSON = "twin_of_json"
Group = tuple[str, str]
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY = timedelta(days=1)


def is_twin(name: str) -> bool:
    """True for the name of a heart-rate CSV of a day, which the JSON may tell already."""
    kind = next(iter(kinds_of(name)), None)
    return kind is not None and kind.name == "heart_rate_csv" and day_of_name(name) is not None


def needless_twins(
    told: Mapping[Group, Collection[date]], twins: Iterable[tuple[Group, str]]
) -> frozenset[tuple[Group, str]]:
    """Of heart-rate CSVs (export, file name) those that only repeat the export's JSON.

    told: by export, the local days of which a JSON file was read whole. A CSV speaks from the UTC day in its
    name up to the next one's, so for the local days from the day before to the day after these. It is
    needless where the JSON tells each of them; the last one of an export always counts, as nothing says how
    far it goes.
    """
    files: dict[Group, dict[date, set[str]]] = defaultdict(lambda: defaultdict(set))
    for group, name in twins:
        if day := day_of_name(name):
            files[group][day].add(name)
    return frozenset(
        (group, name)
        for group, days in files.items()
        for first, following in pairwise(sorted(days))
        if all(day in told.get(group, ()) for day in _days(first - _DAY, following))
        for name in days[first]
    )


def day_of_name(name: str) -> date | None:
    """The day a file name holds."""
    found = _DATE.search(name)
    try:
        return date.fromisoformat(found.group()) if found else None
    except ValueError:
        return None


def _days(first: date, last: date) -> Iterable[date]:
    return (first + timedelta(days=n) for n in range((last - first).days + 1))
