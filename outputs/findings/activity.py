"""Activity: active zone minutes of a usual week against WHO 2020.

The vendor counts a moderate minute once and a vigorous minute twice, as WHO's equivalent does: 150 of them
are the lower end of the recommended 150-300 moderate minutes. They are not doubled again.
"""

import polars as pl

from outputs.findings.bands import Band, band_index, described, finding_of, range_words
from outputs.findings.rule import Case, Finding, Guideline, Rule, age_gate, unchecked
from outputs.person_values import countable_values
from outputs.rendering import rounded
from outputs.windows import Window, data_is_old, last_days, sufficient_days

RULE_ID = "activity_who"
TITLE = "Weekly activity"
METRIC = "active_zone_minutes"
WEEKS = 4

_WHO = Guideline(
    "WHO guidelines on physical activity and sedentary behaviour",
    2020,
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC7719906/",
)
_STEP = "Ask what kinds of activity are liked and possible; the device misses strength and cycling work."
BANDS = (
    Band(
        "far below the recommended range",
        severity="low",
        fires=True,
        says="less than half of the lower end of the recommended range",
        next_step=_STEP,
    ),
    Band(
        "below the recommended range",
        {"minutes": 75},
        "info",
        True,
        "below the recommended range",
        _STEP,
    ),
    Band("in the recommended range", {"minutes": 150}, says="in the recommended range"),
    Band("above the recommended range", {"minutes": 300}, says="above the recommended range", strictly=True),
)
RECOMMENDED = 2  # the place of the recommended range among the bands


def check(case: Case) -> list[Finding]:
    """One finding on the median of the last four weeks."""
    return [_gated(case) or _classed(case)]


def _gated(case: Case) -> Finding | None:
    if case.data_through is None:
        return unchecked(TITLE, METRIC, case.last_day, "no_wearable")
    if data_is_old(case.data_through, case.as_of):
        return unchecked(TITLE, METRIC, case.last_day, "data_old")
    if case.says("beta_blocker"):
        return unchecked(TITLE, METRIC, case.last_day, "taken", "not_applicable")
    return age_gate(case, TITLE, METRIC, case.last_day)


def _classed(case: Case) -> Finding:
    window = last_days(WEEKS * 7, case.last_day)
    weeks = weekly_totals(case.daily, window)
    if weeks.len() < sufficient_days(WEEKS):
        return unchecked(TITLE, METRIC, window.end, "insufficient_days")
    minutes = rounded(float(pl.select(pl.lit(weeks).median()).item()), 0)
    place = band_index(minutes, "minutes", BANDS)
    recommended = range_words(RECOMMENDED, "minutes", BANDS)
    statement = (
        f"Active zone minutes of a usual week (median of {weeks.len()} of the last {WEEKS} weeks):"
        f" {minutes:,.0f} min, {BANDS[place].says} ({recommended})."
    )
    evidence = _evidence(case, window, minutes, weeks.len())
    return finding_of(
        BANDS, place, "minutes", statement, subject=METRIC, window_end=window.end, evidence=[evidence]
    )


def weekly_totals(daily: pl.DataFrame, window: Window) -> pl.Series:
    """Minutes of each whole week with at least 6 valid days, brought to seven days (total x 7 / days)."""
    return (
        countable_values(daily.lazy())
        .filter(pl.col("metric") == METRIC, pl.col("date").is_between(window.start, window.end))
        .group_by(week=(pl.col("date") - pl.lit(window.start)).dt.total_days() // 7)
        .agg(minutes=7 * pl.col("value").mean(), days=pl.len())
        .filter(pl.col("days") >= sufficient_days(7))
        .sort("week")
        .collect()["minutes"]
    )


def _evidence(case: Case, window: Window, minutes: float, weeks: int) -> dict[str, object]:
    return {
        "input": METRIC,
        "value": minutes,
        "unit": "minutes a week",
        "weeks": weeks,
        "table": "daily_summary",
        "key": {"participant_id": case.participant_id, "from": window.start, "to": window.end},
        "column": METRIC,
    }


RULES = (
    Rule(
        RULE_ID,
        TITLE,
        "activity",
        (METRIC,),
        f"last {WEEKS} weeks",
        f"{sufficient_days(WEEKS)} of {WEEKS} weeks with at least {sufficient_days(7)} valid days",
        "age 18 or above; data at most 14 days behind; no beta-blocker, as far as told",
        described(BANDS),
        _WHO,
        check,
    ),
)
