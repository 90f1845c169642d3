"""Digests: of values (keys of pieces), of files, and keyed ones for what must not be guessed back."""

import hashlib
import hmac
import json
from datetime import date, datetime
from pathlib import Path
from typing import Any


def digest(*parts: Any) -> str:
    """sha256 over the canonical JSON of the parts, 32 hex digits. Dates are written in ISO form."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:32]


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no blanks: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)


def file_sha256(path: Path) -> str:
    """sha256 of a file's content, 64 hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def keyed_digest(secret: bytes, *parts: str) -> str:
    """HMAC-sha256 of the parts under the study's secret, 20 hex digits: no dictionary finds a name back."""
    return hmac.new(secret, "\x1f".join(parts).encode(), "sha256").hexdigest()[:20]


def _plain(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} has no canonical form")
