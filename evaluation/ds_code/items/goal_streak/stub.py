def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """The longest run of consecutive days with at least 10,000 steps, and the run that is going on.

    All rows of summary_df are looked at. A day fulfils the goal where is_partial is false and steps is 10,000 or
    more. A day with missing steps, a partial day, or a calendar date without a row ends a run.

    Returns a dict with
    outcome: "ok", or "insufficient" where no day has a value of steps;
    longest: length of the longest run in days (0 where no day fulfils the goal);
    longest_end: ISO date of its last day; of runs that are equally long, the latest; None where longest is 0;
    current: length of the run that ends with profile_df["data_through"], 0 where that day does not fulfil the goal.
    Where insufficient, longest and current are None, and so is longest_end.
    """
