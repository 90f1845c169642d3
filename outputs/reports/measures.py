"""What a participant's measurements look like on both pages: key figures, ranks among others, trends."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from markupsafe import Markup

from outputs.rendering import shown_rank, shown_value
from outputs.reports import words
from outputs.reports.bound_text import BoundFact
from outputs.reports.release_rows import ReleaseRows, Row
from outputs.reports.small_plots import rank_strip
from outputs.reports.trends import DayValue, TrendSpec, trend_chart

TREND_DAYS = 90
TRENDS = (
    TrendSpec("resting_heart_rate", "Resting heart rate", "bpm"),
    TrendSpec("heart_rate_variability", "Heart rate variability (RMSSD)", "ms"),
    TrendSpec("steps", "Steps", "steps a day", bars=True),
    TrendSpec("sleep_minutes", "Time asleep", "hours", divide=60),
)
MEASURED_ORDER = ("day", "night", "draw", "survey")
NO_RANK_WORDS = {
    "insufficient_days": "too few valid days",
    "too_few_others": "too few others",
    "no_value": "no value",
    "data_old": "data too old",
    "censored": "only a bound is known",
}


@dataclass(frozen=True, slots=True)
class Peer:
    """A row of the table of ranks. ``others`` and ``source`` are worded for its reader."""

    metric: str
    label: str
    value: str
    rank: float | None
    rank_words: str
    strip: Markup | None
    others: str
    source: str
    window: str
    days: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A key figure: the median of the main window; ``more`` has its change and rank."""

    label: str
    value: str
    more: str
    anchor: str | None


@dataclass(frozen=True, slots=True)
class Trend:
    """A chart with its caption."""

    metric: str
    title: str
    unit: str
    chart: Markup
    caption: str


def peers(rows: ReleaseRows, ranks: Sequence[Row], *, public: bool) -> list[Peer]:
    """Ranks in the order day, night, draw, survey, then by label.

    ``public``: what a participant's page may say of people of the study: their number rounded down to 5.
    """
    known = [rank for rank in ranks if rank["metric"] in rows.metrics]

    def place(rank: Row) -> tuple[int, str, str]:
        metric = rows.metrics[rank["metric"]]
        return MEASURED_ORDER.index(metric["measured"]), metric["label"], rank["window"]

    return [_peer(rows.metrics[rank["metric"]], rank, public=public) for rank in sorted(known, key=place)]


def main_ranks(ranks: Sequence[Row], main_days: int) -> list[Row]:
    """The ranks that pages lead with: of the main window, and of the newest draw or score."""
    return [rank for rank in ranks if rank["window"] in (f"last_{main_days}_days", "newest")]


def figures(facts: Mapping[str, BoundFact], main_days: int, *, linked: bool = True) -> list[Figure]:
    """Key figures of the metrics that have a trend, from the facts; those without a fact are left out."""
    window = f"last_{main_days}_days"
    found: list[Figure] = []
    for spec in TRENDS:
        value = facts.get(f"{spec.metric}.median.{window}")
        if value is None:
            continue
        change = facts.get(f"{spec.metric}.change.{window}")
        rank = facts.get(f"peer.{spec.metric}.{window}")
        parts = [f"median of {words.window(window)}"]
        parts += [change.row["rendered"]] if change else []
        # Of a rank only the percentile: among whom stands in the table of ranks.
        parts += [rank.row["rendered"].partition(" of ")[0]] if rank else []
        anchor = value.anchor if linked else None
        found.append(Figure(spec.title, value.row["rendered"], "; ".join(parts), anchor))
    return found


def trends(
    rows: ReleaseRows, daily: Sequence[Row], ranks: Sequence[Row], main_days: int, *, public: bool
) -> Iterator[Trend]:
    """Charts of the last 90 days up to the newest day that arrived, with the middle half of the peers."""
    days = [day for day in daily if day["day_state"] != "not_arrived" and not day["is_partial"]]
    shown = [day for day in days if day["date"] > days[-1]["date"] - timedelta(days=TREND_DAYS)]
    by_metric = {rank["metric"]: rank for rank in ranks if rank["window"] == f"last_{main_days}_days"}
    for spec in TRENDS:
        rank = by_metric.get(spec.metric)
        band = rows.peer_band(rank, public=public) if rank and rank["rank"] is not None else None
        chart = trend_chart(spec, _values(spec.metric, shown), band)
        if chart is not None:
            middle = "middle value" if public else "median"
            caption = f"Line: {middle} of 7 days."
            if band is not None and rank is not None:
                who = _others(rank, public=public)
                caption += f" Shaded: middle half of {who}, {_population(rank)}; dashed: their {middle}."
            yield Trend(spec.metric, spec.title, spec.unit, chart, caption)


def _values(metric: str, shown: Sequence[Row]) -> list[DayValue]:
    """Consecutive days: only valid days have a value, as in the medians and ranks beside the chart."""
    return [
        DayValue(day["date"], day[metric] if day["valid_day"] else None, bool(day["break_before"]))
        for day in shown
    ]


def _peer(metric: Mapping[str, Any], rank: Row, *, public: bool) -> Peer:
    ranked = rank["rank"] is not None
    value = words.NO_VALUE
    if rank["value"] is not None:
        value = shown_value(metric["metric"], rank["value"], metric["decimals"], rank["unit"])
    return Peer(
        metric=metric["metric"],
        label=words.measure(metric["label"]),
        value=value,
        rank=rank["rank"],
        rank_words=shown_rank(rank["rank"], rank["others"]).removesuffix(" percentile")
        if ranked
        else NO_RANK_WORDS.get(rank["no_rank_reason"], words.NO_VALUE),
        strip=rank_strip(rank["rank"], rank["others"]) if ranked else None,
        others=_others(rank, public=public) if ranked else "",
        source=_source(rank) if ranked else "",
        window=words.window(rank["window"]),
        days=words.counted(rank["days"], "day") if rank["days"] is not None else "",
    )


def _others(rank: Row, *, public: bool) -> str:
    group = words.group(rank["stratum_sex"], rank["stratum_age_group"])
    count = int(rank["others"] or 0)
    if public and rank["stratum"] != "reference":
        return f"at least {count // 5 * 5:,} {group}"
    return f"{count:,} {group}"


def _source(rank: Row) -> str:
    return f"{_population(rank)}, edition {rank['edition'].removeprefix('reference-')}"


def _population(rank: Row) -> str:
    return "reference population" if rank["stratum"] == "reference" else "this study"
