def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Sleep debt of the last 7 nights against 8 hours.

    The last 7 nights are the rows of the 7 calendar days that end with profile_df["data_through"]. A night without
    sleep_minutes adds no debt. The debt of a night is 480 minus sleep_minutes where that is above 0, else 0: long
    nights pay nothing back.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 5 of the 7 nights have a value;
    nights: nights with a value (always there);
    debt_minutes: sum of the debts; short_nights: nights below 420 minutes. Both None where insufficient.
    """
