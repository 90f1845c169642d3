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
        return insufficient("no_wearable_data", "There are no wearable data yet.")
    if profile["days_behind"] > OLD:
        return insufficient("data_old", "The newest data are too old for an answer.")
    end = pd.Timestamp(profile["data_through"])
    start = end - pd.Timedelta(days=WINDOW - 1)
    first_monday = start + pd.Timedelta(days=(7 - start.weekday()) % 7)
    last_sunday = end - pd.Timedelta(days=(end.weekday() + 1) % 7)
    days = summary_df[(summary_df.index >= first_monday) & (summary_df.index <= last_sunday)]
    minutes = days.loc[days["valid_day"] & ~days["is_partial"], "active_zone_minutes"].dropna()
    mondays = minutes.index - pd.to_timedelta(minutes.index.weekday, unit="D")
    weeks = minutes.groupby(mondays).agg(["sum", "count"])
    judged = weeks.loc[weeks["count"] >= WEEK_DAYS_NEEDED, "sum"]
    if len(judged) < WEEKS_NEEDED:
        return insufficient(
            "too_few_weeks",
            "Not enough weeks with data yet: {weeks} of {needed}.",
            [number("weeks", "Calendar weeks with enough days", len(judged), None),
             number("needed", "Weeks needed", WEEKS_NEEDED, "weeks", window=None)])
    median = int(judged.median() + 0.5)
    direction = "below" if median < GUIDELINE else "above" if median > GUIDELINE else "within"
    numbers = [
        number("weeks", "Calendar weeks with enough days", len(judged), "weeks"),
        number("weeks_reached", "Weeks that reached the guideline", int((judged >= GUIDELINE).sum()), None),
        number("median_week", "Active zone minutes of the median week", median, "minutes", direction),
        number("guideline", "Guideline, active zone minutes a week", GUIDELINE, "minutes", window=None),
        number("short_weeks", "Judged weeks that lack a day (their sums are lower bounds)",
               (weeks["count"] == WEEK_DAYS_NEEDED).sum(), "weeks"),
    ]
    return {
        "outcome": "answered", "reason": None, "numbers": numbers,
        "statement": (f"Over the last {WINDOW} days, the guideline of {{guideline}} of moderate activity a week was "
                      "reached in {weeks_reached} of the {weeks} with enough data. A typical week had "
                      f"{{median_week}} of active zone time, {direction} the guideline."),
    }
