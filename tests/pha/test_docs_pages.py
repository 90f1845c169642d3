"""Generated pages: everything declared is on them, and a stale page is noticed."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from outputs.findings.check import RULES
from pha.cli import cli
from pha.codes_page import codes_page
from pha.commands_page import all_commands, commands_page
from pha.data_dictionary import data_dictionary
from pha.docs_pages import DOCS, PAGES, findings_page, main, stale_pages, write_pages
from pha.markdown import table
from pha.settings_page import settings_page
from schemas.errors import CODES
from schemas.settings import Settings, SurveyFile
from schemas.tables import TABLES


def section(page: str, title: str) -> str:
    """The part of a page below a heading."""
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_pages_in_docs_are_current() -> None:
    assert stale_pages(DOCS) == [], "mend it with: make docs"


@pytest.mark.parametrize("name", [name for name, declared in TABLES.items() if declared.info.kinds])
def test_every_column_of_every_table_is_in_the_data_dictionary(name: str) -> None:
    part = section(data_dictionary(), name).split("| --- |", 1)[1]
    for column, declared in TABLES[name].columns().items():
        cells = [
            line.split(" | ")
            for line in part.splitlines()
            if line.startswith((f"| {column} |", f"| **{column}** |"))
        ]
        assert len(cells) == 1
        assert " ".join((declared.description or "").split()).replace("|", "\\|") in cells[0][-1]


@pytest.mark.parametrize("name", [name for name, declared in TABLES.items() if declared.info.warnings])
def test_every_warning_is_in_the_data_dictionary(name: str) -> None:
    part = section(data_dictionary(), name)
    assert all(warning[1:].rstrip(".") in part for warning in TABLES[name].info.warnings)


def test_what_is_never_published_is_not_in_the_data_dictionary() -> None:
    assert "person_values" not in data_dictionary()


def test_row_rules_are_told_in_words() -> None:
    assert "- `rows_close`: Rows read = staged + merged + rejected + ignored." in section(
        data_dictionary(), "source_files"
    )


def test_units_limits_and_words_are_told() -> None:
    part = section(data_dictionary(), "daily_summary")
    assert "| weight_kg | number, 2 decimals | kg |  | 20 to 400 | Last weight of the day. |" in part
    assert "| **date** | day |  | always |  |" in part
    assert "`worn`, `partly_worn`, `not_worn`, `not_arrived`, `set_aside`" in part


def test_links_of_the_data_dictionary_lead_to_a_heading() -> None:
    page = data_dictionary()
    targets = {part.split(")")[0] for part in page.split("](#")[1:]}
    assert targets <= {line[3:] for line in page.splitlines() if line.startswith("## ")}


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_on_its_page(code: str) -> None:
    rows = [line for line in codes_page().splitlines() if line.startswith(f"| `{code}` |")]
    assert len(rows) == 1
    assert CODES[code].role in rows[0]


def test_every_setting_is_on_its_page() -> None:
    page = settings_page()
    for name, field in Settings.model_fields.items():
        part = section(page, f"[{name}]").partition("\n### ")[0]
        keys = [line.split("`")[1] for line in part.splitlines() if line.startswith("| `")]
        assert keys == list(field.annotation.model_fields)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]


def test_tables_that_a_study_names_itself_tell_their_keys_too() -> None:
    page = settings_page()
    part = page.partition('### [surveys.files."..."]')[2].partition("\n## ")[0]
    keys = [line.split("`")[1] for line in part.splitlines() if line.startswith("| `")]
    assert keys == list(SurveyFile.model_fields)
    assert '### [alerts.critical."..."]' in page


def test_settings_tell_type_default_and_limits() -> None:
    page = settings_page()
    assert '| `refresh` | `"monthly"` or `"every_run"` or `"manual"` | `"monthly"` |' in page
    assert "| `name` | text | required | Name shown on every page. |" in page
    assert "| `keep_releases` | whole number | `12` | Releases that `pha clean` keeps. (at least 1) |" in page


def test_a_cell_cannot_break_its_table() -> None:
    assert table(["a"], [["x | y\nz"]]) == "| a |\n| --- |\n| x \\| y z |"


def test_every_command_and_option_is_on_its_page() -> None:
    page = commands_page()
    _root, *commands = all_commands(cli, "pha")
    assert len(commands) > 12
    for name, command, _ in commands:
        part = section(page, name)
        for option in command.params:
            if isinstance(option, click.Option):
                assert f"| `{option.opts[0]}" in part, (name, option.name)


def test_links_of_the_commands_lead_to_a_heading() -> None:
    page = commands_page()
    targets = {part.split(")")[0] for part in page.split("](#")[1:]}
    assert targets == {line[3:].replace(" ", "-") for line in page.splitlines() if line.startswith("## ")}


def test_usage_is_shown_as_it_is_typed() -> None:
    part = section(commands_page(), "pha decide sign-off")
    assert "```\npha decide sign-off [OPTIONS] PARTICIPANT_ID\n```" in part
    assert "`--reader [clinician\\|participant]` | Which text. [required] |" in part


def test_every_rule_is_on_the_page_of_findings() -> None:
    page = findings_page()
    assert page.startswith("# Findings")
    assert all(page.count(f"\n### `{rule.rule_id}`") == 1 for rule in RULES)


# ---- links and codes ----

ROOT = DOCS.parent
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
WRITTEN = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_every_link_leads_to_a_file(path: Path) -> None:
    for target, _ in LINK.findall(path.read_text(encoding="utf-8")):
        if not target.startswith(("https://", "http://", "mailto:")):
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.name)
def test_every_page_that_a_text_names_is_there(path: Path) -> None:
    for name in re.findall(r"\bdocs/[a-z_]+\.md\b", path.read_text(encoding="utf-8")):
        assert (ROOT / name).is_file(), name


def test_every_page_is_linked_from_the_readme() -> None:
    linked = {target for target, _ in LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))}
    assert {f"docs/{path.name}" for path in DOCS.glob("*.md")} <= linked


@pytest.mark.parametrize("name", CODES)
def test_every_code_is_used_somewhere(name: str) -> None:
    assert f'"{name}"' in SOURCE


SOURCE = "".join(
    path.read_text(encoding="utf-8")
    for folder in ("pha", "flows", "tasks", "ingest", "outputs", "health_agents")
    for path in sorted((ROOT / folder).rglob("*.py"))
)


def test_every_page_that_the_code_names_is_there() -> None:
    codes = (ROOT / "schemas" / "errors.py").read_text(encoding="utf-8")
    for name in re.findall(r"\bdocs/[a-z_]+\.md\b", SOURCE + codes):
        assert (ROOT / name).is_file(), name


# ---- the command ----


def _files_below(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def test_writing_makes_the_pages_current(tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["--folder", str(tmp_path)]).exit_code == 0
    assert sorted(_files_below(tmp_path)) == sorted(PAGES)
    assert CliRunner().invoke(main, ["--check", "--folder", str(tmp_path)]).exit_code == 0


def test_check_names_the_stale_page_and_what_mends_it_and_writes_nothing(tmp_path: Path) -> None:
    write_pages(tmp_path)
    (tmp_path / "codes.md").write_text("old", encoding="utf-8")
    (tmp_path / "settings.md").unlink()
    result = CliRunner().invoke(main, ["--check", "--folder", str(tmp_path)])
    assert result.exit_code == 1
    assert result.output == "Error: stale: codes.md, settings.md. Mend it with: make docs\n"
    assert (tmp_path / "codes.md").read_text(encoding="utf-8") == "old"
