def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """A least-squares line through VO2max.

    Uses the rows of the 180 calendar days that end with profile_df["data_through"] where vo2max has a value; x is the
    number of days from the first of them to the row's date, y is vo2max.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 8 values or where the first and the last lie less than 56 days
    apart;
    values: number of values (always there);
    slope_per_30_days: the slope of the ordinary least-squares line times 30;
    r_squared: squared correlation of x and y, 0 where y does not vary;
    fitted_end: the line's value at the last value's x. All three None where insufficient.
    """
