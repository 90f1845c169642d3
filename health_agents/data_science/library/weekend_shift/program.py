# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import numpy as np
import pandas as pd
from scipy import stats

WINDOW, OLD, LEVEL, WEEKDAYS_NEEDED, WEEKEND_NEEDED, WEEKS_NEEDED = 90, 14, 0.01, 4, 2, 9


def number(name, label, value, unit, direction=None, decimals=0, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals, "window": window,
            "direction": direction}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def weekly_shifts(nights):
    middle = (nights["bed_minute"] + nights["wake_up_minute"]) / 2
    week = nights.index - pd.to_timedelta(nights.index.weekday, unit="D")
    weekend = nights.index.weekday >= 5
    free, working = (middle[side].groupby(week[side]).agg(["median", "count"]) for side in (weekend, ~weekend))
    both = free[free["count"] >= WEEKEND_NEEDED].join(working[working["count"] >= WEEKDAYS_NEEDED],
                                                      lsuffix="_free", rsuffix="_working", how="inner")
    return (both["median_free"] - both["median_working"]).astype(float)


def centre(shifts):
    n = len(shifts)
    walsh = np.sort(np.add.outer(shifts.to_numpy(), shifts.to_numpy())[np.triu_indices(n)] / 2)
    half = stats.norm.isf(LEVEL / 2) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    place = max(int(np.floor(n * (n + 1) / 4 - half)), 0)
    return np.median(walsh), walsh[place], walsh[-1 - place]


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    start = end - pd.Timedelta(days=WINDOW - 1)
    window = summary_df[(summary_df.index >= start + pd.Timedelta(days=(7 - start.weekday()) % 7)) &
                        (summary_df.index <= end - pd.Timedelta(days=(end.weekday() + 1) % 7))]
    nights = window.loc[~window["is_partial"] & ~window["tz_change"], ["bed_minute", "wake_up_minute"]].dropna()
    breaks = window.index[window["break_before"]]
    shifts = weekly_shifts(nights[nights.index >= breaks.max()] if len(breaks) else nights)
    if len(shifts) < WEEKS_NEEDED:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient("break_in_window" if len(weekly_shifts(nights)) >= WEEKS_NEEDED else "too_few_weeks",
                            f"Not enough weeks with data yet{since}: {{weeks}} of {{needed}}.",
                            [number("weeks", "Calendar weeks with enough nights", len(shifts), None),
                             number("needed", "Weeks needed", WEEKS_NEEDED, "weeks", window=None)])
    shift, low, high = centre(shifts)
    shown = int(abs(shift) + 0.5)
    direction = None if shown == 0 else "rising" if low > 0 else "falling" if high < 0 else None
    told = {"rising": "typically lay {shift} later on weekends than on weekdays",
            "falling": "typically lay {shift} earlier on weekends than on weekdays",
            None: "differed by {shift} between weekends and weekdays, which is no clear shift"}[direction]
    numbers = [
        number("shift", "Middle of sleep, weekend against weekdays (Hodges-Lehmann)", shown, "minutes", direction),
        number("low", "Shift, 99 % interval from (signed ranks)", low, "minutes", None, 1),
        number("high", "Shift, 99 % interval to (signed ranks)", high, "minutes", None, 1),
        number("weeks", "Calendar weeks compared", len(shifts), "weeks"),
    ]
    return {"outcome": "answered", "reason": None, "numbers": numbers,
            "statement": f"Over the last {WINDOW} days, the middle of sleep {told}."}
