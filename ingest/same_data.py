"""Exports of different participants that are of one account or hold the same data, found by their marks.

Marks are joined, never people with people: the cost grows with the marks, and no order plays a part.
"""

import polars as pl

# More equal quarters of an hour of heart rate than this, of the export that has fewer, are no chance.
MOST_EQUAL_RUNS = 0.01
_WORST_FIRST = ("account_shared", "overlap_conflict")


def conflicts(marks: pl.LazyFrame) -> pl.DataFrame:
    """Files to set aside: ``participant_id``, ``content_digest``, ``verdict``; sorted, each file once.

    marks: the table identity_marks of all participants. An account or a log shared with another participant
    is a conflict; so are more than 1 % equal runs of heart rate.
    """
    told = marks.unique().collect()
    shared = told.filter(pl.col("participant_id").n_unique().over("kind", "mark") > 1)
    found = pl.concat(
        [
            _judged(shared.filter(pl.col("kind") == "account"), "account_shared"),
            _judged(shared.filter(pl.col("kind") == "log"), "overlap_conflict"),
            _judged(_equal_runs(shared, told), "overlap_conflict"),
        ]
    )
    worst = found.sort(pl.col("verdict").cast(pl.Enum(_WORST_FIRST))).unique(
        ["participant_id", "export"], keep="first", maintain_order=True
    )
    files = told.filter(pl.col("kind") == "file").rename({"mark": "content_digest"})
    return (
        files.join(worst, on=["participant_id", "export"])
        .select("participant_id", "content_digest", "verdict")
        .sort("participant_id", "content_digest", pl.col("verdict").cast(pl.Enum(_WORST_FIRST)))
        .unique(["participant_id", "content_digest"], keep="first", maintain_order=True)
    )


def _judged(marks: pl.DataFrame, verdict: str) -> pl.DataFrame:
    return marks.select("participant_id", "export", pl.lit(verdict).alias("verdict")).unique()


def _equal_runs(shared: pl.DataFrame, told: pl.DataFrame) -> pl.DataFrame:
    """Exports of which too many runs are equal to those of one export of another participant."""
    own = ["participant_id", "export"]
    runs = shared.filter(pl.col("kind") == "run").select(*own, "mark")
    totals = told.filter(pl.col("kind") == "run").group_by(own).agg(pl.len().alias("runs"))
    counted = runs.join(totals, on=own)
    return (
        counted.join(counted, on="mark", suffix="_other")
        .filter(pl.col("participant_id") != pl.col("participant_id_other"))
        .group_by(*own, "export_other")
        .agg(pl.len().alias("equal"), pl.min_horizontal("runs", "runs_other").first().alias("fewer"))
        .filter(pl.col("equal") > MOST_EQUAL_RUNS * pl.col("fewer"))
        .select(own)
    )
