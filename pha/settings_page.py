"""docs/settings.md: every setting of study.toml, from the model that reads it."""

import json
import types
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pha.markdown import code, page, table
from schemas.settings import Settings

_TITLES = ["key", "type", "default", "meaning"]


def settings_page() -> str:
    """The page's text."""
    intro = (
        "Everything `study.toml` may hold. A key that is not listed here is an error that names its line. "
        "`PHA_<SECTION>__<KEY>` in the environment overrides a setting; secrets come only from there."
    )
    return page("Settings", intro, *(_section(name, field) for name, field in Settings.model_fields.items()))


def _section(name: str, field: FieldInfo) -> str:
    model: type[BaseModel] = field.annotation  # pyright: ignore[reportAssignmentType]
    rows = (
        [code(key), _type(entry.annotation), _default(entry), _about(entry)] for key, entry in _fields(model)
    )
    parts = [f"## [{name}]", _purpose(model), table(_TITLES, rows)]
    return "\n\n".join([*parts, *_tables_by_name(name, model)])


def _tables_by_name(section: str, model: type[BaseModel]) -> Iterator[str]:
    """The keys of each table that a section holds by a name of the study's own, such as a file's."""
    for key, entry in _fields(model):
        inner = _model_by_name(entry.annotation)
        if inner is not None:
            rows = ([code(n), _type(f.annotation), _default(f), _about(f)] for n, f in _fields(inner))
            yield f'### [{section}.{key}."..."]'
            yield _purpose(inner)
            yield table(_TITLES, rows)


def _purpose(model: type[BaseModel]) -> str:
    """What a section is for, by its docstring, which begins with its name."""
    about = cleandoc(model.__doc__ or "").split(":", 1)[-1].strip()
    return f"{about[:1].upper()}{about[1:]}"


def _model_by_name(annotation: Any) -> type[BaseModel] | None:
    parts = get_args(annotation)
    if get_origin(annotation) is dict and isinstance(parts[1], type) and issubclass(parts[1], BaseModel):
        return parts[1]
    return None


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    yield from model.model_fields.items()


def _about(field: FieldInfo) -> str:
    limits = [
        f"{words} {getattr(limit, name)}"
        for limit in field.metadata
        for name, words in (("ge", "at least"), ("gt", "above"), ("le", "at most"), ("lt", "below"))
        if getattr(limit, name, None) is not None
    ]
    return " ".join([field.description or "", *(f"({limit})" for limit in limits)])


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value: Any = field.get_default(call_default_factory=True)
    if value is None:
        return "none"
    return code(json.dumps(_plain(value), ensure_ascii=False))


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=True)
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _type(annotation: Any) -> str:
    """The type in words that a writer of TOML knows."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " or ".join(code(json.dumps(word)) for word in parts)
    if origin in {Union, types.UnionType}:
        return " or ".join(_type(part) for part in parts if part is not type(None))
    if origin is tuple:
        return f"list of {_type(parts[0])}"
    if origin is dict:
        return "table of tables" if _model_by_name(annotation) else "table"
    words: dict[Any, str] = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return words.get(annotation, getattr(annotation, "__name__", "text"))
