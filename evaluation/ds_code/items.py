"""The items of the benchmark: a stub with its contract, hand-worked tests, solutions and planted faults."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

ITEMS = Path(__file__).with_name("items")
Kind = Literal["limited_data", "transform", "statistic", "answer"]


@dataclass(frozen=True, slots=True)
class Case:
    """One hand-worked test: the tables given (compact, see ``case_frames``) and what must come out.

    expect holds only keys that the stub's docstring promises; NaN stands for null.
    """

    name: str
    kind: Kind
    given: Mapping[str, Any]
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A coding problem. solutions: two reviewed programs; wrong: fault -> a program that has it."""

    item_id: str
    stub: str
    cases: tuple[Case, ...]
    solutions: tuple[str, ...]
    wrong: Mapping[str, str]

    @property
    def promised(self) -> frozenset[str]:
        """Keys of the result that the contract promises in every branch."""
        return frozenset[str]().union(*(case.expect for case in self.cases))


@cache
def all_items() -> tuple[Item, ...]:
    """Every item of the benchmark, by id. Raises ValueError for data that is not in the form."""
    return tuple(_read_item(folder) for folder in sorted(ITEMS.iterdir()) if (folder / "stub.py").is_file())


def _read_item(folder: Path) -> Item:
    cases = tomllib.loads((folder / "tests.toml").read_text(encoding="utf-8"))["test"]
    solutions = tuple(path.read_text(encoding="utf-8") for path in sorted(folder.glob("solutions/*.py")))
    faults = tomllib.loads((folder / "wrong" / "faults.toml").read_text(encoding="utf-8"))["fault"]
    return Item(
        folder.name,
        (folder / "stub.py").read_text(encoding="utf-8"),
        tuple(_read_case(folder.name, case) for case in cases),
        solutions,
        {fault["what"]: _planted(folder.name, solutions[0], fault) for fault in faults},
    )


def _read_case(item_id: str, case: dict[str, Any]) -> Case:
    name, kind, expect = case.pop("name"), case.pop("kind"), case.pop("expect")
    if kind not in get_args(Kind) or not expect:
        raise ValueError(f"{item_id}: {name}: unknown kind or nothing expected")
    return Case(name, kind, case, expect)


def _planted(item_id: str, solution: str, fault: dict[str, str]) -> str:
    """The first solution with one passage replaced; the passage must stand there exactly once."""
    if solution.count(fault["right"]) != 1:
        raise ValueError(f"{item_id}: the passage to replace is not there once: {fault['what']}")
    return solution.replace(fault["right"], fault["wrong"])
