"""A scripted model at the door that plans, programs and writes by the prompts it gets.

It answers a level, a trend or a comparison of weekends by the first measure it knows how to use that the
context says is there; its programs are real ones and its statements have real slots.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from health_agents.model import ModelDoor
from schemas.settings import Settings
from tests.health_agents.gemini_server import Reply, structured

MODEL = "gemini-2.5-flash"
UNITS = {
    "resting_heart_rate": "bpm", "heart_rate_variability": "ms", "steps": "steps", "sleep_minutes": "minutes",
    "deep_sleep_minutes": "minutes", "active_zone_minutes": "minutes", "respiratory_rate": "breaths/min",
    "spo2_avg": "%", "distance_m": "m", "floors": "floors", "sedentary_minutes": "minutes",
    "vo2max": "mL/kg/min",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """A question the analyst understands: what it does, with which measures, best first."""

    words: str
    kind: str
    measures: tuple[str, ...]


ASKED = {
    "recovery": Asked(
        "How is recovery developing?", "trend", ("heart_rate_variability", "resting_heart_rate")
    ),
    "heart": Asked("What is the usual resting heart rate?", "level", ("resting_heart_rate",)),
    "walking": Asked("Is there more walking on weekends?", "weekend", ("steps", "distance_m", "floors")),
    "sleep": Asked("How long is sleep?", "level", ("sleep_minutes",)),
    "deep": Asked("Is deep sleep developing?", "trend", ("deep_sleep_minutes", "sleep_minutes")),
    "zone": Asked("Are zone minutes developing?", "trend", ("active_zone_minutes", "steps")),
    "breathing": Asked("What is the usual breathing rate?", "level", ("respiratory_rate",)),
    "oxygen": Asked("What is the usual oxygen saturation?", "level", ("spo2_avg", "respiratory_rate")),
    "sitting": Asked("Is there less sitting on weekends?", "weekend", ("sedentary_minutes", "steps")),
    "fitness": Asked("How is fitness developing?", "trend", ("vo2max", "resting_heart_rate")),
}
DIRECTIONS = {"level": [], "trend": ["rising", "falling"], "weekend": ["above", "below"]}
WINDOWS = {"level": 30, "trend": 90, "weekend": 90}

PROGRAM = """
import numpy as np
import pandas as pd
from scipy import stats

def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    days = summary_df[~summary_df.index.duplicated(keep="last")].sort_index()
    def short(count):
        numbers = {{"days": {{"value": int(count)}}}}
        return {{"outcome": "insufficient", "reason": "too_few_days", "numbers": numbers}}
    if days.empty:
        return short(0)
    end = pd.Timestamp(profile_df["data_through"].iloc[0])
    days = days[(days.index > end - pd.Timedelta(days={window})) & (days.index <= end)]
    days = days[~days["is_partial"].astype(bool)]
    values = days["{measure}"].astype(float).dropna()
    if len(values) < {needed}:
        return short(len(values))
{body}
    return {{"outcome": "answered", "reason": None, "numbers": numbers}}
"""
BODIES = {
    "level": '''
    ordered = np.sort(values.to_numpy())
    half = int(0.98 * np.sqrt(len(ordered))) + 1
    middle = len(ordered) // 2
    numbers = {"usual": {"value": float(np.median(ordered)), "days": len(values)},
               "low": {"value": float(ordered[max(middle - half, 0)])},
               "high": {"value": float(ordered[min(middle + half, len(ordered) - 1)])},
               "days": {"value": len(values)}}''',
    "trend": '''
    weeks = (values.index - values.index[0]).days.to_numpy() / 7
    tau = stats.kendalltau(weeks, values)
    p = float(tau.pvalue) if np.isfinite(tau.pvalue) else 1.0
    slope, _, low, high = stats.theilslopes(values, weeks)
    word = None if p >= 0.05 else "rising" if tau.statistic > 0 else "falling"
    numbers = {"change": {"value": float(slope), "direction": word, "days": len(values)},
               "low": {"value": float(low)}, "high": {"value": float(high)},
               "p": {"value": p}, "days": {"value": len(values)}}''',
    "weekend": '''
    weekend = values.index.weekday >= 5
    on, off = values[weekend], values[~weekend]
    if min(len(on), len(off)) < 8:
        return short(len(values))
    p = float(stats.mannwhitneyu(on, off, method="asymptotic").pvalue) if values.nunique() > 1 else 1.0
    more = stats.rankdata(values)[weekend].mean() > (len(values) + 1) / 2
    word = None if p >= 0.05 else "above" if more else "below"
    numbers = {"weekends": {"value": float(on.median()), "direction": word, "days": len(on)},
               "weekdays": {"value": float(off.median())},
               "p": {"value": p}, "days": {"value": len(values)}}''',
}  # fmt: skip


def plan_for(question: str, sources: frozenset[str]) -> dict[str, Any]:
    """A plan in the declared form for a question and the sources there."""
    asked = {one.words: one for one in ASKED.values()}[question]
    measure = next((one for one in asked.measures if f"summary_df.{one}" in sources), None)
    if measure is None:
        return empty_plan(f"None of {', '.join(asked.measures)} is there.", ["Days with that measure"])
    window = WINDOWS[asked.kind]
    source = f"summary_df.{measure}"
    return empty_plan(f"Told by {measure}.", []) | {
        "feasible": True,
        "variables": [{"concept": "the measure", "sources": [source], "how": f"{measure} of a day."}],
        "required": [source],
        "window": f"last_{window}_days",
        "selection": "Days of the window with a value, partial days left out.", "cleaning": "None.",
        "joins": "None.", "aggregation": "None.", "statistics": f"A {asked.kind} of the daily values.",
        "sufficiency": [{"reason": "too_few_days", "rule": "Three of every four days."}],
        "test": None if asked.kind == "level" else
        {"name": "By ranks", "assumptions": ["days are alike"], "otherwise": "none", "alpha": 0.05},
        "caveats": ["Days without the device are not there."],
        "numbers": numbers_of(asked.kind, UNITS[measure], source),
    }  # fmt: skip


def numbers_of(kind: str, unit: str, source: str) -> list[dict[str, Any]]:
    made = {
        "level": [("usual", "headline", unit, 1), ("low", "interval_low", unit, 1),
                  ("high", "interval_high", unit, 1)],
        "trend": [("change", "headline", unit, 2), ("low", "interval_low", unit, 2),
                  ("high", "interval_high", unit, 2), ("p", "p_value", None, 3)],
        "weekend": [("weekends", "headline", unit, 1), ("weekdays", "detail", unit, 1),
                    ("p", "p_value", None, 3)],
    }[kind]  # fmt: skip
    rows = [*made, ("days", "sample_size", "days", 0)]
    return [
        {"name": name, "label": f"The {name}", "unit": its_unit, "decimals": decimals, "role": role,
         "directions": DIRECTIONS[kind] if role == "headline" else [],
         "scales_with": source if its_unit == unit else None}
        for name, role, its_unit, decimals in rows
    ]  # fmt: skip


def empty_plan(discussion: str, needed: list[str]) -> dict[str, Any]:
    texts = dict.fromkeys(("selection", "cleaning", "joins", "aggregation", "statistics"), "")
    lists: dict[str, list[Any]] = {
        name: [] for name in ("variables", "required", "sufficiency", "caveats", "numbers")
    }
    return {"feasible": False, "discussion": discussion, "needed": needed, "window": "whole", "test": None,
            **texts, **lists}  # fmt: skip


def program_for(plan: Mapping[str, Any]) -> dict[str, Any]:
    """A program that carries out a plan of ``plan_for``."""
    kind = plan["statistics"].split()[1]
    window = WINDOWS[kind]
    measure = plan["required"][0].split(".")[1]
    filled = PROGRAM.format(window=window, measure=measure, needed=-(-3 * window // 4), body=BODIES[kind])
    return {"program": filled.strip() + "\n"}


def template_for(plan: Mapping[str, Any], branches: list[str]) -> dict[str, Any]:
    """A text for each branch with every slot that must be there."""
    window = plan["window"].replace("_", " ")
    interval = ", with an interval from {low} to {high}"
    texts = {
        "answered": f"Over the {window} it was usually {{usual}}{interval}, from {{days}}.",
        "answered.rising": f"Over the {window} it was rising by {{change}} a week{interval}, from {{days}}.",
        "answered.falling": f"Over the {window} it was falling by {{change}}{interval}, from {{days}}.",
        "answered.above": f"Over the {window} weekends were above weekdays, at {{weekends}}, from {{days}}.",
        "answered.below": f"Over the {window} weekends were below weekdays, at {{weekends}}, from {{days}}.",
        "answered.not_clear": f"Over the {window} there was no clear difference: {{{headline_of(plan)}}}"
        f"{interval if any(n['name'] == 'low' for n in plan['numbers']) else ''}, from {{days}}.",
        "insufficient.too_few_days": "Not enough days yet: {days}.",
    }  # fmt: skip
    caveat = "Days without the device are not there."
    return {
        "branches": [
            {"branch": name, "text": texts[name], "caveat": caveat if name.startswith("answered") else ""}
            for name in branches
        ]
    }


def headline_of(plan: Mapping[str, Any]) -> str:
    return next(number["name"] for number in plan["numbers"] if number["role"] == "headline")


def between(prompt: str, mark: str) -> str:
    found = re.search(rf"<{mark}>\n(.*?)\n</{mark}>", prompt, re.DOTALL)
    assert found is not None, mark
    return found[1]


def draft_for(form: str, prompt: str) -> dict[str, Any]:
    """What a sound analyst answers to a prompt."""
    if form == "plan":
        sources = frozenset(one["name"] for one in json.loads(between(prompt, "context"))["sources"])
        return plan_for(between(prompt, "question"), sources)
    plan = json.loads(between(prompt, "plan"))
    if form == "program":
        return program_for(plan)
    return template_for(plan, [line.split(":")[0] for line in between(prompt, "branches").splitlines()])


FORMS = {"feasible": "plan", "program": "program", "branches": "template"}


def drafted(request: Mapping[str, Any]) -> Reply:
    """The scripted analyst's answer to a request as it goes over the wire."""
    return structured(draft_for(form_of(request), request["contents"][0]["parts"][0]["text"]))


def form_of(request: Mapping[str, Any]) -> str:
    """plan, program or template: what a request asks for."""
    declared = json.dumps(request["tools"])
    return next(form for word, form in FORMS.items() if f'"{word}"' in declared)


@dataclass
class Analyst:
    """The scripted model, its prompts by form, and changes to its drafts: (form, prompts so far) -> draft."""

    spoil: Callable[[str, int, dict[str, Any]], dict[str, Any]] = lambda _form, _count, draft: draft
    prompts: dict[str, list[str]] = field(default_factory=lambda: {"plan": [], "program": [], "template": []})

    def door(self, answers: Path, **budget: Any) -> ModelDoor:
        """A door with this analyst behind it."""
        return ModelDoor(
            settings(**budget), answers, environ={}, name=MODEL, scripted=FunctionModel(self.answer)
        )

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tool = info.output_tools[0]
        known = tool.parameters_json_schema["properties"]
        form = "plan" if "feasible" in known else "program" if "program" in known else "template"
        prompt = prompt_of(messages)
        self.prompts[form].append(prompt)
        draft = self.spoil(form, len(self.prompts[form]), draft_for(form, prompt))
        return ModelResponse(parts=[ToolCallPart(tool.name, draft)])


def prompt_of(messages: list[ModelMessage]) -> str:
    parts = [part for message in messages if isinstance(message, ModelRequest) for part in message.parts]
    return next(str(part.content) for part in parts if isinstance(part, UserPromptPart))


def settings(**budget: Any) -> Settings:
    return Settings.model_validate(
        {
            "study": {"name": "S", "time_zone": "UTC"},
            "model": {"name": MODEL, "allow": ["rules", MODEL]},
            "budget": budget,
        }
    )
