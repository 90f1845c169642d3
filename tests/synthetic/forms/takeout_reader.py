"""A plain reader of an account's export: zip, csv, json and datetime of the standard library alone."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Row = dict[str, str]


class Export:
    """The members of an export by path, however many archives hold them."""

    def __init__(self, generation: str, folder: Path) -> None:
        self.generation = generation
        self.members: dict[str, bytes] = {}
        for archive in sorted(folder.glob("*.zip")):
            with zipfile.ZipFile(archive) as opened:
                names = opened.namelist()
                assert len(names) == len(set(names)), "a path stands twice in an archive"
                self.members |= {name: opened.read(name) for name in names}

    def files(self, pattern: str) -> dict[str, str]:
        """Texts of the files whose own name matches, by path."""
        return {
            path: content.decode()
            for path, content in self.members.items()
            if re.fullmatch(pattern, path.rsplit("/", 1)[-1])
        }

    def json(self, stem: str) -> list[dict[str, Any]]:
        """Records of all files of a kind of Global Export Data."""
        return [row for text in self.files(rf"{stem}-[\d-]+\.json").values() for row in json.loads(text)]

    def bases(self, pattern: str) -> dict[str, bytes]:
        """Contents of the files whose own name matches, by that name alone."""
        return {path.rsplit("/", 1)[-1]: text.encode() for path, text in self.files(pattern).items()}

    def csv(self, pattern: str) -> list[Row]:
        """Rows of all files whose own name matches."""
        return [row for text in self.files(pattern).values() for row in rows_of(text)]

    def family(self, name: str) -> list[Row]:
        """Rows of a family of the Google account."""
        return self.csv(rf"{name}(_\d{{4}}-\d\d-\d\d)?\.csv")


def rows_of(text: str) -> list[Row]:
    """Rows of a CSV text by column."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def table_of(text: str) -> list[list[str]]:
    """The header and the rows of a CSV text."""
    return list(csv.reader(io.StringIO(text, newline="")))


def us(stamp: str) -> datetime:
    """MM/DD/YY HH:MM:SS, in whatever clock the kind has."""
    month, day, year = int(stamp[:2]), int(stamp[3:5]), 2000 + int(stamp[6:8])
    return datetime(year, month, day, int(stamp[9:11]), int(stamp[12:14]), int(stamp[15:]))  # noqa: DTZ001


def plain(stamp: str) -> datetime:
    """An ISO time, or one with a blank and +0000; what it says of the zone is left out."""
    return datetime.fromisoformat(stamp.replace(" ", "T").replace("+0000", "")).replace(tzinfo=None)


def minute(moment: datetime) -> int:
    """Minutes since 1970 in the moment's own clock."""
    return int((moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(minutes=1))


def offset_minutes(text: str) -> int:
    """-420 for ``-07:00``."""
    size = int(text[1:3]) * 60 + int(text[4:6])
    return -size if text[0] == "-" else size
