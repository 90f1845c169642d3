"""Names of releases, the release before, and the links to the newest."""

import json
from datetime import date
from pathlib import Path

import pytest

from outputs.release_folder import ReleaseName, move_links, newest, parse_name


def made(out: Path, name: str, published_at: str = "2026-01-01T00:00:00+00:00") -> ReleaseName:
    folder = out / "releases" / name
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({"published_at": published_at}))
    parsed = parse_name(name)
    assert parsed is not None
    return parsed


def name(as_of: str, kind: str = "full", digit: str = "a") -> str:
    return f"{as_of}-{kind}-{digit * 12}"


def test_a_name_is_read_as_it_is_written() -> None:
    parsed = parse_name("2026-02-09-core-0123456789ab")
    assert parsed == ReleaseName(date(2026, 2, 9), "core", "0123456789ab")
    assert str(parsed) == "2026-02-09-core-0123456789ab"


@pytest.mark.parametrize(
    "other",
    [
        ".2026-02-09-core-0123456789ab.f00.tmp",
        "2026-02-09-core-0123",
        "latest",
        ".lock",
        "2026-02-09-draft-0123456789ab",
    ],
)
def test_other_names_are_no_releases(other: str) -> None:
    assert parse_name(other) is None


# ---- the release before ----


def test_the_release_before_is_of_the_same_kind_and_an_earlier_as_of(tmp_path: Path) -> None:
    for other in (name("2026-01-05"), name("2026-01-12"), name("2026-01-19"), name("2026-01-18", "core")):
        made(tmp_path, other)
    found = newest(tmp_path, "full", before=date(2026, 1, 19))
    assert found == tmp_path / "releases" / name("2026-01-12")
    assert newest(tmp_path, "core", before=date(2026, 1, 18)) is None


def test_of_two_with_one_as_of_the_one_published_last_counts(tmp_path: Path) -> None:
    made(tmp_path, name("2026-01-05", digit="f"), "2026-01-06T03:00:00+00:00")
    made(tmp_path, name("2026-01-05", digit="a"), "2026-01-07T03:00:00+00:00")
    assert newest(tmp_path, "full", before=date(2026, 2, 1)) == tmp_path / "releases" / name(
        "2026-01-05", digit="a"
    )


def test_without_releases_there_is_none(tmp_path: Path) -> None:
    assert newest(tmp_path, "full", before=date(2026, 1, 1)) is None


# ---- links ----


def shown(out: Path) -> tuple[str | None, str | None]:
    links = (out / "latest", out / "latest-core")
    latest, core = (link.readlink().name if link.is_symlink() else None for link in links)
    return latest, core


def follow(out: Path, *names: str) -> tuple[str | None, str | None]:
    for each in names:
        move_links(out, made(out, each))
    return shown(out)


def test_a_core_release_is_the_latest_while_there_is_no_full_one(tmp_path: Path) -> None:
    core = name("2026-01-05", "core")
    assert follow(tmp_path, core) == (core, core)


def test_a_full_release_takes_over_even_with_an_earlier_as_of(tmp_path: Path) -> None:
    core, full = name("2026-01-05", "core"), name("2026-01-04")
    assert follow(tmp_path, core, full) == (full, core)


def test_a_core_release_never_takes_latest_from_a_full_one(tmp_path: Path) -> None:
    full, core = name("2026-01-05"), name("2026-01-06", "core")
    assert follow(tmp_path, full, core) == (full, core)


def test_links_move_to_an_equal_or_later_as_of_only(tmp_path: Path) -> None:
    first, second, older = name("2026-01-05"), name("2026-01-05", digit="b"), name("2026-01-04")
    assert follow(tmp_path, first, second) == (second, second)
    assert follow(tmp_path, older) == (second, second)


def test_a_link_that_leads_nowhere_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(Path("releases") / name("2027-01-01"))
    full = name("2026-01-05")
    assert follow(tmp_path, full) == (full, full)


def test_links_are_relative_so_that_out_can_be_moved(tmp_path: Path) -> None:
    full = name("2026-01-05")
    follow(tmp_path / "out", full)
    moved = (tmp_path / "out").rename(tmp_path / "elsewhere")
    assert (moved / "latest").resolve() == moved.resolve() / "releases" / full
