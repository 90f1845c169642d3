"""A row a night on the wall: respiration by stage, the histogram of beats, the night's skin temperature."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from math import exp
from typing import Any

from synthetic.exports.takeout.csv_text import month_start, text_rows
from synthetic.exports.takeout.export import Export, Files
from synthetic.life.sleep import SleepLog

RESPIRATION_HEADER = "timestamp," + ",".join(
    f"{stage}_sleep_{value}"
    for stage in ("full", "deep", "light", "rem")
    for value in ("breathing_rate", "standard_deviation", "signal_to_noise")
)
TEMPERATURE_HEADER = (
    "type,sleep_start,sleep_end,temperature_samples,nightly_temperature,baseline_relative_sample_sum,"
    "baseline_relative_sample_sum_of_squares,baseline_relative_nightly_standard_deviation,"
    "baseline_relative_sample_standard_deviation"
)
STAGES = ("full", "deep", "light", "rem")
FIRST_FILE_DAYS = 30
BINS, FIRST_BIN_S, BIN_S, SPREAD_S = 29, 0.3, 0.05, 0.06
SAMPLE_SD, NIGHT_SD = 0.35, 0.21

Night = tuple[SleepLog, dict[str, Any]]


def nights_with(export: Export, value: str) -> Iterator[Night]:
    """Main sleeps whose night has a value, with all of the night's values."""
    nightly = {row["date"]: row for row in export.recording.nightly.iter_rows(named=True)}
    for log in export.recording.sleeps:
        if log.is_main and nightly[log.wake_date][value] is not None:
            yield log, nightly[log.wake_date]


def respiration(export: Export) -> Files:
    """Breaths a minute of the sleep and of each stage, at the wake time; -1.0 where a stage was too short."""
    yield from _repeated(export, "Respiratory Rate Summary", RESPIRATION_HEADER, "respiratory_rate", _breaths)


def _breaths(log: SleepLog, night: dict[str, Any]) -> str:
    cells = [_stage_cells(log.wake_date, rate, place) for place, (_, rate) in enumerate(stage_rates(night))]
    return ",".join([log.end.isoformat(), *cells])


def stage_rates(night: dict[str, Any]) -> list[tuple[str, float | None]]:
    """Breaths a minute of the whole sleep and of each stage; None where a stage was too short to tell."""
    rates = [night["respiratory_rate"]] + [night[f"respiratory_rate_{stage}"] for stage in STAGES[1:]]
    return list(zip(STAGES, rates, strict=True))


def breathing_noise(day: date, place: int) -> tuple[float, float]:
    """Standard deviation and signal to noise of a stage's breathing: made up, of the usual size."""
    return 0.9 + 0.1 * ((day.day + 3 * place) % 12), 7.5 + 0.317 * ((day.toordinal() + 5 * place) % 17)


def _stage_cells(day: date, rate: float | None, place: int) -> str:
    spread, signal = breathing_noise(day, place)
    return f"-1.0,0.0,{signal / 4:.3f}" if rate is None else f"{rate:.1f},{spread:.1f},{signal:.3f}"


def beat_histogram(export: Export) -> Files:
    """Shares of the intervals between beats in 29 bins of 0.05 s from 0.3 s, at the wake time."""
    name = "Heart Rate Variability Histogram"
    yield from _repeated(export, name, "timestamp,bucket_values", "heart_rate_variability", _bins)


def _bins(log: SleepLog, night: dict[str, Any]) -> str:
    middle = 60 / night["nremhr"]
    heights = [
        exp(-(((FIRST_BIN_S + BIN_S * (place + 0.5) - middle) / SPREAD_S) ** 2) / 2) for place in range(BINS)
    ]
    shares = [round(height / sum(heights), 3) for height in heights]
    return f'{log.end.isoformat()},"{shares}"'


def computed_temperature(export: Export) -> Files:
    """The night's skin temperature in degC; NaN for what needs a baseline.

    Variation = baseline_relative_sample_sum / temperature_samples.
    """
    rows: dict[date, list[str]] = {}
    for log, night in nights_with(export, "nightly_temperature"):
        rows.setdefault(month_start(log.wake_date, export.created), []).append(_temperature(log, night))
    for month, lines in rows.items():
        yield text_rows(f"Computed Temperature - {month}.csv", TEMPERATURE_HEADER, lines)


def _temperature(log: SleepLog, night: dict[str, Any]) -> str:
    samples, variation = log.minutes_in_bed, night["skin_temperature_variation"]
    relative = ("NaN",) * 4
    if variation is not None:
        squares = samples * (variation**2 + SAMPLE_SD**2)
        relative = (repr(variation * samples), repr(squares), str(NIGHT_SD), str(SAMPLE_SD))
    cells = (
        "SKIN",
        short_time(log.start),
        short_time(log.end),
        samples,
        night["nightly_temperature"],
        *relative,
    )
    return ",".join(map(str, cells))


def short_time(moment: datetime) -> str:
    """ISO; seconds are dropped when they are 0."""
    return moment.isoformat(timespec="seconds" if moment.second else "minutes")


def _repeated(
    export: Export, name: str, header: str, value: str, row: Callable[[SleepLog, dict[str, Any]], str]
) -> Files:
    """Files by month of the wake date; the account's first file repeats rows of the first month."""
    rows = [(log.wake_date, row(log, night)) for log, night in nights_with(export, value)]
    first = export.created + timedelta(days=FIRST_FILE_DAYS)
    starts = sorted({day.replace(day=1) for day, _ in rows if day.replace(day=1) > export.created})
    early = [text for day, text in rows if day < max(first, starts[0] if starts else first)]
    yield text_rows(f"{name} - {export.created}.csv", header, early)
    for start in starts:
        lines = [text for day, text in rows if day.replace(day=1) == start]
        yield text_rows(f"{name} - {start}.csv", header, lines)
