"""Publishing: whole or not at all, once for one content, never changed, held back when a check fails."""

import hashlib
import json
import os
import shutil
import stat
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_release import AS_OF, NOW, SETTINGS, Frames, content, published

from outputs.problem import held, why_held
from outputs.release import ReleaseContent, identity, publish, run_id, run_id_of
from outputs.release_tables import link_minute_files, names_of
from schemas.errors import PhaError
from schemas.settings import AlertsSection

# Whole releases pass great-expectations.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An OUT with one published release."""
    folder = tmp_path_factory.mktemp("release") / "out"
    published(folder)
    return folder


@pytest.fixture(scope="module")
def release(out: Path) -> Path:
    return (out / "latest").resolve()


def tables_digest(release: Path) -> dict[str, str]:
    return {
        path.relative_to(release).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((release / "tables").rglob("*.parquet"))
    }


# ---- what is there ----


def test_the_folder_is_named_by_as_of_kind_and_run_id(release: Path) -> None:
    assert release.name == f"2026-02-09-full-{json.loads((release / 'run.json').read_bytes())['run_id']}"
    assert release.parent.name == "releases"


def test_it_holds_every_table_of_its_kind(release: Path) -> None:
    one_file = {path.stem for path in (release / "tables").glob("*.parquet")}
    folders = {path.name for path in (release / "tables").iterdir() if path.is_dir()}
    shared = {path.stem for path in (release / "shareable").glob("*.parquet")}
    assert shared == {"shareable_percentiles"}
    assert one_file | shared == set(names_of("full", "one_file"))
    assert not one_file & shared
    assert folders == set(names_of("full", "per_participant"))
    assert not {"person_values", "shared_values"} & (one_file | shared)


def test_it_holds_pages_records_and_checks(release: Path) -> None:
    there = {path.name for path in release.iterdir()}
    files = {"datapackage.json", "run.json", "README.md"}
    assert there == {"tables", "shareable", "reports", "data_docs"} | files


def test_minute_files_are_links_to_the_store(out: Path, release: Path) -> None:
    kept = out / "store" / "core" / "P1" / "key.heart_rate_minutes.parquet"
    assert (release / "tables" / "heart_rate_minutes" / "P1.parquet").samefile(kept)


def test_no_file_can_be_written_and_only_the_owner_enters(out: Path, release: Path) -> None:
    files = [path for path in release.rglob("*") if path.is_file()]
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o444 for path in files)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700


def test_nothing_unfinished_is_left(out: Path) -> None:
    assert [path.name for path in (out / "releases").iterdir() if path.name.endswith(".tmp")] == []


def test_run_json_says_what_the_release_was_made_from(release: Path) -> None:
    run = json.loads((release / "run.json").read_bytes())
    assert run["identity"]["inputs"] == {"decisions": "d", "settings": "s"}
    assert run["published_at"] == NOW.isoformat()
    assert run["about"] == {"versions": {"pha-cohort": "0.1.0"}}
    assert run["settings"]["study"]["time_zone"] == "Europe/Amsterdam"
    assert run["tables"]["tables/daily_summary.parquet"]["rows"] == 120


def test_the_readme_tells_of_made_up_people_and_escapes_the_name(release: Path) -> None:
    text = (release / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# Walk & \\<Rest\\>: release 2026-02-09-full-")
    assert "**Made-up people.**" in text


class _Outside(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag] if tag in {"script", "link", "img", "iframe"} else []
        self.found += [name for name, _ in attrs if name in {"src", "href"} or name.startswith("on")]


def test_the_page_of_checks_needs_nothing_from_outside(release: Path) -> None:
    text = (release / "data_docs" / "index.html").read_text(encoding="utf-8")
    parser = _Outside()
    parser.feed(text)
    assert parser.found == []
    assert "http" not in text
    assert "checks passed." in text


# ---- the run id ----


CHANGES: dict[str, object] = {
    "as_of": date(2026, 2, 10),
    "kind": "core",
    "edition": None,
    "previous": "2026-02-02-full-000000000000",
    "inputs": {"decisions": "d", "settings": "other"},
}


@pytest.mark.parametrize("part", CHANGES)
def test_each_part_of_the_identity_is_in_the_run_id(tmp_path: Path, part: str) -> None:
    made = content(tmp_path)
    assert run_id(replace(made, **{part: CHANGES[part]})) != run_id(made)  # pyright: ignore[reportArgumentType]


def test_times_and_cost_are_not_in_the_run_id(tmp_path: Path) -> None:
    made = content(tmp_path)
    assert run_id(replace(made, about={"seconds": 99, "cost_usd": 3.5})) == run_id(made)


@given(st.dictionaries(st.text(), st.text(), max_size=6), st.randoms())
def test_the_order_of_inputs_is_not_in_the_run_id(inputs: dict[str, str], random: object) -> None:
    made = _bare(inputs)
    shuffled = list(inputs.items())
    random.shuffle(shuffled)  # pyright: ignore[reportAttributeAccessIssue]
    assert run_id(_bare(dict(shuffled))) == run_id(made)
    assert run_id_of(json.loads(json.dumps(identity(made)))) == run_id(made)


def _bare(inputs: dict[str, str]) -> ReleaseContent:
    return ReleaseContent("core", AS_OF, SETTINGS, None, None, {}, {}, inputs)


# ---- once and for all ----


def test_the_same_content_finds_the_release_that_is_there(out: Path, release: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in release.rglob("*")}
    again = published(out, about={"seconds": 12})
    assert (again.existing, again.held, again.path) == (True, False, release)
    assert {path: path.stat().st_mtime_ns for path in release.rglob("*")} == before


def test_two_releases_of_one_content_have_equal_tables(release: Path, tmp_path: Path) -> None:
    def shuffle(frames: Frames) -> None:
        for name, frame in frames.items():
            frames[name] = frame.sample(fraction=1, shuffle=True, seed=7)

    assert tables_digest(published(tmp_path / "out", change=shuffle).path) == tables_digest(release)


def test_what_a_killed_run_left_is_removed(out: Path) -> None:
    leftover = out / "releases" / ".2026-02-09-full-aaaaaaaaaaaa.1234.tmp" / "tables"
    leftover.mkdir(parents=True)
    published(out)
    assert not leftover.parent.exists()


def test_a_fault_in_the_pages_leaves_no_trace(tmp_path: Path) -> None:
    def no_space(folder: Path) -> None:
        assert (folder / "run.json").is_file()
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        publish(tmp_path, content(tmp_path, "core"), no_space, NOW)
    assert [path.name for path in (tmp_path / "releases").iterdir()] == [".lock"]
    assert not (tmp_path / "latest").exists()


# ---- held back ----


@pytest.fixture(scope="module")
def held_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("held")


def orphan(frames: Frames) -> None:
    frames["daily_summary"] = frames["daily_summary"].with_columns(
        participant_id=pl.when(participant_id="P3").then(pl.lit("P8")).otherwise("participant_id")
    )


def test_a_release_that_fails_a_check_is_kept_aside(held_out: Path) -> None:
    made = published(held_out, "core", orphan)
    assert (made.held, made.existing) == (True, False)
    assert made.path.parent == held_out / "held"
    assert [(problem.code, problem.subject) for problem in made.problems] == [
        ("release_held", "references: reference")
    ]
    assert made.problems[0].what == (
        "The release was held back: rows that point at a row that is not there: "
        "daily_summary.participant_id (40 rows): "
        "a fault of the program, please report the check and the table."
    )
    page = (made.path / "data_docs" / "index.html").read_text(encoding="utf-8")
    assert "Held back: 1 of" in page
    assert "P8" not in page


def test_why_a_release_is_held_is_told_with_the_first_faults_and_the_number_of_others() -> None:
    faults = [held(f"t: check {n}", f"fault {n}") for n in range(5)]
    assert why_held(faults[:1]) == "fault 0"
    assert why_held(faults[:3]) == "fault 0; fault 1; fault 2"
    assert why_held(faults) == "fault 0; fault 1; fault 2; 2 more in the held folder's data_docs"


def test_nothing_of_a_held_release_is_published(held_out: Path) -> None:
    published(held_out, "core", orphan)
    assert [path.name for path in (held_out / "releases").iterdir()] == [".lock"]
    assert not (held_out / "latest").exists()
    assert len(list((held_out / "held").iterdir())) == 1


def test_a_mended_release_of_the_same_inputs_is_published(held_out: Path) -> None:
    made = published(held_out, "core")
    assert not made.held
    assert (held_out / "latest").resolve() == made.path


# ---- refused ----


def test_a_table_left_out_is_a_fault_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"missing \['daily_summary'\]"):
        published(tmp_path, "core", lambda frames: frames.__delitem__("daily_summary"))
    with pytest.raises(ValueError, match=r"unknown \['findings'\]"):
        published(tmp_path, "core", lambda frames: frames.update(findings=pl.DataFrame()))


def test_a_previous_release_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PhaError, match="release_missing"):
        published(tmp_path, "core", previous="2026-01-01-core-000000000000")


def test_minute_files_are_copied_where_they_cannot_be_linked(tmp_path: Path) -> None:
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no second file system on this machine")
    elsewhere = other / f"pha-test-{os.getpid()}"
    try:
        files = content(elsewhere).minute_files
        link_minute_files(tmp_path, "full", files)
        copy = tmp_path / "tables" / "heart_rate_minutes" / "P1.parquet"
        assert copy.read_bytes() == files["heart_rate_minutes"]["P1"].read_bytes()
    finally:
        shutil.rmtree(elsewhere)


def test_the_alert_command_is_not_published(tmp_path: Path) -> None:
    settings = SETTINGS.model_copy(update={"alerts": AlertsSection(command=("/home/anna/call.sh",))})  # pyright: ignore[reportCallIssue]
    made = published(tmp_path, "core", settings=settings)
    assert "anna" not in "".join(
        path.read_text(encoding="utf-8")
        for path in made.path.rglob("*")
        if path.suffix in {".json", ".md", ".html"}
    )
