def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Share of deep sleep among staged sleep.

    A night has stages where deep_sleep_minutes, rem_sleep_minutes and light_sleep_minutes all have a value and their
    sum is above 0. All rows of summary_df are looked at.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 7 nights have stages;
    nights: nights with stages (always there);
    pooled_share: all deep minutes of those nights divided by all staged minutes of those nights;
    mean_share: the mean over nights of (deep minutes / staged minutes of that night). Both None where insufficient.
    """
