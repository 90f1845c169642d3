"""The same test of the same specimen in several places: equal ones merge, corrected ones replace."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from ingest.labs.checks import amount_of, draw_of
from ingest.labs.row import LabRow

# From UTC-12 to UTC+14; offsets are whole quarters of an hour.
MOST_ZONES_APART, QUARTER_OF_AN_HOUR = timedelta(hours=26), timedelta(minutes=15)
_CORRECTING = frozenset({"corrected", "amended"})


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of every printed row of a participant's reports."""

    accepted: list[LabRow]
    review: list[LabRow]
    merged: list[LabRow]


def settle(rows: Iterable[LabRow]) -> Settled:
    """Accepted, doubtful or superseded, and merged rows.

    Rows are of one test when collection, specimen id and LOINC agree. Equal values merge into the one of the
    newest report. Where values differ, the newest report wins if it corrects (or an older was preliminary);
    otherwise all of them are in doubt.
    """
    settled = Settled([], [], [])
    groups: dict[tuple[object, ...], list[LabRow]] = defaultdict(list)
    shown_again: list[LabRow] = []
    for row in rows:
        if row.doubts:
            settled.review.append(row)
        elif row.reading.drawn is not None:
            shown_again.append(row)
        else:
            groups[(*draw_of(row), _test(row))].append(row)
    for group in groups.values():
        _settle_group(sorted(group, key=_newest_first), settled)
    _settle_other_zones(settled)
    _settle_earlier_draws(shown_again, settled)
    return settled


def _settle_other_zones(settled: Settled) -> None:
    """One result exported by the clocks of two zones: equal, of one specimen number, hours apart.

    In two reports, that is; that of the newest one stays.
    """
    groups: dict[tuple[object, ...], list[LabRow]] = defaultdict(list)
    for row in settled.accepted:
        if row.specimen_id is not None and row.collected_at is not None:
            groups[(row.specimen_id, _test(row), amount_of(row))].append(row)
    for group in groups.values():
        newest, *older = sorted(group, key=_newest_first)
        for row in older:
            if row.file_id != newest.file_id and _is_of_another_zone(row, newest):
                settled.accepted.remove(row)
                settled.merged.append(row)


def _is_of_another_zone(one: LabRow, other: LabRow) -> bool:
    """Clocks of two zones are whole quarters of an hour apart, no more than a day and two hours."""
    if one.collected_at is None or other.collected_at is None:
        return False
    apart = abs(one.collected_at - other.collected_at)
    return apart <= MOST_ZONES_APART and not apart % QUARTER_OF_AN_HOUR


def _settle_earlier_draws(rows: Sequence[LabRow], settled: Settled) -> None:
    """Draws that a report shows in columns of their dates: they merge with the report of that day itself."""
    own: dict[tuple[object, ...], list[LabRow]] = defaultdict(list)
    for row in settled.accepted:
        own[(row.collected_date, _test(row))].append(row)
    groups: dict[tuple[object, ...], list[LabRow]] = defaultdict(list)
    for row in rows:
        originals = own[(row.collected_date, _test(row))]
        if any(amount_of(row) == amount_of(original) for original in originals):
            settled.merged.append(row)
        elif originals:
            settled.review.append(replace(row, doubts=("conflicting_results",)))
        else:
            groups[(row.collected_date, _test(row))].append(row)
    for group in groups.values():
        _settle_group(sorted(group, key=_newest_first), settled)


def _test(row: LabRow) -> object:
    return row.loinc or (row.analyte and row.analyte.key)


def _settle_group(group: Sequence[LabRow], settled: Settled) -> None:
    newest, older = group[0], group[1:]
    differing = [row for row in older if amount_of(row) != amount_of(newest)]
    if differing and not all(_replaces(newest, row) for row in differing):
        settled.review.extend(replace(row, doubts=("conflicting_results",)) for row in group)
        return
    settled.accepted.append(newest)
    settled.merged.extend(row for row in older if amount_of(row) == amount_of(newest))
    settled.review.extend(
        replace(row, doubts=("superseded",), superseded_by=newest.file_id) for row in differing
    )


def _replaces(newest: LabRow, row: LabRow) -> bool:
    if newest.decided != row.decided:
        return newest.decided
    if newest.file_id == row.file_id:
        return False
    later = _reported(newest) > _reported(row)
    return later and (newest.report_status in _CORRECTING or row.report_status == "preliminary")


def _reported(row: LabRow) -> datetime:
    if row.reported_at is not None:
        return row.reported_at
    return datetime.combine(row.reported_date or date.min, time())


def _place(row: LabRow) -> tuple[str, bool, int]:
    return row.file_id, row.reading.interval is None, row.row_no


def _newest_first(row: LabRow) -> tuple[object, ...]:
    """What a person decided on first; then the newest report; then the correcting one.

    File and row settle ties for any order of inputs; within a report a row with its interval comes before
    one of a summary without.
    """
    reported = _reported(row)
    age = (reported.toordinal(), reported.hour * 60 + reported.minute)
    return (not row.decided, -(age[0] * 1440 + age[1]), row.report_status not in _CORRECTING, *_place(row))
