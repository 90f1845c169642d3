def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Robust trend of resting heart rate over the last 60 days.

    Uses the rows of the 60 calendar days that end with profile_df["data_through"] where resting_heart_rate has a
    value and valid_day is true. If break_before is true on a day of the window, only days from the latest such day
    on count (that day included).

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 20 days count;
    days: how many count (always there);
    bpm_per_week: the Theil-Sen slope, that is the median of the slopes of all pairs of days, per 7 days; None where
    insufficient;
    median: median of resting heart rate over the days that count; None where insufficient.
    """
