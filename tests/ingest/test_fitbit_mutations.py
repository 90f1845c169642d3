"""Whatever happens to the bytes of any kind of member: no crash, no lost row, no other form."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Content
from ingest.fitbit.kinds import ARCHIVE_KINDS, Kind, kinds_of
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
    name, data = samples()[kind.name]
    raw = bytearray(data)
    for place, byte in changes:
        raw[place % len(raw)] = byte
    content = Content(bytes(raw[: end % len(raw)] if cut else raw), damaged=cut)
    try:
        reading = kind.read(content, name)
    except OtherForm:
        return
    assert closes(reading)
    assert reading.frame.schema == kind.read(Content(b""), name).frame.schema
