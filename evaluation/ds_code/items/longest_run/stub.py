def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """The longest run by distance.

    Looks at activities_df rows with activity_name exactly "Run" and a value of distance_m above 0.

    Returns a dict with
    outcome: "ok", or "insufficient" where no row qualifies;
    runs: how many rows qualify (always there);
    kilometres: the largest distance in kilometres, not rounded;
    date: ISO date of its local start_time; of equally long runs the earliest;
    minutes_per_km: its active_duration_minutes divided by its kilometres; where active_duration_minutes is missing,
    duration_minutes is used; None where both are missing.
    kilometres, date and minutes_per_km are None where insufficient.
    """
