def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Whether heart rate variability differs after active days: Welch's t-test.

    heart_rate_variability of the row dated d belongs to the night that follows the day d - 1. That day is active where
    the row dated d - 1 has active_zone_minutes of at least 30, quiet where it has fewer; without that row or value
    the night belongs to neither group. Nights without heart_rate_variability are left out. All rows count.

    Returns a dict with
    outcome: "ok"; "insufficient" where a group has fewer than 5 nights; else "constant" where neither group varies;
    active_nights, quiet_nights: nights in each group (always there);
    difference: mean after active days minus mean after quiet days, None where insufficient;
    t, p: Welch's t (active minus quiet) and its two-sided p, None unless ok;
    significant: true where p is below 0.05, None unless ok.
    """
