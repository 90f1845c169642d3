# pyright: basic, reportOperatorIssue=false, reportArgumentType=false, reportUndefinedVariable=false
import numpy as np
import pandas as pd

WINDOWS, SHARE, OLD = (90, 120, 150, 180), 0.75, 14
METRICS = {
    "resting_heart_rate": ("Resting heart rate", "bpm", "valid_day", -1),
    "heart_rate_variability": ("Heart rate variability", "ms", None, 1),
    "vo2max": ("Cardio fitness estimate", "mL/kg/min", "valid_day", 1),
}
VERBS = {"rising": "rose by", "falling": "fell by", "steady": "was steady with a median of"}


def number(name, label, value, unit, decimals=0, direction=None, days=None, window=None):
    return locals()


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def describe(metric, values, window):
    (label, unit, _, good), days, weekly = METRICS[metric], len(values), f"{METRICS[metric][1]} per week"
    day = np.asarray((values.index - values.index[0]).days, dtype=float)
    slope, low, high, _, lag = effect_of(values, day, len(METRICS))
    moved = abs(slope * day[-1]) >= 0.05 and (low > 0 or high < 0)
    direction = "steady" if not moved else "rising" if low > 0 else "falling"
    told = (f"{metric}_change", f"{label}, size of the change", abs(slope * day[-1])) if moved else (
        f"{metric}_median", f"{label}, median", values.median())
    interval = f"{label}, slope, 99.2 % interval of all signals together,"
    numbers = [
        number(*told, unit, 1, direction, days, window),
        number(f"{metric}_rate", f"{label}, slope", 7 * slope, weekly, 2, direction, days, window),
        number(f"{metric}_low", f"{interval} from", 7 * low, weekly, 2, None, days, window),
        number(f"{metric}_high", f"{interval} to", 7 * high, weekly, 2, None, days, window),
        number(f"{metric}_lag", f"{label}, correlation of neighbouring days (widens the interval)", lag, None, 2),
    ]
    phrase = f"{'the ' if metric == 'vo2max' else ''}{label[0].lower()}{label[1:]} {VERBS[direction]} {{{told[0]}}}"
    return numbers, phrase, good * {"rising": 1, "falling": -1, "steady": 0}[direction]


def counted(rows):
    return {name: (rows[rows[gate]] if gate else rows)[name].dropna() for name, (_, _, gate, _) in METRICS.items()}


def days_of_window(summary, end, length):
    window = summary[(summary.index > end - pd.Timedelta(days=length)) & (summary.index <= end)]
    whole, last_break = window[~window["is_partial"]], window.index[window["break_before"]].max()
    uncut = counted(whole)
    return uncut if pd.isna(last_break) else counted(whole[whole.index >= last_break]), uncut, not pd.isna(last_break)


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    found = {n: days_of_window(summary_df, pd.Timestamp(profile["data_through"]), n) for n in WINDOWS}
    enough = {n: {name: v for name, v in days.items() if len(v) >= SHARE * n} for n, (days, _, _) in found.items()}
    length = max(WINDOWS, key=lambda n: (len(enough[n]), sum(map(len, enough[n].values()))))
    kept, uncut, is_cut = found[length]
    since = " since the last change of device or algorithm" if is_cut else ""
    if not enough[length]:
        have, had, needed = *(max(map(len, days.values())) for days in (kept, uncut)), np.ceil(SHARE * length)
        return insufficient("break_in_window" if had >= needed else "too_few_days",
                            f"Not enough days yet{since}: {{days}} of {{needed}}.",
                            [number("days", "Days with data", have, None, window=f"last_{length}_days"),
                             number("needed", "Days needed", needed, "days")])
    numbers, phrases, signs = [], [], []
    for metric, values in enough[length].items():
        own, phrase, sign = describe(metric, values, f"last_{length}_days")
        numbers, phrases, signs = numbers + own, [*phrases, phrase], [*signs, sign]
    numbers += [number(f"towards_{way}", f"Signals that moved towards {way} fitness", signs.count(sign), None)
                for way, sign in (("more", 1), ("less", -1))]
    told = " and ".join(filter(None, [", ".join(phrases[:-1]), phrases[-1]]))
    tail = f" Only days{since} count." if since else ""
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement":
            f"Over the last {length} days, {told}. These are signals of the wearable, not a fitness test.{tail}"}
