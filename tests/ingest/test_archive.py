"""Archives: what may be read of them, and what of a damaged or hostile one."""

import io
import random
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.archive import contents, form_of, is_unsafe, members
from schemas.errors import PhaError


def zip_with(path: Path, content: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", compression) as out:
        for name, data in content.items():
            out.writestr(name, data)
    return path


def tgz_with(path: Path, content: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as out:
        for name, data in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            out.addfile(info, io.BytesIO(data))
    return path


def read_all(path: Path) -> dict[str, bytes]:
    return {member.path: member.read().data for member in members(path, form_of(path, path.name), path.name)}


@pytest.mark.parametrize("write", [zip_with, tgz_with])
def test_members_come_back_as_they_were_put_in(tmp_path: Path, write: object) -> None:
    content = {"Takeout/Fitbit/a.json": b"[]", "b/ä.csv": b"x" * 300_000, "empty": b""}
    assert callable(write)
    assert read_all(write(tmp_path / "export.zip", content)) == content


def test_the_first_bytes_say_what_a_file_is_not_its_ending(tmp_path: Path) -> None:
    assert form_of(zip_with(tmp_path / "export.tgz", {"a": b"1"}), "export.tgz") == "zip"
    assert form_of(tgz_with(tmp_path / "export.zip", {"a": b"1"}), "export.zip") == "tgz"
    assert form_of(zip_with(tmp_path / "empty.zip", {}), "empty.zip") == "zip"
    loose = tmp_path / "steps.json"
    loose.write_text("[]")
    assert form_of(loose, "steps.json") == "loose"


def test_an_ending_without_an_archive_is_a_fault(tmp_path: Path) -> None:
    page = tmp_path / "takeout.zip"
    page.write_text("<html>Your link has expired</html>")
    with pytest.raises(PhaError) as fault:
        form_of(page, page.name)
    assert fault.value.code.name == "not_a_zip"


def test_a_zip_without_its_index_is_truncated(tmp_path: Path) -> None:
    path = zip_with(tmp_path / "export.zip", {"a": b"1" * 5000, "b": b"2" * 5000})
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(PhaError) as fault:
        read_all(path)
    assert fault.value.code.name == "zip_truncated"


def test_a_tgz_cut_off_gives_what_came_before_the_break(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(200_000)
    path = tgz_with(tmp_path / "export.tgz", {"a": b"good", "b": noise})
    path.write_bytes(path.read_bytes()[:100_000])
    stream = members(path, "tgz", path.name)
    seen = [next(stream).read(), next(stream).read()]
    with pytest.raises(PhaError) as fault:
        next(stream)
    assert fault.value.code.name == "zip_truncated"
    assert seen[0].data == b"good"
    assert seen[1].damaged
    assert noise.startswith(seen[1].data)
    assert len(seen[1].data) > 90_000


def test_a_garbled_member_is_not_used_and_the_next_one_is(tmp_path: Path) -> None:
    lines = b"".join(b"%d,%d\n" % (n, n * 7919 % 10_007) for n in range(40_000))
    path = zip_with(tmp_path / "export.zip", {"a.csv": lines, "b.csv": b"whole"})
    raw = bytearray(path.read_bytes())
    middle = len(raw) // 2
    raw[middle : middle + 40] = b"\xff" * 40
    path.write_bytes(bytes(raw))
    stream = members(path, "zip", path.name)
    garbled = next(stream)
    with pytest.raises(PhaError) as fault:
        garbled.read()
    assert fault.value.code.name == "member_damaged"
    assert next(stream).read().data == b"whole"


def test_a_member_that_ends_early_gives_its_beginning(tmp_path: Path) -> None:
    noise = random.Random(2).randbytes(50_000)
    path = zip_with(tmp_path / "export.zip", {"a.bin": noise}, zipfile.ZIP_STORED)
    raw = path.read_bytes()
    index = raw.index(b"PK\x01\x02")
    # The index stands where the second half of the member was, as after an upload that skipped a part.
    shorter = raw[:25_000] + raw[index:]
    end = shorter.rindex(b"PK\x05\x06")
    place = (25_000).to_bytes(4, "little")
    path.write_bytes(shorter[: end + 16] + place + shorter[end + 20 :])
    stream = members(path, "zip", path.name)
    content = next(stream).read()
    assert content.damaged
    assert len(content.data) > 23_000
    assert content.data[:23_000] == noise[:23_000]


def test_a_wrong_byte_that_decodes_is_found_by_the_checksum_and_nothing_is_used(tmp_path: Path) -> None:
    path = zip_with(tmp_path / "export.zip", {"a.csv": b"steps,1000\n"}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"steps,1000", b"steps,9000"))
    with pytest.raises(PhaError) as fault:
        read_all(path)
    assert fault.value.code.name == "member_damaged"


def test_locked_members_are_refused(tmp_path: Path) -> None:
    path = zip_with(tmp_path / "export.zip", {"a": b"1"}, zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(raw))
    assert [member.refused for member in members(path, "zip", path.name)] == ["zip_encrypted"]


@pytest.mark.parametrize(
    "path",
    ["../a", "a/../../b", "/etc/passwd", "C:/a", "c:\\a", "..\\a", "a\\..\\b", "\\\\host\\a", "a\x00b"],
)
def test_paths_that_lead_out_are_unsafe(path: str) -> None:
    assert is_unsafe(path)


@pytest.mark.parametrize("path", ["Takeout/Fitbit/a.json", "a..b/c", "Sleep Score/sleep_score.csv", "a"])
def test_ordinary_paths_are_safe(path: str) -> None:
    assert not is_unsafe(path)


def test_members_that_lead_out_are_refused_by_name(tmp_path: Path) -> None:
    path = zip_with(tmp_path / "export.zip", {"../steps-2023-11-26.json": b"[]"})
    assert [member.refused for member in members(path, "zip", path.name)] == ["zip_unsafe_path"]


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = zip_with(tmp_path / "export.zip", {"steps-2023-11-26.json": b"0" * (20 << 20)})
    assert [member.refused for member in members(path, "zip", path.name)] == ["zip_too_large"]


def test_no_more_is_unpacked_from_a_file_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "MAX_READ_BYTES", 1500)
    path = zip_with(tmp_path / "export.zip", {"a": b"1" * 1000, "b": b"2" * 1000})
    with pytest.raises(PhaError) as fault:
        read_all(path)
    assert fault.value.code.name == "zip_too_large"


def test_names_are_kept_out_of_what_is_shown(tmp_path: Path) -> None:
    path = zip_with(tmp_path / "export.zip", {"AnnSmith/steps.json": b"[]"})
    (member,) = members(path, "zip", path.name)
    assert "Ann" not in repr(member)
    assert member.name == "steps.json"


EXPECTED = {"file_empty", "not_a_zip", "archive_form_unknown", "zip_truncated", "member_damaged"}


@pytest.fixture(scope="module")
def any_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any") / "any.zip"


@given(data=st.binary(max_size=400))
def test_no_bytes_end_in_another_error_than_ours(any_zip: Path, data: bytes) -> None:
    path = any_zip
    for head in (b"", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b"):
        path.write_bytes(head + data)
        try:
            read_all(path)
        except PhaError as error:
            assert error.code.name in EXPECTED  # noqa: PT017
