"""The reference population: one Parquet file a study may name, so that small cohorts have peers too.

Columns person_id, sex, age_group, and one column per metric with that person's median of valid days (or their
laboratory value in the study's unit). Columns that are no metric of ours are left unread.
"""

from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from outputs.digests import file_sha256
from outputs.metrics import METRICS, WINDOW_NEWEST, WINDOW_WHOLE
from schemas.errors import PhaError
from schemas.person_values import PersonValues
from schemas.table import conform

_PERSON = ("person_id", "sex", "age_group")
_SEXES = ("female", "male", "intersex", "unknown")


def reference_edition(path: Path) -> str:
    """``reference-`` and 8 hex digits of the file's digest: another file is another edition."""
    return f"reference-{file_sha256(path)[:8]}"


def read_reference(path: Path) -> pl.DataFrame:
    """The reference in the form of ``person_values``, with person_id as participant_id.

    Daily metrics stand under window ``whole``, draws and scores under ``newest``. Raises reference_invalid
    for a file that is no Parquet, lacks a column of the person, names a person twice or holds other words
    for sex.
    """
    try:
        frame = pl.read_parquet(path)
    except (PolarsError, OSError) as error:
        raise PhaError("reference_invalid", problem="it is no readable Parquet file") from error
    _check(frame)
    metrics = [METRICS[name] for name in sorted(set(frame.columns) & set(METRICS))]
    units = pl.LazyFrame(
        {
            "metric": [m.metric for m in metrics],
            "unit": [m.unit for m in metrics],
            "window": [WINDOW_WHOLE if m.daily else WINDOW_NEWEST for m in metrics],
        },
        schema={"metric": pl.String, "unit": pl.String, "window": pl.String},
    )
    return (
        frame.lazy()
        .select(
            pl.col("person_id").cast(pl.String).alias("participant_id"),
            "sex",
            "age_group",
            *(pl.col(m.metric).cast(pl.Float64).fill_nan(None) for m in metrics),
        )
        .unpivot(index=["participant_id", "sex", "age_group"], variable_name="metric", value_name="value")
        .filter(pl.col("value").is_not_null())
        .join(units, on="metric")
        .pipe(conform, PersonValues)
        .sort("participant_id", "metric")
        .collect()
    )


def _check(frame: pl.DataFrame) -> None:
    missing = [name for name in _PERSON if name not in frame.columns]
    if missing:
        raise PhaError("reference_invalid", problem=f"it has no column {missing[0]}")
    if frame["person_id"].null_count() or frame["person_id"].is_duplicated().any():
        raise PhaError("reference_invalid", problem="person_id is empty or stands twice")
    if not frame["sex"].is_in(_SEXES).fill_null(False).all():
        raise PhaError("reference_invalid", problem=f"sex has other words than {', '.join(_SEXES)}")
    words = [name for name in frame.columns if name in METRICS and not frame[name].dtype.is_numeric()]
    if words:
        raise PhaError("reference_invalid", problem=f"{words[0]} holds no numbers")
