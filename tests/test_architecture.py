"""The import table of docs/architecture.md holds, and every package resolves inside this repository."""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "schemas": set[str](),
    "ingest": {"schemas", "outputs.store", "outputs.digests", "outputs.parquet"},
    "outputs": {"schemas"},
    "health_agents": {"schemas", "outputs.dossier", "outputs.store", "outputs.digests"},
    "synthetic": {"schemas", "outputs.digests", "outputs.parquet"},
    "tasks": {"ingest", "outputs", "health_agents", "schemas"},
    "flows": {"tasks", "schemas"},
    "pha": {"flows", "tasks", "ingest", "outputs", "health_agents", "schemas", "synthetic"},
}
DOOR = {"google", "pydantic_ai"}


def modules() -> list[Path]:
    return sorted(path for name in MAY_IMPORT for path in (ROOT / name).rglob("*.py"))


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_what_its_folder_may(path: Path) -> None:
    folder = path.relative_to(ROOT).parts[0]
    allowed = MAY_IMPORT[folder] | {folder}
    for name in imported(path):
        top = name.split(".")[0]
        if top in MAY_IMPORT:
            assert any(name == a or name.startswith(f"{a}.") or a.startswith(name) for a in allowed), name


@pytest.mark.parametrize("name", sorted(MAY_IMPORT))
def test_a_package_resolves_inside_the_repository(name: str) -> None:
    assert Path(importlib.import_module(name).__file__ or "").is_relative_to(ROOT)


def test_only_the_door_imports_a_language_model() -> None:
    offenders = [
        path
        for path in modules()
        if {name.split(".")[0] for name in imported(path)} & DOOR
        and not path.is_relative_to(ROOT / "health_agents" / "model")
    ]
    assert offenders == []


def test_great_expectations_is_never_imported_at_the_top() -> None:
    for path in modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {a.name for a in node.names} | {getattr(node, "module", None) or ""}
                assert not any(name.startswith("great_expectations") for name in names), path


def test_no_dumping_grounds() -> None:
    assert not [p for p in modules() if p.stem in ("utils", "helpers", "common")]
