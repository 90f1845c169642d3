def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """In how many of the last 8 calendar weeks the guideline of 150 active zone minutes was met.

    Weeks run from Monday to Sunday. The last 8 weeks are the 8 weeks of which the last is the latest one that has
    ended by profile_df["data_through"] (a Sunday ends its week). A week is known where all 7 of its days have a value
    of active_zone_minutes, or where the sum of those that have reaches 150 already.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 4 of the 8 weeks are known;
    known_weeks: known weeks (always there);
    met_weeks: known weeks with a sum of at least 150; share: met_weeks / known_weeks. Both None where insufficient.
    """
