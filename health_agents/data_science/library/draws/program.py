# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import numpy as np
import pandas as pd

ANALYTE, LABEL, DECIMALS, USUAL_CV, FASTING = "ldl_cholesterol", "LDL cholesterol", 0, 9.5, False
METRIC, NAME, UNIT, GATE = "active_zone_minutes", "Active zone time", "minutes", "valid_day"
DAYS, NEEDED = 30, 23


def number(name, label, value, unit, decimals=0, direction=None, days=None, window=None):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals, "window": window,
            "direction": direction, "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def two_newest(labs):
    rows = labs[(labs["analyte_key"] == ANALYTE) & labs["value_canonical"].notna() & labs["collected_date"].notna()]
    rows = rows[rows["fasting"] == "yes"] if FASTING else rows
    draws = rows.groupby("collected_date")["value_canonical"].median().sort_index()
    return draws, rows["canonical_unit"].max()


def days_before(summary, draw):
    rows = summary[(summary.index >= draw - pd.Timedelta(days=DAYS)) & (summary.index < draw)]
    return (rows[rows[GATE]] if GATE else rows).loc[~rows["is_partial"], METRIC].dropna()


def beside(summary, draws):
    older, newer = (pd.Timestamp(day) for day in draws.index[-2:])
    between = summary[(summary.index > older - pd.Timedelta(days=DAYS)) & (summary.index < newer)]
    before, latest = days_before(summary, older), days_before(summary, newer)
    if min(len(before), len(latest)) < NEEDED or between["break_before"].any():
        return [], "The days before each can not be compared."
    numbers = [number(f"days_{name}", f"{NAME}, median of the {DAYS} days before: {name} draw", days.median(), UNIT, 0,
                      None, len(days)) for name, days in (("newest", latest), ("other", before))]
    return numbers, (f"In the days up to the newest draw {NAME[0].lower()}{NAME[1:]} was typically {{days_newest}}, "
                     "and {days_other} up to the draw before.")


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    draws, unit = two_newest(labs_df)
    if len(draws) < 2:
        kind = "fasting draws" if FASTING else "draws"
        return insufficient("too_few_draws", f"Not enough {kind} yet: {{draws}} of {{needed}}.",
                            [number("draws", f"Days of {kind} with a value", len(draws), None),
                             number("needed", f"{kind.capitalize()} needed", 2, "draws")])
    before, newest = draws.iloc[-2:]
    usual = 1.96 * np.sqrt(2) * USUAL_CV
    percent = 100 * (newest - before) / before if before else 0.0
    differs = round(newest, DECIMALS) != round(before, DECIMALS)
    way = None if not differs or abs(percent) <= usual else "above" if percent > 0 else "below"
    numbers = [
        number("newest", f"{LABEL}, newest draw", newest, unit, DECIMALS, way, None, "newest"),
        number("before", f"{LABEL}, draw before", before, unit, DECIMALS),
        number("percent", f"{LABEL}, change between the draws", percent, "%", 1),
        number("usual", f"{LABEL}, usual difference from draw to draw (19 of 20 times at most)", usual, "%", 1),
        number("apart", "Days between the draws", (draws.index[-1] - draws.index[-2]).days, "days"),
    ]
    told = {"above": "higher than at the draw before, {before}", "below": "lower than at the draw before, {before}",
            None: "and {before} at the draw before, which is a usual difference"}[way]
    own, sentence = beside(summary_df, draws)
    return {"outcome": "answered", "reason": None, "numbers": numbers + own, "statement": (
        f"{LABEL} was {{newest}} at the newest draw, {told}. {sentence}")}
