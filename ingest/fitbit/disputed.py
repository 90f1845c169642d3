"""Rows whose ``Z`` is true in some exports and false in others, brought to local time and UTC."""

from collections.abc import Mapping

import polars as pl

from ingest.clocks.false_z import NightVote, TwinVote, Verdict, judge
from ingest.clocks.zone_history import ZoneHistory
from ingest.fitbit.decided import Decided
from ingest.fitbit.ledger import Ledger

# The kind on the wall clock that holds the same values, and how they are rounded to compare.
_TWIN_OF = {"hrv_minutes_csv": "hrv_details"}
_VALUE = pl.col("heart_rate_variability").round(1)

# Kinds whose Z a verdict decides, member by member; sleep logs state their offset.
DISPUTED_MINUTES = tuple(_TWIN_OF)
Verdicts = Mapping[int, Verdict]


def z_verdicts(accepted: Mapping[str, pl.DataFrame], zone: ZoneHistory) -> dict[int, Verdict]:
    """The clock of each member of a disputed kind, by its number.

    A member too thin for a verdict of its own has that of all of its kind in its export, which one program
    wrote. Sleep logs state their offset and need none.
    """
    nights = accepted["sleep"].select("local", "local_end")
    verdicts: dict[int, Verdict] = {}
    for name, twin_name in _TWIN_OF.items():
        twin = accepted[twin_name].select("local", value=_VALUE)
        stamps = accepted[name].select("member", "newer", "stamp", value=_VALUE)
        for export in stamps.partition_by("newer"):
            own = {
                int(member["member"][0]): judge(member, zone, _beside(twin, member), nights)
                for member in export.partition_by("member")
            }
            thin = [number for number, verdict in own.items() if verdict.told_by == "thin"]
            whole = judge(export, zone, twin, nights) if thin else None
            verdicts |= own | ({} if whole is None else dict.fromkeys(thin, whole))
    return verdicts


def decided_clocks(
    accepted: Mapping[str, pl.DataFrame], ledger: Ledger, decided: Decided
) -> dict[int, Verdict]:
    """The clock of members in files of which people said it, by the member's number."""
    numbers = pl.concat([accepted[name].select("member") for name in (*_TWIN_OF, "user_sleeps")])
    found: dict[int, Verdict] = {}
    for number in numbers["member"].unique().sort():
        clock = decided.clock_of(ledger.members[number][0].id)
        if clock is not None:
            found[number] = Verdict(clock, "decision", TwinVote(), NightVote())
    return found


def _beside(twin: pl.DataFrame, member: pl.DataFrame) -> pl.DataFrame:
    """Rows of a twin that may be those of a member, whatever the offset: none is further than a day away."""
    first, last = (pl.lit(moment).dt for moment in (member["stamp"].min(), member["stamp"].max()))
    return twin.filter(pl.col("local").is_between(first.offset_by("-1d"), last.offset_by("1d")))


def with_instants(frame: pl.DataFrame, zone: ZoneHistory, verdicts: Verdicts) -> pl.DataFrame:
    """Rows of ``DISPUTED_MINUTES`` with ``utc``, null where the clock of their member stays unknown."""
    read = _clock_read(verdicts)
    true = pl.when(read == "utc").then("stamp").when(read == "local").then(zone.utc_of_local("stamp"))
    return frame.with_columns(true.alias("utc"))


def _clock_read(verdicts: Verdicts) -> pl.Expr:
    """How the stamps of each row are read: utc, local, or null where nobody knows."""
    reading = {number: verdict.reading for number, verdict in verdicts.items()}
    return pl.col("member").replace_strict(reading, default=None, return_dtype=pl.String)


def sleeps_in_time(
    frame: pl.DataFrame, zone: ZoneHistory, verdicts: Verdicts, ledger: Ledger
) -> pl.DataFrame:
    """``local``, ``local_end``, ``utc``, ``utc_end``, ``date`` (of waking), ``utc_offset_minutes``.

    An offset of +00:00 where the person did not live at UTC says that the digits are local (exports up to
    2025); they are placed like the JSON logs. Otherwise they are UTC, local by the stated offset. What people
    decided on a file stands before that.
    """
    stated = frame.with_columns(zone.offset("stamp").alias("_lived"))
    unstated = pl.col("offset").fill_null(0) == 0
    shown = unstated & (pl.col("_lived") != 0)
    decided = _clock_read(verdicts)
    is_local = pl.when(decided.is_null()).then(shown).otherwise(decided == "local")
    timed = stated.with_columns(
        pl.when(is_local).then(zone.utc_of_local("stamp")).otherwise(pl.col("stamp")).alias("utc"),
        is_local.fill_null(False).alias("_is_local"),
    )
    unknown = pl.col("utc").is_null() | (unstated & pl.col("_lived").is_null())
    timed = ledger.drop(timed, unknown, "ignored", "clock_unclear")
    length = pl.col("stamp_end") - pl.col("stamp")
    offset = pl.when("_is_local").then(zone.offset("utc")).otherwise(pl.col("offset"))
    placed = timed.with_columns(offset.alias("utc_offset_minutes")).with_columns(
        (pl.col("utc") + pl.duration(minutes=pl.col("utc_offset_minutes"))).alias("local"),
        (pl.col("utc") + length).alias("utc_end"),
    )
    return (
        placed.with_columns((pl.col("local") + length).alias("local_end"))
        .with_columns(pl.col("local_end").dt.date().alias("date"))
        .drop("_lived", "_is_local", "offset")
    )
