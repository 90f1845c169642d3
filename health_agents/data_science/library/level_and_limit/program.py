# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import numpy as np
import pandas as pd
from scipy import stats

WINDOW, NEEDED, OLD = 30, 23, 14
METRIC, PER, LABEL, UNIT, LIMIT = "sleep_minutes", None, "Time asleep", "minutes", 420
RECOMMENDED = "recommended for adults"


def number(name, label, value, unit, direction=None, days=None, window=f"last_{WINDOW}_days", comparator=None):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": 0, "window": window,
            "direction": direction, "days": days, "comparator": comparator}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def median_interval(values):
    ranks = values.rank() - (len(values) + 1) / 2
    lag = (ranks * ranks.shift(1, freq="D")).mean() / (ranks**2).mean()
    lag = float(np.clip(np.nan_to_num(lag), 0, 0.8))
    half = stats.norm.isf(0.025) * np.sqrt(len(values) / 4 * (1 + lag) / (1 - lag))
    ordered, middle = np.sort(values), len(values) / 2
    low, high = max(int(np.floor(middle - half)), 0), min(int(np.ceil(middle + half)), len(values) - 1)
    return ordered[low], ordered[high], lag


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    nights = window[~window["is_partial"]]
    values = nights[METRIC].astype(float)
    values = (100 * values / nights[PER].where(nights[PER] > 0) if PER else values).dropna()
    if len(values) < NEEDED:
        return insufficient("too_few_nights", "Not enough nights yet: {nights} of {needed}.",
                            [number("nights", "Nights with a value", len(values), None),
                             number("needed", "Nights needed", NEEDED, "nights", window=None)])
    median, (low, high, lag) = int(values.median() + 0.5), median_interval(values)
    direction = "below" if median < LIMIT else "above" if median > LIMIT else "within"
    place = {"below": "below", "above": "above", "within": "exactly at"}[direction]
    numbers = [
        number("nights", "Nights with a value", len(values), "nights"),
        number("reached", f"Nights with at least {LIMIT} {UNIT}", int((values >= LIMIT).sum()), None),
        number("median", f"{LABEL}, median night", median, UNIT, direction, len(values)),
        number("low", f"{LABEL}, median, 95 % interval from", low, UNIT),
        number("high", f"{LABEL}, median, 95 % interval to", high, UNIT),
        number("lag", f"{LABEL}, correlation of neighbouring nights (widens the interval), percent", 100 * lag, "%"),
        number("limit", f"{LABEL} {RECOMMENDED}", LIMIT, UNIT, window=None, comparator=">="),
    ]
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement": (
        f"Over the last {WINDOW} days, a typical night had {{median}}, {place} what is {RECOMMENDED}. "
        "In {reached} of {nights} it was {limit}.")}
