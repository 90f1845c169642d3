def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Exercise minutes by activity over the last 28 days.

    Looks at activities_df rows whose local start_time falls on one of the 28 calendar days that end with
    profile_df["data_through"] (that day included). Rows without activity_name are put under "other". The minutes
    of a row are its duration_minutes; rows without them are left out.

    Returns a dict with
    outcome: "ok", or "insufficient" where no row is left;
    sessions: how many rows are left (always there);
    minutes: a dict of activity name to its total minutes (an empty dict where insufficient);
    most: the name with the largest total; of equal totals the first in alphabetical order; None where insufficient.
    """
