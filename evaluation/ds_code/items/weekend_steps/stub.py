def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Mean steps on weekend days against weekdays.

    Only rows with valid_day true, is_partial false and a value of steps count, over the whole of summary_df.
    Weekend days are Saturday and Sunday by the row's date.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 4 weekend days or fewer than 10 weekdays count;
    weekend_days, weekday_days: how many count (always there);
    weekend_mean, weekday_mean: means; percent: how much the weekend mean lies above the weekday mean, in percent of
    the weekday mean (negative: below). All three None where insufficient; percent is None where weekday_mean is 0.
    """
