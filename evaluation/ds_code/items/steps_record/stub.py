def analysis(summary_df, activities_df, population_df, profile_df, labs_df, surveys_df) -> dict:
    """The day with most steps, and how it compares with the usual day.

    A day counts where is_partial is false and steps has a value, over all rows of summary_df.

    Returns a dict with
    outcome: "ok", or "insufficient" where fewer than 7 days count;
    days: days that count (always there);
    record: the largest number of steps; record_date: ISO date, of equal days the earliest;
    usual: the median of all days that count; ratio: record / usual, None where usual is 0;
    days_since: days from record_date to profile_df["data_through"].
    record, record_date, usual, ratio and days_since are None where insufficient.
    """
