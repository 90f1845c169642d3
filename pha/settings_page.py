"""docs/settings.md: every setting of study.toml, from the model that reads it."""

import json
import types
from collections.abc import Iterator
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pha.markdown import code, page, table
from schemas.settings import Settings


def settings_page() -> str:
    """The page's text."""
    intro = (
        "Everything `study.toml` may hold. A key that is not listed here is an error that names its line. "
        "`PHA_<SECTION>__<KEY>` in the environment overrides a setting; secrets come only from there."
    )
    return page("Settings", intro, *(_section(name, field) for name, field in Settings.model_fields.items()))


def _section(name: str, field: FieldInfo) -> str:
    model: type[BaseModel] = field.annotation  # pyright: ignore[reportAssignmentType]
    about = (model.__doc__ or "").split(":", 1)[-1].strip()
    rows = (
        [code(key), _type(entry.annotation), _default(entry), _about(entry)] for key, entry in _fields(model)
    )
    return f"## [{name}]\n\n{about[:1].upper()}{about[1:]}\n\n" + table(
        ["key", "type", "default", "meaning"], rows
    )


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
        return "table"
    words: dict[Any, str] = {str: "text", int: "whole number", float: "number", bool: "true or false"}
    return words.get(annotation, getattr(annotation, "__name__", "text"))
