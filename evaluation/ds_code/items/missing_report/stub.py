def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Which measures are missing on most days.

    Looks at steps, sleep_minutes, resting_heart_rate, heart_rate_variability and stress_management_score in the rows
    of the 60 calendar days that end with profile_df["data_through"]. Dates of those 60 that have no row count as days
    on which all five are missing.

    Returns a dict with
    outcome: "ok", or "insufficient" where none of the 60 dates has a row;
    missing: a dict of each of the five columns to its share of the 60 days without a value (0 to 1), None where
    insufficient;
    mostly_missing: names of the columns whose share is above 0.5, in alphabetical order (an empty list where there
    are none or insufficient);
    complete_days: number of days on which all five have a value, None where insufficient.
    """
