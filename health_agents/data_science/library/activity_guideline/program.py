# pyright: basic, reportOperatorIssue=false, reportArgumentType=false
import pandas as pd

WINDOW, OLD, GUIDELINE = 90, 14, 150
WEEK_DAYS_NEEDED, WEEKS_NEEDED = 6, 9


def number(name, label, value, unit, direction=None, window=f"last_{WINDOW}_days"):
    return {"name": name, "label": label, "value": value, "unit": unit, "decimals": 0,
            "window": window, "direction": direction}


def insufficient(reason, statement, numbers=()):
    return {"outcome": "insufficient", "reason": reason, "numbers": list(numbers), "statement": statement}


def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df):
    profile = profile_df.iloc[0]
    if summary_df.empty or pd.isna(profile["data_through"]):
        return insufficient("no_wearable_data", "There are no wearable data to answer this from.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The data are too old to say anything of the most recent weeks.")
    end = pd.Timestamp(profile["data_through"])
    start = end - pd.Timedelta(days=WINDOW - 1)
    first_monday = start + pd.Timedelta(days=(7 - start.weekday()) % 7)
    last_sunday = end - pd.Timedelta(days=(end.weekday() + 1) % 7)
    days = summary_df[(summary_df.index >= first_monday) & (summary_df.index <= last_sunday)]
    minutes = days.loc[days["valid_day"] & ~days["is_partial"], "active_zone_minutes"].dropna()
    mondays = minutes.index - pd.to_timedelta(minutes.index.weekday, unit="D")
    weeks = minutes.groupby(mondays).agg(["sum", "count"])
    judged = weeks.loc[weeks["count"] >= WEEK_DAYS_NEEDED, "sum"]
    count = number("weeks", "Calendar weeks with enough days", len(judged), "weeks")
    if len(judged) < WEEKS_NEEDED:
        return insufficient(
            "too_few_weeks",
            f"There is no answer: in the last {WINDOW} days, {{weeks}} had enough days of data and "
            "{needed} would be needed.",
            [count, number("needed", "Weeks needed", WEEKS_NEEDED, "weeks", window=None)])
    median = judged.median()
    direction = "below" if median < GUIDELINE else "above" if median > GUIDELINE else "within"
    numbers = [
        count,
        number("weeks_reached", "Weeks that reached the guideline", int((judged >= GUIDELINE).sum()), "weeks"),
        number("median_week", "Active zone minutes of the median week", median, "minutes", direction),
        number("guideline", "Guideline, active zone minutes a week", GUIDELINE, "minutes", window=None),
    ]
    return {
        "outcome": "answered", "reason": None, "numbers": numbers,
        "checks": {"judged_weeks_with_a_missing_day": int((weeks["count"] == WEEK_DAYS_NEEDED).sum())},
        "statement": (f"In the last {WINDOW} days, the guideline of {{guideline}} of activity a week was reached in "
                      "{weeks_reached} of the {weeks} with enough days of data. The median week "
                      f"had {{median_week}} of active zone time, {direction} the guideline."),
    }
