# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd

WINDOW, NEEDED, OLD, LIMIT = 30, 23, 14, 60
TIMES = {"bed_minute": ("bedtime", "Bedtime"), "wake_up_minute": ("wake_up_time", "Wake-up time")}


def number(name, label, value, unit, direction=None, days=None, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": 0, "window": window,
            "direction": direction, "days": days, "comparator": "<=" if name == "limit" else None}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    uncut = window.loc[~window["is_partial"] & ~window["tz_change"], list(TIMES)].dropna()
    breaks = window.index[window["break_before"]]
    nights = uncut[uncut.index >= breaks.max()] if len(breaks) else uncut
    if len(nights) < NEEDED:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient(
            "break_in_window" if len(uncut) >= NEEDED else "too_few_nights",
            f"Not enough nights yet{since}: {{nights}} of {{needed}}.",
            [number("nights", "Nights with a main sleep", len(nights), None),
             number("needed", "Nights needed", NEEDED, "nights", window=None)])
    numbers, phrases, places = [], [], []
    for column, (name, label) in TIMES.items():
        spread, middle = nights[column].std(ddof=1), nights[column].median()
        places.append("above" if spread >= LIMIT + 0.5 else "within")
        robust = 1.4826 * (nights[column] - middle).abs().median()
        numbers += [
            number(f"{name}_sd", f"{label}, standard deviation", spread, "minutes", places[-1], len(nights)),
            number(f"{name}_mad", f"{label}, spread that odd nights do not move (1.4826 times the median absolute "
                   "deviation)", robust, "minutes", None, len(nights)),
        ]
        phrases.append(f"{label.lower()} {'by' if phrases else 'typically varied by'} {{{name}_sd}}")
    numbers.append(number("limit", "Largest regular standard deviation", LIMIT, "minutes", window=None))
    regular = "what counts as regular"
    told = (f"{phrases[0]} and {phrases[1]}, both {places[0]} {regular}" if places[0] == places[1] else
            f"{phrases[0]}, {places[0]} {regular}, and {phrases[1]}, {places[1]} {regular}")
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement":
            f"Over the last {WINDOW} days, {told}. A variation of {{limit}} from night to night counts as regular."}
