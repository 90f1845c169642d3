"""Every benchmark starts as its page says: by `python -m`, without what pytest adds to the path."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_benchmark_can_be_imported_without_pytest() -> None:
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py"))
    asked = subprocess.run(
        [sys.executable, "-c", "\n".join(f"import benchmarks.{name}" for name in names)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
