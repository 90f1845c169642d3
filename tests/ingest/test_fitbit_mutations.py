"""Whatever happens to bytes, of any kind of member in any container: no crash, no lost row, no other form."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from fitbit_files import beats, ingest, minutes, sleep_log, table, write_loose, write_tgz, write_zip
from form_checks import exported, northerner
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.kinds import ARCHIVE_KINDS, KINDS, Kind, kinds_of
from ingest.fitbit.reading import OtherForm, Reading
from synthetic.exports.members import Request
from synthetic.exports.takeout.export import morning_after
from synthetic.exports.takeout.write import takeout_members
from synthetic.life.recording import record
from synthetic.people.persona import make_person

pytestmark = pytest.mark.slow

DAYS, SEED, NUMBER = 16, 11, 9
MOST_BYTES = 6000


@cache
def samples() -> dict[str, tuple[str, bytes]]:
    """Kind -> name and first bytes of a member of it, with rows: cut after a whole line or record."""
    life = record(make_person(NUMBER, DAYS, SEED), SEED)
    found: dict[str, tuple[str, bytes]] = {}
    for form in ("D", "B"):
        for member in takeout_members(life, Request(morning_after(life), form, 60, "en_US")):
            name = member.path.rsplit("/", 1)[-1]
            kind = next(iter(kinds_of(name)), None)
            data = shortened(name, member.content)
            if kind is not None and kind.name not in found and data.count(b"\n") > 1:
                found[kind.name] = (name, data)
    return found


OUTSIDE = tuple(kind for kind in KINDS if kind not in ARCHIVE_KINDS)
# Tables no made study has.
TABLES = {
    "daily_fitbit_sema_df_unprocessed.csv": "id,date,resting_hr,steps\nP1,2021-05-24,62.1,8833.0\n",
    "fitbit_heartrate.csv": "device_id,local_date_time,heartrate\nP1,2020-10-07 00:04:00,68\n",
}
ANSWERS = ("activities_steps", "activities_heart", "sleep", "weight")


def outside_members(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Members of the forms outside the archive; answers of the Web API also as lines of a table."""
    for form in ("fitabase", "fitabase_merged", "web_api", "health_api", "monthly_csv"):
        exported(northerner(), form, folder / form)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield path.name, path.read_bytes()
        if path.parent.name == "web_api" and path.name.startswith(ANSWERS):
            cell = json.dumps(short(json.loads(path.read_bytes()))).replace('"', '""')
            yield "fitbit_data.csv", f'device_id,fitbit_data\nP1,"{cell}"\n'.encode()
    yield from ((name, text.encode()) for name, text in TABLES.items())


@cache
def outside_samples() -> dict[str, tuple[str, bytes]]:
    """The same of kinds outside the archive."""
    found: dict[str, tuple[str, bytes]] = {}
    with TemporaryDirectory() as folder:
        for name, content in outside_members(Path(folder)):
            kinds = [kind for kind in kinds_of(name) if kind.name not in found and kind in OUTSIDE]
            data = lines_of(name, content) if kinds else b""
            found |= {kind.name: (name, data) for kind in kinds if rows_of(kind, name, data)}
    return found


def rows_of(kind: Kind, name: str, data: bytes) -> int:
    try:
        return kind.read(Content(data), name).frame.height
    except OtherForm:
        return 0


def lines_of(name: str, data: bytes) -> bytes:
    if name.endswith(".json"):
        return json.dumps(short(json.loads(data))).encode()
    return data if len(data) <= MOST_BYTES or name == "fitbit_data.csv" else shortened(name, data)


def short(node: object) -> object:
    """A document with the first of its long lists only."""
    if isinstance(node, dict):
        return {key: short(value) for key, value in node.items()}
    return [short(value) for value in node[:12]] if isinstance(node, list) else node


def shortened(name: str, data: bytes) -> bytes:
    if len(data) <= MOST_BYTES:
        return data
    if name.endswith(".json"):
        end = data[:MOST_BYTES].rfind(b"\n},{")
        # One sleep log may be longer than that.
        return data[: end if end >= 0 else data.find(b"\n},{")] + b"\n}]"
    return data[: data[:MOST_BYTES].rfind(b"\n")] + b"\n"


def closes(reading: Reading) -> bool:
    frame = reading.frame
    accepted = int(frame["rows"].sum()) if "rows" in frame.columns else frame.height
    rejected = sum(entry.rows for entry in reading.rejected)
    return reading.rows == accepted + rejected + sum(reading.ignored.values()) + reading.merged


@pytest.mark.parametrize("kind", ARCHIVE_KINDS, ids=lambda kind: kind.name)
def test_every_kind_has_a_made_member_that_reads_without_a_fault(kind: Kind) -> None:
    name, data = samples()[kind.name]
    reading = kind.read(Content(data), name)
    assert reading.rows > 0
    assert closes(reading)
    assert not reading.rejected


def assert_no_row_is_lost(
    kind: Kind, name: str, data: bytes, changes: list[tuple[int, int]], end: int | None
) -> None:
    """Bytes of a file changed, and the file cut off at ``end``: every row has a fate, and the form stands."""
    raw = bytearray(data)
    for place, byte in changes:
        raw[place % len(raw)] = byte
    cut = end is not None
    content = Content(bytes(raw[: end % len(raw)] if cut else raw), damaged=cut)
    try:
        reading = kind.read(content, name)
    except OtherForm:
        return
    assert closes(reading)
    assert reading.frame.schema == kind.read(Content(b""), name).frame.schema


@pytest.mark.parametrize("kind", ARCHIVE_KINDS, ids=lambda kind: kind.name)
@settings(max_examples=15)
@given(
    st.lists(st.tuples(st.integers(0, MOST_BYTES), st.integers(0, 255)), max_size=8),
    st.booleans(),
    st.integers(0, MOST_BYTES),
)
def test_no_change_of_bytes_loses_a_row(
    kind: Kind, changes: list[tuple[int, int]], cut: bool, end: int
) -> None:
    assert_no_row_is_lost(kind, *samples()[kind.name], changes, end if cut else None)


@pytest.mark.parametrize("kind", OUTSIDE, ids=lambda kind: kind.name)
@settings(max_examples=15)
@given(
    st.lists(st.tuples(st.integers(0, MOST_BYTES), st.integers(0, 255)), max_size=8),
    st.booleans(),
    st.integers(0, MOST_BYTES),
)
def test_nor_of_kinds_outside_the_archive(
    kind: Kind, changes: list[tuple[int, int]], cut: bool, end: int
) -> None:
    assert_no_row_is_lost(kind, *outside_samples()[kind.name], changes, end if cut else None)


OWN = {
    "Global Export Data/steps-2026-01-01.json": minutes(
        datetime.fromisoformat("2026-01-05T14:00"), [10, 20, 30]
    ),
    "Global Export Data/sleep-2026-01-01.json": json.dumps(
        [sleep_log(1, "2026-01-04T23:00:00", "2026-01-05T07:00:00")]
    ),
}
SPOILT = {
    "Global Export Data/heart_rate-2026-01-06.json": beats(datetime.fromisoformat("2026-01-06T14:00"), 5)
}
Writer = Callable[[Path], Path]


def _zip(folder: Path) -> Path:
    return write_zip(folder / "takeout-20260202T103201Z-001.zip", SPOILT)


def _tgz(folder: Path) -> Path:
    return write_tgz(folder / "takeout-20260202T103201Z-001.tgz", SPOILT)


def _loose(folder: Path) -> Path:
    write_loose(folder / "loose", SPOILT)
    return next((folder / "loose").rglob("*.json"))


@pytest.mark.parametrize("write", [_zip, _tgz, _loose], ids=["zip", "tgz", "loose"])
@settings(max_examples=4)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6),
    st.none() | st.floats(0, 1),
)
def test_a_spoilt_container_changes_no_row_of_other_files(
    write: Writer, changes: list[tuple[float, int]], cut: float | None
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_zip(folder / "takeout-20260201T103201Z-001.zip", OWN)
        path = write(folder)
        raw = bytearray(path.read_bytes())
        for place, byte in changes:
            raw[int(place * (len(raw) - 1))] = byte
        path.write_bytes(bytes(raw[: int(cut * len(raw))] if cut is not None else raw))
        # It holds counts, keys, references and row rules against the result.
        result = ingest(folder)
    assert table(result, "steps_minutes")["steps"].to_list() == [10, 20, 30]
    assert table(result, "sleep_sessions")["minutes_asleep"].to_list() == [460]
    assert table(result, "source_files").height == 2
