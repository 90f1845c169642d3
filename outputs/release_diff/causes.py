"""Why two releases differ, by what their run.json keeps: dates, files, settings, edition, prompts, code."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# Stages in the order of the work; each rests on those before it.
STAGES = ("fitbit", "labs", "surveys", "core", "edition", "dossier", "insights", "summaries")
_PIECE = re.compile(r"([a-z]+)/(.+)")
_WHOLE = {
    "decisions": "decisions of people (decisions.csv)",
    "folders": "folders of nobody, or without a file",
    "results_to": "who gets results (participants.csv)",
}
_MADE_BY = {
    "results": "result version of {}",
    "prompts": "prompt of {}",
    "questions": "question {}",
    "programs": "program of the question {}",
    "model": "name of {}",
    "versions": "version of {}",
    "schemas": "schema version of {}",
    "code": "source of {}",
}


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that differs. before and now are None where a release does not have it."""

    what: str
    before: Any = None
    now: Any = None


def causes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Cause]:
    """What differs of the whole study, from two run.json."""
    found = [
        Cause(name, before[name], now[name]) for name in ("as_of", "edition") if before[name] != now[name]
    ]
    found += _differing(_flat(before["settings"]), _flat(now["settings"]), "setting {}")
    inputs = before["identity"]["inputs"], now["identity"]["inputs"]
    found += _decided(before["about"].get("decisions"), now["about"].get("decisions"))
    found += [Cause(words) for name, words in _WHOLE.items() if inputs[0].get(name) != inputs[1].get(name)]
    told = before["about"], now["about"]
    for name, words in _MADE_BY.items():
        if all(name in about for about in told):  # What one release does not tell of is no cause.
            found += _differing(told[0][name], told[1][name], words)
    return found


def _decided(before: list[str] | None, now: list[str] | None) -> Iterator[Cause]:
    """Decisions that came and went, by kind and target; nothing where a release does not keep them."""
    if before is None or now is None:
        return
    yield from (Cause(f"new decision: {told}") for told in now if told not in before)
    yield from (Cause(f"decision taken back: {told}") for told in before if told not in now)


def redone(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, list[str]]:
    """Owner of pieces -> stages whose result differs, in the order of the work."""
    old, new = before["identity"]["inputs"], now["identity"]["inputs"]
    found: dict[str, list[str]] = {}
    for name in sorted({*old, *new}):
        match = _PIECE.fullmatch(name)
        if match and old.get(name) != new.get(name):
            found.setdefault(match[2], []).append(match[1])
    return {owner: sorted(stages, key=_place) for owner, stages in found.items()}


def _place(stage: str) -> int:
    return STAGES.index(stage) if stage in STAGES else len(STAGES)


def _differing(before: Mapping[str, Any], now: Mapping[str, Any], words: str) -> Iterator[Cause]:
    for name in sorted({*before, *now}):
        if before.get(name) != now.get(name):
            yield Cause(words.format(name), before.get(name), now.get(name))


def _flat(value: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """``{"windows": {"main": 30}}`` -> ``{"windows.main": 30}``."""
    flat: dict[str, Any] = {}
    for name, item in value.items():
        place = f"{above}{name}"
        flat |= _flat(item, f"{place}.") if isinstance(item, dict) and item else {place: item}
    return flat
