def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Between which published percentiles of their peers a person's resting heart rate lies.

    The own value is the median of resting_heart_rate over the rows of the 30 calendar days that end with
    profile_df["data_through"], with at least 10 values. Peers: rows of population_df with metric
    "resting_heart_rate", definition "person", window "last_30_days" and a value; first those of the person's own sex
    and age_group (columns of profile_df), and where there are none with n of at least 11, those with that sex and
    age_group "all", and then those with sex "all" and age_group "all"; each again with n of at least 11.
    percentile is text in population_df and stands for a number.

    Returns a dict with
    outcome: "ok"; "insufficient" where fewer than 10 own values; else "no_peers" where no stratum qualifies;
    own_median: the own value, None where insufficient;
    stratum: "cell", "sex" or "all", the stratum used; None unless ok;
    at_least: the highest percentile (as whole number) whose value is at or below own_median, None where there is none;
    below: the lowest percentile (as whole number) whose value is above own_median, None where there is none.
    Both also None unless ok.
    """
