def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Steps in the fortnight before and after the newest blood draw.

    The draw is the newest collected_date of labs_df that is not after profile_df["data_through"]. Before: the 14
    calendar days that end with the day before the draw. After: the 14 calendar days that begin with the day after
    it. The day of the draw is in neither. A day counts where valid_day is true and steps has a value.

    Returns a dict with
    outcome: "ok"; "no_draw" where there is no such date; else "insufficient" where either side has fewer than 7 days;
    draw: ISO date of the draw, None where no_draw;
    days_before, days_after: days that count, 0 where no_draw;
    median_before, median_after; u: Mann-Whitney's U of the after values (the number of pairs in which the after value
    is larger, ties counting one half); superiority: u / (days_before * days_after). All four None unless ok.
    """
