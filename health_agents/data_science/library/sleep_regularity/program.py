# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd

WINDOW, NEEDED, OLD, LIMIT = 30, 23, 14, 60
TIMES = {"bed_minute": ("bedtime", "Bedtime"), "wake_up_minute": ("wake_up_time", "Wake-up time")}


def number(name, label, value, unit, direction=None, days=None, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": 0,
            "window": window, "direction": direction, "days": days}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data to answer this from.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The data are too old to say anything of the most recent nights.")
    end = pd.Timestamp(profile["data_through"])
    window = summary_df[(summary_df.index > end - pd.Timedelta(days=WINDOW)) & (summary_df.index <= end)]
    uncut = window.loc[~window["is_partial"] & ~window["tz_change"], list(TIMES)].dropna()
    breaks = window.index[window["break_before"]]
    nights = uncut[uncut.index >= breaks.max()] if len(breaks) else uncut
    count = number("nights", "Nights with a main sleep", len(nights), "nights")
    if len(nights) < NEEDED:
        since = " since the last change of device or algorithm" if len(breaks) else ""
        return insufficient(
            "break_in_window" if len(uncut) >= NEEDED else "too_few_nights",
            f"There is no answer: the last {WINDOW} days hold {{nights}}{since} with a main sleep and {{needed}} would "
            "be needed.", [count, number("needed", "Nights needed", NEEDED, "nights", window=None)])
    numbers, sentences, checks = [count], [], {}
    for column, (name, label) in TIMES.items():
        spread, middle = nights[column].std(ddof=1), nights[column].median()
        direction = "above" if spread > LIMIT else "within"
        checks[f"{name}_sd_from_mad"] = 1.4826 * (nights[column] - middle).abs().median()
        numbers.append(number(f"{name}_sd", f"{label}, standard deviation", spread, "minutes", direction, len(nights)))
        sentences.append(f"{label} varied by {{{name}_sd}} (standard deviation) over the last {WINDOW} days, "
                         f"which is {direction} what counts as regular ({{limit}}).")
    numbers.append(number("limit", "Largest regular standard deviation", LIMIT, "minutes", window=None))
    return {"outcome": "answered", "reason": None, "numbers": numbers, "checks": checks,
            "statement": " ".join([*sentences, "This rests on {nights}."])}
