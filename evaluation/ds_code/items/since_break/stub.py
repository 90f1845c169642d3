def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """Mean resting heart rate before and since the last change of device.

    A row with break_before true is the first day after a change. The last such row of summary_df divides the
    rows: earlier rows are before, it and later rows are since. Where there is more than one, before begins with the
    last but one such row. Rows without resting_heart_rate do not count.

    Returns a dict with
    outcome: "ok"; "no_break" where no row has break_before true; else "insufficient" where either side has fewer than
    10 days that count;
    break_date: ISO date of the last such row, None where no_break;
    days_before, days_since: days that count, None where no_break;
    mean_before, mean_since, shift: means and since minus before, None unless ok.
    """
