def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Median sleep of the last 14 nights against that of the 14 nights before.

    Nights carry the date of waking (the row's date). The recent window is the 14 calendar days that end with
    profile_df["data_through"]; the earlier window the 14 days before it. A night counts where sleep_minutes has a
    value and is_partial is false.

    Returns a dict with
    outcome: "ok", or "insufficient" where either window has fewer than 10 nights that count;
    recent_nights, earlier_nights: how many count (always there);
    recent_median, earlier_median: medians in minutes; difference: recent minus earlier. All three are None where
    insufficient.
    """
