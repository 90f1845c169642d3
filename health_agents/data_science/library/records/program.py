# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd

WINDOW, NEEDED, OLD = 90, 68, 14
METRIC, LABEL, UNIT, OF = "steps", "Steps", "steps", "most steps"


def number(name, label, value, unit, days=None, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": 0, "window": window, "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def longest_run(held):
    runs = (~held).cumsum()[held]
    return int(runs.value_counts().max()) if len(runs) else 0


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    uncut = window.loc[window["valid_day"] & ~window["is_partial"], METRIC].dropna()
    breaks = window.index[window["break_before"]]
    values = uncut[uncut.index >= breaks.max()] if len(breaks) else uncut
    if len(values) < NEEDED:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient("break_in_window" if len(uncut) >= NEEDED else "too_few_days",
                            f"Not enough days yet{since}: {{days}} of {{needed}}.",
                            [number("days", "Days with data", len(values), None),
                             number("needed", "Days needed", NEEDED, "days", window=None)])
    typical, best = round(values.median() + 1e-9), values.max()
    run = longest_run((values >= typical).astype(bool).asfreq("D", fill_value=False))
    numbers = [
        number("best", f"{LABEL}, highest day", best, UNIT, len(values)),
        number("typical", f"{LABEL}, median day", typical, UNIT, len(values)),
        number("run", f"{LABEL}, days in a row at the median or above (a day without data ends a row)", run, "days"),
        number("since_best", "Days from the newest such day to the last day",
               (end - values[values == best].index[-1]).days, "days"),
    ]
    if best == typical:
        told = "all days were alike, with {typical} on a typical day"
    else:
        told = (f"the day with the {OF} had {{best}}, and a typical day {{typical}}. The longest run of days "
                "that reached a typical day lasted {run}")
    return {"outcome": "answered", "reason": None, "numbers": numbers,
            "statement": f"Over the last {WINDOW} days, {told}."}
