"""Fitabase files as a spreadsheet saved them again: the same rows, other text. Studies receive such files."""

import csv
from collections.abc import Callable, Mapping
from io import StringIO

from synthetic.exports.members import Member

Table = list[list[str]]

TIMES = {"ActivityHour", "ActivityMinute", "SleepDay", "Date", "Time", "date"}
DAYS = {"ActivityDate", "ActivityDay"}


def day_first(table: Table) -> Table:
    """Days as DD/MM/YYYY, and numbers with a fraction cut to two decimals."""
    return _changed([table[0], *(list(map(_two_decimals, row)) for row in table[1:])], DAYS, _day_first)


def iso(table: Table) -> Table:
    """Days as YYYY-MM-DD."""
    return _changed(table, DAYS, _iso)


def customer_id(table: Table) -> Table:
    """``Id`` is called ``Customer Id``."""
    return [["Customer Id" if name == "Id" else name for name in table[0]], *table[1:]]


def split_time(table: Table) -> Table:
    """Day and time in two columns, the second without a name; only of files with one column of times."""
    (place,) = _places(table, TIMES)
    header = [*table[0][: place + 1], "", *table[0][place + 1 :]]
    return [header] + [[*row[:place], *row[place].split(" ", 1), *row[place + 1 :]] for row in table[1:]]


def short_numbers(table: Table) -> Table:
    """Long ids as 1.46223E+12: most of their digits are lost."""
    return _changed(table, {"LogId", "logId"}, lambda cell: f"{int(cell):.5E}")


RESAVED: Mapping[str, Callable[[Table], Table]] = {
    "day_first": day_first,
    "iso": iso,
    "customer_id": customer_id,
    "split_time": split_time,
    "short_numbers": short_numbers,
}


def resaved(member: Member, way: str) -> Member:
    """The file saved again in one of the RESAVED ways, with the line ends of a spreadsheet."""
    table = list(csv.reader(StringIO(member.content.decode())))
    stream = StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(RESAVED[way](table))
    return Member(member.path, stream.getvalue().encode())


def _changed(table: Table, columns: set[str], change: Callable[[str], str]) -> Table:
    """The table with the cells of some columns written in another way."""
    places = _places(table, columns)
    return [table[0]] + [
        [change(cell) if place in places else cell for place, cell in enumerate(row)] for row in table[1:]
    ]


def _places(table: Table, names: set[str]) -> list[int]:
    return [place for place, name in enumerate(table[0]) if name in names]


def _day_first(cell: str) -> str:
    month, day, year = cell.split("/")
    return f"{int(day):02d}/{int(month):02d}/{year}"


def _iso(cell: str) -> str:
    month, day, year = cell.split("/")
    return f"{year}-{int(month):02d}-{int(day):02d}"


def _two_decimals(cell: str) -> str:
    return f"{float(cell):.2f}" if "." in cell else cell
