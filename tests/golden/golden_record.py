"""What was recorded of the results, how it differs from what is made now, and what to do about it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from golden_study import MADE_OF, VERSIONED, Made, digests_of, versions_of

FOLDER = Path(__file__).parent / "recorded"
RECORD = "digests.json"
SAMPLE_ROWS = 10
SAMPLE_PARTICIPANT = "P001"

Record = dict[str, dict[str, dict[str, Any]]]


def record_of(results: Mapping[str, Made]) -> Record:
    """stage -> its versions, and the digests of what it made."""
    return {
        stage: {"versions": versions_of(stage, made), "results": digests_of(made)}
        for stage, made in results.items()
    }


def read_record() -> Record:
    """The record as it was written last; nothing where there is none."""
    path = FOLDER / RECORD
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def samples_of(results: Mapping[str, Made]) -> dict[str, str]:
    """File name -> a readable part of the results, so that a diff says what changed."""
    dossier, texts = results["dossier"].tables, results["summaries"].tables["summaries"]
    samples = {
        "daily_summary": _rows(results["core"].tables["daily_summary"])[:SAMPLE_ROWS],
        "lab_results": _rows(results["labs"].tables["lab_results"])[:SAMPLE_ROWS],
        "survey_scores": _rows(results["surveys"].tables["survey_scores"])[:SAMPLE_ROWS],
        "findings": _only(
            _of_one(dossier["findings"]), "rule_id", "subject", "outcome", "reason", "statement"
        ),
        "facts": _only(_of_one(dossier["facts"]), "fact_id", "rendered", "unit", "days", "window_end"),
        "insights": _of_one(results["insights"].tables["insights"]),
    }
    lines = {f"{name}.jsonl": "".join(map(_line, rows)) for name, rows in samples.items()}
    return lines | {f"{row['reader']}.md": _page(row) for row in _of_one(texts)}


def _rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def _of_one(text: str) -> list[dict[str, Any]]:
    return [row for row in _rows(text) if row["participant_id"] == SAMPLE_PARTICIPANT]


def _line(row: Mapping[str, Any]) -> str:
    """A row as it is read: empty cells left out, nested text not escaped twice."""
    told = {
        name: json.loads(value) if name.endswith("_json") else value
        for name, value in row.items()
        if value is not None
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


def _only(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: row[name] for name in names} for row in rows]


def _page(row: Mapping[str, Any]) -> str:
    """A summary's text with the facts that each sentence rests on."""
    sections = (
        f"# {section['title']}\n\n"
        + "\n".join(f"- {said['text']} [{', '.join(said['fact_ids'])}]" for said in section["sentences"])
        for section in json.loads(row["sections_json"])
    )
    return "\n\n".join(sections) + "\n"


def unannounced(before: Record, now: Record) -> dict[str, list[str]]:
    """Stage -> results that changed though neither its versions nor the results it is made of did."""
    changed = {stage: differing(before, now, stage, "results") for stage in now}
    return {
        stage: names
        for stage, names in changed.items()
        if names
        and VERSIONED[stage]
        and stage in before
        and not differing(before, now, stage, "versions")
        and not any(changed.get(earlier) for earlier in earlier_stages(stage))
    }


def differing(before: Record, now: Record, stage: str, part: str) -> list[str]:
    """Names of a stage's results (or versions) that are new, gone or different."""
    old, new = before.get(stage, {}).get(part, {}), now[stage][part]
    return sorted(name for name in {*old, *new} if old.get(name) != new.get(name))


def earlier_stages(stage: str) -> set[str]:
    """All stages whose results lead to those of a stage."""
    direct = MADE_OF.get(stage, ())
    return {*direct, *(name for one in direct for name in earlier_stages(one))}


def demand(stage: str, names: list[str]) -> str:
    """What is to be done about results that changed under the same version."""
    modules = " or ".join(module.__name__ for module in VERSIONED[stage])
    return (
        f"results of stage {stage} changed ({', '.join(names)}): raise RESULT_VERSION in {modules}, "
        "then make golden"
    )
