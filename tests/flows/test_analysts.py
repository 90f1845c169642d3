"""docs/analysts.md: its blocks run on a made release, and every tool gives the same answer."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pandas as pd
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from study_runs import Made

from schemas.table import polars_schema
from schemas.tables import TABLES

pytestmark = [pytest.mark.prefect, pytest.mark.sandbox]

PAGE = (Path(__file__).parents[2] / "docs" / "analysts.md").read_text(encoding="utf-8")
IN_ALL_TOOLS = ["python", "sql", "python", "r"]
# What R and its packages call things; every other lower-case name is a column, or one the block makes.
R_WORDS = {
    *("library", "arrow", "dplyr", "read_parquet", "open_dataset", "collect", "filter", "select", "arrange"),
    *("group_by", "summarise", "inner_join", "by", "n", "n_distinct", "sum", "min", "mean", "median", "c"),
    *("is.na", "na.rm", "as.POSIXlt", "tz", "hour", "answer", "people", "in"),
}


class Block(NamedTuple):
    """A block of code of the page, with the heading it stands under."""

    heading: str
    language: str
    text: str


def _blocks() -> list[Block]:
    found: list[Block] = []
    for section in PAGE.split("\n## ")[1:]:
        heading = section.partition("\n")[0]
        found += [Block(heading, *match) for match in re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)]
    return found


BLOCKS = _blocks()
EXAMPLES = [
    heading
    for heading in dict.fromkeys(block.heading for block in BLOCKS)
    if [block.language for block in BLOCKS if block.heading == heading] == IN_ALL_TOOLS
]


@pytest.fixture
def _inside(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made.release)


def _run(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(compile(text, "analysts.md", "exec"), names)
    return names.get("answer")


def _comparable(frame: pl.DataFrame) -> pl.DataFrame:
    """Plain types, whatever a tool calls them, and floats to nine digits."""
    return frame.with_columns(
        pl.selectors.numeric().cast(pl.Float64).round_sig_figs(9),
        pl.selectors.temporal().cast(pl.Date),
        pl.selectors.string().cast(pl.String),
    )


def _of_pandas(frame: pd.DataFrame) -> pl.DataFrame:
    return pl.from_pandas(frame.reset_index(drop=True), nan_to_null=True)


def test_the_page_has_each_example_in_every_tool() -> None:
    assert len(EXAMPLES) == 7
    assert {block.language for block in BLOCKS} == {"python", "sql", "r"}


@pytest.mark.usefixtures("_inside")
@pytest.mark.parametrize("heading", EXAMPLES)
def test_polars_duckdb_and_pandas_give_the_same_answer(heading: str) -> None:
    polars, sql, pandas, _ = (block.text for block in BLOCKS if block.heading == heading)
    assert "polars" in polars
    assert "pandas" in pandas
    answer = _comparable(_run(polars))
    with duckdb.connect() as connection:
        by_duckdb = pl.DataFrame(connection.sql(sql).to_arrow_table())
    assert_frame_equal(_comparable(by_duckdb), answer, check_dtypes=False)
    assert_frame_equal(_comparable(_of_pandas(_run(pandas))), answer, check_dtypes=False)


@pytest.mark.usefixtures("_inside")
def test_the_other_blocks_run(made: Made) -> None:
    others = [block for block in BLOCKS if block.heading not in EXAMPLES]
    assert [block.language for block in others] == ["python", "python"]
    answers = [_run(block.text) for block in others]
    assert made.release.name in answers[1]


@pytest.mark.usefixtures("_inside")
def test_the_answers_say_something(made: Made) -> None:
    for heading in EXAMPLES[:-1]:
        (first, *_) = (block.text for block in BLOCKS if block.heading == heading)
        assert _run(first).height > 0, heading
    median = _run(next(block.text for block in BLOCKS if block.heading == "Valid days"))
    ours = pl.read_parquet(made.release / "tables" / "participant_percentiles.parquet").filter(
        pl.col("metric") == "steps", pl.col("window") == "whole", pl.col("value").is_not_null()
    )
    assert ours.height > 0
    both = median.join(ours, on="participant_id")
    assert (both["median_steps"] - both["value"]).abs().max() == pytest.approx(0)


def test_every_column_that_r_names_is_declared() -> None:
    """R may not be at hand: what its blocks name must be columns of the tables they read."""
    for block in BLOCKS:
        if block.language != "r":
            continue
        tables = re.findall(r'"(?:tables|shareable)/(\w+?)(?:\.parquet)?"', block.text)
        assert tables
        columns = {name for table in tables for name in polars_schema(TABLES[table]).names()}
        code = re.sub(r'"[^"]*"', "", block.text)
        made_here = set(re.findall(r"(\w+) = ", code))
        names = set(re.findall(r"[a-zA-Z_][\w.]*", code)) - R_WORDS - made_here - {"TRUE"}
        assert names <= columns, (block.heading, names - columns)


@pytest.mark.usefixtures("_inside")
@pytest.mark.parametrize("heading", EXAMPLES)
def test_r_gives_the_same_answer(heading: str, tmp_path: Path) -> None:
    rscript = shutil.which("Rscript")
    if rscript is None:
        pytest.skip("R is not installed")
    have = "quit(status = !all(sapply(c('arrow', 'dplyr'), requireNamespace, quietly = TRUE)))"
    if subprocess.run([rscript, "-e", have], check=False, capture_output=True).returncode:
        pytest.skip("R has no arrow or no dplyr")
    polars, _, _, r = (block.text for block in BLOCKS if block.heading == heading)
    target = tmp_path / "answer.parquet"
    script = tmp_path / "block.R"
    script.write_text(f"{r}\nwrite_parquet(as.data.frame(answer), '{target}')\n")
    subprocess.run([rscript, script], check=True, capture_output=True)
    assert_frame_equal(_comparable(pl.read_parquet(target)), _comparable(_run(polars)), check_dtypes=False)
