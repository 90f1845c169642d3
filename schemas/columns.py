"""The kinds of column a published table may have.

Each factory returns a dataframely column that carries, besides its type and limits, what a reader of the
table needs: a description, a unit and, for every float, the number of decimals it is rounded to when written.
Only plain types appear (text, Int64, Float64, Boolean, Date, Datetime), so that Polars, R, pandas and DuckDB
read the files alike.
"""

from collections.abc import Sequence

import dataframely as dy

MAX_TEXT = 20_000


def text(
    description: str,
    *,
    key: bool = False,
    null: bool = True,
    allowed: Sequence[str] | None = None,
    pattern: str | None = None,
) -> dy.String:
    """Text. With ``allowed`` only those words pass; a key is never null."""
    regex = pattern if allowed is None else f"^({'|'.join(allowed)})$"
    return dy.String(
        nullable=null and not key,
        primary_key=key,
        regex=regex,
        max_length=MAX_TEXT,
        description=description,
        metadata={"allowed": list(allowed)} if allowed else None,
    )


def json_text(description: str, *, null: bool = True) -> dy.String:
    """Nested content as JSON text: the column's name ends in ``_json``."""
    return dy.String(nullable=null, description=description, metadata={"format": "json"})


def whole(
    description: str,
    unit: str,
    *,
    key: bool = False,
    null: bool = True,
    low: int | None = None,
    high: int | None = None,
) -> dy.Int64:
    """A whole number with its unit and the limits outside which a value cannot be real."""
    return dy.Int64(
        nullable=null and not key,
        primary_key=key,
        min=low,
        max=high,
        description=description,
        metadata={"unit": unit},
    )


def number(
    description: str,
    unit: str,
    decimals: int,
    *,
    null: bool = True,
    low: float | None = None,
    high: float | None = None,
) -> dy.Float64:
    """A float, rounded to ``decimals`` where it is written, so that two runs give equal bytes."""
    return dy.Float64(
        nullable=null,
        min=low,
        max=high,
        description=description,
        metadata={"unit": unit, "decimals": decimals},
    )


def flag(description: str, *, null: bool = True) -> dy.Bool:
    """True or false."""
    return dy.Bool(nullable=null, description=description)


def day(description: str, *, key: bool = False, null: bool = True) -> dy.Date:
    """A local calendar day."""
    return dy.Date(nullable=null and not key, primary_key=key, description=description)


def instant(description: str, *, key: bool = False, null: bool = True) -> dy.Datetime:
    """A moment in UTC: the column's name ends in ``_utc`` or says *at*."""
    return dy.Datetime(
        nullable=null and not key,
        primary_key=key,
        time_zone="UTC",
        time_unit="us",
        description=description,
        metadata={"clock": "UTC"},
    )


def local_time(description: str, *, key: bool = False, null: bool = True) -> dy.Datetime:
    """What the participant's wall clock showed; no zone."""
    return dy.Datetime(
        nullable=null and not key,
        primary_key=key,
        time_unit="us",
        description=description,
        metadata={"clock": "local"},
    )
