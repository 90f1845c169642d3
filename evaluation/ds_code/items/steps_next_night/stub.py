def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Rank correlation of a day's steps with the sleep of the night that follows.

    The night that follows the day with date d stands on the row with date d + 1 (nights carry the date of waking).
    A pair counts where steps of d has a value, is_partial of d is false, and sleep_minutes of d + 1 has a value.
    Dates that have no row make no pair.

    Returns a dict with
    outcome: "ok"; "insufficient" where fewer than 10 pairs count; "constant" where there are enough pairs but steps
    or sleep does not vary among them;
    pairs: how many pairs count (always there);
    rho: Spearman's rank correlation (ties have their mean rank) of the pairs, None unless outcome is "ok".
    """
