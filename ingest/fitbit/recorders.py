"""Several recorders of one person: for each local day one of them is chosen, never a sum.

A watch, the phone and other apps write the same steps; added up they are two to four times the truth.
"""

from collections.abc import Mapping, Sequence
from datetime import date

import polars as pl

from ingest.fitbit.kept_rows import rows_of
from ingest.fitbit.ledger import Ledger
from ingest.fitbit.profile import PHONE

# From best to worst: a wearable (any name not below; also where a file names none), what the vendor's app
# derived, the phone's own counter, other vendors' data brought in.
_APPS = ("Fitbit App", "Google Health App")
_PHONES = (PHONE, "Phone")
_FOREIGN = r"(?:Health Kit|Health Connect|Web API)$"
OTHER_RECORDER = "other_recorder"


def rank(recorder: str = "recorder") -> pl.Expr:
    """0 for a wearable, 1 for the vendor's app, 2 for a phone, 3 for another vendor's data."""
    name = pl.col(recorder)
    return (
        pl.when(name.str.contains(_FOREIGN))
        .then(3)
        .when(name.is_in(_PHONES))
        .then(2)
        .when(name.is_in(_APPS))
        .then(1)
        .otherwise(0)
    )


def best_of_day(frame: pl.DataFrame) -> pl.DataFrame:
    """``date`` and ``recorder``: the best kind of recorder of each day, of two the one with most rows."""
    return (
        frame.group_by("date", "recorder")
        .agg(pl.len().alias("_rows"))
        .with_columns(rank().alias("_rank"))
        .sort("date", "_rank", "_rows", "recorder", descending=[False, False, True, False])
        .unique("date", keep="first", maintain_order=True)
        .select("date", "recorder")
    )


def one_recorder_a_day(frame: pl.DataFrame, ledger: Ledger) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows of each day's best recorder; and the others', which are ignored by name."""
    if "recorder" not in frame.columns or frame["recorder"].n_unique() <= 1:
        return frame, frame.clear()
    chosen = best_of_day(frame).with_columns(pl.lit(True).alias("_chosen"))
    marked = frame.join(chosen, on=["date", "recorder"], how="left", maintain_order="left")
    lost = marked.filter(pl.col("_chosen").is_null()).drop("_chosen")
    kept = ledger.drop(marked, pl.col("_chosen").is_null(), "ignored", OTHER_RECORDER)
    return kept.drop("_chosen"), lost


def without_app_days(rows: pl.DataFrame, app: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Rows by recorder without the days for which an export has the app's one view (``app``), which decides.

    A day without any row in that view is one without the device, whatever a phone counted.
    """
    spans = app.group_by("newer").agg(pl.col("date").min().alias("_from"), pl.col("date").max().alias("_to"))
    marked = rows.join(spans, on="newer", how="left", maintain_order="left")
    told = pl.col("date").is_between("_from", "_to")
    return ledger.drop(marked, told, "ignored", OTHER_RECORDER).drop("_from", "_to")


def with_phones(app: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """The app's view, with the phone as ``recorder`` on days whose recorders (``rows``) are phones alone.

    The view names nobody. Of other days, and of those without such rows, it stays unnamed: a wearable's.
    """
    alone = rows.group_by("date").agg(_is_phone().all().alias("_alone")).filter("_alone").select("date")
    named = pl.when(pl.col("date").is_in(alone["date"].implode())).then(pl.lit(PHONE)).otherwise("recorder")
    return app.with_columns(named.alias("recorder"))


def wearables(frames: list[pl.DataFrame]) -> pl.DataFrame:
    """``date`` and ``recorder`` of days of which a frame names a wearable; the first that does decides."""
    named = [
        best_of_day(frame.filter((rank() == 0) & (pl.col("recorder") != ""))).with_columns(
            pl.lit(place).alias("_place")
        )
        for place, frame in enumerate(frames)
    ]
    return (
        pl.concat(named)
        .sort("date", "_place")
        .unique("date", keep="first", maintain_order=True)
        .drop("_place")
    )


def phone_days(kept: Mapping[str, pl.DataFrame], worn: Sequence[str], steps: Sequence[str]) -> list[date]:
    """Days on which a phone alone counted steps: no wearable was worn, whatever they add up to.

    worn, steps: kinds whose rows are heart rates, and steps of the one recorder chosen for each day.
    """
    named = [kind for kind in steps if "recorder" in kept[kind].columns]
    judged = rows_of(kept, named, "date", "recorder").group_by("date").agg(_is_phone().all().alias("alone"))
    alone = judged.filter("alone").join(rows_of(kept, worn, "date"), on="date", how="anti")
    return alone["date"].sort().to_list()


def _is_phone() -> pl.Expr:
    name = pl.col("recorder").fill_null("")
    return name.is_in(_PHONES) | name.str.contains(r"^Phone .*(?:Health Kit|Health Connect)$")
