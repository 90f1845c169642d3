# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import numpy as np
import pandas as pd
from scipy import stats

WINDOW, NEEDED, OLD, LEVEL, DAYS_LATER = 90, 68, 14, 0.01, 0
FIRST = ("sleep_minutes", None)
SECOND = ("resting_heart_rate", "valid_day", "Resting heart rate", "bpm", 1)
WHEN = ("after nights of much sleep", "after nights of little sleep")


def number(name, label, value, unit, decimals=0, days=None, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals, "window": window,
            "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def own_course(values):
    ranks = values.rank().to_numpy(dtype=float)
    days = np.asarray((values.index - values.index[0]).days, dtype=float)
    calendar = np.column_stack([np.ones(len(days)), days, values.index.weekday >= 5])
    left = ranks - calendar @ np.linalg.lstsq(calendar, ranks, rcond=None)[0]
    return pd.Series(np.where(abs(left) < 1e-9, 0, left), index=values.index)


def correlation(pairs):
    left = pairs.apply(own_course)
    if (left.nunique() == 1).any():
        return 0.0, -1.0, 1.0, float(len(pairs))
    rho = left["first"].corr(left["second"])
    lags = [left[name].corr(left[name].shift(1, freq="D")) for name in left]
    alike = float(np.clip(np.nan_to_num(lags[0] * lags[1]) if min(lags) > 0 else 0, 0, 0.81))
    independent = len(pairs) * (1 - alike) / (1 + alike)
    half = stats.norm.isf(LEVEL / 2) * np.sqrt((1 + rho**2 / 2) / (independent - 5))
    middle = np.arctanh(np.clip(rho, -0.999, 0.999))
    return rho, np.tanh(middle - half), np.tanh(middle + half), independent


def pairs_of(days):
    one, other = ((days[days[gate]] if gate else days)[name].dropna() for name, gate in (FIRST, SECOND[:2]))
    return pd.DataFrame({"first": one.shift(DAYS_LATER, freq="D"), "second": other}).dropna()


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    whole, breaks = window[~window["is_partial"]], window.index[window["break_before"]]
    pairs = pairs_of(whole[whole.index >= breaks.max()] if len(breaks) else whole)
    if len(pairs) < NEEDED:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient("break_in_window" if len(pairs_of(whole)) >= NEEDED else "too_few_days",
                            f"Not enough days with both yet{since}: {{days}} of {{needed}}.",
                            [number("days", "Days with both measures", len(pairs), None),
                             number("needed", "Days needed", NEEDED, "days", window=None)])
    (_, _, label, unit, decimals), middle = SECOND, pairs["first"].median()
    much, little = (pairs.loc[side, "second"] for side in (pairs["first"] > middle, pairs["first"] < middle))
    if little.empty or much.empty:
        return insufficient("no_variation", "The days are too much alike to tell of a link.")
    rho, low, high, independent = correlation(pairs)
    apart = round(much.median() + 1e-9, decimals) - round(little.median() + 1e-9, decimals)
    link = "together" if low > 0 and apart > 0 else "against each other" if high < 0 and apart < 0 else None
    told = f"both went {link}. A link does not tell a cause" if link else "this is no clear link"
    details = {"rho": ("rank correlation, time and weekends taken out", rho), "low": ("99 % interval from", low),
               "high": ("99 % interval to", high), "independent": ("days that count as independent", independent)}
    return {"outcome": "answered", "reason": None, "numbers": [
        number("much", f"{label}, median {WHEN[0]}", much.median(), unit, decimals, len(much)),
        number("little", f"{label}, median {WHEN[1]}", little.median(), unit, decimals, len(little)),
        *(number(name, f"Link, {words}", value, None, 2, len(pairs)) for name, (words, value) in details.items())],
        "statement": (f"Over the last {WINDOW} days, {label[0].lower()}{label[1:]} was typically {{much}} {WHEN[0]} "
                      f"and {{little}} {WHEN[1]}; {told}.")}
