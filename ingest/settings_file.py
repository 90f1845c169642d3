"""Reading study.toml: every problem is named with its line."""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from schemas.errors import PhaError
from schemas.settings import Settings

_SECTION = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"^\s*([A-Za-z0-9_.\"'-]+)\s*=")
_PART = re.compile(r"\"[^\"]*\"|'[^']*'|[^.]+")
_ENVIRONMENT = re.compile(r"^PHA_([A-Z]+)__([A-Z0-9_]+)$")


def read_settings(path: Path, environ: Mapping[str, str]) -> Settings:
    """The settings of a study; raises the first problem as PhaError (scope usage)."""
    problems, settings = check_settings(path, environ)
    if settings is None:
        raise problems[0]
    return settings


def check_settings(path: Path, environ: Mapping[str, str]) -> tuple[list[PhaError], Settings | None]:
    """All problems of the file, and the settings where there is none."""
    if not path.is_file():
        return [PhaError("study_missing")], None
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return [PhaError("settings_not_toml", line=1, problem="the file is not in UTF-8")], None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [_not_toml(str(error))], None
    try:
        return [], Settings.model_validate(_with_environment(values, environ))
    except ValidationError as error:
        return [_problem(dict(detail), text) for detail in error.errors(include_input=False)], None


def _not_toml(message: str) -> PhaError:
    found = re.search(r"\(at line (\d+)", message)
    line = int(found.group(1)) if found else 1
    return PhaError("settings_not_toml", line=line, problem=message.split(" (at")[0])


def _problem(detail: dict[str, Any], text: str) -> PhaError:
    path = tuple(str(part) for part in detail["loc"])
    line, name = line_of(text, path), ".".join(path)
    if detail["type"] == "extra_forbidden":
        return PhaError("settings_unknown_key", line=line, setting=name, hint=_nearest(path))
    problem = str(detail["msg"]).removeprefix("Value error, ").rstrip(".")
    return PhaError("settings_invalid", line=line, setting=name, problem=problem)


def line_of(text: str, path: tuple[str, ...]) -> int:
    """The line (from 1) of a setting, of the nearest part of its path, or 1."""
    best, best_line, section = 0, 1, ()
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _SECTION.match(line):
            section = _parts(found.group(1))
            here = section
        elif found := _KEY.match(line):
            here = section + _parts(found.group(1))
        else:
            continue
        if here == path[: len(here)] and len(here) > best:
            best, best_line = len(here), number
    return best_line


def _parts(dotted: str) -> tuple[str, ...]:
    """The parts of a dotted key; dots within quotes are part of a name."""
    return tuple(part.strip().strip("\"'") for part in _PART.findall(dotted))


def _nearest(path: tuple[str, ...]) -> str:
    known = _known_keys(path[:-1])
    near = difflib.get_close_matches(path[-1], known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _known_keys(path: tuple[str, ...]) -> list[str]:
    model: Any = Settings
    for part in path:
        if get_origin(model) is dict:
            model = get_args(model)[1]
            continue
        field = model.model_fields.get(part) if _is_model(model) else None
        model = field.annotation if field is not None else None
    return list(model.model_fields) if _is_model(model) else []


def _is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def _with_environment(values: dict[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    for name, raw in sorted(environ.items()):
        if found := _ENVIRONMENT.match(name):
            section = values.setdefault(found.group(1).lower(), {})
            section[found.group(2).lower()] = _toml_value(raw)
    return values


def _toml_value(raw: str) -> Any:
    try:
        return tomllib.loads(f"value = {raw}")["value"]
    except tomllib.TOMLDecodeError:
        return raw
