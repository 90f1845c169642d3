"""Files that write ``Z`` and may mean the wall clock: a verdict for each file and export, never for a kind.

Two tests: values that a twin of known clock holds too, and nights, in which some kinds alone are measured.
Where they disagree, or neither has enough to go by, there is no verdict and the file is set aside.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Literal

import polars as pl

from ingest.clocks.votes import LEAST_ROWS, telling_rows, votes
from ingest.clocks.zone_history import ZoneHistory

# Measured 87 to 88 % on the right clock; a zone some hours off brings it far below.
LEAST_IN_NIGHTS = 0.6
LEAST_BETTER = 0.2

Reading = Literal["utc", "local"]


@dataclass(frozen=True, slots=True)
class TwinVote:
    """Rows of a twin on the wall clock that meet a stamp of the same value.

    as_local: at no distance; as_utc: at the offset lived by; elsewhere: at the best of all other distances.
    """

    as_local: int = 0
    as_utc: int = 0
    elsewhere: int = 0

    @property
    def reading(self) -> Reading | None:
        """The reading with at least twenty rows that beats the others; None where there is none."""
        best = max(self.as_local, self.as_utc)
        if best < LEAST_ROWS or self.as_local == self.as_utc or self.elsewhere >= best:
            return None
        return "local" if self.as_local > self.as_utc else "utc"


@dataclass(frozen=True, slots=True)
class NightVote:
    """Rows, and how many of them lie in nights when their stamps are read as local time, and as UTC."""

    rows: int = 0
    as_local: int = 0
    as_utc: int = 0

    @property
    def reading(self) -> Reading | None:
        """The reading that puts most of at least twenty rows into nights, and clearly more than the other."""
        best, other = max(self.as_local, self.as_utc), min(self.as_local, self.as_utc)
        if self.rows < LEAST_ROWS or best < LEAST_IN_NIGHTS * self.rows:
            return None
        if best - other < LEAST_BETTER * self.rows:
            return None
        return "local" if self.as_local > self.as_utc else "utc"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the stamps of a file are read; None: unknown, the file is set aside as ``clock_unclear``.

    told_by: twins, nights, both; zone_is_utc where the wall clock was UTC, so that both readings are one;
    decision where people said it; for None thin (too little to go by) or disagree.
    """

    reading: Reading | None
    told_by: Literal["twins", "nights", "both", "zone_is_utc", "decision", "thin", "disagree"]
    twins: TwinVote
    nights: NightVote

    @property
    def clock(self) -> str:
        """The verdict in a word."""
        return {"local": "local_with_false_z", "utc": "utc", None: "unclear"}[self.reading]


def evidence_of(verdicts: Sequence[Verdict]) -> dict[str, object]:
    """What ``source_files.clocks_json`` keeps of the verdicts on the members of one kind in a file.

    ``members`` by verdict and what told it; the votes of the member with the most.
    """
    told = Counter(f"{verdict.clock} ({verdict.told_by})" for verdict in verdicts)
    most = max(verdicts, key=lambda verdict: astuple(verdict.twins) + astuple(verdict.nights))
    return {"members": dict(sorted(told.items())), "twins": asdict(most.twins), "nights": asdict(most.nights)}


def judge(stamps: pl.DataFrame, history: ZoneHistory, twin: pl.DataFrame, nights: pl.DataFrame) -> Verdict:
    """The verdict on the stamps of one file or export.

    stamps: ``stamp`` (digits before the Z) and ``value``, rounded as the twin's. twin: ``local`` and
    ``value``, may be empty. nights: ``local`` and ``local_end`` of sleep logs; empty for kinds that have
    nothing to do with nights. Rows of times when the person lived at UTC tell nothing and are left out.
    """
    telling = stamps.filter(history.offset("stamp") != 0)
    by_twins, by_nights = _twin_vote(telling, history, twin), _night_vote(telling, history, nights)
    readings = {vote.reading for vote in (by_twins, by_nights)} - {None}
    if not readings and telling.is_empty() and _lived_at_utc(stamps, history):
        return Verdict("utc", "zone_is_utc", by_twins, by_nights)
    if len(readings) != 1:
        return Verdict(None, "disagree" if readings else "thin", by_twins, by_nights)
    if by_twins.reading and by_nights.reading:
        return Verdict(by_twins.reading, "both", by_twins, by_nights)
    told_by = "twins" if by_twins.reading else "nights"
    return Verdict(by_twins.reading or by_nights.reading, told_by, by_twins, by_nights)


def _lived_at_utc(stamps: pl.DataFrame, history: ZoneHistory) -> bool:
    return stamps.height > 0 and stamps.filter(history.offset("stamp").is_null()).is_empty()


def _twin_vote(stamps: pl.DataFrame, history: ZoneHistory, twin: pl.DataFrame) -> TwinVote:
    if stamps.is_empty() or twin.is_empty():
        return TwinVote()
    cast = votes(telling_rows(twin), stamps.select("value", utc="stamp"))
    lived, here = pl.col("offset") == history.offset("since"), pl.col("offset") == 0
    others = cast.filter(~lived & ~here).group_by("offset").agg(pl.col("matches").sum())
    return TwinVote(
        as_local=_matches(cast.filter(here)),
        as_utc=_matches(cast.filter(lived)),
        elsewhere=_matches(others.top_k(1, by="matches")),
    )


def _matches(cast: pl.DataFrame) -> int:
    return int(cast["matches"].sum())


def _night_vote(stamps: pl.DataFrame, history: ZoneHistory, nights: pl.DataFrame) -> NightVote:
    if stamps.is_empty() or nights.is_empty():
        return NightVote()
    read = {"as_local": stamps.select(at="stamp"), "as_utc": stamps.select(at=history.local_time("stamp"))}
    return NightVote(stamps.height, **{name: _within(times, nights) for name, times in read.items()})


def _within(times: pl.DataFrame, nights: pl.DataFrame) -> int:
    """How many times lie in a night, bounds included."""
    spans = nights.select(start="local", end="local_end").sort("start")
    placed = times.sort("at").join_asof(spans, left_on="at", right_on="start", strategy="backward")
    return placed.filter(pl.col("at") <= pl.col("end")).height
