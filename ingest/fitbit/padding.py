"""Days without the device that files fill with zeros: what they say of such a day is no measurement."""

from collections.abc import Mapping

import polars as pl

from ingest.fitbit.json_kinds import ACTIVITY_MINUTES
from ingest.fitbit.kept_rows import rows_of
from ingest.fitbit.kinds import DAY_KINDS, HEART_RATE_KINDS, KIND_BY_NAME, SLEEP_KINDS, STEPS_KINDS
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.recorders import phone_days
from ingest.fitbit.stated_days import CARRIED, LENGTH, PADDED, STATED

PADDING_DAY = "padding_day"
# Steps by the hour, of which each has a row.
HOURS = "fitabase_hourly_steps"
# What a day file may tell without a device having been carried.
_NOT_CARRIED = ("sedentary_minutes", "calories_kcal")
_TOLD = tuple(name for name in STATED if name not in (*CARRIED, *_NOT_CARRIED))


def without_padding(kept: Mapping[str, pl.DataFrame], ledger: Ledger) -> dict[str, pl.DataFrame]:
    """Kinds that have padding days without them: only sedentary minutes, and nothing else happened.

    The JSON files pad days to the end of a file's span with 1440 minutes, the day of the export with those
    gone by; forms with a row a day or a row for every minute pad each day without the device.
    """
    real = _real_days(kept)
    padding = ~pl.col("date").is_in(real)
    walls = [name for name in STEPS_KINDS if KIND_BY_NAME[name].clock == "local"]
    dropped = (*ACTIVITY_MINUTES, *walls, HOURS)
    whole = {name: ledger.drop(kept[name], padding, "ignored", PADDING_DAY) for name in dropped}
    return whole | {name: _blanked(kept[name], padding, ledger) for name in DAY_KINDS}


def _real_days(kept: Mapping[str, pl.DataFrame]) -> list[object]:
    by_phone = pl.col("date").is_in(phone_days(kept, HEART_RATE_KINDS, STEPS_KINDS))
    happened = [
        rows_of(kept, (*STEPS_KINDS, HOURS), "date", "steps")
        .filter((pl.col("steps") > 0) & ~by_phone)
        .select("date"),
        rows_of(kept, (*HEART_RATE_KINDS, *SLEEP_KINDS), "date"),
        *(
            kept[name].filter(pl.col(column) > 0).select("date")
            for name, column in ACTIVITY_MINUTES.items()
            if column in CARRIED
        ),
    ]
    carried = pl.any_horizontal(pl.col(*CARRIED, LENGTH) > 0)
    told = pl.any_horizontal(pl.col(_TOLD) > 0)
    happened += [kept[name].filter(carried | told).select("date") for name in DAY_KINDS if kept[name].height]
    return pl.concat(happened).unique()["date"].to_list()


def _blanked(days: pl.DataFrame, padding: pl.Expr, ledger: Ledger) -> pl.DataFrame:
    """Rows a day without what they say of padding days; a row that says nothing else is ignored by name."""
    blank = days.with_columns(pl.when(~padding).then(pl.col(name)).alias(name) for name in (*PADDED, LENGTH))
    nothing = pl.all_horizontal(pl.col(*STATED, LENGTH).is_null())
    return ledger.drop(blank, nothing, "ignored", PADDING_DAY)
