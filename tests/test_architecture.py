"""The import table of docs/architecture.md holds, and every package resolves inside this repository."""

import ast
import importlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "schemas": set[str](),
    "ingest": {"schemas", "outputs.store", "outputs.digests", "outputs.parquet"},
    "outputs": {"schemas"},
    "health_agents": {"schemas", "outputs.dossier", "outputs.store", "outputs.digests"},
    "evaluation": {"health_agents", "schemas"},
    "synthetic": {"schemas", "outputs.digests", "outputs.parquet"},
    "tasks": {"ingest", "outputs", "health_agents", "schemas"},
    "flows": {"tasks", "schemas"},
    "pha": {"flows", "tasks", "ingest", "outputs", "health_agents", "evaluation", "schemas", "synthetic"},
}
DOOR = {"google", "pydantic_ai"}
ENTRANCES = ("pha.cli", "flows.cohort", "tasks.publish")
SLOW_TO_IMPORT = {"great_expectations", "google.genai", "pydantic_ai", "scipy"}
# Machines differ; what a few modules of Python's own cost is known on each.
YARDSTICK = "import asyncio, email.message, http.client, logging.config, unittest"
HELP_YARDSTICKS = 3


def modules() -> list[Path]:
    return sorted(path for name in MAY_IMPORT for path in (ROOT / name).rglob("*.py"))


@cache
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


def test_what_is_slow_to_import_is_loaded_where_it_is_used() -> None:
    """Asked in a process of its own: here other tests have loaded everything."""
    program = f"import sys, {', '.join(ENTRANCES)}; print('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", program]
    loaded = set(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split())
    assert set(ENTRANCES) <= loaded
    assert loaded & SLOW_TO_IMPORT == set()


def test_help_is_quick() -> None:
    yardstick = min(_cpu_seconds("-c", YARDSTICK) for _ in range(3))
    assert min(_cpu_seconds("-m", "pha", "--help") for _ in range(3)) < HELP_YARDSTICKS * yardstick


def _cpu_seconds(*arguments: str) -> float:
    asked = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL, cwd=ROOT)
    _, asked.returncode, used = os.wait4(asked.pid, 0)
    assert asked.returncode == 0
    return used.ru_utime + used.ru_stime


def test_no_dumping_grounds() -> None:
    assert not [p for p in modules() if p.stem in ("utils", "helpers", "common")]
