"""Programs that tests of the store run as processes of their own."""

import os
import sys
import time
from pathlib import Path

import polars as pl

from outputs.store import Result, Store


def metric(label: str, count: int = 1) -> pl.DataFrame:
    """Rows of the table metrics that tell which writer made them."""
    return pl.DataFrame(
        {
            "metric": [f"m{number}" for number in range(count)],
            "label": label,
            "definition": "d",
            "unit": "u",
            "direction": "none",
            "measured": "day",
            "decimals": 0,
        }
    )


def race(root: Path, label: str, start: Path) -> None:
    """Put one key as soon as all are told to start."""
    while not start.exists():
        time.sleep(0.001)
    tables = {"metrics": metric(label), "source_files": pl.DataFrame(schema={"file_id": pl.String})}
    piece = Store(root).put("stage", "P1", "key", Result(tables=tables, document={"writer": label}))
    print(piece.document["writer"], piece.result_digest)


def die_before_the_record(root: Path) -> None:
    """Stop at once, as a killed process does, when all tables are on disk and the record is not."""
    store = Store(root)
    store._record = lambda piece: os._exit(9)  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    store.put("stage", "P1", "key", Result(tables={"metrics": metric("killed")}))


if __name__ == "__main__":
    if sys.argv[1] == "race":
        race(Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
    else:
        die_before_the_record(Path(sys.argv[2]))
