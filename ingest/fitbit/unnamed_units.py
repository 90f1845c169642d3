"""Weights and distances of forms that name no unit, in ours, each export for itself."""

from collections.abc import Mapping

import polars as pl

from ingest.fitbit.ledger import Ledger
from ingest.fitbit.reading import outside_limits
from ingest.fitbit.stated_days import LENGTH, STATED
from ingest.fitbit.units import KILOGRAMS, METRES, distance_unit, height_m, weight_unit
from schemas.daily_summary import DailySummary

UNIT_UNCLEAR = "unit_unclear"


def in_our_units(accepted: Mapping[str, pl.DataFrame], ledger: Ledger) -> dict[str, pl.DataFrame]:
    """``weight_kg`` and ``distance_m`` of forms that name no unit, each export for itself."""
    weights = [_in_kilograms(export) for export in accepted["web_weight"].partition_by("newer")]
    web_weight = pl.concat([_in_kilograms(accepted["web_weight"].clear()), *weights])
    unclear = pl.col("weight_kg").is_null()
    web_weight = ledger.drop(web_weight, unclear, "ignored", UNIT_UNCLEAR)
    impossible = outside_limits(DailySummary, "weight_kg").fails
    web_weight = ledger.drop(web_weight, impossible, "rejected", "outside_limits")
    minutes = (
        accepted["web_steps"]
        .group_by("newer", pl.col("local").dt.date().alias("date"))
        .agg(pl.col("steps").sum())
    )
    return {
        "web_weight": web_weight,
        "web_days": _in_metres(accepted["web_days"], minutes, accepted["web_weight"], ledger),
    }


def _in_kilograms(export: pl.DataFrame) -> pl.DataFrame:
    unit = weight_unit(export)
    factor = pl.lit(KILOGRAMS[unit] if unit else None, pl.Float64)
    return export.with_columns((pl.col("weight") * factor).alias("weight_kg"))


def _in_metres(
    days: pl.DataFrame, minutes: pl.DataFrame, weights: pl.DataFrame, ledger: Ledger
) -> pl.DataFrame:
    """Days of each export with ``distance_m``; a row that only told a distance of unknown unit is ignored."""
    placed = [days.clear()]
    for export in days.partition_by("newer"):
        newer = pl.col("newer") == export["newer"][0]
        steps = pl.concat([export.select("date", "steps"), minutes.filter(newer).select("date", "steps")])
        by_day = steps.drop_nulls().group_by("date").agg(pl.col("steps").max())
        lengths = export.select("date", LENGTH).drop_nulls().join(by_day, on="date")
        unit = distance_unit(lengths, height_m(weights.filter(newer)))
        factor = pl.lit(METRES[unit] if unit else None, pl.Float64)
        placed.append(
            export.with_columns(pl.coalesce("distance_m", pl.col(LENGTH) * factor).alias("distance_m"))
        )
    nothing = pl.all_horizontal(pl.col(STATED).is_null()) & pl.col(LENGTH).is_not_null()
    return ledger.drop(pl.concat(placed), nothing, "ignored", UNIT_UNCLEAR)
