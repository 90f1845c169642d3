def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """The calendar week with the most active zone minutes.

    Weeks run from Monday to Sunday. A week counts where at least 6 of its days have a value of active_zone_minutes
    (in rows with is_partial false). Its total is the sum of those values; missing days are not filled in.

    Returns a dict with
    outcome: "ok", or "insufficient" where no week counts;
    weeks: how many weeks count (always there);
    week_start: ISO date of the Monday of the week with the largest total; of equal totals the latest week;
    total: its total. Both None where insufficient.
    """
