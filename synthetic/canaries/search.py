"""Looks for canaries in all that a folder holds: names of files, text, and the contents of Parquet files."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from synthetic.canaries.planted import Canaries

BATCH_ROWS = 50_000
LOAD_CHARACTERS = 32 << 20
_ESCAPE = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/nt])')


def find_canaries(folder: Path, canaries: Canaries) -> list[tuple[str, str]]:
    """(path below the folder, kind of canary) of every file that holds one in its name or its content.

    Without regard to case; a canary that begins or ends in letters or digits counts only as a whole word, so
    that no digest holds a date by chance. HTML entities and JSON escapes are resolved.
    """
    kinds = {text.lower(): kind for kind, texts in canaries.items() for text in texts}
    found: set[tuple[str, str]] = set()
    for places, texts in _in_loads(_all_texts(folder)):
        # One call builds the automaton of all canaries once: it costs more than to run over the texts.
        candidates = pl.Series(texts).str.extract_many(
            pl.Series(list(kinds)).implode(), ascii_case_insensitive=True, overlapping=True
        )
        for place, text, matches in zip(places, texts, candidates, strict=True):
            held = {match.lower() for match in matches}
            found.update((place, kinds[match]) for match in held if _stands_alone(match, text))
    return sorted(found)


def _all_texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in filter(Path.is_file, folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        yield from ((place, text) for text in (place, *_texts(path)))


def _in_loads(texts: Iterable[tuple[str, str]]) -> Iterator[tuple[list[str], list[str]]]:
    """Places and texts of about LOAD_CHARACTERS at a time."""
    places: list[str] = []
    load: list[str] = []
    size = 0
    for place, text in texts:
        places.append(place)
        load.append(text)
        size += len(text)
        if size > LOAD_CHARACTERS:
            yield places, load
            places, load, size = [], [], 0
    if load:
        yield places, load


def _stands_alone(match: str, text: str) -> bool:
    before, after = _beside(match, match[0]), _beside(match, match[-1])
    return re.search(f"(?<!{before}){re.escape(match)}(?!{after})", text, re.IGNORECASE) is not None


def _beside(canary: str, end: str) -> str:
    """What may not stand beside an end of it: a letter by a letter, a digit by a digit; by a date that is all
    digits neither, as in digests."""
    if canary.isdigit():
        return r"[^\W_]"
    if end.isdigit():
        return r"\d"
    return r"[^\W\d_]" if end.isalpha() else r"\Z\A"


def _texts(path: Path) -> Iterator[str]:
    if path.suffix == ".parquet":
        yield from _parquet_texts(path)
    else:
        yield from _readings(path.read_bytes().decode("utf-8", "replace"))


def _parquet_texts(path: Path) -> Iterator[str]:
    """Metadata, then the distinct values of all columns of text and of dates, a batch at a time."""
    with pq.ParquetFile(path) as file:
        yield f"{file.schema_arrow} {file.schema_arrow.metadata}"
        for batch in file.iter_batches(BATCH_ROWS):
            frame = pl.DataFrame(batch)
            for column in frame.select(pl.col(pl.String), pl.col(pl.Date).cast(pl.String)):
                yield from _readings("\n".join(column.drop_nulls().unique()))


def _readings(text: str) -> Iterator[str]:
    """The text as it stands, and with what HTML and JSON have escaped in it."""
    yield text
    if "&" in text:
        yield html.unescape(text)
    if "\\" in text:
        yield _ESCAPE.sub(_unescaped, text)


def _unescaped(escape: re.Match[str]) -> str:
    return json.loads(f'"{escape[0]}"')
