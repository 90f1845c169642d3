"""No module but the door may import a model's library; nothing heavy loads before a model is asked."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "pha",
    "flows",
    "tasks",
    "ingest",
    "schemas",
    "outputs",
    "health_agents",
    "synthetic",
    "evaluation",
)
LIBRARIES = ("google", "pydantic_ai", "genai_prices", "openai", "anthropic")
_INNER = (
    *("batch_jobs", "clients", "conversation", "door", "gemini_jobs"),
    *("outcomes", "prices", "recorded", "request"),
)
DOOR = {f"health_agents/model/{name}.py" for name in _INNER}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def test_only_the_door_imports_a_models_library() -> None:
    importing = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if any(name.partition(".")[0] in LIBRARIES for name in imported(path))
    }
    assert importing == DOOR


def test_the_door_itself_loads_nothing_heavy() -> None:
    program = (
        "import sys, health_agents.model, health_agents.domain_expert;"
        "print(sorted(m for m in sys.modules if m.partition('.')[0] in ('pydantic_ai', 'google')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_health_agents_import_only_what_the_design_allows() -> None:
    for package in ("model", "domain_expert"):
        for path in (ROOT / "health_agents" / package).rglob("*.py"):
            own = {name for name in imported(path) if name.partition(".")[0] in PACKAGES}
            allowed = ("health_agents", "schemas", "outputs.dossier", "outputs.store", "outputs.digests")
            assert all(name.startswith(allowed) for name in own), path
