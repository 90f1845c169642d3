"""Archives made to harm or that came to harm: a code each, the good members kept, nothing written."""

import io
import os
import random
import stat
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hostile_zips import raw_zip, write_sparse_zip, zip_bytes
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.archive import Member, form_of, members
from ingest.archive import limits as archive_limits
from ingest.archive.zip_index import MAX_INDEX_BYTES, read_index
from ingest.quick_look import first_problem
from schemas.errors import PhaError

GOOD = b'[{"dateTime" : "11/28/23 00:07:00", "value" : "13"}]'
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\\/:\x00"), min_size=1, max_size=12).filter(
    lambda name: name not in (".", "..") and not name.lower().endswith((".zip", ".tgz", ".tar", ".gz"))
)
CONTENTS = st.dictionaries(NAMES, st.binary(max_size=300), max_size=5)


def seen(path: Path) -> tuple[dict[str, bytes | str], str | None]:
    """By path the bytes of a member or the code it is refused by; and the code the archive ends with."""
    found: dict[str, bytes | str] = {}
    try:
        for member in members(path, form_of(path, path.name), path.name):
            found[member.path] = member.refused or outcome(member)
    except PhaError as error:
        return found, error.code.name
    return found, None


def outcome(member: Member) -> bytes | str:
    try:
        content = member.read()
    except PhaError as error:
        return error.code.name
    return "cut" if content.damaged else content.data


def at(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.fixture(scope="module")
def any_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any") / "export.zip"


@given(content=CONTENTS, streamed=st.booleans(), stored=st.booleans())
def test_whatever_the_standard_library_packs_comes_back(
    any_path: Path, content: Mapping[str, bytes], streamed: bool, stored: bool
) -> None:
    path = at(any_path, zip_bytes(content, streamed=streamed, stored=stored))
    assert seen(path) == (content, None)


@settings(max_examples=60)
@given(content=CONTENTS, streamed=st.booleans(), data=st.data())
def test_cut_anywhere_the_members_before_the_break_are_kept(
    any_path: Path,
    content: Mapping[str, bytes],
    streamed: bool,
    data: st.DataObject,
) -> None:
    whole = zip_bytes(content, streamed=streamed)
    length = data.draw(st.integers(4, len(whole) - 1))
    path = at(any_path, whole[:length])
    found, code = seen(path)
    assert code == "zip_truncated" or (code is None and found == content)
    kept = [name for name, got in found.items() if got == content.get(name)]
    assert kept == list(content)[: len(kept)]
    # A name that was cut, too, may look like a path that leads out: it is refused.
    assert set(found.values()) <= {*content.values(), "cut", "member_damaged", "zip_unsafe_path"}
    ends = end_of_members(whole)
    assert len(kept) >= sum(end <= length for end in ends[1:])


def end_of_members(whole: bytes) -> list[int]:
    """Where each member begins: one is whole where the next began before the cut."""
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        return [info.header_offset + 30 + len(info.filename.encode()) for info in archive.infolist()]


@settings(max_examples=150)
@given(content=CONTENTS, streamed=st.booleans(), data=st.data())
def test_a_changed_byte_never_changes_what_is_read(
    any_path: Path,
    content: Mapping[str, bytes],
    streamed: bool,
    data: st.DataObject,
) -> None:
    broken = bytearray(zip_bytes(content, streamed=streamed))
    place = data.draw(st.integers(4, len(broken) - 1))
    broken[place] ^= data.draw(st.integers(1, 255))
    path = at(any_path, bytes(broken))
    for got in seen(path)[0].values():
        assert isinstance(got, str) or got in {*content.values(), b""}


def test_a_path_written_in_an_old_code_page_or_in_broken_utf8_harms_nobody_else(tmp_path: Path) -> None:
    old = raw_zip([("Übersicht.html".encode("cp437"), b"1", -1), (b"steps.json", GOOD, -1)])
    assert seen(at(tmp_path / "old.zip", old))[0] == {"Übersicht.html": b"1", "steps.json": GOOD}
    unsaid = raw_zip([("Übersicht.html".encode(), b"1", -1)])
    assert list(seen(at(tmp_path / "unsaid.zip", unsaid))[0]) == ["Übersicht.html"]
    false = raw_zip([(b"\xff\xfe.html", b"1", -1), (b"steps.json", GOOD, -1)], flags=0x800)
    assert seen(at(tmp_path / "false.zip", false))[0]["steps.json"] == GOOD


def test_of_members_of_one_name_the_last_is_read_and_the_others_are_told(tmp_path: Path) -> None:
    path = at(tmp_path / "twice.zip", raw_zip([(b"steps.json", b"old", -1), (b"steps.json", GOOD, -1)]))
    stream = members(path, "zip", path.name)
    assert [(member.path, member.refused) for member in stream] == [
        ("steps.json", "zip_index_false"),
        ("steps.json", None),
    ]


def test_members_that_share_bytes_are_refused_and_the_honest_one_is_read(tmp_path: Path) -> None:
    kernel = b"0" * 1000
    entries = [
        (b"a", GOOD, -1),
        (b"b", kernel, -1),
        (b"c", kernel, len(GOOD) + 31),
        (b"d", kernel, len(GOOD) + 31),
    ]
    found, code = seen(at(tmp_path / "overlap.zip", raw_zip(entries)))
    assert code is None
    assert found == {"a": GOOD, "b": "zip_index_false", "c": "zip_index_false", "d": "zip_index_false"}


@pytest.mark.parametrize("claimed", [0, len(GOOD) - 1, len(GOOD) + 1, 1 << 29])
@pytest.mark.parametrize("stored", [True, False])
def test_an_index_that_lies_about_a_size_gives_nothing_to_use(
    tmp_path: Path, claimed: int, stored: bool
) -> None:
    raw = bytearray(zip_bytes({"steps.json": GOOD, "b": b"next"}, stored=stored))
    index = raw.index(b"PK\x01\x02")
    raw[index + 24 : index + 28] = claimed.to_bytes(4, "little")
    found, code = seen(at(tmp_path / "lie.zip", bytes(raw)))
    assert code is None
    assert found["steps.json"] in {"member_damaged", "zip_too_large", "cut"}
    assert found["b"] == b"next"


def test_links_devices_and_pipes_lead_out_as_a_path_does(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("steps.json")
    link.create_system = 3
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("b", b"good")
    assert seen(tmp_path / "link.zip")[0] == {"steps.json": "zip_unsafe_path", "b": b"good"}
    with tarfile.open(tmp_path / "link.tgz", "w:gz") as tar:
        for name, kind in (
            ("s", tarfile.SYMTYPE),
            ("h", tarfile.LNKTYPE),
            ("f", tarfile.FIFOTYPE),
            ("d", tarfile.CHRTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            tar.addfile(info)
        good = tarfile.TarInfo("b")
        good.size = 4
        tar.addfile(good, io.BytesIO(b"good"))
    found, code = seen(tmp_path / "link.tgz")
    assert code is None
    assert found == dict.fromkeys("shfd", "zip_unsafe_path") | {"b": b"good"}


def test_packed_by_a_method_nobody_here_unpacks(tmp_path: Path) -> None:
    path = at(tmp_path / "deflate64.zip", raw_zip([(b"steps.json", GOOD, -1)], method=9))
    assert seen(path) == ({"steps.json": "zip_method_unknown"}, None)


@pytest.mark.parametrize("head", [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x01\x00", b"\xfd7zXZ\x00", b"BZh9"])
def test_other_archives_are_told_by_name(tmp_path: Path, head: bytes) -> None:
    path = at(tmp_path / "export.zip", head + bytes(600))
    with pytest.raises(PhaError) as fault:
        form_of(path, path.name)
    assert fault.value.code.name == "archive_form_unknown"


def test_nothing_and_no_ordinary_file(tmp_path: Path) -> None:
    with pytest.raises(PhaError) as fault:
        form_of(at(tmp_path / "steps.json", b""), "steps.json")
    assert fault.value.code.name == "file_empty"
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(PhaError) as fault:
            form_of(path, path.name)
        assert fault.value.code.name == "file_unreadable"


def test_an_archive_within_an_archive_is_opened_once(tmp_path: Path) -> None:
    inner = zip_bytes({"Takeout/Fitbit/steps.json": GOOD})
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz") as archive:
        info = tarfile.TarInfo("sleep.json")
        info.size = len(GOOD)
        archive.addfile(info, io.BytesIO(GOOD))
    path = at(tmp_path / "mine.zip", zip_bytes({"a/one.zip": inner, "two.tgz": tar.getvalue(), "c": b"c"}))
    assert seen(path)[0] == {
        "a/one.zip!/Takeout/Fitbit/steps.json": GOOD,
        "two.tgz!/sleep.json": GOOD,
        "c": b"c",
    }
    assert [member.inner_archive for member in members(path, "zip", "mine.zip")] == [
        "a/one.zip",
        "two.tgz",
        None,
    ]
    (tmp_path / "mine.tgz").write_bytes(b"")
    with tarfile.open(tmp_path / "mine.tgz", "w:gz") as archive:
        info = tarfile.TarInfo("one.zip")
        info.size = len(inner)
        archive.addfile(info, io.BytesIO(inner))
    assert seen(tmp_path / "mine.tgz")[0] == {"one.zip!/Takeout/Fitbit/steps.json": GOOD}


def test_an_archive_two_deep_is_refused_however_often_it_holds_itself(tmp_path: Path) -> None:
    data = zip_bytes({"steps.json": GOOD})
    for _ in range(5):
        data = zip_bytes({"in.zip": data, "good.json": GOOD})
    found, code = seen(at(tmp_path / "deep.zip", data))
    assert code is None
    assert found == {"in.zip!/in.zip": "zip_nested_too_deep", "in.zip!/good.json": GOOD, "good.json": GOOD}


def test_a_broken_inner_archive_is_told_by_its_own_name_and_its_good_members_are_kept(tmp_path: Path) -> None:
    inner = zip_bytes({"steps.json": GOOD, "noise": random.Random(3).randbytes(5000)})
    content = {"cut.zip": inner[:1500], "page.zip": b"<html>", "empty.zip": b"", "b": b"good"}
    found, code = seen(at(tmp_path / "mine.zip", zip_bytes(content)))
    assert code is None
    assert found["cut.zip!/steps.json"] == GOOD
    assert (found["cut.zip"], found["page.zip"], found["empty.zip"]) == (
        "zip_truncated",
        "not_a_zip",
        "file_empty",
    )
    assert found["b"] == b"good"


def test_archives_of_other_products_are_not_opened(tmp_path: Path) -> None:
    inner = zip_bytes({"steps.json": GOOD})
    path = at(
        tmp_path / "takeout.zip", zip_bytes({"Takeout/Drive/holiday.zip": inner, "__MACOSX/._a.zip": b"x"})
    )
    assert list(seen(path)[0]) == ["Takeout/Drive/holiday.zip", "__MACOSX/._a.zip"]


def test_more_members_than_any_export_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.archive.zip_index.MAX_MEMBERS", 10)
    monkeypatch.setattr("ingest.archive.tar_members.MAX_MEMBERS", 10)
    path = at(tmp_path / "many.zip", raw_zip([(b"%d" % n, b"", -1) for n in range(11)]))
    assert seen(path) == ({}, "zip_too_large")
    with tarfile.open(tmp_path / "many.tgz", "w:gz") as tar:
        for n in range(11):
            tar.addfile(tarfile.TarInfo(str(n)))
    found, code = seen(tmp_path / "many.tgz")
    assert (len(found), code) == (10, "zip_too_large")


def test_an_index_of_gigabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "index.zip"
    with path.open("wb") as out:
        out.write(b"PK\x03\x04")
        out.seek(MAX_INDEX_BYTES + 100)
        out.write(raw_zip([])[:-10] + (MAX_INDEX_BYTES + 1).to_bytes(4, "little") + bytes(6))
    assert seen(path) == ({}, "zip_too_large")


def test_a_gzip_bomb_ends_at_the_ratio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.archive.tar_members.FREE_BYTES", 1 << 20)
    with tarfile.open(tmp_path / "bomb.tgz", "w:gz") as tar:
        for name, size in (("a", 4), ("b", 30 << 20), ("c", 4)):
            info = tarfile.TarInfo(name)
            info.size = size
            tar.addfile(info, io.BytesIO(bytes(size)))
    found, code = seen(tmp_path / "bomb.tgz")
    assert code == "zip_too_large"
    assert found["a"] == bytes(4)
    assert "c" not in found


def test_a_tar_header_of_gigabytes_is_not_read_into_memory(tmp_path: Path) -> None:
    info = tarfile.TarInfo("././@PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, 2 << 30
    path = at(tmp_path / "header.tar", info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    assert seen(path) == ({}, "zip_too_large")


def test_a_garbled_tar_header_is_no_silent_end(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        for name in "abc":
            info = tarfile.TarInfo(name)
            info.size = 4
            tar.addfile(info, io.BytesIO(b"good"))
    raw = bytearray((tmp_path / "a.tar").read_bytes())
    raw[1024 + 148] ^= 1
    assert seen(at(tmp_path / "b.tar", bytes(raw))) == ({"a": b"good"}, "zip_truncated")
    assert seen(at(tmp_path / "c.tar", bytes(raw[:1024]))) == ({"a": b"good"}, "zip_truncated")


def test_bytes_before_a_zip_and_many_members_in_64_bits_are_no_hindrance(tmp_path: Path) -> None:
    own = at(tmp_path / "self.zip", b"PK\x03\x04 unpacks itself" + zip_bytes({"steps.json": GOOD}))
    assert seen(own)[0] == {"steps.json": GOOD}
    write_sparse_zip(tmp_path / "sparse.zip", "steps-{}.json", 3, 10)
    assert seen(tmp_path / "sparse.zip")[0] == {f"steps-{n}.json": bytes(10) for n in range(3)}
    # Some programs write more members than the counter holds and say nothing of it.
    many = raw_zip([(b"%d" % n, b"", -1) for n in range(70_000)])
    assert len(read_index(io.BytesIO(many)).entries) == 70_000


def test_a_locked_or_forbidden_member_says_so_when_read_all_the_same(tmp_path: Path) -> None:
    path = at(tmp_path / "deep.zip", zip_bytes({"in.zip": zip_bytes({"in.zip": zip_bytes({})})}))
    (member,) = members(path, "zip", path.name)
    with pytest.raises(PhaError) as fault:
        member.read()
    assert fault.value.code.name == "zip_nested_too_deep"


def test_limits_are_above_the_largest_export_known() -> None:
    assert archive_limits.MAX_MEMBERS > 32_738
    assert archive_limits.MAX_READ_BYTES > 10 << 30


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
@pytest.mark.proof
def test_ten_gigabytes_in_thirty_thousand_members_pass_in_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    write_sparse_zip(path, "heart_rate-{}.json", 30_000, 350_000)
    assert path.stat().st_size > 10_000_000_000
    script = (
        "import re, sys; from pathlib import Path; from ingest.archive import members\n"
        "path = Path(sys.argv[1])\n"
        "total = sum(len(member.read().data) for member in members(path, 'zip', path.name))\n"
        "print(total, re.search(r'VmHWM:\\s*(\\d+)', Path('/proc/self/status').read_text()).group(1))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    total, peak_kib = map(int, done.stdout.split())
    assert total == 30_000 * 350_000
    assert peak_kib < 120 << 10


def test_a_first_sight_reads_the_index_alone(tmp_path: Path) -> None:
    deep = zip_bytes({"in.zip": zip_bytes({"../steps.json": GOOD}), "good.json": GOOD})
    assert first_problem(at(tmp_path / "deep.zip", deep), "fitbit") is None
    for name, data, code in (
        ("cut.zip", deep[:-30], "zip_truncated"),
        ("out.zip", zip_bytes({"../steps.json": GOOD}), "zip_unsafe_path"),
        ("none.zip", b"", "file_empty"),
        ("many.zip", raw_zip([(b"a", GOOD, -1), (b"a", GOOD, -1)]), "zip_index_false"),
    ):
        found = first_problem(at(tmp_path / name, data), "fitbit")
        assert found is not None
        assert found.code.name == code
