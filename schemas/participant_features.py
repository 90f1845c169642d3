"""The table a paper starts from: a participant at an anchor, in one wide row a window.

Its columns follow from the daily metrics, the analytes and the instruments, four or one for each.
"""

from collections.abc import Iterator
from types import new_class

import dataframely as dy

from schemas.analytes import ANALYTES
from schemas.columns import day, json_text, number, text, whole
from schemas.daily_summary import DailySummary
from schemas.table import Table, TableInfo, unit_of

ANCHORS = ("data_through", "enrolled_on", "lab_draw")
INSTRUMENTS = ("phq9", "phq8", "gad7", "pss10", "ipaq", "auditc", "who5", "berlin")

_NO_METRICS = (
    "study_day",
    "utc_offset_minutes",
    "spo2_min",
    "spo2_max",
    "nap_minutes",
    "weight_kg",
    "wear_minutes",
)
DAILY_FEATURES = tuple(
    name
    for name, column in DailySummary.columns().items()
    if isinstance(column, dy.Int64 | dy.Float64) and name not in _NO_METRICS
)

_INFO = TableInfo(
    name="participant_features",
    one_row_is="a participant at an anchor, over one window of days",
    warnings=(
        "a participant has a row for each anchor and window: filter to one of each before counting people",
        "median and mean need three of every four days of the window, sd at least 14 days as well",
        "analytes, scores and bmi are the newest up to anchor_date: the same in all windows of an anchor",
    ),
)


def _columns() -> Iterator[tuple[str, dy.Column]]:
    yield "participant_id", text("The study's id of the participant.", key=True)
    yield (
        "anchor",
        text(
            "What the windows are laid by: the last day with complete data, enrolment, or the newest draw.",
            key=True,
            allowed=ANCHORS,
        ),
    )
    yield (
        "window",
        text(
            "last_N_days end with the anchor, first_N_days (of enrolment) begin with it, whole is all days "
            "up to data_through.",
            key=True,
        ),
    )
    yield "anchor_date", day("The anchor's day.", null=False)
    yield "window_start", day("First day of the window.", null=False)
    yield "window_end", day("Last day of the window.", null=False)
    yield "window_days", whole("Days of the window.", "days", null=False, low=1)
    yield (
        "valid_days",
        whole("Worn days of the window, days that are not whole left out.", "days", null=False),
    )
    for name in DAILY_FEATURES:
        yield from _of_daily(name)
    yield "draw_date", day("Day of the newest draw up to anchor_date: the analytes are of that day alone.")
    yield "fasting", text("Fasting as its reports say.", allowed=("yes", "no", "unknown"))
    for analyte in ANALYTES:
        yield analyte.key, number(f"{analyte.label} of the draw.", analyte.unit, 6)
    yield (
        "bounds_json",
        json_text("Results of the draw given as below or above a limit, whose own column is null."),
    )
    for instrument in INSTRUMENTS:
        unit = {"ipaq": "MET-min/week", "berlin": "categories"}.get(instrument, "points")
        yield f"{instrument}_score", number("Newest score of a day up to anchor_date.", unit, 2)
    yield "bmi", number("Body mass index: weight over the answered height squared.", "kg/m2", 2, low=0)
    yield (
        "bmi_weight_from",
        text("scale: median weight of the window; survey: newest answer.", allowed=("scale", "survey")),
    )


def _of_daily(name: str) -> Iterator[tuple[str, dy.Column]]:
    unit = unit_of(DailySummary.columns()[name]) or ""
    yield f"{name}_days", whole(f"Days (nights) of {name} that count.", "days", null=False, low=0)
    yield f"{name}_median", number(f"Median of {name}.", unit, 4)
    yield f"{name}_mean", number(f"Mean of {name}.", unit, 4)
    yield f"{name}_sd", number(f"Standard deviation of {name} over days (n - 1).", unit, 4, low=0)


def _members() -> dict[str, object]:
    doc = "A participant at an anchor: the days around it, the draw, scores and body mass index."
    return {"__doc__": doc, "__module__": __name__, "info": _INFO, **dict(_columns())}


# Hundreds of columns of one form are declared by rule; a class body would say the same 29 times.
ParticipantFeatures = new_class(
    "ParticipantFeatures", (Table,), exec_body=lambda body: body.update(_members())
)
