# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import numpy as np
import pandas as pd
from scipy import stats

WINDOW, NEEDED, OLD = 90, 68, 14
METRICS = {
    "resting_heart_rate": ("Resting heart rate", "bpm", "valid_day", -1),
    "heart_rate_variability": ("Heart rate variability", "ms", None, 1),
    "vo2max": ("Cardio fitness estimate", "mL/kg/min", "valid_day", 1),
}
VERBS = {"rising": "rose by", "falling": "fell by", "steady": "was steady with a median of"}


def number(name, label, value, unit, decimals=0, direction=None, days=None, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals,
            "window": window, "direction": direction, "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def trend(values):
    day = np.asarray((values.index - values.index[0]).days, dtype=float)
    slope, intercept, low, high = stats.theilslopes(values.to_numpy(), day)
    daily = pd.Series(values.to_numpy() - intercept - slope * day, index=values.index).asfreq("D")
    lag = float(np.clip(np.nan_to_num(daily.corr(daily.shift(1))), 0.0, 0.9))
    wider = np.sqrt((1 + lag) / (1 - lag))
    return slope, slope - wider * (slope - low), slope + wider * (high - slope), lag, day[-1]


def describe(metric, values):
    (label, unit, _, good), days, weekly = METRICS[metric], len(values), f"{METRICS[metric][1]} per week"
    slope, low, high, lag, length = trend(values)
    moved = abs(slope * length) >= 0.05 and (low > 0 or high < 0)
    direction = "steady" if not moved else "rising" if low > 0 else "falling"
    told = (f"{metric}_change", f"{label}, size of the change", abs(slope * length)) if moved else (
        f"{metric}_median", f"{label}, median", values.median())
    numbers = [
        number(*told, unit, 1, direction, days),
        number(f"{metric}_rate", f"{label}, Theil-Sen slope", 7 * slope, weekly, 2, direction, days),
        number(f"{metric}_low", f"{label}, slope, 95 % interval from", 7 * low, weekly, 2, None, days),
        number(f"{metric}_high", f"{label}, slope, 95 % interval to", 7 * high, weekly, 2, None, days),
        number(f"{metric}_lag", f"{label}, correlation of neighbouring days (widens the interval)", lag, None, 2),
    ]
    phrase = f"{'the ' if metric == 'vo2max' else ''}{label[0].lower()}{label[1:]} {VERBS[direction]} {{{told[0]}}}"
    return numbers, phrase, good * {"rising": 1, "falling": -1, "steady": 0}[direction]


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    whole, breaks = window[~window["is_partial"]], window.index[window["break_before"]]
    recent = whole[whole.index >= breaks.max()] if len(breaks) else whole
    numbers, phrases, signs, most, uncut = [], [], [], 0, 0
    for metric, (_, _, gate, _) in METRICS.items():
        values, with_break = ((rows[rows[gate]] if gate else rows)[metric].dropna() for rows in (recent, whole))
        most, uncut = max(most, len(values)), max(uncut, len(with_break))
        if len(values) >= NEEDED:
            own, phrase, sign = describe(metric, values)
            numbers, phrases, signs = numbers + own, [*phrases, phrase], [*signs, sign]
    since = " since the last change of device or algorithm" if len(breaks) else ""
    if not phrases:
        return insufficient("break_in_window" if uncut >= NEEDED else "too_few_days",
                            f"Not enough days yet{since}: {{days}} of {{needed}}.",
                            [number("days", "Days with data", most, None),
                             number("needed", "Days needed", NEEDED, "days", window=None)])
    numbers += [number(f"towards_{way}", f"Signals that moved towards {way} fitness", signs.count(sign), None)
                for way, sign in (("more", 1), ("less", -1))]
    told = " and ".join(filter(None, [", ".join(phrases[:-1]), phrases[-1]]))
    tail = f" Only days{since} count." if since else ""
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement":
            f"Over the last {WINDOW} days, {told}. These are signals of the wearable, not a fitness test.{tail}"}
