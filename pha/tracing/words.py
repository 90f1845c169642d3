"""A trace in plain words, and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from pha.tracing.step import Day, Origin, Records, Step, Trace

_MOST_DAYS = 31
_MOST_RUNS = 6


def lines_of(trace: Trace) -> Iterator[str]:
    """The way from the fact to the files, each step further in than what rests on it."""
    yield f"{trace.label}: {trace.rendered}"
    yield f"fact {trace.fact_id} of {trace.participant_id}, release {trace.release}"
    yield from _step(trace.cell, 1)


def as_json(trace: Trace) -> dict[str, Any]:
    """All of it, every day too."""
    return asdict(trace)


def _step(step: Step, depth: int) -> Iterator[str]:
    indent = "  " * depth
    key = ", ".join(f"{name} {_plain(value)}" for name, value in step.key.items() if name != "participant_id")
    value = "" if step.value is None else f" = {_plain(step.value)}"
    yield f"{indent}{step.table}.{step.column}{f' [{key}]' if key else ''}{value}"
    yield f"{indent}  {step.said}"
    for origin in step.origins:
        yield from _origin(origin, depth + 1)
    yield from _days(step.days, depth + 1)
    for below in step.rests_on:
        yield from _step(below, depth + 1)


def _days(days: tuple[Day, ...], depth: int) -> Iterator[str]:
    indent = "  " * depth
    if len(days) > _MOST_DAYS:
        yield f"{indent}{len(days) - _MOST_DAYS} earlier days: --json has them too"
    for day in days[-_MOST_DAYS:]:
        left_out = f" (not counted: {day.left_out})" if day.left_out else ""
        yield f"{indent}{day.date}: {_plain(day.value)}{left_out}"
        if day.left_out is None:
            for origin in day.origins:
                yield from _origin(origin, depth + 1)


def _origin(origin: Origin, depth: int) -> Iterator[str]:
    indent = "  " * depth
    names = [origin.name or f"file {origin.file_id}"]
    if origin.member_id:
        names.append(origin.member or f"member {origin.member_id}")
    parts = [": ".join(dict.fromkeys(names))]
    parts += [f"page {origin.page}"] if origin.page else []
    parts += ["box " + ", ".join(f"{end:g}" for end in origin.box)] if origin.box else []
    parts += [f"rule {origin.rule}"] if origin.rule else []
    printed = f': "{origin.printed}"' if origin.printed else ""
    yield f"{indent}from {'; '.join(parts)}{printed}"
    for records in origin.records:
        yield f"{indent}  {_records(records)}"


def _records(records: Records) -> str:
    rows = f"{'row' if records.count == 1 else f'{records.count:,} rows'}"
    numbers = f" {_runs(records.numbers)}" if records.numbers else ""
    told = "; ".join(
        ", ".join(f"{name} {_plain(value)}" for name, value in row.items() if value is not None)
        for row in records.values
    )
    more = " ..." if records.count > len(records.values) else ""
    return f"{records.kind}, {rows}{numbers}: {told}{more}"


def _runs(numbers: tuple[int, ...]) -> str:
    """1, 2, 3, 7 -> ``1-3, 7``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    shown = ["-".join(map(str, dict.fromkeys((run[0], run[-1])))) for run in runs[:_MOST_RUNS]]
    return ", ".join(shown) + (" ..." if len(runs) > _MOST_RUNS else "")


def _plain(value: Any) -> str:
    if value is None:
        return "no value"
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"
    return str(value)
