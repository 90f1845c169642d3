def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Mean daily steps of the last 30 days.

    The last 30 days are the 30 calendar days that end with profile_df["data_through"] (inclusive). A day counts
    where valid_day is true, is_partial is false and steps has a value.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 20 days count;
    days: how many days count (always there);
    mean_steps: their mean, not rounded; None where insufficient.
    """
