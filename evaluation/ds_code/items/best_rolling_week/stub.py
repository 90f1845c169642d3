def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """The best seven days in a row by mean steps.

    For each date of a row of summary_df, the seven days that end with it are that date and the six calendar dates
    before it. They count where at least 5 of the seven have a row with is_partial false and a value of steps; their
    mean is over those days only.

    Returns a dict with
    outcome: "ok", or "insufficient" where no seven days count;
    periods: how many such periods count (always there);
    best_mean: the largest mean; best_end: ISO date with which that period ends, of equal means the latest;
    latest_mean: mean of the period that ends with profile_df["data_through"], None where it does not count.
    best_mean, best_end and latest_mean are None where insufficient.
    """
