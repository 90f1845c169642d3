"""Weight, height, fitness of runs and swimming of the Google account."""

from datetime import timedelta

import polars as pl

from synthetic.exports.takeout.body_json import height_mm, weigh_ins
from synthetic.exports.takeout.export import Export, Files
from synthetic.exports.takeout.google_family import Rows, family

WHOLE_SECONDS = "%Y-%m-%dT%H:%M:%SZ"
MICROSECONDS = "%Y-%m-%dT%H:%M:%S%.6fZ"
FRACTION = timedelta(microseconds=602_062)


def weight(export: Export) -> Files:
    """Grams, at the instant of the weigh-in."""
    known = weigh_ins(export)
    frame = pl.DataFrame(
        {
            "timestamp": [export.utc_of(at) for at, _, _ in known],
            "weight grams": [grams for *_, grams in known],
        },
        schema={"timestamp": pl.Datetime("us"), "weight grams": pl.Int64},
    )
    yield from _life(export, "weight", frame)


def height(export: Export) -> Files:
    """Millimetres, once."""
    at = export.created
    frame = pl.DataFrame({"timestamp": [at], "height millimeters": [height_mm(export)]})
    yield from _life(export, "height", frame.with_columns(pl.col("timestamp").cast(pl.Datetime("us"))))


def body_fat(export: Export) -> Files:
    """The scale measures none: a header alone."""
    schema = {"timestamp": pl.Datetime("us"), "body fat percentage": pl.Float64}
    yield from _life(export, "body_fat", pl.DataFrame(schema=schema))


def _life(export: Export, name: str, frame: pl.DataFrame) -> Files:
    """Later layouts write fractions of a second."""
    later = export.generation.later_columns
    if later:
        frame = frame.with_columns(pl.col("timestamp") + FRACTION)
    rows = Rows(frame, export.generation.app)
    yield from family(export, name, rows, "life", MICROSECONDS if later else WHOLE_SECONDS)
