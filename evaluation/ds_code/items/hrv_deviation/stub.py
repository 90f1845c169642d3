def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """How far last night's heart rate variability lies from the personal baseline.

    Last night is the row dated profile_df["data_through"]. The baseline are the values of
    heart_rate_variability of the 28 calendar days before it (that row not included), missing ones left out.

    Returns a dict with
    outcome: "ok"; "missing" where last night has no row or no value; else "insufficient" where the baseline has
    fewer than 14 values; else "constant" where the baseline's standard deviation is 0;
    baseline_nights: values in the baseline (always there, whatever the outcome);
    z: (last night - mean of the baseline) / sample standard deviation (n - 1) of the baseline;
    unusual: true where z is below -2 or above 2. z and unusual are None unless outcome is "ok".
    """
