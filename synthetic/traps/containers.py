"""Traps of the package: parts, nests, cuts, and what other products and machines lay beside the data."""

import zipfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import polars as pl

from synthetic.exports.members import Member
from synthetic.exports.takeout.archives import add, write_zip
from synthetic.exports.takeout.containers import JUNK, Container, archive_stem, pack
from synthetic.traps.answers import Answer
from synthetic.traps.answers import Members as MemberCounts
from synthetic.traps.edits import adding
from synthetic.traps.repeats import older
from synthetic.traps.trap import Answers, Frames, Life, Members, Pack, Trap, all_equal, one_archive, telling

VENDOR = "containers of public exports"
LOST_PART = "Stress Score/"
KEPT_OF_CUT = 0.9
BOMB_BYTES = 24 << 20
BOMB = "Takeout/Fitbit/Global Export Data/steps-2019-01-01.json"
LEADING_OUT = ("../../../outside/steps-2019-01-01.json", "/tmp/steps-2019-01-02.json")  # noqa: S108 - a trap
LOGIN_PAGE = b"<!DOCTYPE html><html><title>Sign in</title><p>Your session has ended.</p></html>\n"
SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(56)


def _in(container: Container) -> Pack:
    """The export in one of the vendor's containers, or the participant's."""

    def packed(life: Life, members: Members, fitbit: Path) -> None:
        pack(iter(members), life.request, life.home(fitbit), container)

    return packed


def _part_names(life: Life) -> tuple[str, str, str]:
    first, second, third = (f"{archive_stem(life.request)}-{n:03d}.zip" for n in (1, 2, 3))
    return first, second, third


def _without_second_part(life: Life, members: Members, fitbit: Path) -> None:
    """The lost part held the stress scores; the others share the rest."""
    first, _, third = (life.home(fitbit) / name for name in _part_names(life))
    with zipfile.ZipFile(first, "w") as one, zipfile.ZipFile(third, "w") as other:
        for member in members:
            if LOST_PART not in member.path:
                add(
                    one if "/Global Export Data/" in member.path else other,
                    member,
                    life.request.requested_utc,
                )


def _without_stress(_: Life, frames: Frames) -> Frames:
    lost = pl.lit(None).cast(pl.Float64).alias("stress_management_score")
    return frames | {"daily_summary": frames["daily_summary"].with_columns(lost)}


def _nested_twice(life: Life, members: Members, fitbit: Path) -> None:
    """The export, and beside it an older one three archives deep."""
    one_archive(life, members, fitbit)
    home, made = life.home(fitbit), life.request.requested_utc
    first = older(life)
    path = home / first.archive
    one_archive(first, first.members(), fitbit)
    for name in ("again.zip", "and again.zip"):
        inner = Member(path.name, path.read_bytes())
        path.unlink()
        path = home / name
        write_zip(path, [inner], made)


def _cut_archive(life: Life, members: Members, fitbit: Path) -> None:
    """The export, and an older one whose download broke off: its index is gone."""
    one_archive(life, members, fitbit)
    first = older(life)
    one_archive(first, first.members(), fitbit)
    path = life.home(fitbit) / first.archive
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * KEPT_OF_CUT)])


def _with_file(name: str, content: bytes) -> Pack:
    """The export, and a file beside it."""

    def packed(life: Life, members: Members, fitbit: Path) -> None:
        one_archive(life, members, fitbit)
        (life.home(fitbit) / name).write_bytes(content)

    return packed


def _refusing(count: int, code: str) -> Answers:
    def answers(life: Life) -> tuple[Answer, ...]:
        return *telling(code)(life), MemberCounts(life.archive, refused=count)

    return answers


def _bomb(_: Life) -> Iterator[Member]:
    yield Member(BOMB, bytes(BOMB_BYTES))


def _leading_out(_: Life) -> Iterator[Member]:
    for path in LEADING_OUT:
        yield Member(path, b"[]")


def _foreign(_: Life) -> Iterator[Member]:
    mail = Member("Takeout/Drive/holiday.zip", b"PK\x05\x06" + bytes(18))
    return chain(JUNK, (mail,))


def _ignoring_foreign(life: Life) -> tuple[Answer, ...]:
    return *all_equal(life), MemberCounts(life.archive, ignored_at_least=len(JUNK) + 1)


CONTAINER_TRAPS = (
    Trap(
        name="split_export",
        what="The export in three parts that share its files.",
        known=VENDOR,
        pack=_in("split"),
    ),
    Trap(
        name="part_missing",
        what="Of three parts the second, with the stress scores, was never sent.",
        known="behaviour of the vendor's split archives",
        pack=_without_second_part,
        truth=_without_stress,
        answers=telling("zip_part_missing"),
    ),
    Trap(name="tar_and_gzip", what="The export as .tgz.", known=VENDOR, pack=_in("tgz")),
    Trap(
        name="zipped_again",
        what="Unpacked, and the product's folder zipped again under another name.",
        known="participants do",
        pack=_in("rezipped"),
    ),
    Trap(
        name="archive_in_archive",
        what="The archive lies in another one.",
        known="participants do",
        pack=_in("nested"),
    ),
    Trap(
        name="archive_three_deep",
        what="Beside the export an older one, in an archive that lies in an archive: it is not opened.",
        known="guards against archives that hold themselves",
        pack=_nested_twice,
        answers=telling("zip_nested_too_deep"),
    ),
    Trap(
        name="unpacked_folder",
        what="No archive: the files themselves, in their folders.",
        known="participants do",
        pack=_in("folder"),
    ),
    Trap(
        name="foreign_products",
        what="Other products of the same account and what operating systems leave behind: ignored, counted.",
        known=VENDOR,
        edit=adding(_foreign),
        answers=_ignoring_foreign,
    ),
    Trap(
        name="cut_archive",
        what="Beside the export an older one that breaks off before its index: what stands before is read.",
        known="links expire, downloads break off",
        pack=_cut_archive,
        answers=telling("zip_truncated"),
    ),
    Trap(
        name="bomb",
        what="A member of 24 MiB of zeros, packed a thousand to one: refused, the others are read.",
        known="hostile archives",
        edit=adding(_bomb),
        answers=_refusing(1, "zip_too_large"),
    ),
    Trap(
        name="paths_leading_out",
        what="Members whose paths lead out of the archive: refused, the others are read.",
        known="hostile archives",
        edit=adding(_leading_out),
        answers=_refusing(len(LEADING_OUT), "zip_unsafe_path"),
    ),
    Trap(
        name="login_page_for_archive",
        what="Beside the export a page to sign in that was saved under an archive's name.",
        known="links expire after a week",
        pack=_with_file("takeout-20260101T101010Z-001.zip", LOGIN_PAGE),
        answers=telling("not_a_zip"),
    ),
    Trap(
        name="empty_upload",
        what="Beside the export an archive of 0 bytes.",
        known="uploads break off",
        pack=_with_file("takeout-20260101T101010Z-001.zip", b""),
        answers=telling("file_empty"),
    ),
    Trap(
        name="other_packer",
        what="Beside the export an archive of 7-Zip.",
        known="participants do",
        pack=_with_file("fitbit.7z", SEVEN_ZIP),
        answers=telling("archive_form_unknown"),
    ),
)
