def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Regularity of bedtime over the last 30 nights.

    Uses the rows of the 30 calendar days that end with profile_df["data_through"] where bed_minute has a value and
    tz_change is false. bed_minute is the start of the main sleep in minutes from 00:00 of the row's date (-30 is
    23:30 of the evening before, 20 is 00:20), so it can be averaged as it stands.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 15 nights count;
    nights: how many count (always there);
    mean_bedtime: mean bed_minute as clock text "HH:MM" (24 hours; -30 gives "23:30", 20 gives "00:20"), the mean
    rounded to the nearest whole minute first; sd_minutes: sample standard deviation (n - 1), not rounded;
    regular: true where sd_minutes is at most 60. All three are None where insufficient.
    """
