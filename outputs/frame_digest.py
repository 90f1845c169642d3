"""Digest of what a frame says, whatever the order of its rows."""

import hashlib

import polars as pl


def frame_digest(frame: pl.DataFrame) -> str:
    """32 hex digits over column names, types and the rows sorted by all columns."""
    head = repr(list(frame.schema.items())).encode()
    body = frame.sort(frame.columns, nulls_last=True).write_csv().encode() if frame.columns else b""
    return hashlib.sha256(head + b"\n" + body).hexdigest()[:32]
