# pyright: basic, reportOperatorIssue=false, reportArgumentType=false, reportUndefinedVariable=false
import pandas as pd

WINDOW, NEEDED, NEEDED_WEEKEND, OLD = 90, 68, 19, 14
METRICS = {
    "steps": ("Steps", "steps", "valid_day", "there were more steps", "there were fewer steps"),
    "sleep_minutes": ("Sleep", "minutes", None, "sleep was longer", "sleep was shorter"),
}


def number(name, label, value, unit, decimals=0, direction=None, comparator=None, days=None,
           window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": decimals,
            "window": window, "direction": direction, "comparator": comparator, "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def describe(metric, weekday, weekend):
    label, unit, _, more, less = METRICS[metric]
    both = pd.concat([weekday, weekend]).sort_index()
    is_weekend = pd.DatetimeIndex(both.index).weekday >= 5
    size, low, high, p, lag = effect_of(both, is_weekend, len(METRICS))
    at = {"weekend": weekend.median(), "weekday": weekday.median()}
    apart = at["weekend"] - at["weekday"] if low > 0 or high < 0 else 0
    direction = "above" if size > 0 < apart else "below" if size < 0 > apart else None
    numbers = [
        *(number(f"{metric}_{name}", f"{label}, {name} median", at[name], unit, 0,
                 direction if name == "weekend" else None, None, len(group))
          for name, group in (("weekend", weekend), ("weekday", weekday))),
        number(f"{metric}_apart", f"{label}, weekends less weekdays", size, unit, 0),
        number(f"{metric}_p", f"{label}, p of the difference", max(p, 0.001), None, 3, None,
               "<" if p < 0.001 else None, len(both)),
        number(f"{metric}_lag", f"{label}, correlation of neighbouring days (p knows it)", lag, None, 2),
    ]
    words = (f"{more if apart > 0 else less} on weekends than on weekdays" if direction else
             f"{label.lower()} showed no clear difference between weekends and weekdays")
    return numbers, f"{words} (typically {{{metric}_weekend}} against {{{metric}_weekday}})"


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
    numbers, phrases, most, uncut = [], [], (0, 0), 0
    for metric, (_, _, gate, _, _) in METRICS.items():
        values, with_break = ((rows[rows[gate]] if gate else rows)[metric].dropna() for rows in (recent, whole))
        weekend = values.index.weekday >= 5
        most, uncut = max(most, (len(values), int(weekend.sum()))), max(uncut, len(with_break))
        if len(values) >= NEEDED and weekend.sum() >= NEEDED_WEEKEND:
            own, phrase = describe(metric, values[~weekend], values[weekend])
            numbers, phrases = numbers + own, [*phrases, phrase]
    if not phrases:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        kind, i, needed = ("days", 0, NEEDED) if most[0] < NEEDED else ("weekend days", 1, NEEDED_WEEKEND)
        return insufficient("break_in_window" if most[0] < NEEDED <= uncut else "too_few_days",
                            f"Not enough {kind} yet{since}: {{days}} of {{needed}}.",
                            [number("days", f"{kind.capitalize()} with data", most[i], None),
                             number("needed", f"{kind.capitalize()} needed", needed, "days", window=None)])
    limit = LEVEL / len(METRICS)
    numbers.append(number("limit", "Limit of p for a clear difference (two comparisons)", limit, None, 3, window=None))
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement":
            f"Over the last {WINDOW} days, {'; '.join(phrases)}."}
