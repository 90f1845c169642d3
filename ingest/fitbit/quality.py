"""Cross-checks between files that must agree, whatever device or layout they came from."""

from collections.abc import Mapping, Sequence

import polars as pl

from ingest.fitbit.choosing import Choices
from ingest.fitbit.exports import Export
from ingest.fitbit.kept_rows import kinds_with, rows_of
from ingest.fitbit.measures import Measure
from ingest.fitbit.placing import Placed
from schemas.quality_checks import QualityChecks
from schemas.table import polars_schema

DAY_MINUTES = 1440
MS_PER_MINUTE = 60_000
MM_PER_M = 1000
# The index is written to two decimals; the weight is cut to 0.1 lb.
BMI_TOLERANCE = 0.1
_ACTIVITY = (
    "sedentary_minutes",
    "lightly_active_minutes",
    "fairly_active_minutes",
    "very_active_minutes",
)


def quality_checks(
    participant_id: str,
    daily: pl.DataFrame,
    placed: Placed,
    choices: Choices,
    exports: Sequence[Export],
    beyond_limits: int,
) -> pl.DataFrame:
    """One row a check: how many days or rows were compared and how many differ."""
    kept = placed.kept
    checks = [
        (
            "activity_minutes_and_bed_make_a_day",
            *_day_sums(daily),
            "four activity minutes + time in bed = 1440",
        ),
        (
            "calories_rows_make_a_day",
            *_calories_rows(daily, kept["calories"]),
            "1440 calories rows a whole day",
        ),
        (
            "sleep_duration",
            *_sleep_durations(kept["sleep"]),
            "end - start of a sleep log = its duration, to the minute",
        ),
        ("sleep_logs_overlap", *_overlaps(kept["sleep"]), "sleep logs of one person do not overlap"),
        ("no_day_after_the_export", *_after_export(kept, exports), "no row is of a day after its export"),
        ("daily_values_within_limits", daily.height, beyond_limits, "daily values are possible ones"),
        (
            "body_mass_index_of_weights",
            *_body_mass_index(kept["weight"], kept["height"]),
            "weight / height squared = the index beside the weight, to 0.1",
        ),
        (
            "other_recorders_have_fewer_steps",
            *_recorders(kept["steps_csv"], placed.others.get("steps_csv")),
            "no recorder that was not chosen has more steps than the chosen one",
        ),
        *(_sources_agree(measure, choices) for measure in choices.measures if _is_compared(measure)),
    ]
    rows = [
        (participant_id, name, _outcome(checked, differing), checked, differing, detail)
        for name, checked, differing, detail in checks
    ]
    return pl.DataFrame(rows, schema=polars_schema(QualityChecks), orient="row")


def _is_compared(measure: Measure) -> bool:
    return len(measure.sources) > 1 and measure.tolerance is not None


def _sources_agree(measure: Measure, choices: Choices) -> tuple[str, int, int, str]:
    """Days of which two sources told a measure, and those on which the two best differ."""
    kinds = ", ".join(source.kind for source in measure.sources)
    return (
        f"{measure.name}_sources_agree",
        *choices.compared[measure.name],
        f"sources of one day ({kinds}) agree to {measure.tolerance:g}",
    )


def _body_mass_index(weight: pl.DataFrame, height: pl.DataFrame) -> tuple[int, int]:
    stated = weight.drop_nulls("bmi").sort("date")
    known = stated.join_asof(height.select("date", "height_mm").sort("date"), on="date", strategy="nearest")
    known = known.drop_nulls("height_mm")
    index = pl.col("weight_kg") / (pl.col("height_mm") / MM_PER_M) ** 2
    return known.height, known.filter((index - pl.col("bmi")).abs() > BMI_TOLERANCE).height


def _recorders(chosen: pl.DataFrame, others: pl.DataFrame | None) -> tuple[int, int]:
    if others is None:
        return 0, 0
    total = chosen.group_by("date").agg(pl.col("steps").sum())
    most = others.group_by("date", "recorder").agg(pl.col("steps").sum().alias("other"))
    both = most.group_by("date").agg(pl.col("other").max()).join(total, on="date")
    return both.height, both.filter(pl.col("other") > pl.col("steps")).height


def _outcome(checked: int, differing: int) -> str:
    if checked == 0:
        return "not_checked"
    return "differs" if differing else "ok"


def _day_sums(daily: pl.DataFrame) -> tuple[int, int]:
    whole = daily.filter(~pl.col("is_partial")).drop_nulls(list(_ACTIVITY))
    total = pl.sum_horizontal(*_ACTIVITY, pl.col("time_in_bed_minutes").fill_null(0))
    return whole.height, whole.filter(total != DAY_MINUTES).height


def _calories_rows(daily: pl.DataFrame, calories: pl.DataFrame) -> tuple[int, int]:
    partial = daily.filter(pl.col("is_partial")).select("date")
    days = calories.group_by("date").agg(pl.len().alias("n")).filter(pl.col("date") != pl.col("date").max())
    whole = days.join(partial, on="date", how="anti")
    return whole.height, whole.filter(pl.col("n") != DAY_MINUTES).height


def _sleep_durations(sleep: pl.DataFrame) -> tuple[int, int]:
    stated = sleep.drop_nulls("duration_ms")
    real = (pl.col("local_end") - pl.col("local")).dt.total_milliseconds()
    beside = (real - pl.col("duration_ms")).abs() >= MS_PER_MINUTE
    return stated.height, stated.filter(beside).height


def _overlaps(sleep: pl.DataFrame) -> tuple[int, int]:
    before = pl.col("utc_end").cum_max().shift(1)
    timed = sleep.drop_nulls("utc").sort("utc")
    return timed.height, timed.filter(pl.col("utc") < before).height


def _after_export(kept: Mapping[str, pl.DataFrame], exports: Sequence[Export]) -> tuple[int, int]:
    """Against the time in the archive's name, a day being allowed for zones ahead of UTC."""
    made = {rank: export.made_at.date() for rank, export in enumerate(exports) if export.made_at}
    if not made:
        return 0, 0
    limits = pl.DataFrame(
        {"newer": list(made), "made": list(made.values())}, schema={"newer": pl.Int32, "made": pl.Date}
    )
    rows = rows_of(kept, kinds_with(kept, "date"), "newer", "date").join(limits, on="newer")
    return rows.height, rows.filter(pl.col("date") > pl.col("made").dt.offset_by("1d")).height
