"""What the percentiles of a large cohort cost, against DuckDB and against Polars' median alone.

Run: python -m benchmarks.percentiles [PEOPLE] [DAYS]. Made days lie in one Parquet file for each batch of
people. Every case runs in a process of its own with two threads, so that its peak memory is its own:

- ours: person values of each batch, written and merged as those of several machines are, then percentiles
- duckdb: the same median first, the same percentiles, in SQL
- polars: the median reduction alone, of the same days, without windows, reasons and percentiles

Ours and DuckDB's percentiles are compared, number by number.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("POLARS_MAX_THREADS", "2")
sys.path.insert(0, str(Path(__file__).parents[1]))

import duckdb
import numpy as np
import polars as pl

from outputs.metrics import DAILY_METRICS
from outputs.percentiles import PERCENTILES, population_percentiles
from outputs.window_values import DAY_METRICS, medians
from schemas.daily_summary import DailySummary
from schemas.person_values import PersonValues
from schemas.table import conform, decimals_of

PEOPLE, DAYS, BATCH = 100_000, 125, 2_000
FIRST = date(2026, 1, 1)
SEED = 7
AGES = ("18-24", "25-34", "35-44", "45-54", "55-64", "65+")
NAMES = [metric.metric for metric in DAILY_METRICS]
# DuckDB holds all values of a median at once; what it needs is measured, so it is not held back.
MEMORY = "8GB"


def make_days(folder: Path, people: int, days: int) -> None:
    """Made days of worn and other days, one file a batch; and who the people are."""
    decimals = decimals_of(DailySummary)
    for start in range(0, people, BATCH):
        rng = np.random.default_rng((SEED, start))
        size = min(BATCH, people - start)
        level = rng.normal(100, 15, (size, 1, len(NAMES)))
        drawn = rng.normal(level, 20, (size, days, len(NAMES))).reshape(-1, len(NAMES))
        columns = {
            name: drawn[:, n].round(decimals[name]) if name in decimals else drawn[:, n].astype(np.int64)
            for n, name in enumerate(NAMES)
        }
        ids = [f"P{start + number:06}" for number in range(size)]
        frame = pl.DataFrame(
            {
                "participant_id": np.repeat(ids, days),
                "date": [FIRST + timedelta(n) for n in range(days)] * size,
                "valid_day": rng.random(size * days) < 0.85,
                "is_partial": np.tile(np.arange(days) == days - 1, size),
                **columns,
            }
        )
        frame.write_parquet(folder / f"days-{start:06}.parquet", row_group_size=131_072)
    who = np.random.default_rng(SEED)
    pl.DataFrame(
        {
            "participant_id": [f"P{number:06}" for number in range(people)],
            "sex": who.choice(["female", "male", "intersex"], people, p=[0.5, 0.48, 0.02]),
            "age_group": who.choice(AGES, people),
        }
    ).write_parquet(folder / "people.parquet")


def ours(folder: Path) -> pl.DataFrame:
    """Values of each batch by itself, as a machine of several makes them, then percentiles of all."""
    units = pl.LazyFrame({"metric": NAMES, "unit": [metric.unit for metric in DAILY_METRICS]})
    people = pl.read_parquet(folder / "people.parquet")
    for path in sorted(folder.glob("days-*.parquet")):
        daily = pl.scan_parquet(path)
        ids = daily.select(pl.col("participant_id").unique()).collect().to_series()
        windows = people.lazy().filter(pl.col("participant_id").is_in(ids.implode())).select(
            "participant_id", "sex", "age_group", window=pl.lit("whole"),
            window_start=pl.lit(FIRST), window_end=pl.lit(FIRST + timedelta(DAYS)),
        )  # fmt: skip
        values = (
            medians(daily, windows)
            .join(windows, on=["participant_id", "window"])
            .join(units, on="metric")
            .rename({"median": "value"})
            .pipe(conform, PersonValues)
            .collect()
        )
        values.write_parquet(folder / f"values-{path.stem}.parquet")
    return population_percentiles(pl.scan_parquet(folder / "values-*.parquet"), "bench").collect()


def polars_median(folder: Path) -> None:
    """The reduction alone, of the days that count."""
    counts = [
        pl.when(pl.col("valid_day") if name in DAY_METRICS else pl.lit(True)).then(name).alias(name)
        for name in NAMES
    ]
    for path in sorted(folder.glob("days-*.parquet")):
        days = pl.scan_parquet(path).filter(~pl.col("is_partial")).select("participant_id", *counts)
        days.group_by("participant_id").agg(pl.col(NAMES).median()).collect()


def in_duckdb(folder: Path) -> pl.DataFrame:
    """The same definition in SQL: medians first, then type 8 of sorted lists by stratum."""
    base = duckdb.connect(config={"threads": 2, "memory_limit": MEMORY, "temp_directory": str(folder)})
    base.execute("SET enable_progress_bar = false")
    whole_days = {name: "NOT is_partial" + " AND valid_day" * (name in DAY_METRICS) for name in NAMES}
    kept = ", ".join(f"median({name}) FILTER (WHERE {days}) AS {name}" for name, days in whole_days.items())
    base.execute(
        f"CREATE TABLE medians AS SELECT participant_id, {kept} "
        f"FROM '{folder}/days-*.parquet' GROUP BY participant_id"
    )
    base.execute(f"CREATE TABLE long AS UNPIVOT medians ON {', '.join(NAMES)} INTO NAME metric VALUE value")
    levels = [
        ("sex", "age_group", "sex IN ('female', 'male')"),
        ("sex", "'all'", "sex IN ('female', 'male')"),
        ("'all'", "age_group", "true"),
        ("'all'", "'all'", "true"),
    ]
    shares = ", ".join(f"({percent}, {percent / 100})" for percent in PERCENTILES)
    strata = " UNION ALL ".join(
        f"SELECT metric, {sex} AS sex, {age} AS age_group, count(*) AS n, "
        "list(round(value, 6) ORDER BY value) AS v "
        f"FROM long JOIN '{folder}/people.parquet' USING (participant_id) WHERE {where} GROUP BY ALL"
        for sex, age, where in levels
    )
    found = base.sql(
        f"WITH strata AS ({strata}), asked AS (SELECT * FROM (VALUES {shares}) t(percentile, p)), "
        "places AS (SELECT *, greatest(1, least(n, p * (n + 1/3) + 1/3)) AS h FROM strata, asked) "
        "SELECT metric, sex, age_group, percentile::VARCHAR AS percentile, n, "
        "v[floor(h)::INT] + (h - floor(h)) * (v[ceil(h)::INT] - v[floor(h)::INT]) AS value FROM places"
    ).to_arrow_table()
    return pl.DataFrame(found)


CASES: dict[str, Callable[[Path], Any]] = {"polars": polars_median, "ours": ours, "duckdb": in_duckdb}


def run_case(name: str, folder: Path) -> tuple[float, float, float]:
    """Wall and CPU seconds and peak memory in MiB of a case, in this process; keeps its percentiles."""
    started, cpu = time.perf_counter(), time.process_time()
    found = CASES[name](folder)
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    if found is not None:
        found.write_parquet(folder / f"found-{name}.parquet")
    return wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def differences(folder: Path) -> tuple[int, float]:
    """How many percentiles were compared, and the largest difference."""
    key = ["metric", "sex", "age_group", "percentile"]
    mine, other = (
        pl.read_parquet(folder / f"found-{name}.parquet").select(*key, "value", pl.col("n").cast(pl.Int64))
        for name in ("ours", "duckdb")
    )
    both = mine.drop_nulls("value").join(other, on=[*key, "n"], how="inner", suffix="_other")
    assert both.height == mine["value"].count()
    return both.height, both.select((pl.col("value") - pl.col("value_other")).abs().max()).item()


def main() -> None:
    people, days = (int(text) for text in (sys.argv[1:3] or (PEOPLE, DAYS)))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_days(folder, people, days)
        print(f"{people:,} people x {days} days x {len(NAMES)} metrics")
        costs = {}
        for name in CASES:
            with get_context("spawn").Pool(1) as pool:
                costs[name] = pool.apply(run_case, (name, folder))
            wall, cpu, peak = costs[name]
            print(f"{name:8} {wall:7.1f} s  {cpu:7.1f} CPU s  {peak:6.0f} MiB", flush=True)
        for name in ("polars", "duckdb"):
            ratios = (mine / other for mine, other in zip(costs["ours"][:2], costs[name][:2], strict=True))
            print("ours over {}: {:.2f} wall, {:.2f} CPU".format(name, *ratios))
        print("{:,} percentiles, largest difference {:.1e}".format(*differences(folder)))


if __name__ == "__main__":
    main()
