"""Sleep logs of two systems as one: the JSON logs, and the later ``UserSleeps`` where those say nothing.

A night stands in both, and from 2026 on twice in the later one, by two algorithms with different ids.
"""

from collections.abc import Mapping

import polars as pl

from ingest.fitbit.ledger import Ledger

TWIN_SHARE = 0.5
# The newer algorithm's copy of a night stands for it where no JSON log does.
_VERSIONS = ("sleep_session_v2", "sleep_session_v1", "")
_FLAWED_SECONDS = 60
# The two algorithms begin a night within minutes of each other.
_SAME_NIGHT = "1h"
STAGES_SUMMED = ("deep", "rem", "light")


def overlapping(one: pl.DataFrame, other: pl.DataFrame, share: float) -> pl.DataFrame:
    """Pairs of spans (``utc`` to ``utc_end``) that share more than ``share`` of the shorter one.

    Both have ``id``; the pairs have ``id`` (of one) and ``id_other``.
    """
    pairs = one.select("id", "utc", "utc_end").join_where(
        other.select(pl.all().name.suffix("_other")).select("id_other", "utc_other", "utc_end_other"),
        pl.col("utc") < pl.col("utc_end_other"),
        pl.col("utc_end") > pl.col("utc_other"),
    )
    shared = pl.min_horizontal("utc_end", "utc_end_other") - pl.max_horizontal("utc", "utc_other")
    shorter = pl.min_horizontal(
        pl.col("utc_end") - pl.col("utc"), pl.col("utc_end_other") - pl.col("utc_other")
    )
    return pairs.filter(shared > shorter * share).select("id", "id_other")


def one_version(sleeps: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Of copies of one night by two algorithms the newer algorithm's; the others are ignored by name.

    A sleep that the older algorithm calls classic stays classic: the newer one gives such logs stages, too.
    """
    if sleeps["version"].n_unique() <= 1:
        return sleeps
    ranks = {version: rank for rank, version in enumerate(_VERSIONS)}
    ranked = (
        sleeps.with_columns(pl.col("version").replace_strict(ranks, default=0).alias("_rank"))
        .sort("_rank", "sleep_id")
        .with_row_index("id")
    )
    other = ranked.select(pl.col("id", "_rank", "kind").name.suffix("_other"))
    worse = (
        overlapping(ranked, ranked, TWIN_SHARE)
        .join(ranked.select("id", "_rank"), on="id")
        .join(other, on="id_other")
        .filter(pl.col("_rank") < pl.col("_rank_other"))
    )
    kept = ledger.drop(ranked, _is_one_of("id", worse["id_other"]), "ignored", "older_algorithm")
    classic = worse.filter(pl.col("kind_other") == "classic")["id"]
    kind = pl.when(_is_one_of("id", classic)).then(pl.lit("classic")).otherwise("kind")
    return kept.with_columns(kind.alias("kind")).drop("_rank", "id")


def _is_one_of(column: str, values: pl.Series) -> pl.Expr:
    return pl.col(column).is_in(values.unique().implode())


def without_twins(sleeps: pl.DataFrame, logs: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """``UserSleeps`` without those a JSON log tells under another wake date; they are ignored by name.

    Twins of one wake date stay: one source is chosen for that day.
    """
    if sleeps.is_empty() or logs.is_empty():
        return sleeps
    numbered, spans = sleeps.with_row_index("id"), logs.with_row_index("id")
    twins = (
        overlapping(numbered, spans, TWIN_SHARE)
        .join(numbered.select("id", "date"), on="id")
        .join(spans.select(id_other="id", date_other="date"), on="id_other")
        .filter(pl.col("date") != pl.col("date_other"))
    )
    return ledger.drop(numbered, _is_one_of("id", twins["id"]), "ignored", "other_source").drop("id")


def with_stated_instants(logs: pl.DataFrame, sleeps: pl.DataFrame) -> pl.DataFrame:
    """JSON logs, those without an instant at the offset that ``UserSleeps`` states for the same night."""
    stated = (
        sleeps.drop_nulls("utc_offset_minutes").select("local", stated="utc_offset_minutes").sort("local")
    )
    found = logs.sort("local").join_asof(
        stated, on="local", strategy="nearest", tolerance=_SAME_NIGHT, coalesce=True
    )
    start = pl.col("local") - pl.duration(minutes="stated")
    end = pl.col("local_end") - pl.duration(minutes="stated")
    unknown = pl.col("utc").is_null()
    return found.with_columns(
        pl.when(unknown).then(start).otherwise("utc").alias("utc"),
        pl.when(unknown).then(end).otherwise("utc_end").alias("utc_end"),
        pl.when(unknown).then("stated").otherwise("utc_offset_minutes").alias("utc_offset_minutes"),
    ).drop("stated")


def with_stages(
    sleeps: pl.DataFrame, stages: pl.DataFrame, ledger: Ledger
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Sleeps in the columns of JSON logs, their stages in ``epochs``; and the stages that are used.

    Minutes of a stage are the sum of its epochs, null for classic sleeps. Epochs outside their sleep would be
    on another clock than it: they are ignored as ``clock_unclear``.
    """
    spans = sleeps.select(
        "sleep_id",
        pl.col("stamp").alias("_start"),
        (pl.col("stamp_end") - pl.col("stamp")).dt.total_seconds().alias("_length"),
    )
    placed = stages.join(spans, on="sleep_id", how="left", maintain_order="left")
    placed = ledger.drop(placed, pl.col("_start").is_null(), "ignored", "other_source")
    placed = placed.with_columns((pl.col("stamp") - pl.col("_start")).dt.total_seconds().alias("after"))
    inside = (pl.col("after") >= 0) & (
        pl.col("after") + pl.col("seconds") <= pl.col("_length") + _FLAWED_SECONDS
    )
    placed = ledger.drop(placed, ~inside, "ignored", "clock_unclear").sort("sleep_id", "after", "stage_id")
    placed = ledger.drop(placed, ~pl.struct("sleep_id", "after").is_first_distinct(), "merged")
    summed = placed.group_by("sleep_id").agg(
        pl.struct("after", "seconds", "stage").alias("epochs"), *(_minutes_of(s) for s in STAGES_SUMMED)
    )
    staged = (pl.col("kind") == "stages") & pl.col("epochs").is_not_null()
    joined = sleeps.join(summed, on="sleep_id", how="left", maintain_order="left").with_columns(
        *(pl.when(staged).then(pl.col(f"{s}_minutes")).alias(f"{s}_minutes") for s in STAGES_SUMMED),
        pl.col("epochs").fill_null([]),
    )
    return joined, placed.drop("_start", "_length", "after")


def _minutes_of(stage: str) -> pl.Expr:
    seconds = pl.col("seconds").filter(pl.col("stage") == stage).sum()
    return (seconds / 60).round(0).cast(pl.Int64).alias(f"{stage}_minutes")


def with_epochs(kept: Mapping[str, pl.DataFrame], ledger: Ledger) -> dict[str, pl.DataFrame]:
    """Fitabase logs with their ``epochs``: half minutes of stages, for classic logs minutes of three levels.

    Epochs of another kind than their log, and those without a log, are ignored by name.
    """
    logs = kept["fitabase_sleep"]
    used: dict[str, pl.DataFrame] = {}
    for name, kind in (("fitabase_sleep_half_minutes", "stages"), ("fitabase_sleep_minutes", "classic")):
        spans = logs.filter(pl.col("kind") == kind).select("sleep_id", pl.col("local").alias("_start"))
        placed = kept[name].join(spans, on="sleep_id", how="left", maintain_order="left")
        placed = placed.with_columns((pl.col("local") - pl.col("_start")).dt.total_seconds().alias("after"))
        outside = pl.col("after").is_null() | (pl.col("after") < 0)
        used[name] = ledger.drop(placed, outside, "ignored", "other_source").drop("_start")
    parts = [frame.select("sleep_id", "after", "seconds", "stage") for frame in used.values()]
    epochs = pl.concat(parts).sort("sleep_id", "after")
    same = pl.struct("sleep_id", "stage", pl.col("after") - pl.col("seconds").cum_sum().over("sleep_id"))
    runs = epochs.group_by(same.rle_id().alias("_run"), maintain_order=True).agg(
        pl.col("sleep_id", "after", "stage").first(), pl.col("seconds").sum()
    )
    summed = runs.group_by("sleep_id").agg(pl.struct("after", "seconds", "stage").alias("epochs"))
    joined = logs.join(summed, on="sleep_id", how="left", maintain_order="left")
    whole = joined.with_columns(pl.col("epochs").fill_null([]))
    return {"fitabase_sleep": whole, **{name: frame.drop("after") for name, frame in used.items()}}
