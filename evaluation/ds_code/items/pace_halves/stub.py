def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Whether runs became faster: median pace of the first and second half of the runs.

    A run is a row of activities_df with activity_name "Run", distance_m of at least 1000 and a value of
    duration_minutes. Its pace is duration_minutes per kilometre. Runs are sorted by start_utc; with n runs the first
    half are the first n // 2 and the second half the last n // 2 (the middle run of an odd number is in neither).

    Returns a dict with
    outcome: "ok", or "insufficient" where there are fewer than 6 runs;
    runs: number of runs (always there);
    first_pace, second_pace: the median pace of each half in minutes per kilometre;
    faster_percent: 100 * (first_pace - second_pace) / first_pace (negative: slower). All three None where insufficient.
    """
