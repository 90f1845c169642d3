# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import numpy as np
import pandas as pd
from scipy import stats

WINDOW, NEEDED, OLD = 90, 68, 14
METRICS = {
    "resting_heart_rate": ("Resting heart rate", "bpm per week", "valid_day", -1),
    "heart_rate_variability": ("Heart rate variability", "ms per week", None, 1),
    "vo2max": ("Cardio fitness estimate", "mL/kg/min per week", "valid_day", 1),
}


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
    return 7 * slope, 7 * (slope - wider * (slope - low)), 7 * (slope + wider * (high - slope)), lag


def describe(metric, values):
    label, unit = METRICS[metric][:2]
    rate, low, high, lag = trend(values)
    direction = "rising" if low > 0 else "falling" if high < 0 else "steady"
    numbers = [
        number(f"{metric}_rate", f"{label}, change per week", rate, unit, 2, direction, len(values)),
        number(f"{metric}_low", f"{label}, lower end of the interval", low, unit, 2, None, len(values)),
        number(f"{metric}_high", f"{label}, upper end of the interval", high, unit, 2, None, len(values)),
        number(f"{metric}_days", f"{label}, days with data", len(values), "days"),
    ]
    return numbers, (f"{label} is {direction} over the last {WINDOW} days: {{{metric}_rate}} ({{confidence}} "
                     f"interval {{{metric}_low}} to {{{metric}_high}}, {{{metric}_days}})."), lag


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data to answer this from.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The data are too old to say anything of the most recent days.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    whole, breaks = window[~window["is_partial"]], window.index[window["break_before"]]
    recent = whole[whole.index >= breaks.max()] if len(breaks) else whole
    numbers, sentences, signs, lags, most, uncut = [], [], [], {}, 0, 0
    for metric, (_, _, gate, good) in METRICS.items():
        values, with_break = ((rows[rows[gate]] if gate else rows)[metric].dropna() for rows in (recent, whole))
        most, uncut = max(most, len(values)), max(uncut, len(with_break))
        if len(values) >= NEEDED:
            own, sentence, lags[metric] = describe(metric, values)
            numbers, sentences = numbers + own, [*sentences, sentence]
            signs.append(good * {"rising": 1, "falling": -1, "steady": 0}[own[0]["direction"]])
    if not sentences:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient(
            "break_in_window" if uncut >= NEEDED else "too_few_days",
            f"There is no answer: of the last {WINDOW} days, {{days}}{since} have data and {{needed}} would be needed.",
            [number("days", "Days with data", most, "days"),
             number("needed", "Days needed", NEEDED, "days", window=None)])
    more, less = 1 in signs, -1 in signs
    verdict = ("The signals disagree on fitness." if more and less else "This points towards gaining fitness."
               if more else "This points towards losing fitness." if less else "No clear change of fitness shows.")
    since = " Only days since the last change of device or algorithm count." if len(breaks) else ""
    numbers.append(number("confidence", "Confidence of the intervals", 95, "%", window=None))
    return {"outcome": "answered", "reason": None, "numbers": numbers, "checks": {"lag_1_autocorrelation": lags},
            "statement": " ".join([*sentences, verdict]) + since}
