# pyright: basic, reportOperatorIssue=false, reportArgumentType=false, reportUndefinedVariable=false
import numpy as np
import pandas as pd

WINDOW, RECENT, OLD, DEVIATION, CENTRE = 90, 30, 14, False, "median"
METRICS = {"resting_heart_rate": ("Resting heart rate", "bpm", 1, "valid_day")}
HOW = {"median": "typically", "mean": "on average"}
WORDS = ("was higher than before", "was lower than before", "showed no clear change")


def number(name, label, value, unit, decimals=0, direction=None, days=None, window=None):
    return locals()


def answer(outcome, reason, statement, numbers=()):
    return {"outcome": outcome, "reason": reason, "numbers": list(numbers), "statement": statement}


def describe(metric, label, unit, decimals, recent, earlier):
    recent, earlier = (abs(part - part.median()) if DEVIATION else part for part in (recent, earlier))
    both = pd.concat([earlier, recent])
    is_recent = np.arange(len(both)) >= len(earlier)
    both = np.sqrt(both.astype(float)) if DEVIATION else both
    shift, low, high, _, lag = effect_of(both, is_recent, len(METRICS), DEVIATION or CENTRE == "mean")
    newer, before = (round(part.agg(CENTRE) + 1e-9, decimals) for part in (recent, earlier))
    way = "above" if low > 0 and newer > before else "below" if high < 0 and newer < before else None
    own, scale = (None, " (square roots of distances)") if DEVIATION else (unit, "")
    numbers = [
        number("recent", f"{CENTRE} of the recent time", newer, unit, decimals, way, len(recent),
               f"last_{RECENT}_days"),
        number("earlier", f"{CENTRE} of the time before", before, unit, decimals, None, len(earlier)),
        number("shift", f"shift between the two{scale}", shift, own, 2),
        number("low", "shift, 99.2 % interval of all measures together, from", low, own, 2),
        number("high", "shift, 99.2 % interval of all measures together, to", high, own, 2),
        number("lag", "correlation of neighbouring days (widens the interval)", lag, None, 2),
    ]
    words = dict(zip(("above", "below", None), WORDS, strict=True))[way]
    told = label if label[1].isupper() else label[0].lower() + label[1:]
    phrase = f"{told} {words} ({HOW[CENTRE]} {{{metric}_recent}} against {{{metric}_earlier}})"
    return [n | {"name": f"{metric}_{n['name']}", "label": f"{label}, {n['label']}"} for n in numbers], phrase


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return answer("insufficient", "no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return answer("insufficient", "data_old", "The newest data are too old for an answer.")
    end, needed = pd.Timestamp(profile["data_through"]), np.ceil([0.75 * RECENT, 0.75 * (WINDOW - RECENT)])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    whole, since = window[~window["is_partial"]], window.index[window["break_before"]].max()
    numbers, phrases, most, uncut = [], [], 0, 0
    for metric, (label, unit, decimals, gate) in METRICS.items():
        values = (whole[whole[gate]] if gate else whole)[metric].dropna()
        kept = values if pd.isna(since) else values[values.index >= since]
        split, kind = end - pd.Timedelta(days=RECENT), "days" if gate else "nights"
        have, had = (sum(np.minimum(np.bincount(v.index > split, minlength=2)[::-1], needed)) for v in (kept, values))
        most, uncut = max(most, have), max(uncut, had)
        if have == needed.sum():
            own, phrase = describe(metric, label, unit, decimals, kept[kept.index > split], kept[kept.index <= split])
            numbers, phrases = numbers + own, [*phrases, phrase]
    if phrases:
        return answer("answered", None, f"Over the last {RECENT} days, {'; '.join(phrases)}.", numbers)
    of = "" if pd.isna(since) else " since the last change of device or algorithm"
    return answer("insufficient", "break_in_window" if uncut == needed.sum() else f"too_few_{kind}",
                  f"Not enough {kind} yet{of}: {{days}} of {{needed}}.",
                  [number("days", "Days that count", most, None), number("needed", "Needed", needed.sum(), kind)])
