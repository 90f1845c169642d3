# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd

WINDOW, OLD, WEEK_DAYS_NEEDED, WEEKS_NEEDED = 90, 14, 6, 9


def number(name, label, value, unit, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": 0, "window": window}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def week_of(days):
    return days - pd.to_timedelta(days.weekday, unit="D")


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    start = end - pd.Timedelta(days=WINDOW - 1)
    first_monday = start + pd.Timedelta(days=(7 - start.weekday()) % 7)
    last_sunday = end - pd.Timedelta(days=(end.weekday() + 1) % 7)
    days = summary_df[(summary_df.index >= first_monday) & (summary_df.index <= last_sunday)]
    worn = days.index[days["valid_day"] & ~days["is_partial"]]
    counts = week_of(worn).value_counts().sort_index()
    judged = counts.index[counts >= WEEK_DAYS_NEEDED]
    if len(judged) < WEEKS_NEEDED:
        return insufficient("too_few_weeks", "Not enough weeks with data yet: {weeks} of {needed}.",
                            [number("weeks", "Calendar weeks with enough days", len(judged), None),
                             number("needed", "Weeks needed", WEEKS_NEEDED, "weeks", None)])
    if activities_df.empty:
        return insufficient("no_exercise_recorded", "There are no recorded exercises.")
    dated = activities_df.dropna(subset=["start_time"])
    on = pd.DatetimeIndex(dated["start_time"]).normalize()
    whole = dated[on.isin(worn)].assign(week=week_of(on[on.isin(worn)]))
    lasting = whole["active_duration_minutes"].fillna(whole["duration_minutes"])
    weeks = pd.DataFrame({"times": whole.groupby("week").size(), "minutes": lasting.groupby(whole["week"]).sum()})
    weeks = weeks.reindex(judged, fill_value=0)
    numbers = [
        number("weeks", "Calendar weeks with enough days", len(judged), "weeks"),
        number("weeks_with", "Weeks with a recorded exercise", int((weeks["times"] > 0).sum()), None),
        number("times", "Exercises of the median week", int(weeks["times"].median() + 0.5), None),
        number("minutes", "Minutes of exercise of the median week", int(weeks["minutes"].median() + 0.5), "minutes"),
        number("undated", "Exercises whose local day is unknown (left out)", len(activities_df) - len(dated), None),
    ]
    times = int(weeks["times"].median() + 0.5)
    typical = "a typical week had none" if times == 0 else (
        "a typical week had {times}, with {minutes} in all")
    return {"outcome": "answered", "reason": None, "numbers": numbers, "statement": (
        f"Over the last {WINDOW} days, exercise was recorded in {{weeks_with}} of the {{weeks}} with enough data; "
        f"{typical}.")}
